using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>What is intact of a damaged file.</summary>
public sealed class SalvageTests : IDisposable
{
    private const int Chunk = 16_384;
    private readonly string _folder = Directory.CreateTempSubdirectory("sivka-salvage-").FullName;
    private readonly KeyFile _key = KeyFile.Generate("test");
    private readonly FileKeys _keys;
    private readonly byte[] _text = RandomNumberGenerator.GetBytes((10 * Chunk) + 5);
    private readonly byte[] _sealed;

    public SalvageTests()
    {
        _keys = new FileKeys(_key);
        _sealed = Sealed(_text);
    }

    public void Dispose()
    {
        _keys.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string Input => Path.Combine(_folder, "sealed");

    private string Output => Path.Combine(_folder, "plain");

    private byte[] Sealed(byte[] text)
    {
        using var output = new MemoryStream();
        SealedFile.Seal(new MemoryStream(text), output, _keys);
        return output.ToArray();
    }

    private SalvageResult Salvage(byte[] file)
    {
        File.WriteAllBytes(Input, file);
        return SealedFile.Salvage(Input, Output, _keys, new SealedFileOptions { Overwrite = true });
    }

    /// <summary>Where chunk <paramref name="index"/> begins.</summary>
    private int PlaceOf(int index) => Sealed([]).Length - 16 + (index * (Chunk + 16));

    [Fact]
    public void NothingIsLostOfAWholeFile()
    {
        SalvageResult found = Salvage(_sealed);
        Assert.Equal(_text, File.ReadAllBytes(Output));
        Assert.True(found.Opens && found.ContentIsWhole);
        Assert.False(found.EndIsMissing || found.HeaderIsDamaged || found.CommitmentIsDamaged);
        Assert.Equal((_text.Length, 0, _text.Length), (found.IntactLength, found.LostLength, found.PlaintextLength));
        Assert.Empty(found.Lost);
        Assert.Equal("163845 bytes, nothing lost", found.ToString());
    }

    [Fact]
    public void LostChunksAreZeros()
    {
        byte[] damaged = (byte[])_sealed.Clone();
        damaged[PlaceOf(2)] ^= 1;
        damaged[PlaceOf(3) + 100] ^= 1;
        damaged[PlaceOf(10)] ^= 1;
        SalvageResult found = Salvage(damaged);
        byte[] expected = (byte[])_text.Clone();
        Array.Clear(expected, 2 * Chunk, 2 * Chunk);
        Assert.Equal(expected.AsSpan(0, 10 * Chunk), File.ReadAllBytes(Output).AsSpan(0, 10 * Chunk));
        Assert.False(found.Opens || found.ContentIsWhole);
        Assert.Equal(8 * Chunk, found.IntactLength);
        Assert.Null(found.PlaintextLength);
        Assert.Equal((2L * Chunk, 2L * Chunk), (found.Lost[0].Start, found.Lost[0].Length));
        Assert.Equal(found.LostLength, found.Lost.Sum(range => range.Length));
        Assert.Equal("32768 bytes from 32768", found.Lost[0].ToString());
    }

    [Fact]
    public void AMissingEndIsTold()
    {
        SalvageResult found = Salvage(_sealed[..PlaceOf(4)]);
        Assert.True(found.EndIsMissing);
        Assert.False(found.Opens || found.ContentIsWhole);
        Assert.Equal(4 * Chunk, found.IntactLength);
        Assert.Equal(_text[..(4 * Chunk)], File.ReadAllBytes(Output)[..(4 * Chunk)]);
        Assert.Contains("the end is missing", found.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task FailuresLeaveNoFile()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        File.WriteAllBytes(Input, _sealed);
        using KeyFile other = KeyFile.Generate("other");
        using var others = new FileKeys(other);
        _ = Assert.Throws<CryptographicException>(() => SealedFile.Salvage(Input, Output, others));
        File.WriteAllBytes(Input, _text);
        _ = Assert.Throws<InvalidDataException>(() => SealedFile.Salvage(Input, Output, _keys));
        _ = Assert.Throws<FileNotFoundException>(() => SealedFile.Salvage(Input + "x", Output, _keys));
        File.WriteAllBytes(Input, _sealed);
        using var stop = new CancellationTokenSource();
        _ = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => SealedFile.SalvageAsync(Input, Output, _keys, null, new Stopping(stop), stop.Token));
        Assert.False(File.Exists(Output));
        SalvageResult found = await SealedFile.SalvageAsync(Input, Output, _keys, cancellationToken: token);
        Assert.True(found.ContentIsWhole);
        _ = Assert.Throws<IOException>(() => SealedFile.Salvage(Input, Output, _keys));
    }

    private sealed class Stopping(CancellationTokenSource stop) : IProgress<long>
    {
        public void Report(long value) => stop.Cancel();
    }
}
