using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>A stream that cannot seek, gives little at a time, and fails when it is told to.</summary>
internal sealed class OneWay(byte[]? text = null) : Stream
{
    private readonly List<byte> _written = [];
    private int _position;

    public long FailsAt { get; set; } = long.MaxValue;

    public Exception? Failure { get; init; }

    /// <summary>As a server's body has it: whoever reads or writes without a task is refused.</summary>
    public bool IsAsync { get; init; }

    public SemaphoreSlim? Gate { get; init; }

    public bool IsClosed { get; private set; }

    public byte[] Bytes => [.. _written];

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count)
    {
        Assert.False(IsAsync);
        return Give(buffer.AsSpan(offset, count));
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        return Give(buffer.Span);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(byte[] buffer, int offset, int count)
    {
        Assert.False(IsAsync);
        Take(buffer.AsSpan(offset, count));
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await (Gate?.WaitAsync(cancellationToken) ?? Task.CompletedTask);
        Take(buffer.Span);
    }

    public override void Flush() => Assert.False(IsAsync);

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        IsClosed = true;
        base.Dispose(disposing);
    }

    private int Give(Span<byte> buffer)
    {
        Step();
        int read = Math.Min(Math.Min(buffer.Length, 9001), text!.Length - _position);
        text.AsSpan(_position, read).CopyTo(buffer);
        _position += read;
        return read;
    }

    private void Take(ReadOnlySpan<byte> buffer)
    {
        _position += buffer.Length;
        Step();
        _written.AddRange(buffer);
    }

    private void Step()
    {
        if (_position >= FailsAt)
        {
            throw Failure!;
        }
    }
}
