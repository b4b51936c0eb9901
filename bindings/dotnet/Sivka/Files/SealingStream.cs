using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// Seals what is written to it, and writes the sealed file, or the stream of <see cref="Keyset.CreateSealingStream"/>,
/// to another stream.
/// </summary>
/// <remarks>
/// <para>
/// Only <see cref="Complete"/> ends the sealed file. Disposing without it leaves one that has no end and does not open,
/// so that a source that throws in the middle of a <c>using</c> never leaves a file that looks whole.
/// </para>
/// <para>
/// All work is done in the thread that writes, in chunks of 16 KiB. Where all of the input of a file is there,
/// <see cref="SealedFile.Seal(Stream, Stream, FileKeys, SealedFileOptions)"/> is faster for long contents: it uses all cores.
/// </para>
/// <para>After a failure the file cannot be ended, and every call throws the same. One call at a time uses a stream.</para>
/// </remarks>
public sealed class SealingStream : Stream
{
    private readonly Stream _output;
    private readonly Sealer _sealer;
    private readonly bool _leaveOpen;
    private ExceptionDispatchInfo? _failure;
    private bool _completed;
    private bool _disposed;
    private int _busy;

    /// <summary>Begins a sealed file. Nothing is written before the first call that writes.</summary>
    /// <param name="output">Gets the sealed file.</param>
    /// <param name="keys">1 to 64 key files, passphrases and recipients, each of which will open it. They may be disposed of now.</param>
    /// <param name="options">The suite; null is as usual. <c>Overwrite</c> means nothing here.</param>
    /// <param name="leaveOpen">Whether <paramref name="output"/> stays open when this stream is closed.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="output"/> cannot be written, there are no keys or too many, or no suite has that name.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The keys were disposed of.</exception>
    public SealingStream(Stream output, FileKeys keys, SealedFileOptions? options = null, bool leaveOpen = false)
        : this(output, leaveOpen)
    {
        ArgumentNullException.ThrowIfNull(keys);
        _sealer = new Sealer(keys.Handle, FileSuite.Number(options?.Suite));
    }

    /// <summary>A stream under a keyset, which is used until this returns.</summary>
    internal SealingStream(Stream output, KeysetHandle keyset, ReadOnlySpan<byte> associatedData, bool leaveOpen)
        : this(output, leaveOpen) => _sealer = new Sealer(keyset, associatedData);

    /// <summary>What both have.</summary>
    private SealingStream(Stream output, bool leaveOpen)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (!output.CanWrite)
        {
            throw new ArgumentException("A stream that can be written is expected.", nameof(output));
        }
        _output = output;
        _leaveOpen = leaveOpen;
        _sealer = null!; // The other constructors make it.
    }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => !_disposed && !_completed;

    /// <summary>Not supported.</summary>
    public override long Length => throw new NotSupportedException("A file that is being sealed has no length yet.");

    /// <summary>Not supported.</summary>
    public override long Position
    {
        get => throw new NotSupportedException("A file is sealed from its beginning to its end.");
        set => throw new NotSupportedException("A file is sealed from its beginning to its end.");
    }

    /// <summary>Seals some bytes. Chunks that are full are written to the other stream.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="offset">The first.</param>
    /// <param name="count">How many.</param>
    /// <exception cref="InvalidOperationException">The file was completed.</exception>
    /// <exception cref="IOException">The other stream cannot be written.</exception>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        WriteAll(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return WriteAllAsync(new ReadOnlyMemory<byte>(buffer, offset, count), cancellationToken);
    }

