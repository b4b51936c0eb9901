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

    /// <summary>Seals or opens messages: those of a list, or of a buffer with offsets.</summary>
    internal static unsafe int Run(
        bool seals, KeyHandle key, ReadOnlySpan<byte> nonces, PinnedList? aadList, PinnedList? textList, ReadOnlySpan<byte> tags, int[] statuses,
        int count, ReadOnlySpan<byte> aads = default, ReadOnlySpan<byte> texts = default, nuint[]? offsets = null)
    {
        fixed (nint* aadStarts = aadList?.Addresses, textStarts = textList?.Addresses)
        fixed (nuint* aadLengths = aadList?.Lengths, textLengths = textList?.Lengths, ends = offsets)
        fixed (byte* noncesStart = nonces, aadsStart = aads, textsStart = texts, tagsStart = tags)
        fixed (int* statusesStart = statuses)
        {
            var messages = new sivka_messages
            {
                Count = (nuint)count,
                Nonces = noncesStart,
                NoncesLen = (nuint)nonces.Length,
                Aads = aadsStart,
                AadsLen = (nuint)aads.Length,
                AadList = (byte**)aadStarts,
                AadLens = aadLengths,
                TextList = (byte**)textStarts,
                TextLens = textLengths,
                Texts = textsStart,
                TextsLen = (nuint)texts.Length,
                TextOffsets = ends,
                Tags = tagsStart,
                TagsLen = (nuint)tags.Length,
                Statuses = statusesStart,
            };
            return seals ? NativeMethods.sivka_seal_many(key, &messages) : NativeMethods.sivka_open_many(key, &messages);
        }
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

        internal Layout(ReadOnlySpan<int> offsets)
        {
            if (offsets.IsEmpty)
            {
                throw new ArgumentException("offsets: at least 1 expected, 0 given", nameof(offsets));
            }
            Count = offsets.Length - 1;
            (_offsets, _statuses) = (ArrayPool<nuint>.Shared.Rent(offsets.Length), ArrayPool<int>.Shared.Rent(offsets.Length));
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

        internal Span<int> Statuses => _statuses.AsSpan(0, Count);

        internal int Run(
            bool seals, KeyHandle key, ReadOnlySpan<byte> nonces, ReadOnlySpan<byte> data, ReadOnlySpan<byte> texts, ReadOnlySpan<byte> tags) =>
            Batch.Run(seals, key, nonces, null, null, tags, _statuses, Count, data, texts, _offsets);

        public void Dispose()
        {
            ArrayPool<nuint>.Shared.Return(_offsets);
            ArrayPool<int>.Shared.Return(_statuses);
        }
    }
}
