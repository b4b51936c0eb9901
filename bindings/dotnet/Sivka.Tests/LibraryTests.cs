using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Xunit;

namespace Sivka.Tests;

/// <summary>The native library: how it is found, and that its numbers are the header's.</summary>
public sealed partial class LibraryTests
{
    private static string Header => File.ReadAllText(Path.Combine(SourceTree.Root, "ffi/include/sivka.h"));

    [Fact]
    public void StatusesAreThoseOfTheHeader()
    {
        Dictionary<string, string> statuses = HeaderNumber().Matches(Header).ToDictionary(
            match => match.Groups[1].Value.Replace("ERROR_", "").Replace("_", ""), match => match.Groups[2].Value, StringComparer.OrdinalIgnoreCase);
        FieldInfo[] ours = Constants("Sivka.Native.Status");
        Assert.True(ours.Length > 10);
        Assert.All(ours, field => Assert.Equal(statuses[field.Name], $"{field.GetRawConstantValue()}"));
        Assert.Equal(statuses["ABIVERSION"], $"{Constants("Sivka.Native.Library").Single(one => one.Name == "AbiVersion").GetRawConstantValue()}");
        Assert.Equal(statuses["OVERWRITE"], $"{Constants("Sivka.SealedFile").Single().GetRawConstantValue()}");
        FieldInfo[] slots = Constants("Sivka.Native.NativeSlot");
        Assert.Equal([statuses["SLOTKEYFILE"], statuses["SLOTPASSPHRASE"]], slots.Select(field => $"{field.GetRawConstantValue()}"));
        Assert.Equal("8", statuses["KEYIDLEN"]);
    }

    /// <summary>Each declaration here has a function in the header, with as many arguments.</summary>
    [Fact]
    public void FunctionsAreThoseOfTheHeader()
    {
        MethodInfo[] ours = [.. typeof(Aead).Assembly.GetType("Sivka.Native.NativeMethods", throwOnError: true)!
            .GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            .Where(method => method.Name.StartsWith("sivka_", StringComparison.Ordinal))];
        Dictionary<string, int> header = HeaderFunction().Matches(Header).ToDictionary(
            match => match.Groups[1].Value,
            match => match.Groups[2].Value == "void" ? 0 : match.Groups[2].Value.Count(one => one == ',') + 1);
        Assert.True(ours.Length > 50);
        Assert.All(ours, method => Assert.Equal(header[method.Name], method.GetParameters().Length));
    }

    [Fact]
    public void AMissingLibraryIsSaidWithThePlaces()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("sivka-missing-");
        try
        {
            foreach (string name in new[] { "Sivka.dll", "Sivka.Examples.dll", "Sivka.Examples.runtimeconfig.json" })
            {
                File.Copy(Path.Combine(AppContext.BaseDirectory, name), Path.Combine(folder.FullName, name));
            }
            (int exit, _, string error) = Child.Run(Path.Combine(folder.FullName, "Sivka.Examples.dll"), "Message");
            Assert.NotEqual(0, exit);
            string file = OperatingSystem.IsWindows() ? "sivka.dll" : OperatingSystem.IsMacOS() ? "libsivka.dylib" : "libsivka.so";
            Assert.Contains("System.DllNotFoundException: The native library of Sivka was not found", error, StringComparison.Ordinal);
            Assert.Contains(Path.Combine(folder.FullName, file), error, StringComparison.Ordinal);
            Assert.Contains(Path.Combine("runtimes", RuntimeInformation.RuntimeIdentifier, "native", file), error, StringComparison.Ordinal);

            // Found where a program has it that was put together by hand.
            string place = Path.Combine(folder.FullName, "runtimes", RuntimeInformation.RuntimeIdentifier, "native");
            _ = Directory.CreateDirectory(place);
            File.Copy(Path.Combine(AppContext.BaseDirectory, "runtimes", RuntimeInformation.RuntimeIdentifier, "native", file), Path.Combine(place, file));
            (exit, string output, error) = Child.Run(Path.Combine(folder.FullName, "Sivka.Examples.dll"), "Message");
            Assert.Equal((0, "meet at noon", ""), (exit, output.Trim(), error));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static FieldInfo[] Constants(string type) =>
        [.. typeof(Aead).Assembly.GetType(type, throwOnError: true)!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            .Where(field => field.IsLiteral && field.FieldType != typeof(string))];

    [GeneratedRegex(@"^#define SIVKA_(\w+) (\d+)$", RegexOptions.Multiline)]
    private static partial Regex HeaderNumber();

    [GeneratedRegex(@"^[\w ]+[ *](sivka_\w+)\(([^)]*)\);", RegexOptions.Multiline)]
    private static partial Regex HeaderFunction();
}
