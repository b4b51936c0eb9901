using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using Xunit;

namespace Sivka.Tests;

/// <summary>
/// Streams under keysets. The matrix plays the vectors, the templates, and other languages' streams; what a stream does
/// when the other end fails is in <see cref="StreamTests"/>.
/// </summary>
public sealed class KeysetStreamTests
{
    private const string Template = "AES256_GCM_HKDF_4KB";
    private const int Segment = 4096;
    private static readonly byte[] Data = "backup of monday"u8.ToArray();

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
}
