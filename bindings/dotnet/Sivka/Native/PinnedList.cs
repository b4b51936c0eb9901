using System;
using System.Buffers;
using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>The memory of a list, which stays where it is until this is disposed of.</summary>
/// <remarks>
/// A list may answer otherwise each time, and while another thread writes its items, one may come with the length of
/// another. So each is read once, and as long as its span, which the runtime checks.
/// </remarks>
internal sealed unsafe class PinnedList : IDisposable
{
    private readonly MemoryHandle[] _pins;

    internal PinnedList(IReadOnlyList<Memory<byte>> list)
        : this(list.Count, i => list[i])
    {
    }

    internal PinnedList(IReadOnlyList<ReadOnlyMemory<byte>> list)
        : this(list.Count, i => list[i])
    {
    }

    private PinnedList(int count, Func<int, ReadOnlyMemory<byte>> item)
    {
        _pins = new MemoryHandle[count];
        Addresses = new nint[count];
        Lengths = new nuint[count];
        try
        {
            for (int i = 0; i < count; i++)
            {
                Pin(i, item(i));
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    internal int Count => _pins.Length;

    internal nint[] Addresses { get; }

    internal nuint[] Lengths { get; }

    public void Dispose()
    {
        foreach (MemoryHandle pin in _pins)
        {
            pin.Dispose();
        }
    }

    private void Pin(int i, ReadOnlyMemory<byte> one)
    {
        ReadOnlySpan<byte> bytes = one.Span;
        _pins[i] = one.Pin();
        fixed (byte* start = bytes)
        {
            if (start != _pins[i].Pointer && !bytes.IsEmpty)
            {
                throw new ArgumentException($"The memory at {i} is pinned elsewhere than it is.");
            }
        }
        Addresses[i] = (nint)_pins[i].Pointer;
        Lengths[i] = (nuint)bytes.Length;
    }
}
