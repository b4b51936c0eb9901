using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Xunit;

namespace Sivka.Tests;

/// <summary>The public interface of an assembly is what a text file says, so that no change of it goes unseen.</summary>
internal static class PublicInterface
{
    /// <summary>Writes the file instead of comparing it.</summary>
    private const string Write = "SIVKA_WRITE_PUBLIC_INTERFACE";

    /// <summary>Compares it with <c>PublicInterface.txt</c> of the project that has the assembly's name.</summary>
    internal static void Compare(Assembly assembly)
    {
        string path = Path.Combine(SourceTree.Root, "bindings/dotnet", assembly.GetName().Name!, "PublicInterface.txt");
        string found = Describe(assembly);
        if (Environment.GetEnvironmentVariable(Write) is not null)
        {
            File.WriteAllText(path, found);
        }
        Assert.Equal(File.ReadAllText(path).Split('\n'), found.Split('\n'));
    }

    private static string Describe(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (Type type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            string kind = type.IsEnum ? "enum" : type.IsInterface ? "interface" : type.IsAbstract && type.IsSealed ? "static class"
                : type.IsAbstract ? "abstract class" : "sealed class";
            _ = text.Append(kind).Append(' ').Append(type.FullName);
            _ = text.Append(type.BaseType is null || type.BaseType == typeof(object) || type.IsEnum ? "" : $" : {type.BaseType.Name}").Append('\n');
            const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
            foreach (string member in type.GetMembers(Declared).Select(Describe).OfType<string>().Order(StringComparer.Ordinal))
            {
                _ = text.Append("    ").Append(member).Append('\n');
            }
        }
        return text.ToString();
    }

    private static string? Describe(MemberInfo member) => member switch
    {
        FieldInfo field => field.IsLiteral ? $"const {field} = {field.GetRawConstantValue()}" : null,
        PropertyInfo property => $"{(property.GetMethod!.IsStatic ? "static " : "")}{property} {{ get;{(property.SetMethod is null ? "" : " set;")} }}",
        ConstructorInfo or MethodInfo { IsSpecialName: false } => $"{(((MethodBase)member).IsStatic ? "static " : "")}{member} named {Parameters((MethodBase)member)}",
        _ => null,
    };

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(parameter =>
        $"{(parameter.IsOut ? "out " : "")}{parameter.Name}{(parameter.IsOptional ? " = " + (parameter.RawDefaultValue ?? "default") : "")}"));
}
