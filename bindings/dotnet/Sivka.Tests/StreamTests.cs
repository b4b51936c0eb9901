using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

// The calls with arrays are those of the calls that are tested.
#pragma warning disable CA1835

namespace Sivka.Tests;

/// <summary>Streams that seal what is written, and open what is read, from ends that cannot seek.</summary>
public sealed class StreamTests : IDisposable
{
    private const int Chunk = 16_384;
    private readonly KeyFile _key = KeyFile.Generate("test");
    private readonly FileKeys _keys;

    public StreamTests() => _keys = new FileKeys(_key);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _keys.Dispose();
        _key.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Chunk)]
    [InlineData(1_000_003)]
    public async Task WhatIsWrittenIsRead(int length)
    {
        byte[] text = RandomNumberGenerator.GetBytes(length);
        using var end = new OneWay();
        using (var stream = new SealingStream(end, _keys))
        {
            Assert.True(stream.CanWrite && !stream.CanRead && !stream.CanSeek);
            // Nothing is written by the constructor: the other end may allow only asynchronous writing.
            Assert.Empty(end.Bytes);
            for (int at = 0, step = 1; at < length; at += step, step = (step * 7) + 1)
            {
                stream.Write(text, at, Math.Min(step, length - at));
            }
            stream.Flush();
            stream.Complete();
            stream.Complete();
            Assert.False(stream.CanWrite);
            _ = Assert.Throws<InvalidOperationException>(() => stream.WriteByte(1));
        }
        Assert.True(end.IsClosed);
        Assert.Equal(text, Opened(end.Bytes));

        using var another = new OneWay { IsAsync = true };
        await using (var stream = new SealingStream(another, _keys, new SealedFileOptions { Suite = "xchacha20-blake2b" }, leaveOpen: true))
        {
            await stream.WriteAsync(text.AsMemory(0, length / 2), Token);
            await stream.WriteAsync(text, length / 2, length - (length / 2), Token);
            await stream.FlushAsync(Token);
            await stream.CompleteAsync(Token);
            await stream.CompleteAsync(Token);
        }
        Assert.False(another.IsClosed);
        Assert.Equal(text, Opened(another.Bytes));

        foreach (bool isAsync in new[] { false, true })
        {
            using var input = new OneWay(another.Bytes) { IsAsync = isAsync };
            using (var stream = new OpeningStream(input, _keys))
            {
                Assert.True(stream.CanRead && !stream.CanWrite && !stream.CanSeek);
                using var copy = new MemoryStream();
                if (isAsync)
                {
                    await stream.CopyToAsync(copy, Token);
                }
                else
                {
                    stream.CopyTo(copy);
                }
                Assert.Equal(text, copy.ToArray());
                Assert.Equal(0, await stream.ReadAsync(new byte[9], 0, 9, Token));
            }
            Assert.True(input.IsClosed);
        }
    }

    /// <summary>The example of the README, in which the source throws in the middle.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(Chunk)]
    [InlineData(700_000)]
    public async Task OnlyCompleteEndsAFile(int length)
    {
        var failure = new InvalidTimeZoneException("mine");
        byte[] text = new byte[length];
        using var end = new OneWay();
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(() =>
        {
            using var source = new OneWay(text) { FailsAt = length, Failure = failure };
            using var stream = new SealingStream(end, _keys);
            source.CopyTo(stream);
            stream.Complete();
        }));
        Assert.True(end.IsClosed);
        HasNoEnd(end.Bytes);
        using var another = new OneWay { IsAsync = true };
        Assert.Same(failure, await Assert.ThrowsAsync<InvalidTimeZoneException>(async () =>
        {
            using var source = new OneWay(text) { FailsAt = length, Failure = failure, IsAsync = true };
            await using var stream = new SealingStream(another, _keys);
            await source.CopyToAsync(stream, Token);
            await stream.CompleteAsync(Token);
        }));
        Assert.True(another.IsClosed);
        HasNoEnd(another.Bytes);
    }

    /// <summary>It is told, unless an exception is under way, which is told instead.</summary>
    [Fact]
    public async Task CompleteIsNotForgotten()
    {
        using var end = new OneWay();
        var stream = new SealingStream(end, _keys);
        stream.WriteByte(1);
        // A task may go on inside of another one's exception.
        Exception? told = null;
        var thread = new Thread(() => told = Record.Exception(stream.Dispose));
        thread.Start();
        thread.Join();
        _ = Assert.IsType<InvalidOperationException>(told);
        stream.Dispose();
        Assert.True(end.IsClosed);
        HasNoEnd(end.Bytes);
        var failure = new InvalidTimeZoneException("mine");
        Assert.Same(failure, await Assert.ThrowsAsync<InvalidTimeZoneException>(async () =>
        {
            using var another = new SealingStream(new OneWay(), _keys);
            await Task.Yield();
            throw failure;
        }));
    }

    /// <summary>What the other stream did not take may be missing in the middle.</summary>
    [Fact]
    public async Task AfterAFailureThereIsNoEnd()
    {
        var failure = new InvalidTimeZoneException("mine");
        using var end = new OneWay { FailsAt = 100_000, Failure = failure };
        using var stream = new SealingStream(end, _keys, leaveOpen: true);
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(() => stream.Write(new byte[9_000_000], 0, 9_000_000)));
        end.FailsAt = long.MaxValue;
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(() => stream.WriteByte(1)));
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(stream.Complete));
        Assert.Same(failure, await Assert.ThrowsAsync<InvalidTimeZoneException>(() => stream.CompleteAsync(Token)));
        stream.Dispose();
        HasNoEnd(end.Bytes);
        _ = Assert.Throws<ObjectDisposedException>(() => stream.WriteByte(1));
        _ = Assert.Throws<ObjectDisposedException>(stream.Flush);

        using var stop = new CancellationTokenSource();
        stop.Cancel();
        using var whole = new OneWay();
        using var goesOn = new SealingStream(whole, _keys);
        _ = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => goesOn.WriteAsync(new byte[9], 0, 9, stop.Token));
        // Nothing was begun.
        await goesOn.CompleteAsync(Token);
        Assert.Empty(Opened(whole.Bytes));
    }

    [Fact]
    public async Task WhatIsWrongIsThrownAtItsPlace()
    {
        byte[] text = RandomNumberGenerator.GetBytes((5 * Chunk) + 7);
        byte[] file = Sealed(text);
        // Nothing is one chunk without a text.
        int head = Sealed([]).Length - 16;
        byte[] damaged = (byte[])file.Clone();
        damaged[head + (3 * (Chunk + 16))] ^= 1;
        byte[] cut = file[..(head + (3 * (Chunk + 16)))];
        foreach ((byte[] broken, Type failure) in new[] { (damaged, typeof(InvalidDataException)), (cut, typeof(EndOfStreamException)) })
        {
            using var stream = new OpeningStream(new OneWay(broken), _keys);
            byte[] beginning = new byte[3 * Chunk];
            stream.ReadExactly(beginning);
            Assert.Equal(text[..(3 * Chunk)], beginning);
            Exception first = Assert.Throws(failure, () => stream.ReadByte());
            // Again, and nothing more is given.
            Assert.Same(first, Assert.Throws(failure, () => stream.ReadByte()));
            Assert.Same(first, await Assert.ThrowsAsync(failure, () => stream.ReadAsync(beginning, 0, 9, Token)));
        }
        using FileKeys others = new FileKeys().AddPassphrase("other");
        _ = Assert.Throws<CryptographicException>(() => new OpeningStream(new OneWay(file), others).ReadByte());
        var mine = new InvalidTimeZoneException("mine");
        using var failing = new OpeningStream(new OneWay(file) { FailsAt = 3 * Chunk, Failure = mine }, _keys);
        Assert.Same(mine, Assert.Throws<InvalidTimeZoneException>(() => failing.CopyTo(Stream.Null)));
    }

    [Fact]
    public void KeysMayGoFirst()
    {
        var keys = new FileKeys(_key);
        using var end = new OneWay();
        using var stream = new SealingStream(end, keys, leaveOpen: true);
        keys.Dispose();
        stream.Write([1, 2, 3], 0, 3);
        stream.Complete();
        keys = new FileKeys(_key);
        using var opening = new OpeningStream(new OneWay(end.Bytes), keys);
        keys.Dispose();
        Assert.Equal(1, opening.ReadByte());
        _ = Assert.Throws<ObjectDisposedException>(() => new SealingStream(end, keys));
        _ = Assert.Throws<ObjectDisposedException>(() => new OpeningStream(end, keys));
    }

    [Fact]
    public void WrongCallsAreRefused()
    {
        using var end = new OneWay();
        using var none = new FileKeys();
        Assert.Equal("keys", Assert.Throws<ArgumentException>(() => new SealingStream(end, none)).ParamName);
        _ = Assert.Throws<ArgumentException>(() => new SealingStream(end, _keys, new SealedFileOptions { Suite = "rot13" }));
        Assert.Empty(end.Bytes);
        using var sealing = new SealingStream(end, _keys);
        using var opening = new OpeningStream(new OneWay(Sealed([1])), _keys);
        byte[] bytes = new byte[10];
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => sealing.Write(bytes, 5, 6));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => opening.Read(bytes, 5, 6));
        opening.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => opening.ReadByte());
        sealing.Complete();
    }

    /// <summary>Two calls at the same time would be two threads in one native object.</summary>
    [Fact]
    public async Task CallsTakeNoTurns()
    {
        using var end = new OneWay { IsAsync = true, Gate = new SemaphoreSlim(0) };
        using var stream = new SealingStream(end, _keys, leaveOpen: true);
        Task writing = stream.WriteAsync(new byte[100_000], 0, 100_000, Token);
        _ = Assert.Throws<InvalidOperationException>(() => stream.WriteByte(1));
        _ = await Assert.ThrowsAsync<InvalidOperationException>(() => stream.CompleteAsync(Token));
        _ = end.Gate.Release(1000);
        await writing;
        await stream.CompleteAsync(Token);
        Assert.Equal(new byte[100_000], Opened(end.Bytes));
    }

    private byte[] Sealed(byte[] text)
    {
        using var output = new MemoryStream();
        SealedFile.Seal(new MemoryStream(text), output, _keys);
        return output.ToArray();
    }

    /// <summary>What an output could not write shows when it is flushed, at the latest; then nothing is done.</summary>
    [Fact]
    public async Task AnOutputThatFailsOnFlushIsTold()
    {
        byte[] file = Sealed(new byte[Chunk]);
        _ = Assert.Throws<InvalidTimeZoneException>(() => SealedFile.Seal(new MemoryStream(file), new FailingFlush(), _keys));
        _ = Assert.Throws<InvalidTimeZoneException>(() => SealedFile.Open(new MemoryStream(file), new FailingFlush(), _keys));
        _ = Assert.Throws<InvalidTimeZoneException>(() => new SealingStream(new FailingFlush(), _keys).Complete());
        _ = await Assert.ThrowsAsync<InvalidTimeZoneException>(
            () => SealedFile.OpenAsync(new MemoryStream(file), new FailingFlush(), _keys, cancellationToken: Token));
    }

    /// <summary>Some of these give 0 bytes, which would be an end.</summary>
    [Fact]
    public async Task AStreamThatCannotBeReadOrWrittenIsRefused()
    {
        using var open = new MemoryStream();
        var closed = new MemoryStream([], writable: false);
        using var readOnly = new MemoryStream([], writable: false);
        closed.Dispose();
        Refused("input", () => SealedFile.Seal(closed, open, _keys));
        Refused("input", () => SealedFile.Open(closed, open, _keys));
        Refused("output", () => SealedFile.Seal(open, readOnly, _keys));
        Refused("output", () => SealedFile.Open(open, readOnly, _keys));
        Refused("output", () => new SealingStream(readOnly, _keys));
        Refused("input", () => new OpeningStream(closed, _keys));
        _ = await Assert.ThrowsAsync<ArgumentException>(
            "input", async () => await SealedFile.SealAsync(closed, open, _keys, cancellationToken: Token));
        Assert.Equal(0, open.Length);
    }

    private static void Refused(string parameter, Action call) => Assert.Throws<ArgumentException>(parameter, call);

    private sealed class FailingFlush : MemoryStream
    {
        public override void Flush() => throw new InvalidTimeZoneException("mine");

        public override Task FlushAsync(CancellationToken cancellationToken) =>
            Task.FromException(new InvalidTimeZoneException("mine"));
    }

    private byte[] Opened(byte[] file)
    {
        using var output = new MemoryStream();
        SealedFile.Open(new MemoryStream(file), output, _keys);
        return output.ToArray();
    }

    /// <summary>Where nothing was written, there is no sealed file at all.</summary>
    private void HasNoEnd(byte[] file)
    {
        Type expected = file.Length == 0 ? typeof(InvalidDataException) : typeof(EndOfStreamException);
        _ = Assert.Throws(expected, () => SealedFile.Verify(new MemoryStream(file), _keys));
        using var stream = new OpeningStream(new MemoryStream(file), _keys);
        _ = Assert.Throws(expected, () => stream.CopyTo(Stream.Null));
    }
}
