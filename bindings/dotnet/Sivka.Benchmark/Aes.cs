using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using NSec.Cryptography;
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Modes;
using Org.BouncyCastle.Crypto.Parameters;
using KeyBlobFormat = NSec.Cryptography.KeyBlobFormat;

namespace Sivka.Benchmark;

/// <summary>AES-256-GCM-SIV of ours, of the old C# package and of BouncyCastle, beside AES-256-GCM.</summary>
internal static class Aes
{
    internal const string Algorithm = "aes-256-gcm-siv";

    /// <summary>What the project's page of goals refers to.</summary>
    internal const string Reference = "AesGcm";

    internal static List<Contender> At(int length)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = RandomNumberGenerator.GetBytes(12), text = RandomNumberGenerator.GetBytes(length);
        List<Contender> all = [Ours(key, nonce, text), Platform(key, nonce, text)];
        if (NSec.Cryptography.Aes256Gcm.IsSupported)
        {
            all.Add(Libsodium(key, nonce, text));
        }
#if AES_GCM_SIV_PORT
        all.Add(Old(key, nonce, text));
#endif
        // A hundred times as slow: longer ones would take most of the run.
        if (length <= 8192)
        {
            all.Add(Bouncy(key, nonce, text));
        }
        return all;
    }

    private static Contender Ours(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new AesGcmSiv(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[16], opened = new byte[text.Length];
        return new("Sivka", Kind.Ours, Algorithm,
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }

    private static Contender Platform(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new AesGcm(key, 16);
        byte[] ciphertext = new byte[text.Length], tag = new byte[16], opened = new byte[text.Length];
        return new(Reference, Kind.Yardstick, "aes-256-gcm",
            () => aead.Encrypt(nonce.AsSpan(), text, ciphertext, tag),
            () => aead.Decrypt(nonce.AsSpan(), ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }

    private static Contender Libsodium(byte[] key, byte[] nonce, byte[] text)
    {
        NSec.Cryptography.Aes256Gcm aead = AeadAlgorithm.Aes256Gcm;
        Key made = Key.Import(aead, key, KeyBlobFormat.RawSymmetricKey);
        byte[] joined = new byte[text.Length + 16], opened = new byte[text.Length];
        return new("NSec AES-GCM", Kind.Yardstick, "aes-256-gcm",
            () => aead.Encrypt(made, nonce, default, text, joined),
            () => Check.That(aead.Decrypt(made, nonce, default, joined, opened)),
            () => [.. joined], () => opened);
    }

#if AES_GCM_SIV_PORT
    private static Contender Old(byte[] key, byte[] nonce, byte[] text)
    {
        var aead = new global::Cryptography.AesGcmSiv(key);
        byte[] ciphertext = new byte[text.Length], tag = new byte[16], opened = new byte[text.Length];
        return new("AES-GCM-SIV.Port", Kind.Peer, Algorithm,
            () => aead.Encrypt(nonce, text, ciphertext, tag),
            () => aead.Decrypt(nonce, ciphertext, tag, opened),
            () => [.. ciphertext, .. tag], () => opened);
    }
#endif

    private static Contender Bouncy(byte[] key, byte[] nonce, byte[] text)
    {
        var parameters = new AeadParameters(new KeyParameter(key), 128, nonce);
        byte[] joined = new byte[text.Length + 16], opened = new byte[text.Length];
        return new("BouncyCastle", Kind.Peer, Algorithm,
            () => Run(true, text, joined),
            () => Run(false, joined, opened),
            () => [.. joined], () => opened);

        void Run(bool seals, byte[] input, byte[] output)
        {
            var cipher = new GcmSivBlockCipher(new AesEngine());
            cipher.Init(seals, parameters);
            _ = cipher.ProcessBytes(input, 0, input.Length, output, 0);
            _ = cipher.DoFinal(output, 0);
        }
    }
}
