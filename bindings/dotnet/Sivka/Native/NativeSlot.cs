using System;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>A key slot, as anybody sees it: <c>sivka_slot</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeSlot
{
    /// <summary><c>SIVKA_SLOT_KEY_FILE</c>.</summary>
    internal const uint KeyFile = 1;

    /// <summary><c>SIVKA_SLOT_PASSPHRASE</c>.</summary>
    internal const uint Passphrase = 2;

    internal uint Kind;
    internal uint MemoryKib;
    internal uint Passes;
    internal uint Lanes;
    internal KeyId Id;

    /// <summary><c>SIVKA_KEY_ID_LEN</c> bytes.</summary>
    internal struct KeyId
    {
        internal fixed byte Bytes[8];

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
