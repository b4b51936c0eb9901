namespace Sivka.Native;

/// <summary>A sealed file under way: <c>sivka_sealer</c>.</summary>
internal sealed class SealerHandle : NativeHandle
{
    internal SealerHandle(nint made)
        : base("Sivka.SealingStream") => Take(made);

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_sealer_free(handle);
        return true;
    }
}

/// <summary>A sealed file that is opened as it is read: <c>sivka_opener</c>.</summary>
internal sealed class OpenerHandle : NativeHandle
{
    internal OpenerHandle(nint made)
        : base("Sivka.OpeningStream") => Take(made);

    protected override bool ReleaseHandle()
    {
        NativeMethods.sivka_opener_free(handle);
        return true;
    }
}
