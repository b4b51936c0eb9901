using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>A sealed file, or a stream under a keyset, under way: <c>sivka_sealer</c>. What it writes is kept until the caller takes it.</summary>
/// <remarks>
/// So no stream of the caller's is called from native code, and writing there may be asynchronous. One thread at a
/// time uses an object.
/// </remarks>
internal sealed unsafe class Sealer : IDisposable
{
    /// <summary>As much plaintext as is sealed at once: a bound of what is kept.</summary>
    internal const int PieceLength = 1 << 16;

    private readonly MemoryStream _written = new();
    private readonly WriteFunction _function;
    private readonly SealerHandle _handle;
    private ExceptionDispatchInfo? _failure;

    internal Sealer(FileKeysHandle keys, uint suite)
    {
        _function = OnWrite;
        Check(NativeMethods.sivka_sealer_new(
            Marshal.GetFunctionPointerForDelegate(_function), context: 0, keys, suite, out _handle));
    }

    /// <summary>A stream under a keyset, which is used until this returns.</summary>
    internal Sealer(KeysetHandle keyset, ReadOnlySpan<byte> associatedData)
    {
        _function = OnWrite;
        Check(NativeMethods.sivka_keyset_sealer_new(
            Marshal.GetFunctionPointerForDelegate(_function), context: 0, keyset, associatedData, out _handle));
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int WriteFunction(nint context, byte* bytes, nuint bytesLength);

    /// <summary>What was written and not taken. A part of the sealed file, which is no secret.</summary>
    internal ArraySegment<byte> Written => new(_written.GetBuffer(), 0, (int)_written.Length);

    internal void Taken() => _written.SetLength(0);

    /// <summary>Goes on by at most <see cref="PieceLength"/> bytes.</summary>
    internal void Write(ReadOnlySpan<byte> plaintext) => Check(NativeMethods.sivka_sealer_write(_handle, plaintext));

    /// <summary>Writes the rest and the mark of the end.</summary>
    internal void Finish() => Check(NativeMethods.sivka_sealer_finish(_handle));

    /// <summary>Wipes what is not sealed yet.</summary>
    public void Dispose()
    {
        _handle.Dispose();
        _written.Dispose();
    }

    private void Check(int status)
    {
        GC.KeepAlive(_function);
        _failure?.Throw();
        Failure.Check(status);
    }

    private int OnWrite(nint context, byte* bytes, nuint bytesLength)
    {
        try
        {
            byte[] piece = new ReadOnlySpan<byte>(bytes, checked((int)bytesLength)).ToArray();
            _written.Write(piece, 0, piece.Length);
            return Status.Ok;
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
            return Status.Internal;
        }
    }
}
