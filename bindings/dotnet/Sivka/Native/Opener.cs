using System;
using System.Buffers;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Sivka.Native;

/// <summary>A sealed file, or a stream under a keyset, that is opened as it is read: <c>sivka_opener</c>.</summary>
/// <remarks>
/// The header of a file is read by the first <see cref="Read"/>; its keys are held until then. One thread at a time
/// uses an object.
/// </remarks>
internal sealed unsafe class Opener : IDisposable
{
    private readonly Stream _input;
    private readonly ReadFunction _function;
    private readonly FileKeysHandle? _keys;
    private readonly nint _enteredKeys;
    private readonly bool _keysAlone;
    private OpenerHandle? _handle;
    private int _keysAreHeld;
    private ExceptionDispatchInfo? _failure;
    /// <summary>How the input is to be read in the call that runs.</summary>
    private (bool Async, CancellationToken Cancellation) _way;

    internal Opener(Stream input, FileKeysHandle keys)
    {
        _input = input;
        _function = OnRead;
        _keys = keys;
        _enteredKeys = keys.Enter(out _keysAlone);
        _keysAreHeld = 1;
    }

    /// <summary>A stream under a keyset, which is used until this returns.</summary>
    internal Opener(Stream input, KeysetHandle keyset, ReadOnlySpan<byte> associatedData)
    {
        _input = input;
        _function = OnRead;
        Check(NativeMethods.sivka_keyset_opener_new(
            Marshal.GetFunctionPointerForDelegate(_function), context: 0, keyset, associatedData, out _handle));
    }

    /// <summary>One that was forgotten holds no keys: they are wiped.</summary>
    ~Opener() => LeaveKeys();

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ReadFunction(nint context, byte* buffer, nuint bufferLength, nuint* readLength);

    /// <summary>Reads the next bytes of plaintext; 0 only at the authentic end. A failure is thrown each time.</summary>
    internal int Read(Span<byte> plaintext, bool async, CancellationToken cancellation)
    {
        _failure?.Throw();
        _way = (async, cancellation);
        try
        {
            OpenerHandle handle = _handle ??= Begin();
            Check(NativeMethods.sivka_opener_read(handle, plaintext, out nuint read));
            return (int)read;
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            _failure ??= ExceptionDispatchInfo.Capture(e);
            throw;
        }
    }

    public void Dispose()
    {
        _handle?.Dispose();
        LeaveKeys();
        GC.SuppressFinalize(this);
    }

    private OpenerHandle Begin()
    {
        try
        {
            nint made;
            Check(NativeMethods.sivka_opener_new(
                Marshal.GetFunctionPointerForDelegate(_function), 0, _enteredKeys, &made));
            var opener = new OpenerHandle();
            opener.Take(made);
            return opener;
        }
        finally
        {
            LeaveKeys();
        }
    }

    private void LeaveKeys()
    {
        if (Interlocked.Exchange(ref _keysAreHeld, 0) != 0)
        {
            _keys!.Leave(_keysAlone);
        }
    }

    private void Check(int status)
    {
        GC.KeepAlive(_function);
        _failure?.Throw();
        Failure.Check(status);
    }

    private int OnRead(nint context, byte* buffer, nuint bufferLength, nuint* readLength)
    {
        int most = bufferLength < StreamBridge.BufferLength ? (int)bufferLength : StreamBridge.BufferLength;
        byte[] read = ArrayPool<byte>.Shared.Rent(most);
        try
        {
            (bool async, CancellationToken cancellation) = _way;
            int length = async
                ? _input.ReadAsync(read, 0, most, cancellation).GetAwaiter().GetResult()
                : _input.Read(read, 0, most);
            // A stream that says it read more than was asked is refused here.
            read.AsSpan(0, length).CopyTo(new Span<byte>(buffer, most));
            *readLength = (nuint)length;
            return Status.Ok;
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
            return Status.Internal;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(read);
        }
    }
}
