using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using NSec.Cryptography;
using Old = ChaCha20BLAKE2;

namespace Sivka.Benchmark;

/// <summary>The ChaCha20-BLAKE2b family of ours and of the old package, and ChaCha20-Poly1305.</summary>
internal static class ChaCha
{
    internal static List<Contender> At(int length)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = RandomNumberGenerator.GetBytes(24), text = RandomNumberGenerator.GetBytes(length);
        byte[] short8 = nonce[..8], short12 = nonce[..12];
        List<Contender> all =
        [
            Ours("ChaCha20-BLAKE2b", new ChaCha20Blake2b(key), short8, text),
            Theirs("ChaCha20-BLAKE2b",
                () => Old.ChaCha20BLAKE2b.Encrypt(text, short8, key), made => Old.ChaCha20BLAKE2b.Decrypt(made, short8, key)),
            Ours("XChaCha20-BLAKE2b", new XChaCha20Blake2b(key), nonce, text),
            Theirs("XChaCha20-BLAKE2b",
                () => Old.XChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Old.XChaCha20BLAKE2b.Decrypt(made, nonce, key)),
            Siv(key, text),
            Theirs("XChaCha20-BLAKE2b-SIV",
                () => Old.XChaCha20BLAKE2bSIV.Encrypt(text, key), made => Old.XChaCha20BLAKE2bSIV.Decrypt(made, key)),
            Libsodium("ChaCha20-Poly1305", AeadAlgorithm.ChaCha20Poly1305, key, short12, text),
            Libsodium("XChaCha20-Poly1305", AeadAlgorithm.XChaCha20Poly1305, key, nonce, text),
        ];
        if (System.Security.Cryptography.ChaCha20Poly1305.IsSupported)
        {
            all.Add(Platform(key, short12, text));
        }
        return all;
    }

    private static Contender Ours(string algorithm, NonceAead aead, byte[] nonce, byte[] text)
    {
        byte[] ciphertext = new byte[text.Length], tag = new byte[32], opened = new byte[text.Length];
        return new($"Sivka {algorithm}", algorithm,
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }

    private static Contender Siv(byte[] key, byte[] text)
    {
        var aead = new XChaCha20Blake2bSiv(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[32], opened = new byte[text.Length];
        return new("Sivka XChaCha20-BLAKE2b-SIV", "XChaCha20-BLAKE2b-SIV",
            () => aead.Encrypt(text.AsSpan(), ciphertext, tag),
            () => aead.Decrypt(ciphertext.AsSpan(), tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }

    private static Contender Theirs(string algorithm, Func<byte[]> seal, Func<byte[], byte[]> open)
    {
        byte[] made = [], opened = [];
        return new($"2.0.1 {algorithm}", algorithm, () => made = seal(), () => opened = open(made), () => made, () => opened);
    }

    private static Contender Libsodium(string algorithm, AeadAlgorithm aead, byte[] key, byte[] nonce, byte[] text)
    {
        Key made = Key.Import(aead, key, KeyBlobFormat.RawSymmetricKey);
        byte[] joined = new byte[text.Length + 16], opened = new byte[text.Length];
        return new($"NSec {algorithm}", algorithm,
            () => aead.Encrypt(made, nonce, default, text, joined),
            () => Check.That(aead.Decrypt(made, nonce, default, joined, opened)),
            () => [.. joined], () => opened);
    }

    private static Contender Platform(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new System.Security.Cryptography.ChaCha20Poly1305(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[16], opened = new byte[text.Length];
        return new("ChaCha20Poly1305", "ChaCha20-Poly1305",
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }
}
