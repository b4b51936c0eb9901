using System;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using Sivka.Matrix;
using Xunit;

namespace Sivka.Tests;

/// <summary>Seal and Open, in arrays and in buffers.</summary>
public sealed class SealTests
{
    [Fact]
    public void OpenThrowsForAForgery()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        byte[] sealedMessage = key.Seal("text"u8.ToArray(), "data"u8.ToArray());
        Assert.Equal("text"u8.ToArray(), key.Open(sealedMessage, "data"u8.ToArray()));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => key.Open(sealedMessage));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => key.Open(sealedMessage.AsSpan(1), "data"u8));
        using var siv = new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.GenerateKey());
        Assert.Equal(siv.Seal("text"u8), siv.Seal("text"u8));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => siv.Open(sealedMessage));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => siv.Open(siv.Seal("text"u8), "data"u8));
    }

    [Fact]
    public void BuffersAreFilledAndWiped()
    {
        using var key = new XChaCha20Blake2b(XChaCha20Blake2b.GenerateKey(), 48);
        byte[] room = new byte[200], opened = [.. Enumerable.Repeat((byte)9, 30)];
        int written = key.SealTo("meet at noon"u8, room, "data"u8);
        Assert.Equal(key.SealedLength(12), written);
        Assert.Equal(12, key.OpenedLength(written));
        Assert.All(room.Skip(written), one => Assert.Equal(0, one));
        Assert.True(key.TryOpenTo(room.AsSpan(0, written), opened, out int length, "data"u8));
        Assert.Equal("meet at noon"u8.ToArray(), opened[..length]);
        Assert.All(opened.Skip(length), one => Assert.Equal(9, one));
        room[40] ^= 1;
        Assert.False(key.TryOpenTo(room.AsSpan(0, written), opened, out length, "data"u8));
        Assert.Equal(0, length);
        Assert.All(opened.Take(12), one => Assert.Equal(0, one));
        ArgumentException small = Assert.Throws<ArgumentException>(() => key.SealTo("meet at noon"u8, room.AsSpan(0, written - 1)));
        Assert.Contains($"{written} bytes needed, {written - 1} given", small.Message, StringComparison.Ordinal);
        _ = Assert.Throws<ArgumentException>(() => key.TryOpenTo(room.AsSpan(0, written), opened.AsSpan(0, 11), out _, "data"u8));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => key.SealedLength(-1));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => key.SealedLength(int.MaxValue));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => key.OpenedLength(-1));
        Assert.Equal(0, key.OpenedLength(5));
    }

    /// <summary>A span that can be written is a destination, and Seal has none: the compiler refuses it.</summary>
    [Fact]
    public void ADestinationIsNoAssociatedData()
    {
        MethodInfo guard = typeof(Aead).GetMethod(nameof(Aead.Seal), [typeof(ReadOnlySpan<byte>), typeof(Span<byte>)])!;
        Assert.True(guard.GetCustomAttribute<ObsoleteAttribute>()!.IsError);
    }

    /// <summary>In place and apart; a forgery is no exception, and leaves zeros.</summary>
    [Fact]
    public void TryDecryptSaysWhetherItOpened()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        using var siv = new AesSiv(AesSiv.GenerateKey());
        byte[] nonce = new byte[12], tag = new byte[16], text = "meet at noon"u8.ToArray();
        byte[] ciphertext = new byte[12], opened = new byte[12];
        key.Encrypt(nonce, text, ciphertext, tag, "data"u8.ToArray());
        Assert.True(key.TryDecrypt(nonce, ciphertext, tag, opened, "data"u8));
        Assert.Equal(text, opened);
        Assert.False(key.TryDecrypt(nonce, ciphertext, tag, opened, "other"u8));
        Assert.Equal(new byte[12], opened);
        _ = Assert.Throws<ArgumentException>(() => key.TryDecrypt(nonce.AsSpan(1), ciphertext, tag, opened));
        siv.Encrypt(default, text.AsSpan(), ciphertext, tag);
        Assert.True(siv.TryDecrypt(default, ciphertext, tag, opened));
        Assert.Equal(text, opened);
        tag[0] ^= 1;
        Assert.False(siv.TryDecrypt(default, ciphertext, tag, ciphertext));
        Assert.Equal(new byte[12], ciphertext);
        // A nonce where there is none is refused, and so what AesGcm takes is no message.
        _ = Assert.Throws<ArgumentException>(() => siv.Encrypt(nonce, text, ciphertext, tag));
        siv.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => siv.TryDecrypt(default, ciphertext, tag, opened));
    }

    [Fact]
    public void NoncesAreDrawn()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        byte[] nonces = new byte[120];
        key.GenerateNonces(nonces);
        Assert.Equal(10, nonces.Chunk(12).Select(nonce => Hex.Digits(nonce)).Distinct().Count());
        ArgumentException failure = Assert.Throws<ArgumentException>(() => key.GenerateNonces(new byte[13]));
        Assert.Equal("nonces", failure.ParamName);
        Assert.Equal("AES-256-GCM-SIV", key.AlgorithmName);
    }
}
