using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>AES-128-GCM-SIV and AES-256-GCM-SIV (RFC 8452).</summary>
/// <remarks>
/// <para>
/// A repeated nonce shows only whether two messages with the same associated data are equal. Not committing:
/// one ciphertext can be made that opens under two keys.
/// </para>
/// <para>
/// Plaintext and associated data have up to 2^36 bytes each. With random nonces, RFC 8452 section 9 gives the
/// number of messages under one key: 2^61 of 16 KiB, 2^49 of 1 MiB, 2^29 of 1 GiB.
/// </para>
/// </remarks>
public sealed class AesGcmSiv : Aead
{
    private static readonly AlgorithmFamily s_family = new("AES-256-GCM-SIV", "AES-128-GCM-SIV");

    /// <summary>Makes a key.</summary>
    /// <param name="key">16 or 32 bytes, uniformly random; copied.</param>
    /// <exception cref="ArgumentException">A key has another length.</exception>
    public AesGcmSiv(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="AesGcmSiv(byte[])"/>
    public AesGcmSiv(ReadOnlySpan<byte> key)
        : base(s_family.ForKey(key.Length, nameof(key)), key)
    {
    }

    /// <summary>Gets the length of nonces in bytes.</summary>
    public static KeySizes NonceByteSizes => s_family.NonceSizes;

    /// <summary>Gets the lengths of tags in bytes.</summary>
    public static KeySizes TagByteSizes => s_family.TagSizes;

    /// <summary>Draws a key for AES-256-GCM-SIV from the operating system's generator.</summary>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    public static byte[] GenerateKey() => s_family.Default.GenerateKey();

    /// <summary>Draws a key of a chosen length from the operating system's generator.</summary>
    /// <param name="keySizeInBytes">16 or 32.</param>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    /// <exception cref="ArgumentException">A key has another length.</exception>
    public static byte[] GenerateKey(int keySizeInBytes) =>
        s_family.ForKey(keySizeInBytes, nameof(keySizeInBytes)).GenerateKey();
}
