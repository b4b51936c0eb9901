using System;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// The plaintext of a sealed file, or of a stream under a keyset (<see cref="Keyset.CreateOpeningStream"/>), from
/// another stream, which need not be able to seek.
/// </summary>
/// <remarks>
/// <para>
/// The result of a read is authentic, but perhaps not all: do not act on it before a read returns 0. An error of the
/// file is thrown by the read that reaches it, after all plaintext before it.
/// </para>
/// <para>
/// To copy all of the plaintext, <see cref="SealedFile.Open(Stream, Stream, FileKeys, SealedFileOptions)"/> is faster:
/// it uses all cores. To read in any order, use <see cref="SealedFileStream"/>. One call at a time uses a stream.
/// </para>
/// </remarks>
public sealed class OpeningStream : Stream
{
    private readonly Stream _input;
    private readonly Flow _flow;
    private readonly bool _leaveOpen;

    /// <summary>Sealed bytes from the input; those between the two were not taken yet.</summary>
    private readonly byte[] _given = new byte[1 << 16];
    private int _start;
    private int _end;
    private bool _inputEnded;
    private bool _ended;
    private bool _disposed;

    /// <summary>Begins to open a sealed file. Nothing is read before the first call that reads.</summary>
    /// <param name="input">The sealed file, from its position. More of it may be read than is asked for.</param>
    /// <param name="keys">The keys to try. They may be disposed of now.</param>
    /// <param name="leaveOpen">Whether <paramref name="input"/> stays open when this stream is closed.</param>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot be read.</exception>
    public OpeningStream(Stream input, FileKeys keys, bool leaveOpen = false)
        : this(input, Flow.Opening(keys), leaveOpen)
    {
    }

    internal OpeningStream(Stream input, Flow flow, bool leaveOpen)
    {
        _flow = flow;
        try
        {
            _input = Flow.Readable(input);
        }
        catch
        {
            flow.Dispose();
            throw;
        }
        _leaveOpen = leaveOpen;
    }

    /// <inheritdoc/>
    public override bool CanRead => !_disposed;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException("The length is known at the end; SealedFileStream has it.");

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException("This stream does not seek; SealedFileStream does.");
        set => throw new NotSupportedException("This stream does not seek; SealedFileStream does.");
    }

    /// <summary>Reads the next bytes of plaintext.</summary>
    /// <param name="buffer">Gets them.</param>
    /// <param name="offset">Where the first goes.</param>
    /// <param name="count">The most.</param>
    /// <returns>How many; 0 only at the authentic end, or if none were asked for.</returns>
    /// <exception cref="InvalidDataException">The input is no sealed file, or was damaged.</exception>
    /// <exception cref="EndOfStreamException">The end of the file is missing or damaged.</exception>
    /// <exception cref="CryptographicException">
    /// None of the keys opens it. For a stream under a keyset, an <see cref="AuthenticationTagMismatchException"/> is
    /// also thrown for damage and a missing end: it does not say which.
    /// </exception>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return ReadInto(new Memory<byte>(buffer, offset, count), async: false, default).GetAwaiter().GetResult();
    }

    /// <summary>Reads the next bytes of plaintext, with <c>ReadAsync</c> of the input.</summary>
    /// <param name="buffer">Gets them.</param>
    /// <param name="offset">Where the first goes.</param>
    /// <param name="count">The most.</param>
    /// <param name="cancellationToken">Goes to the input; if it stops the work, nothing more can be read.</param>
    /// <returns>How many; 0 only at the authentic end, or if none were asked for.</returns>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return ReadInto(new Memory<byte>(buffer, offset, count), async: true, cancellationToken);
    }

#if NET
    /// <inheritdoc/>
    public override unsafe int Read(Span<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            using var borrowed = new Borrowed(start, buffer.Length);
            return ReadInto(borrowed.Memory, async: false, default).GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        new(ReadInto(buffer, async: true, cancellationToken));
#endif

    /// <summary>Does nothing: there is nothing to write.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) =>
        throw new NotSupportedException("This stream does not seek; SealedFileStream does.");

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("A sealed file is not written here.");

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("A sealed file is not written here.");

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_disposed)
        {
            _disposed = true;
            _flow.Dispose();
            if (!_leaveOpen)
            {
                _input.Dispose();
            }
        }
        base.Dispose(disposing);
    }

    private async Task<int> ReadInto(Memory<byte> buffer, bool async, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellation.ThrowIfCancellationRequested();
        return await _flow.Alone(async () =>
        {
            int written = 0;
            while (written == 0 && !_ended && !buffer.IsEmpty)
            {
                if (_inputEnded)
                {
                    written = _flow.Finish(buffer.Span);
                    _ended = written == 0;
                    continue;
                }
                _flow.Update(_given.AsSpan(_start, _end - _start), buffer.Span, out int used, out written);
                _start += used;
                if (written == 0)
                {
                    int read = await Flow.Read(_input, _given, _given.Length, async, cancellation).ConfigureAwait(false);
                    (_start, _end) = (0, read);
                    _inputEnded = _end == 0;
                }
            }
            return written;
        }).ConfigureAwait(false);
    }
}
