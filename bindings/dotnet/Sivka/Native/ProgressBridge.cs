using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Sivka.Native;

/// <summary>
/// Hears how far the native library is with a file, in the thread that calls it, and says whether to go on. What is
/// thrown is kept, becomes a status, and is thrown again when the native call has ended.
/// </summary>
internal sealed class ProgressBridge
{
    private readonly IProgress<long>? _progress;
    private readonly CancellationToken _cancellation;
    private readonly ProgressFunction _function;
    private ExceptionDispatchInfo? _failure;

    internal ProgressBridge(IProgress<long>? progress, CancellationToken cancellation)
    {
        (_progress, _cancellation, _function) = (progress, cancellation, OnProgress);
        Function = Marshal.GetFunctionPointerForDelegate(_function);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ProgressFunction(nint context, ulong plaintextLength);

    internal nint Function { get; }

    /// <summary>Throws what ended the native call, if it did not end well.</summary>
    internal void Check(int status)
    {
        _failure?.Throw();
        Failure.Check(status);
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
            _failure = ExceptionDispatchInfo.Capture(e);
            return Status.Internal;
        }
    }
}
