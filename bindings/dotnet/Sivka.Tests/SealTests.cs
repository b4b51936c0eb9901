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
        // What AesGcm takes is no message where there is no nonce.
        using var siv = new AesSiv(AesSiv.GenerateKey());
        _ = Assert.Throws<ArgumentException>(() => siv.Encrypt(new byte[12], new byte[4], new byte[4], new byte[16]));
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
