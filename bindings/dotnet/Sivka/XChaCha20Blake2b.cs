using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>XChaCha20-BLAKE2b, byte for byte as the C# library of 2022 computes it.</summary>
/// <remarks>
/// Never repeat a nonce. Drawn at random, 2^80 messages repeat one with a chance of 2^-32.
/// Commits to its key: with <c>t</c> bytes of tag, fully (CMT-4), 4 <c>t</c> bits strong. Plaintext and associated
/// data have up to 2^31 - 1 bytes each.
/// </remarks>
public sealed class XChaCha20Blake2b : Aead
{
    internal static readonly AlgorithmFamily Family = new("XChaCha20-BLAKE2b", "XChaCha20-BLAKE2b-Tag48", "XChaCha20-BLAKE2b-Tag64");

    /// <inheritdoc cref="ChaCha20Blake2b(byte[])"/>
    public XChaCha20Blake2b(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="XChaCha20Blake2b(byte[])"/>
    public XChaCha20Blake2b(ReadOnlySpan<byte> key)
        : base(Family.Default, key)
    {
    }

    /// <inheritdoc cref="ChaCha20Blake2b(byte[], int)"/>
    public XChaCha20Blake2b(byte[] key, int tagSizeInBytes)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))), tagSizeInBytes)
    {
    }

    /// <inheritdoc cref="XChaCha20Blake2b(byte[], int)"/>
    public XChaCha20Blake2b(ReadOnlySpan<byte> key, int tagSizeInBytes)
        : base(Family.ForTag(tagSizeInBytes, nameof(tagSizeInBytes)), key)
    {
    }

    /// <summary>Gets the length of nonces in bytes.</summary>
    public static KeySizes NonceByteSizes => Family.NonceSizes;

    /// <summary>Gets the lengths of tags in bytes.</summary>
    public static KeySizes TagByteSizes => Family.TagSizes;

    /// <summary>Draws a key from the operating system's generator.</summary>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    public static byte[] GenerateKey() => Family.Default.GenerateKey();
}
