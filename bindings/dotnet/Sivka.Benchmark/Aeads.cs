using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using NSec.Cryptography;
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Modes;
using Org.BouncyCastle.Crypto.Parameters;
using KeyBlobFormat = NSec.Cryptography.KeyBlobFormat;
using Old = ChaCha20BLAKE2;
using Same = Sivka.ChaCha20BLAKE2;

namespace Sivka.Benchmark;

/// <summary>Our AEADs, the two old C# packages and BouncyCastle, beside AES-GCM and ChaCha20-Poly1305, which commit to nothing.</summary>
internal static class Aeads
{
    private const string Ours = "ours", Peer = "peer", Yardstick = "yardstick", AsOld = "Sivka as 2.0.1", OldName = "2.0.1";

    /// <summary>What ratios refer to.</summary>
    internal static List<Contender> At(string algorithm, int length)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = RandomNumberGenerator.GetBytes(24), text = RandomNumberGenerator.GetBytes(length);
        return algorithm switch
        {
            "aes-256-gcm-siv" => Aes(algorithm, key, nonce[..12], text),
            "chacha20-blake2b" => Plain(algorithm, key, nonce[..8], nonce[..12], text),
            "xchacha20-blake2b" =>
            [
                Sivka(new XChaCha20Blake2b(key), algorithm, nonce, text),
                Contender.Joined(AsOld, Ours, algorithm,
                    () => Same.XChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Same.XChaCha20BLAKE2b.Decrypt(made, nonce, key)),
                Contender.Joined(OldName, Peer, algorithm,
                    () => Old.XChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Old.XChaCha20BLAKE2b.Decrypt(made, nonce, key)),
                Libsodium(AeadAlgorithm.XChaCha20Poly1305, "XChaCha20-Poly1305", key, nonce, text),
            ],
            _ =>
            [
                Sivka(new XChaCha20Blake2bSiv(key), algorithm, [], text),
                Contender.Joined(AsOld, Ours, algorithm,
                    () => Same.XChaCha20BLAKE2bSIV.Encrypt(text, key), made => Same.XChaCha20BLAKE2bSIV.Decrypt(made, key)),
                Contender.Joined(OldName, Peer, algorithm,
                    () => Old.XChaCha20BLAKE2bSIV.Encrypt(text, key), made => Old.XChaCha20BLAKE2bSIV.Decrypt(made, key)),
                Libsodium(AeadAlgorithm.XChaCha20Poly1305, "XChaCha20-Poly1305", key, nonce, text),
            ],
        };
    }

    private static List<Contender> Aes(string algorithm, byte[] key, byte[] nonce, byte[] text)
    {
        var platform = new AesGcm(key, 16);
        List<Contender> all =
        [
            Sivka(new AesGcmSiv(key), algorithm, nonce, text),
            Contender.Apart("AesGcm", Yardstick, "aes-256-gcm", text.Length, 16,
                (ciphertext, tag) => platform.Encrypt(nonce, text, ciphertext, tag),
                (ciphertext, tag, opened) => platform.Decrypt(nonce, ciphertext, tag, opened)),
        ];
        if (NSec.Cryptography.Aes256Gcm.IsSupported)
        {
            all.Add(Libsodium(AeadAlgorithm.Aes256Gcm, "aes-256-gcm", key, nonce, text));
        }
#if AES_GCM_SIV_PORT
        var old = new global::Cryptography.AesGcmSiv(key);
        all.Add(Contender.Apart("AES-GCM-SIV.Port", Peer, algorithm, text.Length, 16,
            (ciphertext, tag) => old.Encrypt(nonce, text, ciphertext, tag),
            (ciphertext, tag, opened) => old.Decrypt(nonce, ciphertext, tag, opened)));
#endif
        // A hundred times as slow: longer ones would take most of the run.
        if (text.Length <= 8192)
        {
            var parameters = new AeadParameters(new KeyParameter(key), 128, nonce);
            all.Add(Contender.Joined("BouncyCastle", Peer, algorithm,
                () => Bouncy(true, text, parameters), made => Bouncy(false, made, parameters)));
        }
        return all;
    }

    private static byte[] Bouncy(bool seals, byte[] input, AeadParameters parameters)
    {
        var cipher = new GcmSivBlockCipher(new AesEngine());
        cipher.Init(seals, parameters);
        byte[] output = new byte[input.Length + (seals ? 16 : -16)];
        _ = cipher.ProcessBytes(input, 0, input.Length, output, 0);
        _ = cipher.DoFinal(output, 0);
        return output;
    }

    private static List<Contender> Plain(string algorithm, byte[] key, byte[] nonce, byte[] longer, byte[] text)
    {
        var platform = new System.Security.Cryptography.ChaCha20Poly1305(key);
        return
        [
            Sivka(new ChaCha20Blake2b(key), algorithm, nonce, text),
            Contender.Joined(AsOld, Ours, algorithm,
                () => Same.ChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Same.ChaCha20BLAKE2b.Decrypt(made, nonce, key)),
            Contender.Joined(OldName, Peer, algorithm,
                () => Old.ChaCha20BLAKE2b.Encrypt(text, nonce, key), made => Old.ChaCha20BLAKE2b.Decrypt(made, nonce, key)),
            Libsodium(AeadAlgorithm.ChaCha20Poly1305, "ChaCha20-Poly1305", key, longer, text),
            Contender.Apart("ChaCha20Poly1305", Yardstick, "ChaCha20-Poly1305", text.Length, 16,
                (ciphertext, tag) => platform.Encrypt(longer, text, ciphertext, tag),
                (ciphertext, tag, opened) => platform.Decrypt(longer, ciphertext, tag, opened)),
        ];
    }

    private static Contender Sivka(AeadKey key, string algorithm, byte[] nonce, byte[] text) =>
        Contender.Apart("Sivka", Ours, algorithm, text.Length, key.TagSizeInBytes,
            (ciphertext, tag) => key.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            (ciphertext, tag, opened) => key.Decrypt(nonce, ciphertext, tag, opened));

    private static Contender Libsodium(AeadAlgorithm aead, string algorithm, byte[] key, byte[] nonce, byte[] text)
    {
        Key made = Key.Import(aead, key, KeyBlobFormat.RawSymmetricKey);
        byte[] joined = new byte[text.Length + 16], opened = new byte[text.Length];
        return new($"NSec {algorithm}", Yardstick, algorithm,
            () => aead.Encrypt(made, nonce, default, text, joined),
            () => Contender.That(aead.Decrypt(made, nonce, default, joined, opened)))
        {
            Sealed = () => [.. joined],
            Opened = () => opened,
        };
    }
}
