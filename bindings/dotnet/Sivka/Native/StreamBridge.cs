using System;
using System.Buffers;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Sivka.Native;

/// <summary>What the native library calls while it seals or opens: streams, progress, and whether to go on.</summary>
/// <remarks>
/// It calls from threads of its own, but never reads twice at the same time, nor writes. What is thrown here is kept,
/// becomes a status, and is thrown again when the native call has ended.
/// </remarks>
internal sealed unsafe class StreamBridge : IDisposable
{
    /// <summary>As much as a thread of the native library reads at once.</summary>
    internal const int BufferLength = 1 << 18;

    private readonly Stream? _input;
    private readonly Stream? _output;
    private readonly IProgress<long>? _progress;
    private readonly CancellationToken _cancellation;
    private readonly bool _async;
    private readonly byte[] _read;
    private readonly byte[] _written;
    private readonly ReadFunction _readFunction;
    private readonly WriteFunction _writeFunction;
    private readonly ProgressFunction _progressFunction;
    private ExceptionDispatchInfo? _failure;

    /// <summary>A stream is null where the native library has a path.</summary>
    internal StreamBridge(
        Stream? input, Stream? output, IProgress<long>? progress, bool async, CancellationToken cancellation)
    {
        if (input is { CanRead: false })
        {
            throw new ArgumentException("A stream that can be read is expected.", nameof(input));
        }
        if (output is { CanWrite: false })
        {
            throw new ArgumentException("A stream that can be written is expected.", nameof(output));
        }
        _input = input;
        _output = output;
        _progress = progress;
        _cancellation = cancellation;
        _async = async;
        _read = input is null ? [] : ArrayPool<byte>.Shared.Rent(BufferLength);
        _written = output is null ? [] : ArrayPool<byte>.Shared.Rent(BufferLength);
        (_readFunction, _writeFunction, _progressFunction) = (OnRead, OnWrite, OnProgress);
        (Read, Write, Progress) = (
            Marshal.GetFunctionPointerForDelegate(_readFunction),
            Marshal.GetFunctionPointerForDelegate(_writeFunction),
            Marshal.GetFunctionPointerForDelegate(_progressFunction));
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ReadFunction(nint context, byte* buffer, nuint bufferLength, nuint* readLength);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int WriteFunction(nint context, byte* bytes, nuint bytesLength);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ProgressFunction(nint context, ulong plaintextLength);

    internal nint Read { get; }

    internal nint Write { get; }

    internal nint Progress { get; }

    /// <summary>Throws what ended the native call, if it did not end well.</summary>
    internal void Check(int status)
    {
        _failure?.Throw();
        if (status == Status.Cancelled)
        {
            _cancellation.ThrowIfCancellationRequested();
        }
        Failure.Check(status);
    }

    /// <summary>After the last byte, so that what the output could not write is thrown here.</summary>
    internal void Flush()
    {
        if (_async)
        {
            _output!.FlushAsync(_cancellation).GetAwaiter().GetResult();
        }
        else
        {
            _output!.Flush();
        }
    }

    /// <summary>Wipes the buffers, one of which had plaintext, and keeps the functions alive until now.</summary>
    public void Dispose()
    {
        Return(_read);
        Return(_written);
        GC.KeepAlive(_readFunction);
        GC.KeepAlive(_writeFunction);
        GC.KeepAlive(_progressFunction);
    }

    private static void Return(byte[] buffer)
    {
        if (buffer.Length != 0)
        {
            ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
        }
    }

    private int OnRead(nint context, byte* buffer, nuint bufferLength, nuint* readLength)
    {
        try
        {
            _cancellation.ThrowIfCancellationRequested();
            var room = new Span<byte>(buffer, bufferLength < (nuint)_read.Length ? (int)bufferLength : _read.Length);
            int read = _async
                ? _input!.ReadAsync(_read, 0, room.Length, _cancellation).GetAwaiter().GetResult()
                : _input!.Read(_read, 0, room.Length);
            _read.AsSpan(0, read).CopyTo(room);
            *readLength = (nuint)read;
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Keep(e);
        }
    }

    private int OnWrite(nint context, byte* bytes, nuint bytesLength)
    {
        try
        {
            var rest = new ReadOnlySpan<byte>(bytes, checked((int)bytesLength));
            while (!rest.IsEmpty)
            {
                _cancellation.ThrowIfCancellationRequested();
                ReadOnlySpan<byte> piece = rest.Slice(0, Math.Min(rest.Length, _written.Length));
                piece.CopyTo(_written);
                if (_async)
                {
                    _output!.WriteAsync(_written, 0, piece.Length, _cancellation).GetAwaiter().GetResult();
                }
                else
                {
                    _output!.Write(_written, 0, piece.Length);
                }
                rest = rest.Slice(piece.Length);
            }
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Keep(e);
        }
    }

    private int OnProgress(nint context, ulong plaintextLength)
    {
        try
        {
            _cancellation.ThrowIfCancellationRequested();
            _progress?.Report((long)plaintextLength);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Keep(e);
        }
    }

    /// <summary>The first one counts: it caused the others.</summary>
    private int Keep(Exception failure)
    {
        _ = Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(failure), null);
        return Status.Internal;
    }
}
