using System;
using System.Buffers;
using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>The common part of calls with many messages.</summary>
internal static class Batch
{
    /// <summary>The part of each message, or null if there is none.</summary>
    internal static PinnedList? Data(IReadOnlyList<ReadOnlyMemory<byte>>? associatedData, int count)
    {
        PinnedList? data = associatedData is null ? null : new PinnedList(associatedData);
        if (data is not null && data.Count != count)
        {
            data.Dispose();
            throw new ArgumentException($"associatedData: {count} expected, {data.Count} given", nameof(associatedData));
        }
        return data;
    }

    internal static void CheckCount(int opened, int expected)
    {
        if (opened != expected)
        {
            throw new ArgumentException($"opened: {expected} expected, {opened} given", nameof(opened));
        }
    }

    /// <summary>Whether all messages were done; the first that a wrong call kept from it is an exception.</summary>
    internal static bool Finish(int status, ReadOnlySpan<int> statuses, Span<bool> opened)
    {
        if (status is not Status.Ok and not Status.Batch)
        {
            Failure.Throw(status);
        }
        if (status == Status.Ok)
        {
            opened.Fill(true);
            return true;
        }
        for (int i = 0; i < statuses.Length; i++)
        {
            bool done = statuses[i] == Status.Ok;
            if (!done && (statuses[i] != Status.Open || opened.IsEmpty))
            {
                throw Failure.OfMessage(statuses[i], i);
            }
            if (!opened.IsEmpty)
            {
                opened[i] = done;
            }
        }
        return false;
    }

    /// <summary>Offsets as wide as the native library's, and memory for the statuses.</summary>
    internal readonly ref struct Layout
    {
        private readonly nuint[] _offsets;
        private readonly int[] _statuses;
        private readonly int _offsetCount;

        internal Layout(ReadOnlySpan<int> offsets)
        {
            if (offsets.IsEmpty)
            {
                throw new ArgumentException("offsets: at least 1 expected, 0 given", nameof(offsets));
            }
            _offsetCount = offsets.Length;
            Count = offsets.Length - 1;
            _offsets = ArrayPool<nuint>.Shared.Rent(offsets.Length);
            _statuses = ArrayPool<int>.Shared.Rent(offsets.Length);
            for (int i = 0; i < offsets.Length; i++)
            {
                // The native library has none, and would call it a great one.
                if (offsets[i] < 0)
                {
                    throw new ArgumentException($"offsets: number {i}: 0 or more expected, {offsets[i]} given", nameof(offsets));
                }
                _offsets[i] = (nuint)offsets[i];
            }
        }

        internal int Count { get; }

        internal ReadOnlySpan<nuint> Offsets => _offsets.AsSpan(0, _offsetCount);

        internal Span<int> Statuses => _statuses.AsSpan(0, Count);

        public void Dispose()
        {
            ArrayPool<nuint>.Shared.Return(_offsets);
            ArrayPool<int>.Shared.Return(_statuses);
        }
    }
}
