using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>ChaCha20-BLAKE2b, byte for byte as the C# library of 2022 computes it.</summary>
/// <remarks>
/// Never repeat a nonce. It has 8 bytes, which is too short to be random: count.
/// Commits to its key: with <c>t</c> bytes of tag, fully (CMT-4), 4 <c>t</c> bits strong. Plaintext and associated
/// data have up to 2^31 - 1 bytes each.
/// </remarks>
public sealed class ChaCha20Blake2b : AeadKey
{
    internal static readonly AlgorithmFamily Family = new("ChaCha20-BLAKE2b", "ChaCha20-BLAKE2b-Tag48", "ChaCha20-BLAKE2b-Tag64");

    /// <summary>Makes a key.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <exception cref="ArgumentException">A key has another length.</exception>
    public ChaCha20Blake2b(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="ChaCha20Blake2b(byte[])"/>
    public ChaCha20Blake2b(ReadOnlySpan<byte> key)
        : base(Family.Default, key)
    {
    }

    /// <summary>Makes a key with a tag of a chosen length.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <param name="tagSizeInBytes">32, 48 or 64. It is part of the algorithm and not of a message.</param>
    /// <exception cref="ArgumentException">A key or a tag has another length.</exception>
    public ChaCha20Blake2b(byte[] key, int tagSizeInBytes)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))), tagSizeInBytes)
    {
    }

    /// <inheritdoc cref="ChaCha20Blake2b(byte[], int)"/>
    public ChaCha20Blake2b(ReadOnlySpan<byte> key, int tagSizeInBytes)
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
