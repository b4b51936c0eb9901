namespace Sivka.ChaCha20BLAKE2;

/// <summary>XChaCha20-BLAKE2b with the calls of the package <c>ChaCha20BLAKE2b</c> 2.0.1, and its bytes.</summary>
/// <remarks>A program of that package changes one <c>using</c>. New ones use <see cref="XChaCha20Blake2b"/>.</remarks>
public static class XChaCha20BLAKE2b
{
    /// <summary>The length of a key in bytes.</summary>
    public const int KeySize = 32;

    /// <summary>The length of a nonce in bytes.</summary>
    public const int NonceSize = 24;

    /// <inheritdoc cref="ChaCha20BLAKE2b.Encrypt"/>
    public static byte[] Encrypt(
        byte[] message, byte[] nonce, byte[] key, byte[]? additionalData = null, TagLength tagLength = TagLength.BLAKE2b256) =>
        OneMessage.Encrypt(XChaCha20Blake2b.Family, message, nonce, key, additionalData, tagLength);

    /// <inheritdoc cref="ChaCha20BLAKE2b.Decrypt"/>
    public static byte[] Decrypt(
        byte[] ciphertext, byte[] nonce, byte[] key, byte[]? additionalData = null, TagLength tagLength = TagLength.BLAKE2b256) =>
        OneMessage.Decrypt(XChaCha20Blake2b.Family, ciphertext, nonce, key, additionalData, tagLength);
}
