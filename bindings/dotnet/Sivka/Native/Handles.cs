using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Sivka.Native;

/// <summary>
/// What the native library gave out. It is freed once, when it is disposed of or forgotten, and not while
/// a call uses it.
/// </summary>
/// <remarks>
/// The runtime counts the uses of a handle that is an argument, with two interlocked operations a call. Here a call that
/// meets no other takes the handle with one, and puts it back with a plain store; only calls at the same time are
/// counted. ADR 26 has what that saves, and why it is safe.
/// </remarks>
internal abstract class NativeHandle : SafeHandle
{
    private const int Disposed = int.MinValue;

    /// <summary>The handle; zero while a call has it alone, and when it was taken away for good.</summary>
    private nint _idle;

    /// <summary>The calls that did not find it, and one for <see cref="_idle"/>, plus <see cref="Disposed"/>.</summary>
    private int _uses = 1;

    private int _disposals;

    private protected NativeHandle(string owner)
        : base(default, ownsHandle: true) => Owner = owner;

    /// <summary>The class that the caller knows, with its namespace: the class itself names this one.</summary>
    internal string Owner { get; set; }

    /// <summary>
    /// Whether it was disposed of. <c>IsClosed</c> becomes true only when no call uses it any more, which is never
    /// while threads take turns.
    /// </summary>
    internal bool IsDisposed => Volatile.Read(ref _uses) < 0;

    public sealed override bool IsInvalid => handle == default;

    /// <summary>The pointer for a native call; it lives until <see cref="Leave"/>, which must always come.</summary>
    /// <param name="alone">For <see cref="Leave"/>.</param>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal nint Enter(out bool alone)
    {
        alone = Interlocked.Exchange(ref _idle, default) != default;
        if ((alone ? Volatile.Read(ref _uses) : Interlocked.Increment(ref _uses)) < 0)
        {
            Leave(alone);
            ThrowDisposed();
        }
        return handle;
    }

    /// <summary>Ends a use; the last one after the disposal frees.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave(bool alone)
    {
        if (!alone)
        {
            Release();
            return;
        }
#if NET
        Volatile.Write(ref _idle, handle);
#else
        // A disposal cannot make this thread's store visible there, so the store does it.
        _ = Interlocked.Exchange(ref _idle, handle);
#endif
        if (Volatile.Read(ref _uses) < 0)
        {
            _ = TakeAway();
        }
    }

    /// <summary>Takes the result of a <c>_new</c> function.</summary>
    internal void Take(nint made)
    {
        SetHandle(made);
        _idle = made;
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
        {
            // The collector finds it only when nothing uses it any more.
            base.Dispose(disposing);
        }
        else if (Interlocked.Exchange(ref _disposals, 1) == 0)
        {
            _ = Interlocked.Add(ref _uses, Disposed);
            if (!TakeAway())
            {
                // A call has it, or has just put it back: either its store is seen behind the barrier, or it reads
                // after it that this was disposed of.
#if NET
                Interlocked.MemoryBarrierProcessWide();
                _ = TakeAway();
#endif
            }
        }
    }

    /// <summary>After the disposal: no call finds it any more. Whether it was there to be taken.</summary>
    private bool TakeAway()
    {
        bool taken = Interlocked.Exchange(ref _idle, default) != default;
        if (taken)
        {
            Release();
        }
        return taken;
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref _uses) == Disposed)
        {
            base.Dispose(disposing: true);
        }
    }

    [DoesNotReturn]
    private void ThrowDisposed() => throw new ObjectDisposedException(Owner);
}
