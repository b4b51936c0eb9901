using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Xunit;

namespace Sivka.Tests;

/// <summary>Wrong arguments: which parameter is named, and that nothing changes.</summary>
public sealed class MisuseTests
{
    private static readonly byte[] s_text = new byte[40];

    public static TheoryData<string> Names => Algorithms.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void LengthsAreSaidWithTheParameter(string algorithm)
    {
        using AeadKey key = Algorithms.New(algorithm);
        byte[] nonce = new byte[key.NonceSizeInBytes], tag = new byte[key.TagSizeInBytes], other = new byte[40];
        Wrong("tag", key.TagSizeInBytes, key.TagSizeInBytes - 1, () => key.Encrypt(nonce, s_text, other, tag.AsSpan(1), default));
        Wrong("tag", key.TagSizeInBytes, key.TagSizeInBytes - 1, () => key.TryDecrypt(nonce, s_text, tag.AsSpan(1), other, default));
        Wrong("ciphertext", 40, 39, () => key.Encrypt(nonce, s_text, other.AsSpan(1), tag, default));
        Wrong("plaintext", 40, 39, () => key.TryDecrypt(nonce, s_text, tag, other.AsSpan(1), default));
        Assert.All(other, one => Assert.Equal(0, one));
    }

    /// <summary>The library refuses more; here it is which parameters are named.</summary>
    [Fact]
    public void OverlapIsSaidWithTheParameters()
    {
        using var key = new AesGcmSiv(new byte[32]);
        byte[] nonce = new byte[12], tag = new byte[16], room = new byte[200];
        _ = Assert.Throws<ArgumentException>(() => key.TryDecrypt(nonce, room.AsSpan(1, 40), tag, room.AsSpan(0, 40), default));
        Overlap("ciphertext", "associatedData", () => key.Encrypt(nonce, s_text, room.AsSpan(0, 40), tag, room.AsSpan(39, 5)));
        Overlap("destination", "plaintext", () => key.SealTo(room.AsSpan(0, 40), room.AsSpan(1)));
        Overlap("destination", "sealedMessage", () => key.TryOpenTo(room.AsSpan(0, 199), room.AsSpan(1), out _));
        Assert.All(room, one => Assert.Equal(0, one));
    }

