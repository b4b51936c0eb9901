using System;
using System.Buffers;
using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>One message with a list of associated data.</summary>
internal static unsafe class AssociatedList
{
    internal static int Call(
        bool sealing,
        KeyHandle key,
        ReadOnlySpan<byte> input,
        Span<byte> output,
        IReadOnlyList<ReadOnlyMemory<byte>> list)
    {
        int count = list.Count;
        var pins = new MemoryHandle[count];
        var lengths = new nuint[count];
        var strings = new nint[count];
        try
        {
            for (int i = 0; i < count; i++)
            {
                ReadOnlyMemory<byte> one = list[i];
                pins[i] = one.Pin();
                strings[i] = (nint)pins[i].Pointer;
                lengths[i] = (nuint)one.Length;
            }
            nint handle = key.Enter(out bool alone);
            int status;
            fixed (nint* s = strings)
            fixed (nuint* l = lengths)
            fixed (byte* i = input, o = output)
            {
                status = sealing
                    ? NativeMethods.sivka_seal_with_list(
                        handle, (byte**)s, l, (nuint)count, i, (nuint)input.Length, o, (nuint)output.Length, out _)
                    : NativeMethods.sivka_open_with_list(
                        handle, (byte**)s, l, (nuint)count, i, (nuint)input.Length, o, (nuint)output.Length, out _);
            }
            key.Leave(alone);
            return status;
        }
        finally
        {
            foreach (MemoryHandle pin in pins)
            {
                pin.Dispose();
            }
        }
    }
}
