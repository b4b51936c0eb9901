using System;
using System.Security.Cryptography;

namespace Sivka.ChaCha20BLAKE2;

/// <summary>ChaCha20-BLAKE2b with the calls of the package <c>ChaCha20BLAKE2b</c> 2.0.1, and its bytes.</summary>
/// <remarks>A program of that package changes one <c>using</c>. New ones use <see cref="ChaCha20Blake2b"/>.</remarks>
public static class ChaCha20BLAKE2b
{
    /// <summary>The length of a key in bytes.</summary>
    public const int KeySize = 32;

    /// <summary>The length of a nonce in bytes.</summary>
    public const int NonceSize = 8;

    /// <summary>Encrypts and authenticates a message.</summary>
    /// <param name="message">At least one byte.</param>
    /// <param name="nonce"><see cref="NonceSize"/> bytes, which seal one message under this key.</param>
    /// <param name="key">32 bytes, uniformly random.</param>
    /// <param name="additionalData">Data that is authenticated and not encrypted; null is nothing.</param>
    /// <param name="tagLength">The length of the tag.</param>
    /// <returns>Ciphertext and tag, one after another.</returns>
    /// <exception cref="ArgumentNullException">Message, nonce or key is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">One of them has another length.</exception>
    public static byte[] Encrypt(
        byte[] message, byte[] nonce, byte[] key, byte[]? additionalData = null, TagLength tagLength = TagLength.BLAKE2b256) =>
        OneMessage.Encrypt(ChaCha20Blake2b.Family, message, nonce, key, additionalData, tagLength);

    /// <summary>Decrypts a message if it is authentic.</summary>
    /// <param name="ciphertext">Ciphertext and tag.</param>
    /// <param name="nonce">The nonce that it was encrypted with.</param>
    /// <param name="key">The key.</param>
    /// <param name="additionalData">The associated data that it was encrypted with; null is nothing.</param>
    /// <param name="tagLength">The length of the tag.</param>
    /// <returns>The message.</returns>
    /// <exception cref="ArgumentNullException">Message, nonce or key is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">One of them has another length.</exception>
    /// <exception cref="CryptographicException">The message does not open.</exception>
    public static byte[] Decrypt(
        byte[] ciphertext, byte[] nonce, byte[] key, byte[]? additionalData = null, TagLength tagLength = TagLength.BLAKE2b256) =>
        OneMessage.Decrypt(ChaCha20Blake2b.Family, ciphertext, nonce, key, additionalData, tagLength);
}
