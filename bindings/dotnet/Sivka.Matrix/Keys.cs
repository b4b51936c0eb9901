using System;
using System.Collections.Generic;

namespace Sivka.Matrix;

/// <summary>Keys by the name of their algorithm, for those who use them all.</summary>
internal static class Keys
{
    internal static readonly string[] Algorithms = [.. AlgorithmTable.KeyLengths.Keys];

    /// <summary>The length of an algorithm's keys in bytes.</summary>
    internal static int KeyLength(string algorithm) => AlgorithmTable.KeyLengths[algorithm];

    /// <summary>Ciphertext and tag in the order of the algorithm.</summary>
    internal static byte[] Join(this Aead key, byte[] ciphertext, byte[] tag)
    {
        byte[] joined = new byte[ciphertext.Length + tag.Length];
        ciphertext.CopyTo(key.TextOf(joined));
        tag.CopyTo(key.TagOf(joined));
        return joined;
    }

    /// <summary>The ciphertext in an array that has the tag too.</summary>
    internal static Memory<byte> TextOf(this Aead key, byte[] joined) =>
        joined.AsMemory(key is AesSiv ? key.TagSizeInBytes : 0, joined.Length - key.TagSizeInBytes);

    /// <summary>The tag in an array that has the ciphertext too.</summary>
    internal static Memory<byte> TagOf(this Aead key, byte[] joined) =>
        joined.AsMemory(key is AesSiv ? 0 : joined.Length - key.TagSizeInBytes, key.TagSizeInBytes);

    internal static Aead Make(string algorithm, byte[] key)
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

    internal static void Encrypt(
        this Aead key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plaintext, Span<byte> ciphertext, Span<byte> tag, ReadOnlySpan<byte> data)
    {
        if (key is NonceAead with)
        {
            with.Encrypt(nonce, plaintext, ciphertext, tag, data);
        }
        else
        {
            ((DeterministicAead)key).Encrypt(plaintext, ciphertext, tag, data);
        }
    }

    /// <summary>Whether the message opened.</summary>
    internal static bool TryDecrypt(
        this Aead key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext, ReadOnlySpan<byte> data) =>
        key is NonceAead with
            ? with.TryDecrypt(nonce, ciphertext, tag, plaintext, data)
            : ((DeterministicAead)key).TryDecrypt(ciphertext, tag, plaintext, data);

    /// <summary>Nonce, ciphertext and tag, under a nonce that is drawn; only ciphertext and tag where none is needed.</summary>
    internal static byte[] Seal(this Aead key, byte[] plaintext, byte[] data) => key switch
    {
        RandomNonceAead random => random.Seal(plaintext, data),
        DeterministicAead siv => siv.Seal(plaintext, data),
        _ => throw new NotSupportedException("the nonce is too short to be random"),
    };

    internal static byte[]? Open(this Aead key, byte[] sealedMessage, byte[] data)
    {
        byte[]? plaintext;
        _ = key switch
        {
            RandomNonceAead random => random.TryOpen(sealedMessage, data, out plaintext),
            DeterministicAead siv => siv.TryOpen(sealedMessage, data, out plaintext),
            _ => throw new NotSupportedException("the nonce is too short to be random"),
        };
        return plaintext;
    }

    /// <summary>Encrypts a list in place; the tags come back.</summary>
    internal static byte[] EncryptBatch(this Aead key, byte[] nonces, IReadOnlyList<Memory<byte>> messages, IReadOnlyList<ReadOnlyMemory<byte>>? data)
    {
        byte[] tags = new byte[messages.Count * key.TagSizeInBytes];
        if (key is NonceAead with)
        {
            with.EncryptBatch(nonces, messages, tags, data);
        }
        else
        {
            ((DeterministicAead)key).EncryptBatch(messages, tags, data);
        }
        return tags;
    }

    internal static bool DecryptBatch(
        this Aead key, byte[] nonces, IReadOnlyList<Memory<byte>> messages, byte[] tags, bool[] opened, IReadOnlyList<ReadOnlyMemory<byte>>? data) =>
        key is NonceAead with
            ? with.DecryptBatch(nonces, messages, tags, opened, data)
            : ((DeterministicAead)key).DecryptBatch(messages, tags, opened, data);
}
