using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>XChaCha20-BLAKE2b-SIV, byte for byte as the C# library of 2022 computes it.</summary>
/// <remarks>
/// Takes no nonce: equal messages with equal associated data look equal, and nothing else shows. Commits to its key:
/// with <c>t</c> bytes of tag, fully (CMT-4), 4 <c>t</c> bits strong. Plaintext and associated data have up to
/// 2^31 - 1 bytes each. Which buffers may overlap is at <see cref="AeadKey"/>. A sealed message is
/// ciphertext and tag.
/// </remarks>
public sealed class XChaCha20Blake2bSiv : Aead
{
    internal static readonly AlgorithmFamily Family =
        new("XChaCha20-BLAKE2b-SIV", "XChaCha20-BLAKE2b-SIV-Tag48", "XChaCha20-BLAKE2b-SIV-Tag64");

    /// <inheritdoc cref="ChaCha20Blake2b(byte[])"/>
    public XChaCha20Blake2bSiv(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="XChaCha20Blake2bSiv(byte[])"/>
    public XChaCha20Blake2bSiv(ReadOnlySpan<byte> key)
        : base(Family.Default, key)
    {
    }

    /// <inheritdoc cref="ChaCha20Blake2b(byte[], int)"/>
    public XChaCha20Blake2bSiv(byte[] key, int tagSizeInBytes)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))), tagSizeInBytes)
    {
    }

    /// <inheritdoc cref="XChaCha20Blake2bSiv(byte[], int)"/>
    public XChaCha20Blake2bSiv(ReadOnlySpan<byte> key, int tagSizeInBytes)
        : base(Family.ForTag(tagSizeInBytes, nameof(tagSizeInBytes)), key)
    {
    }

    /// <summary>Gets the lengths of tags in bytes.</summary>
    public static KeySizes TagByteSizes => Family.TagSizes;

    /// <summary>Draws a key from the operating system's generator.</summary>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    public static byte[] GenerateKey() => Family.Default.GenerateKey();
}
