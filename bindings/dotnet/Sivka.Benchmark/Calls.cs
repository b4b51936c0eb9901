using System;
using System.Collections.Generic;
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
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++)
        {
            offsets[i + 1] = offsets[i] + BatchedLength;
        }
        var platform = new AesGcm(key, 16);
        var ours = new AesGcmSiv(key);
        return
        [
            Way("a loop over AesGcm", () =>
            {
                for (int i = 0; i < count; i++)
                {
                    Span<byte> text = texts.AsSpan(BatchedLength * i, BatchedLength);
                    platform.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
                }
            }),
            Way("a loop over Sivka", () =>
            {
                for (int i = 0; i < count; i++)
                {
                    Span<byte> text = texts.AsSpan(BatchedLength * i, BatchedLength);
                    ours.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
                }
            }),
            Way("one batch of Sivka", () => ours.EncryptBatch(nonces, texts, offsets, tags)),
        ];
    }

    private static Contender Way(string name, Action call) => new(name, "ours", name, call);
}
