using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>Kuznyechik-MGM (RFC 9058).</summary>
/// <remarks>
/// <para>
/// Never repeat a nonce. Its first bit must be 0. A message and its associated data are not both empty. Not committing.
/// </para>
/// <para>
/// With random nonces, 2^48 messages repeat one with a chance of 2^-32 (RFC 9058 section 6 has the other limits).
/// </para>
/// </remarks>
public sealed class KuznyechikMgm : Aead
{
    private static readonly AlgorithmFamily s_family = new("Kuznyechik-MGM");

    /// <inheritdoc cref="ChaCha20Blake2b(byte[])"/>
    public KuznyechikMgm(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="KuznyechikMgm(byte[])"/>
    public KuznyechikMgm(ReadOnlySpan<byte> key)
        : base(s_family.Default, key)
    {
    }

    /// <summary>Gets the length of nonces in bytes.</summary>
    public static KeySizes NonceByteSizes => s_family.NonceSizes;

    /// <summary>Gets the lengths of tags in bytes.</summary>
    public static KeySizes TagByteSizes => s_family.TagSizes;

    /// <summary>Draws a key from the operating system's generator.</summary>
    /// <returns>The bytes of the key, which the caller wipes.</returns>
    public static byte[] GenerateKey() => s_family.Default.GenerateKey();
}
