using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using NSec.Cryptography;
using Old = ChaCha20BLAKE2;
using Same = Sivka.ChaCha20BLAKE2;

namespace Sivka.Benchmark;

/// <summary>The ChaCha20-BLAKE2b family of ours and of the old package, beside ChaCha20-Poly1305, which commits to nothing.</summary>
internal static class ChaCha
{
    /// <summary>What ratios refer to.</summary>
    internal const string Reference = "2.0.1";

    internal static readonly string[] Algorithms = ["chacha20-blake2b", "xchacha20-blake2b", "xchacha20-blake2b-siv"];

    internal static List<Contender> At(string algorithm, int length)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = RandomNumberGenerator.GetBytes(24), text = RandomNumberGenerator.GetBytes(length);
        return algorithm switch
        {
            "chacha20-blake2b" => Plain(key, nonce[..8], nonce[..12], text),
            "xchacha20-blake2b" => Extended(key, nonce, text),
            _ => Siv(key, nonce, text),
        };
    }

    private static List<Contender> Plain(byte[] key, byte[] nonce, byte[] longer, byte[] text)
    {
        List<Contender> all =
        [
            Ours(Algorithms[0], new ChaCha20Blake2b(key), nonce, text),
            Joined("Sivka as 2.0.1", Kind.Ours, Algorithms[0],
                () => Same.ChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Same.ChaCha20BLAKE2b.Decrypt(made, nonce, key)),
            Joined(Reference, Kind.Peer, Algorithms[0],
                () => Old.ChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Old.ChaCha20BLAKE2b.Decrypt(made, nonce, key)),
            Libsodium("NSec ChaCha20-Poly1305", AeadAlgorithm.ChaCha20Poly1305, key, longer, text),
        ];
        if (System.Security.Cryptography.ChaCha20Poly1305.IsSupported)
        {
            all.Add(Platform(key, longer, text));
        }
        return all;
    }

    private static List<Contender> Extended(byte[] key, byte[] nonce, byte[] text) =>
    [
        Ours(Algorithms[1], new XChaCha20Blake2b(key), nonce, text),
        Joined("Sivka as 2.0.1", Kind.Ours, Algorithms[1],
            () => Same.XChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Same.XChaCha20BLAKE2b.Decrypt(made, nonce, key)),
        Joined(Reference, Kind.Peer, Algorithms[1],
            () => Old.XChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Old.XChaCha20BLAKE2b.Decrypt(made, nonce, key)),
        Libsodium("NSec XChaCha20-Poly1305", AeadAlgorithm.XChaCha20Poly1305, key, nonce, text),
    ];

    private static List<Contender> Siv(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new XChaCha20Blake2bSiv(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[32], opened = new byte[text.Length];
        return
        [
            new("Sivka", Kind.Ours, Algorithms[2],
                () => aead.Encrypt(default, text.AsSpan(), ciphertext, tag),
                () => aead.Decrypt(default, ciphertext.AsSpan(), tag, opened),
                () => [.. ciphertext, .. tag], () => opened),
            Joined("Sivka as 2.0.1", Kind.Ours, Algorithms[2],
                () => Same.XChaCha20BLAKE2bSIV.Encrypt(text, key), made => Same.XChaCha20BLAKE2bSIV.Decrypt(made, key)),
            Joined(Reference, Kind.Peer, Algorithms[2],
                () => Old.XChaCha20BLAKE2bSIV.Encrypt(text, key), made => Old.XChaCha20BLAKE2bSIV.Decrypt(made, key)),
            Libsodium("NSec XChaCha20-Poly1305", AeadAlgorithm.XChaCha20Poly1305, key, nonce, text),
        ];
    }

    private static Contender Ours(string algorithm, AeadKey aead, byte[] nonce, byte[] text)
    {
        byte[] ciphertext = new byte[text.Length], tag = new byte[32], opened = new byte[text.Length];
        return new("Sivka", Kind.Ours, algorithm,
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }

    /// <summary>The calls of the old package: a key for each call, and new arrays.</summary>
    private static Contender Joined(string name, Kind kind, string algorithm, Func<byte[]> seal, Func<byte[], byte[]> open)
    {
        byte[] made = [], opened = [];
        return new(name, kind, algorithm, () => made = seal(), () => opened = open(made), () => made, () => opened);
    }

    private static Contender Libsodium(string name, AeadAlgorithm aead, byte[] key, byte[] nonce, byte[] text)
    {
        Key made = Key.Import(aead, key, KeyBlobFormat.RawSymmetricKey);
        byte[] joined = new byte[text.Length + 16], opened = new byte[text.Length];
        return new(name, Kind.Yardstick, name[5..],
            () => aead.Encrypt(made, nonce, default, text, joined),
            () => Check.That(aead.Decrypt(made, nonce, default, joined, opened)),
            () => [.. joined], () => opened);
    }

    private static Contender Platform(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new System.Security.Cryptography.ChaCha20Poly1305(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[16], opened = new byte[text.Length];
        return new("ChaCha20Poly1305", Kind.Yardstick, "ChaCha20-Poly1305",
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }
}
