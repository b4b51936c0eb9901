using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>Null for each argument of the public interface that may not be null, one at a time.</summary>
public sealed class NullTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("sivka-null-").FullName;
    private readonly KeyFile _key = KeyFile.Generate("test");
    private readonly FileKeys _keys;
    private readonly SealedFileStream _stream;

    public NullTests()
    {
        _keys = new FileKeys(_key);
        using var sealedFile = new MemoryStream();
        SealedFile.Seal(new MemoryStream([1, 2, 3]), sealedFile, _keys);
        _stream = new SealedFileStream(new MemoryStream(sealedFile.ToArray()), _keys);
    }

    public void Dispose()
    {
        _stream.Dispose();
        _keys.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void IsSaidWithTheParameter()
    {
        using var aes = new AesGcmSiv(new byte[32]);
        using var siv = new AesSiv(new byte[64]);
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        using var sealing = new SealingStream(new MemoryStream(), _keys);
        using var opening = new OpeningStream(new MemoryStream(), _keys);
        var objects = new Dictionary<Type, object> { [typeof(KeyFile)] = _key, [typeof(FileKeys)] = _keys, [typeof(SealedFileStream)] = _stream, [typeof(AesSiv)] = siv, [typeof(Aead)] = siv, [typeof(Keyset)] = keyset, [typeof(SealingStream)] = sealing, [typeof(OpeningStream)] = opening };
        int played = 0;
        // The old package's calls look at their arguments in its order: `OldPackageTests`.
        foreach (Type type in typeof(Aead).Assembly.GetExportedTypes().Where(type => type.Namespace != "Sivka.ChaCha20BLAKE2"))
        {
            foreach (MethodBase method in Methods(type).Where(method => !method.GetParameters().Any(one => one.ParameterType.IsByRefLike)))
            {
                object? target = method.IsStatic || method.IsConstructor ? null : objects.GetValueOrDefault(type, aes);
                foreach (ParameterInfo parameter in method.GetParameters().Where(MayNotBeNull))
                {
                    object?[] arguments = [.. method.GetParameters().Select(one => one == parameter ? null : Sample(one))];
                    Exception? failure = Record.Exception(() => Play(method, target, arguments));
                    string called = $"{type.Name}.{method.Name}, {parameter.Name}";
                    Assert.True(failure is ArgumentNullException, $"{called}: {failure}");
                    Assert.True(((ArgumentNullException)failure).ParamName == parameter.Name, $"{called}: {failure}");
                    played++;
                }
            }
        }
        Assert.True(played >= 80, $"{played} arguments");
        sealing.Complete();
    }

    private static IEnumerable<MethodBase> Methods(Type type)
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        // What a stream does not do it refuses before it looks.
        string not = type == typeof(SealingStream) ? nameof(Stream.Read) : nameof(Stream.Write);
        return type.GetConstructors(Declared).Cast<MethodBase>().Concat(type.GetMethods(Declared))
            .Where(method => !method.IsAbstract && method.DeclaringType == type && method.Name != not);
    }

    private static bool MayNotBeNull(ParameterInfo parameter) =>
        !parameter.ParameterType.IsValueType && !parameter.IsOut
        && new NullabilityInfoContext().Create(parameter).WriteState == NullabilityState.NotNull;

    private object? Sample(ParameterInfo parameter) => parameter.ParameterType switch
    {
        _ when parameter.HasDefaultValue => parameter.ParameterType.IsValueType ? Activator.CreateInstance(parameter.ParameterType) : null,
        var type when type == typeof(string) => Path.Combine(_folder, "none"),
        var type when type == typeof(byte[]) => new byte[32],
        var type when type == typeof(Stream) => new MemoryStream(),
        var type when type == typeof(FileKeys) => _keys,
        var type when type == typeof(KeyFile) => _key,
        var type when type.IsValueType => Activator.CreateInstance(type),
        var type => throw new NotSupportedException($"no sample of {type}"),
    };

    private static void Play(MethodBase method, object? target, object?[] arguments)
    {
        try
        {
            object? result = method is ConstructorInfo constructor ? constructor.Invoke(arguments) : method.Invoke(target, arguments);
            (result as Task)?.GetAwaiter().GetResult();
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            throw e.InnerException;
        }
    }
}
