using System;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>A key slot, as anybody sees it: <c>sivka_slot</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeSlot
{
    internal uint Kind;
    internal uint MemoryKib;
    internal uint Passes;
    internal uint Lanes;
    internal KeyId Id;

    /// <summary>A hint which key opens the slot.</summary>
    internal struct KeyId
    {
        internal fixed byte Bytes[Constants.KeyIdLen];

        internal static int Length => sizeof(KeyId);

        public override readonly string ToString()
        {
            fixed (byte* bytes = Bytes)
            {
                return Text.Hex(new ReadOnlySpan<byte>(bytes, Length));
            }
        }
    }
}
