using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using System.Threading.Tasks;
using Sivka.ChaCha20BLAKE2;
using Xunit;

namespace Sivka.Tests;

/// <summary>
/// Every number that a public method takes: one that it cannot mean is refused, and nothing has changed. The methods
/// are found by reflection, so that a new number needs a case here.
/// </summary>
public sealed class NumbersTests : IDisposable
{
    /// <summary>Less than 0, and what other types wrap to a small number.</summary>
    private static readonly long[] s_numbers =
        [long.MinValue, int.MinValue, -1, int.MaxValue, 1L << 31, (1L << 32) + 64, 1L << 48, long.MaxValue - 4];

    private static readonly Type[] s_numberTypes =
        [typeof(sbyte), typeof(short), typeof(int), typeof(long), typeof(nint), typeof(byte), typeof(ushort), typeof(uint), typeof(ulong), typeof(nuint)];

    private readonly string _folder = Directory.CreateTempSubdirectory("sivka").FullName;
    private readonly List<Case> _cases = [];
    private readonly FileKeys _keys = new FileKeys().AddPassphrase("correct horse").SetCost(64, 2, 3);

    /// <summary>A number: its type, the greatest that is no mistake, what others throw, what stays as it is then, and the call.</summary>
    private sealed record Case(string Name, Type Type, long Most, Type Refusal, Func<object?> State, Action<long> Call);

