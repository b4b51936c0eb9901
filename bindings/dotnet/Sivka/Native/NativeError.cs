using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>What a failed call was about: <c>sivka_error</c>. The strings are UTF-8, or null.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeError
{
    internal int Status;
    internal int OsCode;
    internal byte* Detail;
    internal byte* Argument;
    internal byte* Path;
    internal byte* Overlapped;
}
