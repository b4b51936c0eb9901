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
        Memory<byte>[] items = [.. texts.Select(text => ((byte[])text.Clone()).AsMemory())];
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
    public void MemoryMayLieAboutItsPlace()
    {
        using var key = new AesGcmSiv(new byte[32]);
        using var small = new Liar(new byte[1], new byte[1000]);
        byte[] nonce = new byte[12], tag = new byte[16];
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonce, [small.Memory], tag));
    }

    [Theory]
    [InlineData(-5)]
    [InlineData(1)]
    public void StreamsMaySayThatTheyReadMoreOrLess(int said)
    {
        using var key = KeyFile.Generate("a");
        using var keys = new FileKeys(key);
        var sealedFile = new MemoryStream();
        SealedFile.Seal(new MemoryStream(new byte[100_000]), sealedFile, keys);
        Action<Stream>[] calls = [
            input => new SealedFileStream(input, keys).Dispose(), input => new OpeningStream(input, keys).ReadByte(),
            input => SealedFile.Open(input, Stream.Null, keys), input => SealedFile.Seal(input, Stream.Null, keys)];
        foreach (Action<Stream> call in calls)
        {
            using var input = new Boasting(sealedFile.ToArray(), said);
            string message = Assert.Throws<ArgumentException>("input", () => call(input)).Message;
            Assert.StartsWith($"The stream says that it read {(said < 0 ? "-5 of " : null)}", message, StringComparison.Ordinal);
        }
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

    /// <summary>It says that it read so many bytes more than was asked for, or a number below zero; then it ends.</summary>
    private sealed class Boasting(byte[] content, int said) : MemoryStream(content)
    {
        private int _reads;

        public override int Read(byte[] buffer, int offset, int count) => _reads++ > 0 ? 0 : said < 0 ? said : count + said;
    }
}
