using System;
using System.IO;
using Xunit;

namespace Sivka.Tests;

/// <summary>Numbers that C has no sign for: one that it cannot mean is refused here, and nothing has changed.</summary>
public sealed class NumbersTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("sivka").FullName;
    private readonly FileKeys _keys = new FileKeys().AddPassphrase("correct horse").SetCost(64, 2, 3);

    public void Dispose()
    {
        _keys.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void NegativeOnesAreRefused()
    {
        const int number = -1;
        string path = Seal();
        byte[] before = File.ReadAllBytes(path), buffer = new byte[20];
        using var key = new AesGcmSiv(new byte[32]);
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        using var opening = new OpeningStream(new MemoryStream(before), _keys);
        using var stream = new SealedFileStream(path, _keys);
        Action[] calls =
        [
            () => AesGcmSiv.GenerateKey(number),
            () => AesSiv.GenerateKey(number),
            () => new ChaCha20Blake2b(new byte[32], number),
            () => new XChaCha20Blake2b(new byte[32], number),
            () => new XChaCha20Blake2bSiv(new byte[32], number),
            () => key.SealedLength(number),
            () => key.OpenedLength(number),
            () => keyset.ToInsecure((KeysetForm)number),
            () => keyset.Encrypt((KeysetForm)number, key),
            () => Keyset.Decrypt(before, (KeysetForm)number, key),
            () => _keys.SetSpareSlots(number),
            () => _keys.SetCost(number, 2, 3),
            () => _keys.SetCost(64, number, 3),
            () => _keys.SetCost(64, 2, number),
            () => _keys.SetMaxCost(number, 1),
            () => _keys.SetMaxCost(64, number),
            () => SealedFile.RemoveSlot(path, _keys, number),
            () => SealedFile.ReplaceSlot(path, _keys, number, _keys),
            () => opening.ReadExactly(buffer, number, 1),
            () => opening.ReadExactly(buffer, 1, number),
            () => stream.ReadExactly(buffer, number, 1),
            () => stream.Seek(1, (SeekOrigin)number),
            () => stream.Position = number,
        ];
        Assert.All(calls, call => Assert.ThrowsAny<ArgumentException>(call));
        Assert.Equal(before, File.ReadAllBytes(path));
        Assert.Equal(new byte[20], buffer);
        Assert.Equal((64, 2, 3), Cost(Seal()));
    }

    [Fact]
    public void PositionsDoNotWrap()
    {
        using var stream = new SealedFileStream(Seal(), _keys);
        stream.Position = 5;
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.End));
        _ = Assert.Throws<IOException>(() => stream.Seek(long.MinValue, SeekOrigin.Begin));
        Assert.Equal(5, stream.Position);
        Assert.Equal(long.MaxValue, stream.Seek(long.MaxValue, SeekOrigin.Begin));
        Assert.Equal(0, stream.Read(new byte[9], 0, 9));
    }

    /// <summary>The file format has costs that an int has not.</summary>
    [Fact]
    public void CostsThatNobodyPaysAreTold()
    {
        string path = Seal();
        byte[] file = File.ReadAllBytes(path);
        file.AsSpan(file.AsSpan().IndexOf<byte>([0, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 3]), 8).Fill(0xff);
        File.WriteAllBytes(path, file);
        Assert.Equal((int.MaxValue, int.MaxValue, 3), Cost(path));
    }

    private static (int MemoryKib, int Passes, int Lanes) Cost(string path)
    {
        KeySlot slot = Assert.Single(SealedFile.Inspect(path).Slots);
        return (slot.MemoryKib, slot.Passes, slot.Lanes);
    }

    private string Seal()
    {
        string plain = Path.Combine(_folder, "plain"), path = Path.Combine(_folder, Path.GetRandomFileName());
        File.WriteAllBytes(plain, new byte[100]);
        SealedFile.Seal(plain, path, _keys);
        return path;
    }
}
