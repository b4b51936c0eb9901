using System;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>
/// What the native library gave out. It is freed once, when it is disposed of or forgotten, and not while
/// a call uses it.
/// </summary>
internal abstract class NativeHandle : SafeHandle
{
    private volatile bool _disposed;

    private protected NativeHandle()
        : base(default, ownsHandle: true)
    {
    }

    /// <summary>
    /// Whether it was disposed of. <c>IsClosed</c> becomes true only when no call uses it any more, which is never
    /// while threads take turns.
    /// </summary>
    internal bool IsDisposed => _disposed;

    public sealed override bool IsInvalid => handle == default;

    /// <summary>Takes what a <c>_new</c> function made.</summary>
    private protected void Take(nint made) => SetHandle(made);

    protected override void Dispose(bool disposing)
    {
        _disposed = true;
        base.Dispose(disposing);
    }
}

/// <summary>A key of one algorithm: <c>sivka_key</c>.</summary>
internal sealed class KeyHandle : NativeHandle
{
    internal static unsafe KeyHandle Create(Algorithm algorithm, ReadOnlySpan<byte> key)
    {
        var made = new KeyHandle();
        fixed (byte* bytes = key)
        {
            Failure.Check(NativeMethods.sivka_key_new(algorithm.Number, bytes, (nuint)key.Length, out nint pointer));
            made.Take(pointer);
        }
        return made;
    }

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_key_free(handle);
        return true;
    }
}

/// <summary>A key of the block cipher: <c>sivka_kuznyechik</c>.</summary>
internal sealed class KuznyechikHandle : NativeHandle
{
    internal static unsafe KuznyechikHandle Create(ReadOnlySpan<byte> key)
    {
        Library.Load();
        var made = new KuznyechikHandle();
        fixed (byte* bytes = key)
        {
            Failure.Check(NativeMethods.sivka_kuznyechik_new(bytes, (nuint)key.Length, out nint pointer));
            made.Take(pointer);
        }
        return made;
    }

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_kuznyechik_free(handle);
        return true;
    }
}

/// <summary>Key files and passphrases: <c>sivka_file_keys</c>.</summary>
internal sealed class FileKeysHandle : NativeHandle
{
    internal static FileKeysHandle Create()
    {
        Library.Load();
        var made = new FileKeysHandle();
        Failure.Check(NativeMethods.sivka_file_keys_new(out nint pointer));
        made.Take(pointer);
        return made;
    }

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_file_keys_free(handle);
        return true;
    }
}

/// <summary>A sealed file that is read in parts: <c>sivka_file_reader</c>.</summary>
internal sealed class FileReaderHandle : NativeHandle
{
    internal static unsafe FileReaderHandle Create(string path, FileKeysHandle keys)
    {
        var made = new FileReaderHandle();
        fixed (byte* input = Text.OfPath(path, nameof(path)))
        {
            int status = NativeMethods.sivka_file_reader_new(input, keys, out nint pointer);
            Failure.Check(status, path);
            made.Take(pointer);
        }
        return made;
    }

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_file_reader_free(handle);
        return true;
    }
}

/// <summary>What a file shows without a key: <c>sivka_inspection</c>.</summary>
internal sealed class InspectionHandle : NativeHandle
{
    internal static unsafe InspectionHandle Create(string path)
    {
        Library.Load();
        var made = new InspectionHandle();
        fixed (byte* input = Text.OfPath(path, nameof(path)))
        {
            Failure.Check(NativeMethods.sivka_inspect_file(input, out nint pointer), path);
            made.Take(pointer);
        }
        return made;
    }

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_inspection_free(handle);
        return true;
    }
}