    public void Dispose()
    {
        _keys.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void EveryNumberIsChecked()
    {
        AddKeys();
        AddMessages();
        AddKeysets();
        AddFiles();
        string[] found = [.. typeof(Aead).Assembly.GetExportedTypes().SelectMany(Numbers).Order(StringComparer.Ordinal)];
        Assert.Equal(_cases.Select(one => one.Name).Order(StringComparer.Ordinal), found);
        Assert.True(found.Length > 50);
        Assert.All(_cases, Check);
    }

    [Fact]
    public void PositionsDoNotWrap()
    {
        using SealedFileStream stream = Stream();
        stream.Position = 5;
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.End));
        Assert.Equal(5, stream.Position);
        Assert.Equal(long.MaxValue, stream.Seek(long.MaxValue, SeekOrigin.Begin));
        Assert.Equal(0, stream.Read(new byte[9], 0, 9));
    }

    /// <summary>The file format has costs that an int has not.</summary>
    [Fact]
    public void CostsThatNobodyPaysAreTold()
    {
        string path = Seal(_keys);
        byte[] file = File.ReadAllBytes(path);
        file.AsSpan(file.AsSpan().IndexOf<byte>([0, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 3]), 8).Fill(0xff);
        File.WriteAllBytes(path, file);
        KeySlot slot = Assert.Single(SealedFile.Inspect(path).Slots);
        Assert.Equal((int.MaxValue, int.MaxValue, 3), (slot.MemoryKib, slot.Passes, slot.Lanes));
    }

    private static void Check(Case one)
    {
        object? before = one.State();
        int refused = 0;
        foreach (long number in s_numbers.Where(number => Fits(number, one.Type) && (number < 0 || number > one.Most)))
        {
            Exception? thrown = Record.Exception(() => one.Call(number));
            Assert.True(one.Refusal.IsInstanceOfType(thrown), $"{one.Name}: {number}: {thrown}");
            Assert.Equal(before, one.State());
            refused++;
        }
        Assert.True(refused > 0, one.Name);
    }

    private static bool Fits(long number, Type type) =>
        type == typeof(long) || (type == typeof(uint) ? number is >= 0 and <= uint.MaxValue : number is >= int.MinValue and <= int.MaxValue);

    /// <summary>The numbers that what a type declares takes, by their names.</summary>
    private static IEnumerable<string> Numbers(Type type) =>
        from method in type.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly).OfType<MethodBase>()
        where !type.IsEnum
        from parameter in method.GetParameters()
        where !parameter.IsOut && IsNumber(parameter.ParameterType)
        select $"{type.Name}.{method.Name} {parameter.Name}";

    private static bool IsNumber(Type type) => type.IsEnum || s_numberTypes.Contains(type)
        || (type.IsGenericType && type.GetGenericArguments() is [Type one] && one != typeof(byte) && s_numberTypes.Contains(one) && !type.Name.StartsWith("IProgress", StringComparison.Ordinal))
        || (type.IsArray && type != typeof(byte[]) && IsNumber(type.GetElementType()!));

    private void Add<T>(string name, Action<T> call, long most = -1, Type? refusal = null, Func<object?>? state = null)
    {
        Type type = typeof(T).IsEnum ? typeof(int) : typeof(T);
        Func<long, object> convert = typeof(T).IsEnum ? number => Enum.ToObject(typeof(T), (int)number)
            : type == typeof(uint) ? number => (uint)number
            : type == typeof(long) ? number => number
            : number => (int)number;
        _cases.Add(new Case(name, type, most, refusal ?? typeof(ArgumentException), state ?? (() => null), number => call((T)convert(number))));
    }

    private void AddKeys()
    {
        byte[] key = new byte[32], text = new byte[80], nonce8 = new byte[8], nonce24 = new byte[24];
        Add<int>("AesGcmSiv.GenerateKey keySizeInBytes", number => AesGcmSiv.GenerateKey(number));
        Add<int>("AesSiv.GenerateKey keySizeInBytes", number => AesSiv.GenerateKey(number));
        Add<int>("ChaCha20Blake2b..ctor tagSizeInBytes", number => new ChaCha20Blake2b(key, number));
        Add<int>("ChaCha20Blake2b..ctor tagSizeInBytes", number => new ChaCha20Blake2b(key.AsSpan(), number));
        Add<int>("XChaCha20Blake2b..ctor tagSizeInBytes", number => new XChaCha20Blake2b(key, number));
        Add<int>("XChaCha20Blake2b..ctor tagSizeInBytes", number => new XChaCha20Blake2b(key.AsSpan(), number));
        Add<int>("XChaCha20Blake2bSiv..ctor tagSizeInBytes", number => new XChaCha20Blake2bSiv(key, number));
        Add<int>("XChaCha20Blake2bSiv..ctor tagSizeInBytes", number => new XChaCha20Blake2bSiv(key.AsSpan(), number));
        Add<TagLength>("ChaCha20BLAKE2b.Encrypt tagLength", length => ChaCha20BLAKE2b.Encrypt(text, nonce8, key, null, length));
        Add<TagLength>("ChaCha20BLAKE2b.Decrypt tagLength", length => ChaCha20BLAKE2b.Decrypt(text, nonce8, key, null, length));
        Add<TagLength>("XChaCha20BLAKE2b.Encrypt tagLength", length => XChaCha20BLAKE2b.Encrypt(text, nonce24, key, null, length));
        Add<TagLength>("XChaCha20BLAKE2b.Decrypt tagLength", length => XChaCha20BLAKE2b.Decrypt(text, nonce24, key, null, length));
        Add<TagLength>("XChaCha20BLAKE2bSIV.Encrypt tagLength", length => XChaCha20BLAKE2bSIV.Encrypt(text, key, null, length));
        Add<TagLength>("XChaCha20BLAKE2bSIV.Decrypt tagLength", length => XChaCha20BLAKE2bSIV.Decrypt(text, key, null, length));
    }

    private void AddMessages()
    {
        var key = new AesGcmSiv(new byte[32]);
        var siv = new XChaCha20Blake2bSiv(new byte[32]);
        Add<int>("Aead.SealedLength plaintextLength", number => key.SealedLength(number));
        Add<int>("Aead.OpenedLength sealedLength", number => key.OpenedLength(number), int.MaxValue);
        byte[] texts = RandomNumberGenerator.GetBytes(20), nonces = new byte[24], tags = new byte[64];
        object State() => Convert.ToHexString(texts) + Convert.ToHexString(tags);
        Add<int>("AeadKey.EncryptBatch offsets", number => key.EncryptBatch(nonces, texts, [0, number, 20], tags.AsSpan(32)), state: State);
        Add<int>("AeadKey.DecryptBatch offsets", number => key.DecryptBatch(nonces, texts, [0, number, 20], tags.AsSpan(32), new bool[2]), state: State);
    }

    private void AddKeysets()
    {
        var keyset = Keyset.Generate("AES256_GCM_SIV");
        object State() => $"{keyset.Info}";
        foreach ((string name, Action<uint> change) in new (string, Action<uint>)[]
        {
            (nameof(keyset.Promote), keyset.Promote), (nameof(keyset.Enable), keyset.Enable), (nameof(keyset.Disable), keyset.Disable),
            (nameof(keyset.Destroy), keyset.Destroy), (nameof(keyset.Remove), keyset.Remove),
        })
        {
            Add($"Keyset.{name} id", change, state: State);
        }
        Add<int>("Keyset.SealedLength plaintextLength", number => keyset.SealedLength(number));
        Add<int>("Keyset.OpenedLength sealedLength", number => keyset.OpenedLength(number), int.MaxValue);
        byte[] kept = keyset.ToInsecure(KeysetForm.Binary);
        var key = new AesGcmSiv(new byte[32]);
        Add<KeysetForm>("Keyset.FromInsecure form", form => Keyset.FromInsecure(kept, form));
        Add<KeysetForm>("Keyset.ToInsecure form", form => keyset.ToInsecure(form));
        Add<KeysetForm>("Keyset.Encrypt form", form => keyset.Encrypt(form, keyset));
        Add<KeysetForm>("Keyset.Encrypt form", form => keyset.Encrypt(form, key));
        Add<KeysetForm>("Keyset.Decrypt form", form => Keyset.Decrypt(kept, form, keyset));
        Add<KeysetForm>("Keyset.Decrypt form", form => Keyset.Decrypt(kept, form, key));
        Add<KeysetForm>("Keyset.Encrypt form", form => keyset.Encrypt(form, new NoService()));
        Add<KeysetForm>("Keyset.Decrypt form", form => Keyset.Decrypt(kept, form, new NoService()));
    }

    private void AddStreams(string path)
    {
        byte[] buffer = new byte[20];
        object Buffer() => Convert.ToHexString(buffer);
        var opening = new OpeningStream(new MemoryStream(File.ReadAllBytes(path)), _keys);
        var written = new MemoryStream();
        var sealing = new SealingStream(written, _keys);
        object Written() => written.Length;
        Type not = typeof(NotSupportedException);
        Add<int>("OpeningStream.Read offset", number => Assert.Equal(-1, opening.Read(buffer, number, 1)), state: Buffer);
        Add<int>("OpeningStream.Read count", number => Assert.Equal(-1, opening.Read(buffer, 1, number)), state: Buffer);
        Add<int>("OpeningStream.ReadAsync offset", number => Wait(opening.ReadAsync(buffer, number, 1)), state: Buffer);
        Add<int>("OpeningStream.ReadAsync count", number => Wait(opening.ReadAsync(buffer, 1, number)), state: Buffer);
        Add<int>("SealingStream.Write offset", number => sealing.Write(buffer, number, 1), state: Written);
        Add<int>("SealingStream.Write count", number => sealing.Write(buffer, 1, number), state: Written);
        Add<int>("SealingStream.WriteAsync offset", number => Wait(sealing.WriteAsync(buffer, number, 1)), state: Written);
        Add<int>("SealingStream.WriteAsync count", number => Wait(sealing.WriteAsync(buffer, 1, number)), state: Written);
        Add<int>("OpeningStream.Write offset", number => opening.Write(buffer, number, 1), refusal: not);
        Add<int>("OpeningStream.Write count", number => opening.Write(buffer, 1, number), refusal: not);
        Add<int>("SealingStream.Read offset", number => Assert.Equal(-1, sealing.Read(buffer, number, 1)), refusal: not);
        Add<int>("SealingStream.Read count", number => Assert.Equal(-1, sealing.Read(buffer, 1, number)), refusal: not);
        foreach (Stream stream in new Stream[] { opening, sealing })
        {
            string name = stream.GetType().Name;
            Add<long>($"{name}.SetLength value", stream.SetLength, refusal: not);
            Add<long>($"{name}.Seek offset", number => stream.Seek(number, SeekOrigin.Begin), refusal: not);
            Add<SeekOrigin>($"{name}.Seek origin", origin => stream.Seek(1, origin), refusal: not);
            Add<long>($"{name}.set_Position value", number => stream.Position = number, refusal: not);
        }
    }

    private static void Wait(Task task) => task.GetAwaiter().GetResult();

    private void AddFiles()
    {
        const int Any = int.MaxValue;
        var limited = new FileKeys().AddPassphrase("correct horse").SetMaxCost(64, 1);
        string path = Seal(_keys);
        bool Opens() => Record.Exception(() => SealedFile.Verify(path, limited)) is null;
        string Costs()
        {
            string now = Seal(_keys);
            return string.Join(" ", SealedFile.Inspect(now).Slots.Select(slot => $"{slot.MemoryKib} {slot.Passes} {slot.Lanes}"));
        }
        Add<int>("FileKeys.SetRoom slots", number => limited.SetRoom(number), Any, typeof(ArgumentOutOfRangeException));
        Add<int>("FileKeys.SetCost memoryKib", number => _keys.SetCost(number, 2, 3), Any, state: Costs);
        Add<int>("FileKeys.SetCost passes", number => _keys.SetCost(64, number, 3), Any, state: Costs);
        Add<int>("FileKeys.SetCost lanes", number => _keys.SetCost(64, 2, number), 255, state: Costs);
        Add<int>("FileKeys.SetMaxCost memoryKib", number => limited.SetMaxCost(number, 16), Any, state: () => Opens());
        Add<int>("FileKeys.SetMaxCost passes", number => limited.SetMaxCost(1 << 20, number), Any, state: () => Opens());
        var opening = new FileKeys().AddPassphrase("correct horse");
        object State() => Convert.ToHexString(File.ReadAllBytes(path));
        Add<int>("SealedFile.RemoveSlot slot", number => SealedFile.RemoveSlot(path, opening, number), state: State);
        Add<int>("SealedFile.ReplaceSlot slot", number => SealedFile.ReplaceSlot(path, opening, number, opening), state: State);

        SealedFileStream stream = Stream();
        byte[] buffer = new byte[20];
        object Position() => $"{stream.Position} {Convert.ToHexString(buffer)}";
        Add<int>("SealedFileStream.Read offset", number => Assert.Equal(-1, stream.Read(buffer, number, 1)), state: Position);
        Add<int>("SealedFileStream.Read count", number => Assert.Equal(-1, stream.Read(buffer, 1, number)), state: Position);
        Add<int>("SealedFileStream.Write offset", number => stream.Write(buffer, number, 1), refusal: typeof(NotSupportedException), state: Position);
        Add<int>("SealedFileStream.Write count", number => stream.Write(buffer, 1, number), refusal: typeof(NotSupportedException), state: Position);
        Add<long>("SealedFileStream.SetLength value", stream.SetLength, refusal: typeof(NotSupportedException), state: Position);
        // As other streams have it.
        Add<long>("SealedFileStream.Seek offset", number => stream.Seek(number, SeekOrigin.Begin), long.MaxValue, typeof(IOException), Position);
        Add<SeekOrigin>("SealedFileStream.Seek origin", origin => stream.Seek(1, origin), state: Position);
        Add<long>("SealedFileStream.set_Position value", number => stream.Position = number, long.MaxValue, state: Position);
        AddStreams(path);
    }

    private string Seal(FileKeys keys)
    {
        string plain = Path.Combine(_folder, "plain"), path = Path.Combine(_folder, Path.GetRandomFileName());
        File.WriteAllBytes(plain, new byte[100]);
        SealedFile.Seal(plain, path, keys);
        return path;
    }

    private SealedFileStream Stream() => new(Seal(_keys), _keys);

    /// <summary>A key-management service that is never asked.</summary>
    private sealed class NoService : IKeyManagement
    {
        public byte[] Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData) => throw new InvalidOperationException();

        public byte[] Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData) => throw new InvalidOperationException();
    }
}
