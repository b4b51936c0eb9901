using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Sivka.Native;

/// <summary>
/// What the native library calls, in the thread that calls it. What is thrown is kept, becomes a status, and is thrown
/// again when the native call has ended.
/// </summary>
internal abstract class Bridge
{
    private ExceptionDispatchInfo? _failure;

    /// <summary>Throws what ended the native call, if it did not end well.</summary>
    internal void Check(int status)
    {
        ExceptionDispatchInfo? failure = _failure;
        _failure = null;
        failure?.Throw();
        Failure.Check(status);
    }

    private protected int Kept(Exception failure)
    {
        _failure = ExceptionDispatchInfo.Capture(failure);
        return Status.Internal;
    }
}

/// <summary>Hears how far the native library is with a file, and says whether to go on.</summary>
internal sealed class ProgressBridge : Bridge
{
    private readonly IProgress<long>? _progress;
    private readonly CancellationToken _cancellation;
    private readonly ProgressFunction _function;

    internal ProgressBridge(IProgress<long>? progress, CancellationToken cancellation)
    {
        (_progress, _cancellation, _function) = (progress, cancellation, OnProgress);
        Function = Marshal.GetFunctionPointerForDelegate(_function);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ProgressFunction(nint context, ulong plaintextLength);

    internal nint Function { get; }

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
            return Kept(e);
        }
    }
}
