using System;
using System.Collections.Generic;

namespace Sivka.Matrix;

/// <summary>Keys by the name of their algorithm, for those who use them all.</summary>
internal static class Keys
{
    /// <summary>Ciphertext and tag in the order of the algorithm.</summary>
    internal static byte[] Join(this AeadKey key, byte[] ciphertext, byte[] tag)
    {
        byte[] joined = new byte[ciphertext.Length + tag.Length];
        ciphertext.CopyTo(key.TextOf(joined));
        tag.CopyTo(key.TagOf(joined));
        return joined;
    }

    /// <summary>The ciphertext in an array that has the tag too.</summary>
    internal static Memory<byte> TextOf(this AeadKey key, byte[] joined) =>
        joined.AsMemory(key is AesSiv ? key.TagSizeInBytes : 0, joined.Length - key.TagSizeInBytes);

    /// <summary>The tag in an array that has the ciphertext too.</summary>
    internal static Memory<byte> TagOf(this AeadKey key, byte[] joined) =>
        joined.AsMemory(key is AesSiv ? 0 : joined.Length - key.TagSizeInBytes, key.TagSizeInBytes);

    internal static AeadKey Make(string algorithm, byte[] key)
    {
        int tagLength = algorithm.EndsWith("-Tag48", StringComparison.Ordinal) ? 48
            : algorithm.EndsWith("-Tag64", StringComparison.Ordinal) ? 64 : 32;
        return algorithm.Replace("-Tag48", "").Replace("-Tag64", "") switch
        {
            "AES-128-GCM-SIV" or "AES-256-GCM-SIV" => new AesGcmSiv(key),
            "ChaCha20-BLAKE2b" => new ChaCha20Blake2b(key, tagLength),
            "XChaCha20-BLAKE2b" => new XChaCha20Blake2b(key, tagLength),
            "XChaCha20-BLAKE2b-SIV" => new XChaCha20Blake2bSiv(key, tagLength),
            "AES-SIV-256" or "AES-SIV-384" or "AES-SIV-512" => new AesSiv(key),
            "Kuznyechik-MGM" => new KuznyechikMgm(key),
            _ => throw new ArgumentException("unknown algorithm", nameof(algorithm)),
        };
    }

    /// <summary>Encrypts a list in place; the tags come back.</summary>
    internal static byte[] EncryptBatch(this AeadKey key, byte[] nonces, IReadOnlyList<Memory<byte>> messages, IReadOnlyList<ReadOnlyMemory<byte>>? data)
    {
        byte[] tags = new byte[messages.Count * key.TagSizeInBytes];
        key.EncryptBatch(nonces, messages, tags, data);
        return tags;
    }
}
