using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;

namespace Sivka.Benchmark;

/// <summary>Many short messages in one call.</summary>
internal static class Calls
{
    internal const int BatchedLength = 64;

    /// <summary>Many messages in one buffer: a loop over the platform's AesGcm, over ours, and one batch.</summary>
    internal static List<Contender> Batch(int count)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), texts = new byte[BatchedLength * count], tags = new byte[16 * count];
        byte[] nonces = RandomNumberGenerator.GetBytes(12 * count);
        int[] offsets = [.. Enumerable.Range(0, count + 1).Select(i => BatchedLength * i)];
        var platform = new AesGcm(key, 16);
        var ours = new AesGcmSiv(key);
        return
        [
            Batched("a loop over AesGcm", "yardstick", "aes-256-gcm", () => Each((nonce, text, tag) => platform.Encrypt(nonce, text, text, tag))),
            Batched("a loop over Sivka", "ours", "aes-256-gcm-siv", () => Each((nonce, text, tag) => ours.Encrypt(nonce, text, text, tag))),
            Batched("one batch of Sivka", "ours", "aes-256-gcm-siv", () => ours.EncryptBatch(nonces, texts, offsets, tags)),
        ];

        void Each(Encrypting encrypt)
        {
            for (int i = 0; i < count; i++)
            {
                encrypt(nonces.AsSpan(12 * i, 12), texts.AsSpan(BatchedLength * i, BatchedLength), tags.AsSpan(16 * i, 16));
            }
        }

        // They work in place, on what the one before has left: compared is what they make of zeros.
        Contender Batched(string name, string kind, string algorithm, Action call) => new(name, kind, algorithm, call)
        {
            Sealed = () =>
            {
                Array.Clear(texts);
                call();
                return [.. texts, .. tags];
            },
        };
    }

    private delegate void Encrypting(ReadOnlySpan<byte> nonce, Span<byte> text, Span<byte> tag);

    private static Contender Way(string name, Action call) => new(name, "ours", name, call);
}
