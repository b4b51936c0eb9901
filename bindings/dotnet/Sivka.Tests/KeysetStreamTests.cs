using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>Streams under keysets. The matrix plays the vectors, and other languages' streams.</summary>
public sealed class KeysetStreamTests
{
    private const string Template = "AES256_GCM_HKDF_4KB";
    private const int Segment = 4096;
    private static readonly byte[] Data = "backup of monday"u8.ToArray();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("AES128_GCM_HKDF_4KB")]
    [InlineData("AES256_GCM_HKDF_1MB")]
    [InlineData("AES128_CTR_HMAC_SHA256_4KB")]
    [InlineData("AES256_CTR_HMAC_SHA256_1MB")]
    public async Task EveryTemplateSealsAndOpens(string template)
    {
        using var keyset = Keyset.Generate(template);
        Assert.Equal(KeysetPurpose.StreamingAead, keyset.Info.Purpose);
        Assert.False(keyset.Info.IsDeterministic);
        foreach (int length in new[] { 0, 1, Segment, (3 * Segment) + 7, 3_000_000 })
        {
            byte[] text = RandomNumberGenerator.GetBytes(length);
            byte[] whole = Sealed(keyset, text);
            Assert.Equal(text, Opened(keyset, whole, Data));

            var output = new MemoryStream();
            await using (SealingStream stream = keyset.CreateSealingStream(output, Data, leaveOpen: true))
            {
                Assert.Equal(0, output.Length);
                await stream.WriteAsync(text.AsMemory(), Token);
                await stream.CompleteAsync(Token);
            }
            output.Position = 0;
            await using OpeningStream opening = keyset.CreateOpeningStream(output, Data);
            var copy = new MemoryStream();
            await opening.CopyToAsync(copy, Token);
            Assert.Equal(text, copy.ToArray());
            Assert.Equal(0, await opening.ReadAsync(new byte[9].AsMemory(), Token));
        }
    }

    [Fact]
    public void NothingThatIsNotAuthenticComesOut()
    {
        using Keyset keyset = Keyset.Generate(Template), other = Keyset.Generate(Template);
        byte[] text = RandomNumberGenerator.GetBytes(3 * Segment), whole = Sealed(keyset, text);
        Assert.Equal(0, DoesNotOpen(other, whole, Data, text));
        Assert.Equal(0, DoesNotOpen(keyset, whole, [], text));
        for (int at = 0; at < whole.Length; at += 97)
        {
            byte[] changed = (byte[])whole.Clone();
            changed[at] ^= 4;
            Assert.True(DoesNotOpen(keyset, changed, Data, text) <= at);
            _ = DoesNotOpen(keyset, whole[..at], Data, text);
        }
        _ = DoesNotOpen(keyset, whole[..^1], Data, text);
        _ = DoesNotOpen(keyset, [.. whole, 0], Data, text);
    }

    /// <summary>Whoever copies from a source that fails leaves no stream that looks whole.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Segment)]
    [InlineData((20 * Segment) + 5)]
    public void SourceThatFailsLeavesNoEnd(int length)
    {
        using var keyset = Keyset.Generate(Template);
        byte[] text = RandomNumberGenerator.GetBytes(length);
        var output = new MemoryStream();
        var cable = new IOException("the cable");
        Assert.Same(cable, Assert.Throws<IOException>(() =>
        {
            using Stream source = new Failing(text, cable);
            using SealingStream stream = keyset.CreateSealingStream(output, Data);
            source.CopyTo(stream);
            stream.Complete();
        }));
        _ = DoesNotOpen(keyset, output.ToArray(), Data, text);
    }

    /// <summary>What the caller's own streams throw comes out as it is, and nothing goes on after it.</summary>
    [Fact]
    public void FailuresOfTheOtherStreamAreItsOwn()
    {
        using var keyset = Keyset.Generate(Template);
        byte[] text = RandomNumberGenerator.GetBytes(3 * Segment), whole = Sealed(keyset, text);
        var cable = new IOException("the cable");
        using OpeningStream stream = keyset.CreateOpeningStream(new Failing(whole[..(2 * Segment)], cable), Data);
        Assert.Same(cable, Assert.Throws<IOException>(() => stream.CopyTo(Stream.Null)));
        Assert.Same(cable, Assert.Throws<IOException>(() => stream.ReadByte()));

        using SealingStream full = keyset.CreateSealingStream(new Failing([], cable), Data);
        Assert.Same(cable, Assert.Throws<IOException>(() => full.Write(new byte[2 * Segment], 0, 2 * Segment)));
        Assert.Same(cable, Assert.Throws<IOException>(full.Complete));
    }

    /// <summary>A stream has what it needs when it is made.</summary>
    [Fact]
    public void KeysetMayBeDisposedOfAndChangedMeanwhile()
    {
        byte[] text = RandomNumberGenerator.GetBytes(50_000), data = (byte[])Data.Clone(), kept;
        var output = new MemoryStream();
        SealingStream stream;
        using (var keyset = Keyset.Generate(Template))
        {
            kept = keyset.ToInsecure(KeysetForm.Binary);
            stream = keyset.CreateSealingStream(output, data);
            Array.Clear(data);
            _ = keyset.Rotate("AES128_CTR_HMAC_SHA256_4KB");
        }
        using (stream)
        {
            stream.Write(text, 0, text.Length);
            stream.Complete();
        }
        var read = Keyset.FromInsecure(kept, KeysetForm.Binary);
        OpeningStream opening = read.CreateOpeningStream(new MemoryStream(output.ToArray()), Data);
        _ = read.Rotate("AES128_CTR_HMAC_SHA256_4KB");
        Assert.Equal(text, Opened(read, output.ToArray(), Data));
        read.Dispose();
        using (opening)
        {
            var copy = new MemoryStream();
            opening.CopyTo(copy);
            Assert.Equal(text, copy.ToArray());
        }
    }

    [Fact]
    public void PurposesAreToldApartAtOnce()
    {
        using Keyset streams = Keyset.Generate(Template), messages = Keyset.Generate("AES256_GCM_SIV");
        Action[] calls =
        [
            () => messages.CreateSealingStream(new MemoryStream(), Data),
            () => messages.CreateOpeningStream(new MemoryStream(), Data),
            () => streams.Seal(Data, Data),
            () => streams.SealDeterministically(Data, Data),
            () => streams.Open(Data, Data),
            () => streams.SealedLength(1),
            () => streams.OpenedLength(99),
            () => messages.Encrypt(KeysetForm.Json, streams),
        ];
        foreach (Action call in calls)
        {
            InvalidOperationException e = Assert.Throws<InvalidOperationException>(call);
            Assert.Contains("the keyset is for ", e.Message, StringComparison.Ordinal);
        }
        _ = Assert.Throws<ArgumentException>(() => streams.CreateSealingStream(new MemoryStream([], writable: false)));
        _ = Assert.Throws<ArgumentException>(() => streams.CreateOpeningStream(new Failing([], new IOException()) { IsReadable = false }));
        streams.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => streams.CreateSealingStream(new MemoryStream()));
        _ = Assert.Throws<ObjectDisposedException>(() => streams.CreateOpeningStream(new MemoryStream()));
    }

    private static byte[] Sealed(Keyset keyset, byte[] text)
    {
        var output = new MemoryStream();
        using (SealingStream stream = keyset.CreateSealingStream(output, Data))
        {
            for (int at = 0; at < text.Length; at += 10_001)
            {
                stream.Write(text, at, Math.Min(10_001, text.Length - at));
            }
            stream.Complete();
        }
        return output.ToArray();
    }

    private static byte[] Opened(Keyset keyset, byte[] whole, byte[] data)
    {
        using OpeningStream stream = keyset.CreateOpeningStream(new MemoryStream(whole), data);
        var copy = new MemoryStream();
        stream.CopyTo(copy);
        return copy.ToArray();
    }

    /// <summary>How much comes out before it; nothing else may.</summary>
    private static int DoesNotOpen(Keyset keyset, byte[] whole, byte[] data, byte[] text)
    {
        using OpeningStream stream = keyset.CreateOpeningStream(new MemoryStream(whole), data);
        var copy = new MemoryStream();
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => stream.CopyTo(copy));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => stream.ReadByte());
        Assert.Equal(text.Take((int)copy.Length), copy.ToArray());
        return (int)copy.Length;
    }

    /// <summary>Gives some bytes, little at a time, and then fails; writing fails at once.</summary>
    private sealed class Failing(byte[] text, Exception failure) : MemoryStream(text)
    {
        public bool IsReadable { get; init; } = true;

        public override bool CanRead => IsReadable;

        public override bool CanWrite => true;

        public override int Read(byte[] buffer, int offset, int count) =>
            base.Read(buffer, offset, Math.Min(count, 1000)) is > 0 and var read ? read : throw failure;

        public override int Read(Span<byte> buffer) =>
            base.Read(buffer[..Math.Min(buffer.Length, 1000)]) is > 0 and var read ? read : throw failure;

        public override void Write(byte[] buffer, int offset, int count) => throw failure;

        public override void CopyTo(Stream destination, int bufferSize)
        {
            byte[] buffer = new byte[999];
            for (int read = Read(buffer, 0, 999); read > 0; read = Read(buffer, 0, 999))
            {
                destination.Write(buffer, 0, read);
            }
        }
    }
}
