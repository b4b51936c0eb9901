using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <summary>The plaintext of a sealed file, readable in any order; only the chunks that are read are opened.</summary>
/// <remarks>
/// Every byte that was read is authentic. <see cref="SealedFile.Verify(string, FileKeys, SealedFileOptions)"/> checks
/// the rest. One thread at a time uses a stream.
/// </remarks>
public sealed class SealedFileStream : Stream
{
    private readonly FileReaderHandle _reader;
    private readonly Stream? _input;

    /// <summary>Where the sealed file begins in the input.</summary>
    private readonly long _start;
    private readonly bool _leaveOpen;
    private long _position;

    /// <summary>Opens a sealed file for reading. Its end is authenticated now, which proves its length.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keys">The keys to try, which may be disposed of before the stream.</param>
    /// <exception cref="InvalidDataException">The file is no sealed file, or was damaged.</exception>
    /// <exception cref="EndOfStreamException">The end of the file is missing or damaged.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="CryptographicException">None of the keys opens it.</exception>
    public SealedFileStream(string path, FileKeys keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        Failure.Check(NativeMethods.sivka_file_reader_new(Text.OfPath(path, nameof(path)), keys.Handle, out _reader));
        Length = checked((long)NativeMethods.sivka_file_reader_len(_reader));
    }

    /// <summary>Opens a sealed file that is in another stream. Its end is authenticated now.</summary>
    /// <param name="input">
    /// A stream that can seek; the sealed file begins at its position, and ends where it ends. Nobody else uses it
    /// while this stream is used.
    /// </param>
    /// <param name="keys">The keys to try, which may be disposed of before the stream.</param>
    /// <param name="leaveOpen">Whether <paramref name="input"/> stays open when this stream is closed.</param>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot read or seek.</exception>
    /// <inheritdoc cref="SealedFileStream(string, FileKeys)" path="/exception"/>
    public SealedFileStream(Stream input, FileKeys keys, bool leaveOpen = false)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(keys);
        if (!input.CanRead || !input.CanSeek)
        {
            throw new ArgumentException("A stream that can read and seek is expected.", nameof(input));
        }
        _input = input;
        _leaveOpen = leaveOpen;
        _start = input.Position;
        ulong length = (ulong)Math.Max(0, input.Length - _start);
        Failure.Check(NativeMethods.sivka_file_reader_of_length(length, keys.Handle, out _reader));
        try
        {
            _ = ReadInto([]);
        }
        catch
        {
            _reader.Dispose();
            throw;
        }
        Length = checked((long)NativeMethods.sivka_file_reader_len(_reader));
    }

    /// <inheritdoc/>
    public override bool CanRead => !_reader.IsDisposed;

    /// <inheritdoc/>
    public override bool CanSeek => !_reader.IsDisposed;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <summary>Gets the length of the plaintext in bytes.</summary>
    public override long Length { get; }

    /// <inheritdoc/>
    public override long Position
    {
        get => _position;
        set => Seek(Algorithm.NotNegative(value, nameof(value)), SeekOrigin.Begin);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return ReadInto(buffer.AsSpan(offset, count));
    }

    /// <summary>Reads the next bytes of plaintext, with <c>ReadAsync</c> of the stream that has the sealed file.</summary>
    /// <param name="buffer">Gets them.</param>
    /// <param name="offset">Where the first goes.</param>
    /// <param name="count">The most.</param>
    /// <param name="cancellationToken">Goes to that stream. What it stops can be read again.</param>
    /// <returns>How many; 0 only at the end, or if none were asked for.</returns>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(buffer);
        return _input is null
            ? base.ReadAsync(buffer, offset, count, cancellationToken)
            : ReadInto(new Memory<byte>(buffer, offset, count), cancellationToken);
    }

#if NET
    /// <inheritdoc/>
    public override int Read(Span<byte> buffer) => ReadInto(buffer);

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _input is null ? base.ReadAsync(buffer, cancellationToken) : new(ReadInto(buffer, cancellationToken));
#endif

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin)
    {
        ObjectDisposedException.ThrowIf(_reader.IsDisposed, this);
        long start = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => Length,
            _ => throw new ArgumentException("There is no such origin.", nameof(origin)),
        };
        if (offset > long.MaxValue - start)
        {
            throw new ArgumentOutOfRangeException(nameof(offset), offset, "No file has such a position.");
        }
        if (start + offset < 0)
        {
            throw new IOException("A position before the beginning was asked for.");
        }
        return _position = start + offset;
    }

    /// <summary>Does nothing: there is nothing to write.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("A sealed file is not written here.");

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("A sealed file is not written here.");

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _reader.Dispose();
            if (!_leaveOpen)
            {
                _input?.Dispose();
            }
        }
        base.Dispose(disposing);
    }

    private int ReadInto(Span<byte> buffer)
    {
        int read;
        while ((read = TryRead(buffer)) < 0)
        {
            Give(async: false, default).GetAwaiter().GetResult();
        }
        return read;
    }

    private async Task<int> ReadInto(Memory<byte> buffer, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        int read;
        while ((read = TryRead(buffer.Span)) < 0)
        {
            await Give(async: true, cancellation).ConfigureAwait(false);
        }
        return read;
    }

    /// <summary>How many bytes were read; -1 if the reader wants some of the input first.</summary>
    private int TryRead(Span<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(_reader.IsDisposed, this);
        int status = NativeMethods.sivka_file_reader_read(_reader, (ulong)_position, buffer, out nuint read);
        if (status == Status.Wants)
        {
            return -1;
        }
        Failure.Check(status);
        _position += (long)read;
        return (int)read;
    }

    /// <summary>Gives the reader what it wants, or as much of it as the input reads at once.</summary>
    private async Task Give(bool async, CancellationToken cancellation)
    {
        int wanted = (int)NativeMethods.sivka_file_reader_wants(_reader, out ulong position);
        byte[] bytes = ArrayPool<byte>.Shared.Rent(wanted);
        try
        {
            _ = _input!.Seek(checked(_start + (long)position), SeekOrigin.Begin);
            int read = await Flow.Read(_input, bytes, wanted, async, cancellation).ConfigureAwait(false);
            Failure.Check(NativeMethods.sivka_file_reader_give(_reader, bytes.AsSpan(0, read)));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
