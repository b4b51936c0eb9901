using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using Xunit;

namespace Sivka.Tests;

/// <summary>Callers that change what they gave while it is read: nothing breaks, and nothing is mixed.</summary>
public sealed class HostileCallersTests
{
    private const int Count = 200;
    private static readonly byte[] s_nonces = new byte[12 * Count];

    [Fact]
    public void ListsMayMakeTheirItemsAnew()
    {
        using var key = new AesGcmSiv(new byte[32]);
        byte[][] texts = [.. Enumerable.Range(0, Count).Select(i => RandomNumberGenerator.GetBytes(i * 7 % 300))];
        byte[][] data = [.. Enumerable.Range(0, Count).Select(i => RandomNumberGenerator.GetBytes(i % 40))];
        byte[] tags = new byte[16 * Count];
        bool[] opened = new bool[Count];
        // One of them is where the runtime has no arrays: with the length of another it would end in no memory.
        using var outside = new Outside();
        Memory<byte>[] items = [.. texts.Select(text => ((byte[])text.Clone()).AsMemory())];
        items[7] = outside.Memory;
        texts[7] = items[7].ToArray();
        var given = new Fickle<Memory<byte>>(i => items[i], Another);
        var datas = new Fickle<ReadOnlyMemory<byte>>(i => data[i], i => Another(i));
        key.EncryptBatch(s_nonces, given, tags, datas);
        given.WereReadOnce();
        datas.WereReadOnce();
        given = new Fickle<Memory<byte>>(i => items[i], Another);
        datas = new Fickle<ReadOnlyMemory<byte>>(i => data[i], i => Another(i));
        Assert.True(key.DecryptBatch(s_nonces, given, tags, opened, datas));
        given.WereReadOnce();
        datas.WereReadOnce();
        Assert.Equal(texts, items.Select(item => item.ToArray()));
    }

    [Fact]
    public void ListsMaySayAnotherCount()
    {
        using var key = new AesGcmSiv(new byte[32]);
        using var siv = new AesSiv(new byte[64]);
        byte[] tags = new byte[16 * Count];
        for (int more = 1; more <= 3; more++)
        {
            var longer = new Fickle<Memory<byte>>(_ => new byte[100], Another) { Growth = 1_000_000 * more };
            key.EncryptBatch(s_nonces, longer, tags);
            longer.WereReadOnce();
            var strings = new Fickle<ReadOnlyMemory<byte>>(_ => new byte[10], i => Another(i)) { Growth = more };
            _ = Assert.Throws<ArgumentException>(() => siv.SealWithList(default, strings));
        }
    }

    [Fact]
    public void ListsMayThrow()
    {
        using var key = new AesGcmSiv(new byte[32]);
        var throws = new Fickle<Memory<byte>>(i => i < 100 ? new byte[1] : throw new InvalidDataException(), Another);
        var datas = new Fickle<ReadOnlyMemory<byte>>(i => i < 100 ? default : throw new InvalidDataException(), i => Another(i));
        _ = Assert.Throws<InvalidDataException>(() => key.EncryptBatch(s_nonces, throws, new byte[16 * Count]));
        var texts = new Fickle<Memory<byte>>(_ => new byte[1], Another);
        _ = Assert.Throws<InvalidDataException>(() => key.EncryptBatch(s_nonces, texts, new byte[16 * Count], datas));
    }

    [Fact]
    public void MemoryMayLieAboutItsPlace()
    {
        using var key = new AesGcmSiv(new byte[32]);
        using var small = new Liar(new byte[1], new byte[1000]);
        byte[] nonce = new byte[12], tag = new byte[16];
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonce, [small.Memory], tag));
    }

    [Fact]
    public void StreamsMaySayThatTheyReadMore()
    {
        using var key = KeyFile.Generate("a");
        using var keys = new FileKeys(key);
        var sealedFile = new MemoryStream();
        SealedFile.Seal(new MemoryStream(new byte[100_000]), sealedFile, keys);
        int refused = 0;
        for (int honest = 0; honest < 8; honest++)
        {
            using var seeking = new Boasting(sealedFile.ToArray(), honest);
            refused += Refuses(() =>
            {
                using var stream = new SealedFileStream(seeking, keys);
                stream.ReadExactly(new byte[100_000]);
            });
            using var reading = new Boasting(sealedFile.ToArray(), honest);
            refused += Refuses(() => SealedFile.Open(reading, Stream.Null, keys));
        }
        Assert.True(refused > 2);
    }

    /// <summary>1 for a call that is refused, and 0 for one that is done.</summary>
    private static int Refuses(Action call)
    {
        Exception? thrown = Record.Exception(call);
        if (thrown is not null)
        {
            _ = Assert.IsType<ArgumentException>(thrown);
        }
        return thrown is null ? 0 : 1;
    }

    private static Memory<byte> Another(int index) => index == 7 ? new byte[64 << 20] : new byte[index * 7 % 300];

    /// <summary>Answers otherwise each time that it is asked.</summary>
    private sealed class Fickle<T>(Func<int, T> first, Func<int, T> later) : IReadOnlyList<T>
    {
        private readonly int[] _asked = new int[Count];
        private int _counted;

        internal int Growth { get; init; }

        int IReadOnlyCollection<T>.Count => Count + (_counted++ * Growth);

        public T this[int index] => _asked[index]++ == 0 ? first(index) : later(index);

        public IEnumerator<T> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => throw new NotSupportedException();

        internal void WereReadOnce() => Assert.All(_asked, times => Assert.Equal(1, times));
    }

    /// <summary>A byte that the runtime did not allocate.</summary>
    private sealed unsafe class Outside : System.Buffers.MemoryManager<byte>
    {
        private readonly byte* _byte = (byte*)System.Runtime.InteropServices.NativeMemory.Alloc(1);

        public override Span<byte> GetSpan() => new(_byte, 1);

        public override System.Buffers.MemoryHandle Pin(int elementIndex = 0) => new(_byte + elementIndex);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing) => System.Runtime.InteropServices.NativeMemory.Free(_byte);
    }

    /// <summary>Memory that is said to be longer than what is pinned.</summary>
    private sealed class Liar(byte[] pinned, byte[] said) : System.Buffers.MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => said;

        public override System.Buffers.MemoryHandle Pin(int elementIndex = 0) => pinned.AsMemory().Pin();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }

    /// <summary>After some reads it says that it filled the whole array, whatever was asked for.</summary>
    private sealed class Boasting(byte[] content, int honest) : MemoryStream(content)
    {
        private int _honest = honest;

        public override int Read(byte[] buffer, int offset, int count) =>
            buffer.Length - offset == count || _honest-- > 0 ? base.Read(buffer, offset, count) : buffer.Length - offset;
    }
}
