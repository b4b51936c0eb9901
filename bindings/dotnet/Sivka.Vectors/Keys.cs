using System;
using System.Collections.Generic;
using System.Security.Cryptography;

namespace Sivka.Vectors;

/// <summary>Keys by the name of their algorithm, for those who play them all.</summary>
internal static class Keys
{
    internal static readonly string[] Algorithms =
    [
        "AES-128-GCM-SIV", "AES-256-GCM-SIV", "Kuznyechik-MGM",
        "ChaCha20-BLAKE2b", "ChaCha20-BLAKE2b-Tag48", "ChaCha20-BLAKE2b-Tag64",
        "XChaCha20-BLAKE2b", "XChaCha20-BLAKE2b-Tag48", "XChaCha20-BLAKE2b-Tag64",
        "XChaCha20-BLAKE2b-SIV", "XChaCha20-BLAKE2b-SIV-Tag48", "XChaCha20-BLAKE2b-SIV-Tag64",
    ];

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
            ((XChaCha20Blake2bSiv)key).Encrypt(plaintext, ciphertext, tag, data);
        }
    }

    /// <summary>Whether the message opened.</summary>
    internal static bool TryDecrypt(
        this Aead key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext, ReadOnlySpan<byte> data)
    {
        try
        {
            if (key is NonceAead with)
            {
                with.Decrypt(nonce, ciphertext, tag, plaintext, data);
            }
            else
            {
                ((XChaCha20Blake2bSiv)key).Decrypt(ciphertext, tag, plaintext, data);
            }
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }

    /// <summary>Ciphertext and tag, one after another.</summary>
    internal static byte[] EncryptJoined(this Aead key, byte[] nonce, byte[] plaintext, byte[] data)
    {
        byte[] output = new byte[plaintext.Length + key.TagSizeInBytes];
        key.Encrypt(nonce, plaintext, output.AsSpan(0, plaintext.Length), output.AsSpan(plaintext.Length), data);
        return output;
    }

    /// <summary>The plaintext, or null for a forgery.</summary>
    internal static byte[]? DecryptJoined(this Aead key, byte[] nonce, byte[] joined, byte[] data)
    {
        int length = joined.Length - key.TagSizeInBytes;
        if (length < 0)
        {
            return null;
        }
        byte[] plaintext = new byte[length];
        bool opened = key.TryDecrypt(nonce, joined.AsSpan(0, length), joined.AsSpan(length), plaintext, data);
        return opened ? plaintext : null;
    }

    /// <summary>Nonce, ciphertext and tag, under a nonce that is drawn; only ciphertext and tag where none is needed.</summary>
    internal static byte[] Seal(this Aead key, byte[] plaintext, byte[] data) => key switch
    {
        RandomNonceAead random => random.Seal(plaintext, data),
        XChaCha20Blake2bSiv siv => siv.Seal(plaintext, data),
        _ => throw new NotSupportedException("the nonce is too short to be random"),
    };

    internal static byte[]? Open(this Aead key, byte[] sealedMessage, byte[] data)
    {
        byte[]? plaintext;
        _ = key switch
        {
            RandomNonceAead random => random.TryOpen(sealedMessage, data, out plaintext),
            XChaCha20Blake2bSiv siv => siv.TryOpen(sealedMessage, data, out plaintext),
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
            ((XChaCha20Blake2bSiv)key).EncryptBatch(messages, tags, data);
        }
        return tags;
    }

    internal static bool DecryptBatch(
        this Aead key, byte[] nonces, IReadOnlyList<Memory<byte>> messages, byte[] tags, bool[] opened, IReadOnlyList<ReadOnlyMemory<byte>>? data) =>
        key is NonceAead with
            ? with.DecryptBatch(nonces, messages, tags, opened, data)
            : ((XChaCha20Blake2bSiv)key).DecryptBatch(messages, tags, opened, data);
}