#if NET
    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer) => WriteAll(buffer);

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        new(WriteAllAsync(buffer, cancellationToken));
#endif

    /// <summary>Flushes the other stream. A chunk that is not full stays here.</summary>
    public override void Flush()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        _output.Flush();
    }

    /// <summary>Flushes the other stream. A chunk that is not full stays here.</summary>
    /// <param name="cancellationToken">Goes to the other stream.</param>
    /// <returns>A task that ends with the work.</returns>
    public override Task FlushAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return _output.FlushAsync(cancellationToken);
    }

    /// <summary>Seals the rest, ends the sealed file, and flushes the other stream. Again, it does nothing.</summary>
    /// <exception cref="IOException">The other stream cannot be written; the file has no end then.</exception>
    /// <exception cref="ObjectDisposedException">This stream was disposed of.</exception>
    public void Complete()
    {
        Begin();
        try
        {
            if (!_completed)
            {
                _sealer.Finish();
                WriteOut();
                _output.Flush();
                _completed = true;
            }
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }
        finally
        {
            End();
        }
    }

    /// <summary><see cref="Complete"/>, which writes with <c>WriteAsync</c>.</summary>
    /// <param name="cancellationToken">Goes to the other stream; if it stops the work, the file has no end.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="IOException">The other stream cannot be written; the file has no end then.</exception>
    /// <exception cref="ObjectDisposedException">This stream was disposed of.</exception>
    public async Task CompleteAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Begin();
        try
        {
            if (!_completed)
            {
                _sealer.Finish();
                await WriteOutAsync(cancellationToken).ConfigureAwait(false);
                await _output.FlushAsync(cancellationToken).ConfigureAwait(false);
                _completed = true;
            }
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }
        finally
        {
            End();
        }
    }

    /// <summary>Not supported.</summary>
    /// <param name="buffer">The bytes.</param>
    /// <param name="offset">The first.</param>
    /// <param name="count">How many.</param>
    /// <returns>Nothing.</returns>
    public override int Read(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("A file that is being sealed is not read.");

    /// <summary>Not supported.</summary>
    /// <param name="offset">Where to.</param>
    /// <param name="origin">Where from.</param>
    /// <returns>Nothing.</returns>
    public override long Seek(long offset, SeekOrigin origin) =>
        throw new NotSupportedException("A file is sealed from its beginning to its end.");

    /// <summary>Not supported.</summary>
    /// <param name="value">The length.</param>
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
        }
        base.Dispose(disposing);
    }

    private void Free()
    {
        _disposed = true;
        _sealer.Dispose();
    }

    private void WriteAll(ReadOnlySpan<byte> rest)
    {
        Begin();
        try
        {
            CheckOpen();
            while (!rest.IsEmpty)
            {
                int length = Math.Min(rest.Length, Sealer.PieceLength);
                _sealer.Write(rest.Slice(0, length));
                WriteOut();
                rest = rest.Slice(length);
            }
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }
        finally
        {
            End();
        }
    }

    private async Task WriteAllAsync(ReadOnlyMemory<byte> rest, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        Begin();
        try
        {
            CheckOpen();
            while (!rest.IsEmpty)
            {
                int length = Math.Min(rest.Length, Sealer.PieceLength);
                _sealer.Write(rest.Span.Slice(0, length));
                await WriteOutAsync(cancellation).ConfigureAwait(false);
                rest = rest.Slice(length);
            }
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }
        finally
        {
            End();
        }
    }

    private void WriteOut()
    {
        ArraySegment<byte> written = _sealer.Written;
        if (written.Count > 0)
        {
            _output.Write(written.Array!, written.Offset, written.Count);
            _sealer.Taken();
        }
    }

    private async Task WriteOutAsync(CancellationToken cancellation)
    {
        ArraySegment<byte> written = _sealer.Written;
        if (written.Count > 0)
        {
#if NET
            await _output.WriteAsync(written.AsMemory(), cancellation).ConfigureAwait(false);
#else
            await _output.WriteAsync(written.Array!, written.Offset, written.Count, cancellation).ConfigureAwait(false);
#endif
            _sealer.Taken();
        }
    }

    private void Begin()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (Interlocked.Exchange(ref _busy, 1) != 0)
        {
            throw new InvalidOperationException("Another call uses this stream.");
        }
        if (_failure is not null)
        {
            End();
            _failure.Throw();
        }
    }

    private void End() => Volatile.Write(ref _busy, 0);

    private void CheckOpen()
    {
        if (_completed)
        {
            throw new InvalidOperationException("The sealed file was completed.");
        }
    }

    /// <summary>What was not written may be missing in the middle, so that no end may follow.</summary>
    private void Fail(Exception failure)
    {
        if (!_completed)
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
        }
    }
}
