using System;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>What the calls allocate, and that the collector may come at any time. Disposal is the matrix's.</summary>
public sealed class MemoryTests
{
    public static TheoryData<string> Names => Algorithms.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void SpansAllocateNothing(string algorithm)
    {
        using AeadKey key = Algorithms.New(algorithm);
        byte[] nonce = new byte[key.NonceSizeInBytes], tag = new byte[key.TagSizeInBytes];
        byte[] text = new byte[100], room = new byte[100 + nonce.Length + tag.Length];
        using var block = new Kuznyechik(new byte[32]);
        byte[] nonces = new byte[4 * nonce.Length], tags = new byte[4 * tag.Length];
        bool[] opened = new bool[4];
        int[] offsets = [0, 16, 32, 48, 100];
        long allocated = Allocated(() =>
        {
            block.EncryptBlocks(text.AsSpan(0, 96));
            key.EncryptBatch(nonces, text, offsets, tags);
            _ = key.DecryptBatch(nonces, text, offsets, tags, opened);
            key.Encrypt(nonce, text, text, tag, "data"u8);
            _ = key.TryDecrypt(nonce, text, tag, text, "data"u8);
            if (key is Aead random)
            {
                int written = random.SealTo(text, room, "data"u8);
                _ = random.TryOpenTo(room.AsSpan(0, written), text, out _, "data"u8);
            }
        });
        Assert.Equal(0, allocated);
    }

    private static long Allocated(Action calls)
    {
        for (int i = 0; i < 200; i++)
        {
            calls();
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 200; i++)
        {
            calls();
        }
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    /// <summary>Arrays move unless they are pinned: a missing pin would show as a wrong byte.</summary>
    [Fact]
    public async Task ACompactingCollectorFindsEveryBufferPinned()
    {
        using var key = new AesGcmSiv(RandomNumberGenerator.GetBytes(32));
        Task collector = OnItsOwnThread(() =>
        {
            for (int i = 0; i < 50; i++)
            {
                GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
                // The others are to run between two collections, on however slow a machine.
                Thread.Sleep(1);
            }
        });
        Task[] workers = [.. Enumerable.Range(0, 3).Select(seed => OnItsOwnThread(() => Work(key, seed, collector)))];
        await Task.WhenAll([collector, .. workers]);
    }

    private static void Work(AesGcmSiv key, int seed, Task collector)
    {
        for (int count = 0; count < 10 || !collector.IsCompleted; count++)
        {
            // New arrays each time, with litter between them, so that they move.
            byte[] text = new byte[1 + ((count * 37) + seed) % 5000];
            text.AsSpan().Fill((byte)count);
            byte[] sealedMessage = key.Seal(text);
            Memory<byte>[] batch = [.. Enumerable.Range(0, 5).Select(_ => ((byte[])text.Clone()).AsMemory())];
            byte[] nonces = new byte[60], tags = new byte[80];
            bool[] opened = new bool[5];
            key.EncryptBatch(nonces, batch, tags);
            Assert.True(key.DecryptBatch(nonces, batch, tags, opened));
            Assert.True(batch[4].Span.SequenceEqual(text));
            Assert.Equal(text, key.Open(sealedMessage));
        }
    }

    /// <summary>A pool has as many threads as there are cores, and a waiting test holds one of them.</summary>
    private static Task OnItsOwnThread(Action work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
