using System;
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
        using var strings = new PinnedList(list);
        nuint count = (nuint)strings.Count;
        nint handle = key.Enter(out bool alone);
        int status;
        fixed (byte** s = strings.Addresses)
        fixed (nuint* l = strings.Lengths)
        fixed (byte* i = input, o = output)
        {
            status = sealing
                ? NativeMethods.sivka_seal_with_list(
                    handle, s, l, count, i, (nuint)input.Length, o, (nuint)output.Length, out _)
                : NativeMethods.sivka_open_with_list(
                    handle, s, l, count, i, (nuint)input.Length, o, (nuint)output.Length, out _);
        }
        key.Leave(alone);
        return status;
    }
}
