using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>AES-SIV (RFC 5297) with a key of 64, 48 or 32 bytes. The tag comes before the ciphertext.</summary>
/// <remarks>
/// <para>
/// Deterministic: equal messages with equal associated data look equal, so how often a value occurs shows, and a value
/// out of few can be named. Put the names of table and column into the associated data. Not committing: one ciphertext
/// can be made that opens under two keys; <see cref="XChaCha20Blake2bSiv"/> commits.
/// </para>
/// <para>
/// A key of 64 bytes is the one to take, and what Tink calls AES256_SIV and OpenSSL AES-256-SIV: two keys of AES-256.
/// The others are for the formats of others. Plaintext and associated data have up to 2^36 bytes each. Seal at most
/// 2^48 blocks of 16 bytes under one key.
/// </para>
/// <para>
/// The calls that all keys have take one string of associated data, as Tink does; null is an empty string. Those with
/// a list take 0 to 126 strings, whose number, order and bounds count; no string is not the same as an empty one. The
/// nonce of RFC 5297 is the last string of the list.
/// </para>
/// </remarks>
public sealed class AesSiv : Aead
{
    private static readonly AlgorithmFamily s_family = new("AES-SIV-512", "AES-SIV-384", "AES-SIV-256");

    /// <summary>Makes a key.</summary>
    /// <param name="key">64, 48 or 32 bytes, uniformly random; copied.</param>
    /// <exception cref="ArgumentException">A key has another length.</exception>
    public AesSiv(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="AesSiv(byte[])"/>
    public AesSiv(ReadOnlySpan<byte> key)
        : base(s_family.ForKey(key.Length, nameof(key)), key)
    {
    }

    /// <summary>Gets the length of tags in bytes.</summary>
    public static KeySizes TagByteSizes => s_family.TagSizes;

    /// <summary>Draws a key of 64 bytes from the operating system's generator.</summary>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    public static byte[] GenerateKey() => s_family.Default.GenerateKey();

    /// <summary>Draws a key of a chosen length from the operating system's generator.</summary>
    /// <param name="keySizeInBytes">64, 48 or 32.</param>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    /// <exception cref="ArgumentException">A key has another length.</exception>
    public static byte[] GenerateKey(int keySizeInBytes) =>
        s_family.ForKey(keySizeInBytes, nameof(keySizeInBytes)).GenerateKey();

    /// <summary>Seals a message with a list of associated data.</summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="associatedData">0 to 126 strings.</param>
    /// <returns>Tag and ciphertext.</returns>
    /// <exception cref="ArgumentException">There are too many strings, or the message is too long.</exception>
    public byte[] SealWithList(ReadOnlySpan<byte> plaintext, IReadOnlyList<ReadOnlyMemory<byte>> associatedData)
    {
        ArgumentNullException.ThrowIfNull(associatedData);
        byte[] sealedMessage = NewArray(Algorithm.SealedLength(plaintext.Length));
        using var list = new PinnedList(associatedData);
        Failure.Check(Message.Run(seals: true, Handle, default, plaintext, sealedMessage, out _, list: list));
        return sealedMessage;
    }

    /// <summary>Opens a result of <see cref="SealWithList"/>, if it is authentic.</summary>
    /// <param name="sealedMessage">Tag and ciphertext.</param>
    /// <param name="associatedData">The strings that it was sealed with.</param>
    /// <returns>The plaintext.</returns>
    /// <exception cref="ArgumentException">There are too many strings.</exception>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open, for whatever reason.</exception>
    public byte[] OpenWithList(ReadOnlySpan<byte> sealedMessage, IReadOnlyList<ReadOnlyMemory<byte>> associatedData)
    {
        ArgumentNullException.ThrowIfNull(associatedData);
        byte[] plaintext = new byte[Algorithm.OpenedLength(sealedMessage.Length)];
        using var list = new PinnedList(associatedData);
        Failure.Check(Message.Run(seals: false, Handle, default, sealedMessage, plaintext, out _, list: list));
        return plaintext;
    }
}
