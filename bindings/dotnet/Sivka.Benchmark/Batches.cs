using System;
using System.Collections.Generic;
using System.Security.Cryptography;

namespace Sivka.Benchmark;

/// <summary>Many messages of 64 bytes in one buffer: a loop over the platform's AesGcm, over ours, and one batch.</summary>
internal static class Batches
{
    internal const int Length = 64;

    internal static List<(string Name, Action Call)> Of(int count)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), texts = new byte[Length * count], tags = new byte[16 * count];
        byte[] nonces = RandomNumberGenerator.GetBytes(12 * count);
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++)
        {
            offsets[i + 1] = offsets[i] + Length;
        }
        var platform = new AesGcm(key, 16);
        var ours = new AesGcmSiv(key);
        Agree(ours, nonces, offsets);
        return
        [
            ("a loop over AesGcm", () =>
            {
                for (int i = 0; i < count; i++)
                {
                    Span<byte> text = texts.AsSpan(Length * i, Length);
                    platform.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
                }
            }),
            ("a loop over Sivka", () => Loop(ours, nonces, texts, tags, count)),
            ("one batch of Sivka", () => ours.EncryptBatch(nonces, texts, offsets, tags)),
        ];
    }

    private static void Loop(AesGcmSiv ours, byte[] nonces, byte[] texts, byte[] tags, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Span<byte> text = texts.AsSpan(Length * i, Length);
            ours.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
        }
    }

    private static void Agree(AesGcmSiv ours, byte[] nonces, int[] offsets)
    {
        int count = offsets.Length - 1;
        byte[] looped = new byte[Length * count], loopedTags = new byte[16 * count];
        byte[] texts = new byte[Length * count], tags = new byte[16 * count];
        Loop(ours, nonces, looped, loopedTags, count);
        ours.EncryptBatch(nonces, texts, offsets, tags);
        Check.That(texts.AsSpan().SequenceEqual(looped) && tags.AsSpan().SequenceEqual(loopedTags));
    }
}