    [Fact]
    public void WrongBatchesChangeNothing()
    {
        using var key = new AesGcmSiv(new byte[32]);
        byte[] texts = new byte[20], nonces = new byte[24], tags = new byte[32];
        bool[] opened = new bool[2];
        _ = Named("nonces", () => key.EncryptBatch(nonces.AsSpan(1), texts, [0, 10, 20], tags));
        _ = Named("tags", () => key.EncryptBatch(nonces, texts, [0, 10, 20], tags.AsSpan(1)));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 21], tags));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 5], tags));
        _ = Named("offsets", () => key.EncryptBatch(nonces, texts, [-1, 10, 20], tags));
        _ = Named("offsets", () => key.EncryptBatch(nonces, texts, default(ReadOnlySpan<int>), tags));
        _ = Named("opened", () => key.DecryptBatch(nonces, texts, [0, 10, 20], tags, opened.AsSpan(1)));
        _ = Named("opened", () => key.DecryptBatch(nonces, [texts, texts], tags, opened.AsSpan(1)));
        _ = Named("associatedData", () => key.EncryptBatch(nonces, [texts, new byte[3]], tags, [default]));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, [texts, texts.AsMemory(5)], tags));
        int[] offsets = [0, 10, 20];
        Overlap("opened", "messages", () => key.DecryptBatch(nonces, texts, offsets, tags, Flags(texts.AsSpan(18))));
        Overlap("opened", "messages", () => key.DecryptBatch(nonces, [new byte[3], texts], tags, Flags(texts.AsSpan(0, 2))));
        Overlap("opened", "nonces", () => key.DecryptBatch(nonces, texts, offsets, tags, Flags(nonces.AsSpan(22))));
        Overlap("opened", "tags", () => key.DecryptBatch(nonces, texts, offsets, tags, Flags(tags.AsSpan(0, 2))));
        Overlap("opened", "offsets", () => key.DecryptBatch(nonces, texts, offsets, tags, Flags(MemoryMarshal.AsBytes(offsets.AsSpan())[10..])));
        Overlap("opened", "associatedData", () => key.DecryptBatch(nonces, texts, offsets, tags, Flags(s_text.AsSpan(38)), s_text));
        Overlap("opened", "associatedData", () => key.DecryptBatch(nonces, [texts, new byte[3]], tags, Flags(s_text.AsSpan(38)), [default, s_text]));
        Overlap("messages", "offsets", () => key.EncryptBatch(nonces, MemoryMarshal.AsBytes(offsets.AsSpan()), offsets, tags));
        Overlap("tags", "offsets", () => key.EncryptBatch(new byte[12], texts, MemoryMarshal.Cast<byte, int>(tags)[..2], tags.AsSpan(0, 16)));
        // The native library would seal the other message.
        using var mgm = new KuznyechikMgm(new byte[32]);
        byte[] bit = [.. new byte[16], 0x80, .. new byte[15]], none = new byte[32];
        Action[] calls = [
            () => mgm.EncryptBatch(none, texts, [0, 20, 20], tags),
            () => mgm.EncryptBatch(bit, texts, [0, 5, 20], tags, s_text),
            () => mgm.EncryptBatch(bit, [texts.AsMemory(5), texts.AsMemory(0, 5)], tags),
            () => mgm.EncryptBatch(none, [texts, default], tags, [s_text, default]),
        ];
        Assert.All(calls, call => Assert.StartsWith("message 1: ", Assert.Throws<ArgumentException>(call).Message, StringComparison.Ordinal));
        Assert.All([.. texts, .. tags, .. s_text], one => Assert.Equal(0, one));
        mgm.EncryptBatch(none, texts, [0, 20, 20], tags, s_text);
        mgm.EncryptBatch(none, [texts, default], tags, [default, s_text]);
        key.EncryptBatch(default, [], default);
        key.EncryptBatch(default, default, [0], default);
        Assert.True(key.DecryptBatch(default, [], default, default));
    }

    [Fact]
    public void ListsThatAreNullAreSaidWithTheParameter()
    {
        using var key = new AesGcmSiv(new byte[32]);
        Null("messages", () => key.EncryptBatch(default, (IReadOnlyList<Memory<byte>>)null!, default));
        Null("messages", () => key.DecryptBatch(default, (IReadOnlyList<Memory<byte>>)null!, default, default));
    }

    [Fact]
    public void KeysHaveTheLengthsThatAreSaid()
    {
        Assert.Contains("32 or 16 expected, 24 given", Named("key", () => new AesGcmSiv(new byte[24])), StringComparison.Ordinal);
        Wrong("key", 32, 16, () => new Kuznyechik(new byte[16]));
        Assert.Contains("32 or 48 or 64 expected, 16 given", Named("tagSizeInBytes", () => new XChaCha20Blake2b(new byte[32], 16)), StringComparison.Ordinal);
        Assert.Contains("24 given", Named("keySizeInBytes", () => AesGcmSiv.GenerateKey(24)), StringComparison.Ordinal);
    }

    [Fact]
    public void SizesAreThoseOfTheStandards()
    {
        Sizes(12, 12, 0, AesGcmSiv.NonceByteSizes);
        Sizes(16, 16, 0, AesGcmSiv.TagByteSizes);
        Sizes(32, 64, 16, XChaCha20Blake2bSiv.TagByteSizes);
        Sizes(16, 16, 0, KuznyechikMgm.NonceByteSizes);
        Assert.Equal(64, AesSiv.GenerateKey().Length);
        Assert.True(AeadKey.IsSupported && Kuznyechik.IsSupported);
        Assert.Equal(16, AesGcmSiv.GenerateKey(16).Length);
        Assert.NotEqual(AesGcmSiv.GenerateKey(), AesGcmSiv.GenerateKey());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void NothingWorksAfterDisposal(string algorithm)
    {
        AeadKey key = Algorithms.New(algorithm);
        key.Dispose();
        key.Dispose();
        byte[] nonce = new byte[key.NonceSizeInBytes], tag = new byte[key.TagSizeInBytes], other = new byte[40];
        _ = Assert.Throws<ObjectDisposedException>(() => key.Encrypt(nonce, s_text, other, tag, default));
        _ = Assert.Throws<ObjectDisposedException>(() => key.TryDecrypt(nonce, s_text, tag, other, default));
        _ = Assert.Throws<ObjectDisposedException>(() => key.EncryptBatch(nonce, [other], null));
        if (key is Aead aead)
        {
            _ = Assert.Throws<ObjectDisposedException>(() => aead.Seal(s_text));
            _ = Assert.Throws<ObjectDisposedException>(() => aead.Open(new byte[200]));
        }
    }

    [Fact]
    public void ListsOpenNothingShort()
    {
        using var key = new AesSiv(new byte[64]);
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => key.OpenWithList(new byte[15], []));
        key.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => key.SealWithList(s_text, []));
    }

    [Fact]
    public void BlocksAreWhole()
    {
        var key = new Kuznyechik(new byte[32]);
        byte[] blocks = new byte[33];
        _ = Named("blocks", () => key.EncryptBlocks(blocks));
        Assert.All(blocks, one => Assert.Equal(0, one));
        key.EncryptBlocks(default);
        key.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => key.EncryptBlocks(new byte[16]));
        _ = Assert.Throws<ObjectDisposedException>(() => key.DecryptBlocks(new byte[16]));
    }

    [Fact]
    public void WhatIsWrongOfAFilesKeysIsSaidWithTheParameter()
    {
        using var keys = new FileKeys();
        _ = Named("memoryKib", () => keys.SetCost(7, 1, 1));
        _ = Named("passes", () => keys.SetCost(64, 0, 1));
        _ = Named("lanes", () => keys.SetCost(1 << 20, 1, 256));
        _ = Named("passphrase", () => keys.AddPassphrase(""));
        _ = Named("name", () => KeyFile.Generate(""));
        _ = Named("template", () => Keyset.Generate("AES"));
        var options = new SealedFileOptions { Suite = "rot13" };
        _ = Named("options", () => SealedFile.Seal("from", "to", keys, options));
    }

    private static void Wrong(string parameter, int expected, int given, Action call) =>
        Assert.Contains($"{expected} expected, {given} given", Named(parameter, call), StringComparison.Ordinal);

    private static string Named(string parameter, Action call)
    {
        ArgumentException failure = Assert.Throws<ArgumentException>(call);
        Assert.Equal(parameter, failure.ParamName);
        return failure.Message;
    }

    private static void Overlap(string parameter, string other, Action call) =>
        Assert.StartsWith($"{parameter} overlaps {other}", Named(parameter, call), StringComparison.Ordinal);

    private static Span<bool> Flags(Span<byte> bytes) => MemoryMarshal.Cast<byte, bool>(bytes);

    private static void Null(string parameter, Action call) =>
        Assert.Equal(parameter, Assert.Throws<ArgumentNullException>(call).ParamName);

    private static void Sizes(int least, int most, int step, KeySizes given) =>
        Assert.Equal((least, most, step), (given.MinSize, given.MaxSize, given.SkipSize));
}
