using System;
using System.IO;
using System.Security.Cryptography;
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
    private readonly SeekBridge? _bridge;
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
        _bridge = new SeekBridge(input);
        _bridge.Check(NativeMethods.sivka_file_reader_of_function(
            _bridge.ReadAt, _bridge.InputLength, context: 0, keys.Handle, out _reader));
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

#if NET
    /// <inheritdoc/>
    public override int Read(Span<byte> buffer) => ReadInto(buffer);
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
        ObjectDisposedException.ThrowIf(_reader.IsDisposed, this);
        int status = NativeMethods.sivka_file_reader_read(_reader, (ulong)_position, buffer, out nuint read);
        if (_bridge is null)
        {
            Failure.Check(status);
        }
        else
        {
            _bridge.Check(status);
        }
        _position += (long)read;
        return (int)read;
    }
}
