using System;
using System.Linq;
using System.Security.Cryptography;
using Sivka.Matrix;
using Xunit;

namespace Sivka.Tests;

/// <summary>Many messages in one call give the bytes of as many calls.</summary>
public sealed class BatchTests
{
    public static TheoryData<string> Algorithms => [.. Keys.Algorithms];

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void ListsAreAsSingleMessages(string algorithm)
    {
        using Aead key = New(algorithm);
        byte[][] texts = [.. Enumerable.Range(1, 40).Select(length => RandomNumberGenerator.GetBytes(length * length))];
        byte[][] datas = [.. texts.Select(text => RandomNumberGenerator.GetBytes(text.Length % 7))];
        byte[] nonces = Nonces(key, texts.Length);
        Memory<byte>[] inPlace = [.. texts.Select(text => ((byte[])text.Clone()).AsMemory())];
        ReadOnlyMemory<byte>[] data = [.. datas.Select(one => (ReadOnlyMemory<byte>)one)];
        byte[] tags = key.EncryptBatch(nonces, inPlace, data);
        for (int i = 0; i < texts.Length; i++)
        {
            byte[] nonce = nonces[(i * key.NonceSizeInBytes)..((i + 1) * key.NonceSizeInBytes)];
            byte[] tag = tags[(i * key.TagSizeInBytes)..((i + 1) * key.TagSizeInBytes)];
            Assert.Equal(key.EncryptJoined(nonce, texts[i], datas[i]), key.Join(inPlace[i].ToArray(), tag));
        }
        bool[] opened = new bool[texts.Length];
        tags[(7 * key.TagSizeInBytes) + 3] ^= 1;
        Assert.False(key.DecryptBatch(nonces, inPlace, tags, opened, data));
        for (int i = 0; i < texts.Length; i++)
        {
            Assert.Equal(i != 7, opened[i]);
            Assert.Equal(i == 7 ? new byte[texts[i].Length] : texts[i], inPlace[i].ToArray());
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void OneBufferIsAsSingleMessages(string algorithm)
    {
        using Aead key = New(algorithm);
        int[] lengths = [1, 16, 15, 64, 300, 5];
        int[] offsets = new int[lengths.Length + 1];
        for (int i = 0; i < lengths.Length; i++)
        {
            offsets[i + 1] = offsets[i] + lengths[i];
        }
        byte[] texts = RandomNumberGenerator.GetBytes(offsets[^1]), inPlace = (byte[])texts.Clone();
        byte[] nonces = Nonces(key, lengths.Length), tags = new byte[lengths.Length * key.TagSizeInBytes], data = [5, 6];
        bool[] opened = new bool[lengths.Length];
        if (key is NonceAead with)
        {
            with.EncryptBatch(nonces, inPlace, offsets, tags, data);
        }
        else
        {
            ((DeterministicAead)key).EncryptBatch(inPlace, offsets, tags, data);
        }
        for (int i = 0; i < lengths.Length; i++)
        {
            byte[] nonce = nonces[(i * key.NonceSizeInBytes)..((i + 1) * key.NonceSizeInBytes)];
            byte[] tag = tags[(i * key.TagSizeInBytes)..((i + 1) * key.TagSizeInBytes)];
            byte[] single = key.EncryptJoined(nonce, texts[offsets[i]..offsets[i + 1]], data);
            Assert.Equal(single, key.Join(inPlace[offsets[i]..offsets[i + 1]], tag));
        }
        inPlace[offsets[2]] ^= 1;
        bool all = key is NonceAead nonced
            ? nonced.DecryptBatch(nonces, inPlace, offsets, tags, opened, data)
            : ((DeterministicAead)key).DecryptBatch(inPlace, offsets, tags, opened, data);
        Assert.False(all);
        Assert.Equal([true, true, false, true, true, true], opened);
        Array.Clear(texts, offsets[2], lengths[2]);
        Assert.Equal(texts, inPlace);
    }

    [Fact]
    public void WrongCallsChangeNothing()
    {
        using var key = new AesGcmSiv(new byte[32]);
        byte[] texts = new byte[20], nonces = new byte[24], tags = new byte[32];
        bool[] opened = new bool[2];
        Named("nonces", () => key.EncryptBatch(nonces.AsSpan(1), texts, [0, 10, 20], tags));
        Named("tags", () => key.EncryptBatch(nonces, texts, [0, 10, 20], tags.AsSpan(1)));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 21], tags));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 5], tags));
        Named("offsets", () => key.EncryptBatch(nonces, texts, [-1, 10, 20], tags));
        Named("offsets", () => key.EncryptBatch(nonces, texts, default(ReadOnlySpan<int>), tags));
        Named("opened", () => key.DecryptBatch(nonces, texts, [0, 10, 20], tags, opened.AsSpan(1)));
        Named("opened", () => key.DecryptBatch(nonces, [texts, texts], tags, opened.AsSpan(1)));
        Named("associatedData", () => key.EncryptBatch(nonces, [texts, new byte[3]], tags, [default]));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, [texts, texts.AsMemory(5)], tags));
        Assert.All(texts, one => Assert.Equal(0, one));
        key.EncryptBatch(default, [], default);
        key.EncryptBatch(default, default, [0], default);
        Assert.True(key.DecryptBatch(default, [], default, default));
    }

    private static Aead New(string algorithm) =>
        Keys.Make(algorithm, RandomNumberGenerator.GetBytes(Keys.KeyLength(algorithm)));

    /// <summary>Nonces whose first bit is 0, as MGM wants it.</summary>
    private static byte[] Nonces(Aead key, int count)
    {
        byte[] nonces = RandomNumberGenerator.GetBytes(count * key.NonceSizeInBytes);
        for (int i = 0; i < nonces.Length; i += key.NonceSizeInBytes)
        {
            nonces[i] &= 0x7f;
        }
        return nonces;
    }

    private static void Named(string parameter, Action call) =>
        Assert.Equal(parameter, Assert.Throws<ArgumentException>(call).ParamName);
}
