using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>What the native library calls while it reads in any order from a sealed file that is in a stream.</summary>
internal sealed unsafe class SeekBridge : Bridge
{
    private const int BufferLength = 1 << 18;

    private readonly Stream _input;
    private readonly long _start;
    private readonly ReadAtFunction _function;

    /// <summary>The sealed file begins at the position of the stream, and ends where it ends.</summary>
    internal SeekBridge(Stream input)
    {
        _input = input;
        _start = input.Position;
        InputLength = (ulong)Math.Max(0, input.Length - _start);
        _function = OnRead;
        ReadAt = Marshal.GetFunctionPointerForDelegate(_function);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ReadAtFunction(nint context, ulong position, byte* buffer, nuint bufferLength, nuint* readLength);

    internal nint ReadAt { get; }

    internal ulong InputLength { get; }

    private int OnRead(nint context, ulong position, byte* buffer, nuint bufferLength, nuint* readLength)
    {
        int most = bufferLength < BufferLength ? (int)bufferLength : BufferLength;
        byte[] read = ArrayPool<byte>.Shared.Rent(most);
        try
        {
            _ = _input.Seek(checked(_start + (long)position), SeekOrigin.Begin);
            int length = _input.Read(read, 0, most);
            // A stream that says it read more than was asked is refused here.
            read.AsSpan(0, length).CopyTo(new Span<byte>(buffer, most));
            *readLength = (nuint)length;
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Kept(e);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(read);
        }
    }
}
