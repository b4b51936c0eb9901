using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>All of a key of a keyset but the key itself: <c>sivka_keyset_key</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeKeysetKey
{
    internal uint Id;
    internal uint Status;
    internal uint Prefix;
}
