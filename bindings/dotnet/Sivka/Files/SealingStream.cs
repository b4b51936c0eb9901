using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// Seals the bytes that are written to it, and writes the sealed file, or the stream of <see
/// cref="Keyset.CreateSealingStream"/>, to another stream.
/// </summary>
/// <remarks>
/// <para>
/// Only <see cref="Complete"/> ends the sealed file. Disposing without it leaves a file that has no end and does not
/// open. So a source that throws in the middle of a <c>using</c> never leaves a file that looks whole. If nothing was
/// thrown, <c>Dispose</c> then throws an <see cref="InvalidOperationException"/>. <c>DisposeAsync</c>, .NET Standard
/// 2.0, and programs that are compiled ahead of time cannot tell, and throw nothing.
/// </para>
/// <para>
/// Output is written when there is enough of it: up to 12 MiB stay here until the next call, or the end. All cores seal
/// one call with 1 MiB and more.
/// </para>
/// <para>After a failure the file cannot be ended, and every call throws the same. One call at a time uses a stream.</para>
/// </remarks>
public sealed class SealingStream : Stream
{
    private readonly Stream _output;
    private readonly Flow _flow;
    private readonly bool _leaveOpen;

    /// <summary>Gets parts of the sealed file, which are no secret.</summary>
    private readonly byte[] _room = new byte[1 << 16];
    private bool _completed;
    private bool _disposed;

    /// <summary>Begins a sealed file. Nothing is written before the first call that writes.</summary>
    /// <param name="output">Gets the sealed file.</param>
    /// <param name="keys">1 to 64 key files, passphrases and recipients, each of which will open it. They may be disposed of now.</param>
    /// <param name="options">The suite; null is as usual. <c>Overwrite</c> means nothing here.</param>
    /// <param name="leaveOpen">Whether <paramref name="output"/> stays open when this stream is closed.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="output"/> cannot be written, there are no keys or too many, or no suite has that name.
    /// </exception>
    public SealingStream(Stream output, FileKeys keys, SealedFileOptions? options = null, bool leaveOpen = false)
        : this(output, Flow.Sealing(keys, options), leaveOpen)
    {
    }

    internal SealingStream(Stream output, Flow flow, bool leaveOpen)
    {
        _flow = flow;
        try
        {
            _output = Flow.Writable(output);
        }
        catch
        {
            flow.Dispose();
            throw;
        }
        _leaveOpen = leaveOpen;
    }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => !_disposed && !_completed;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException("A file that is being sealed has no length yet.");

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException("A file is sealed from its beginning to its end.");
        set => throw new NotSupportedException("A file is sealed from its beginning to its end.");
    }

    /// <summary>Seals some bytes.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="offset">The first.</param>
    /// <param name="count">How many.</param>
    /// <exception cref="InvalidOperationException">The file was completed.</exception>
    /// <exception cref="IOException">The other stream cannot be written.</exception>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        Advance(new ReadOnlyMemory<byte>(buffer, offset, count), completes: false, async: false, default).GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return Advance(new ReadOnlyMemory<byte>(buffer, offset, count), completes: false, async: true, cancellationToken);
    }

#if NET
    /// <inheritdoc/>
    public override unsafe void Write(ReadOnlySpan<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            using var borrowed = new Borrowed(start, buffer.Length);
            Advance(borrowed.Memory, completes: false, async: false, default).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        new(Advance(buffer, completes: false, async: true, cancellationToken));
#endif

    /// <summary>Flushes the other stream. Bytes that are not sealed yet stay here.</summary>
    public override void Flush()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        _output.Flush();
    }

    /// <summary>Flushes the other stream. Bytes that are not sealed yet stay here.</summary>
    /// <param name="cancellationToken">Goes to the other stream.</param>
    /// <returns>A task that ends with the work.</returns>
    public override Task FlushAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return _output.FlushAsync(cancellationToken);
    }

    /// <summary>Seals the rest, ends the sealed file, and flushes the other stream. Again, it does nothing.</summary>
    /// <exception cref="IOException">The other stream cannot be written; the file has no end then.</exception>
    public void Complete() => Advance(default, completes: true, async: false, default).GetAwaiter().GetResult();

    /// <summary><see cref="Complete"/>, which writes with <c>WriteAsync</c>.</summary>
    /// <param name="cancellationToken">Goes to the other stream; if it stops the work, the file has no end.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="IOException">The other stream cannot be written; the file has no end then.</exception>
    public Task CompleteAsync(CancellationToken cancellationToken = default) =>
        Advance(default, completes: true, async: true, cancellationToken);

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("A file that is being sealed is not read.");

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) =>
        throw new NotSupportedException("A file is sealed from its beginning to its end.");

    /// <inheritdoc/>
    public override void SetLength(long value) =>
        throw new NotSupportedException("A file is sealed from its beginning to its end.");

#if NET
    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        bool first = !_disposed;
        Free();
        if (first && !_leaveOpen)
        {
            await _output.DisposeAsync().ConfigureAwait(false);
        }
        await base.DisposeAsync().ConfigureAwait(false);
    }
#endif

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_disposed)
        {
            Free();
            if (!_leaveOpen)
            {
                _output.Dispose();
            }
            if (!_completed && !_flow.HasFailed && !ExceptionIsUnderWay())
            {
                throw new InvalidOperationException("Complete was not called: what was sealed has no end, and does not open.");
            }
        }
        base.Dispose(disposing);
    }

    /// <summary>Whether this thread throws: that exception must not be hidden by another one.</summary>
    private static bool ExceptionIsUnderWay()
    {
#if NET
        try
        {
            return Marshal.GetExceptionPointers() != default;
        }
        catch (PlatformNotSupportedException)
        {
            return true;
        }
#else
        return true;
#endif
    }

    private void Free()
    {
        _disposed = true;
        _flow.Dispose();
    }

    private async Task Advance(ReadOnlyMemory<byte> rest, bool completes, bool async, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellation.ThrowIfCancellationRequested();
        if (_completed)
        {
            _ = completes ? 0 : throw new InvalidOperationException("The sealed file was completed.");
            return;
        }
        _ = await _flow.Alone(async () =>
        {
            while (!rest.IsEmpty)
            {
                _flow.Update(rest.Span, _room, out int used, out int written);
                rest = rest.Slice(used);
                await Flow.Write(_output, _room, written, async, cancellation).ConfigureAwait(false);
            }
            for (int written = completes ? -1 : 0; written != 0;)
            {
                written = _flow.Finish(_room);
                await Flow.Write(_output, _room, written, async, cancellation).ConfigureAwait(false);
            }
            if (completes)
            {
                await Flow.Flush(_output, async, cancellation).ConfigureAwait(false);
                _completed = true;
            }
            return 0;
        }).ConfigureAwait(false);
    }
}
