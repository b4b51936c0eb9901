using System;
using System.Buffers;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>The common part of calls with many messages.</summary>
internal static class Batch
{
    /// <summary>Seals or opens messages: those of a list, or of a buffer with offsets. Says whether all were done.</summary>
    internal static unsafe bool Run(
        bool seals, AeadKey key, ReadOnlySpan<byte> nonces, PinnedList? aadList, PinnedList? textList, ReadOnlySpan<byte> tags, Span<bool> opened,
        int count, ReadOnlySpan<byte> aads = default, ReadOnlySpan<byte> texts = default, nuint[]? offsets = null)
    {
        CheckCount("associatedData", aadList?.Count ?? count, count);
        CheckCount("opened", seals ? count : opened.Length, count);
        ReadOnlySpan<byte> flags = MemoryMarshal.AsBytes(opened);
        CheckApart("opened", flags, "nonces", nonces);
        CheckApart("opened", flags, "tags", tags);
        CheckApart("opened", flags, "associatedData", aads, aadList);
        CheckApart("opened", flags, "messages", texts, textList);
        int[] statuses = ArrayPool<int>.Shared.Rent(count);
        fixed (nint* aadStarts = aadList?.Addresses, textStarts = textList?.Addresses)
        fixed (nuint* aadLengths = aadList?.Lengths, textLengths = textList?.Lengths, ends = offsets)
        fixed (byte* noncesStart = nonces, aadsStart = aads, textsStart = texts, tagsStart = tags)
        fixed (int* statusesStart = statuses)
        {
            // The native library would seal the others.
            for (int i = 0; seals && key is KuznyechikMgm && nonces.Length / 16 == count && i < count; i++)
            {
                nuint length = textLengths is not null ? textLengths[i] : ends[i + 1] - ends[i];
                if (nonces[16 * i] > 127 || (length == 0 && (aadLengths is not null ? aadLengths[i] : (nuint)aads.Length) == 0))
                {
                    throw Failure.OfMessage(Status.Refused, i);
                }
            }
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
            int status = seals ? NativeMethods.sivka_seal_many(key.Handle, &messages) : NativeMethods.sivka_open_many(key.Handle, &messages);
            if (status is not Status.Ok and not Status.Batch)
            {
                Failure.Throw(status);
            }
            for (int i = 0; i < count; i++)
            {
                bool done = statuses[i] == Status.Ok;
                if (!done && (seals || statuses[i] != Status.Open))
                {
                    throw Failure.OfMessage(statuses[i], i);
                }
                if (!seals)
                {
                    opened[i] = done;
                }
            }
            ArrayPool<int>.Shared.Return(statuses);
            return status == Status.Ok;
        }
    }

    /// <summary>The same for offsets of the caller's, which become as wide as the native library's.</summary>
    internal static bool Run(
        bool seals, AeadKey key, ReadOnlySpan<byte> nonces, ReadOnlySpan<byte> texts, ReadOnlySpan<int> offsets, ReadOnlySpan<byte> tags,
        Span<bool> opened, ReadOnlySpan<byte> data)
    {
        if (offsets.IsEmpty)
        {
            throw new ArgumentException("offsets: at least 1 expected, 0 given", nameof(offsets));
        }
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(offsets);
        CheckApart("opened", MemoryMarshal.AsBytes(opened), "offsets", bytes);
        CheckApart("messages", texts, "offsets", bytes);
        CheckApart("tags", seals ? tags : default, "offsets", bytes);
        nuint[] wide = ArrayPool<nuint>.Shared.Rent(offsets.Length);
        for (int i = 0; i < offsets.Length; i++)
        {
            // The native library has none, and would call it a great one.
            if (offsets[i] < 0)
            {
                throw new ArgumentException($"offsets: number {i}: 0 or more expected, {offsets[i]} given", nameof(offsets));
            }
            wide[i] = (nuint)offsets[i];
        }
        bool all = Run(seals, key, nonces, null, null, tags, opened, offsets.Length - 1, data, texts, wide);
        ArrayPool<nuint>.Shared.Return(wide);
        return all;
    }

    private static void CheckCount(string name, int given, int expected)
    {
        if (given != expected)
        {
            throw new ArgumentException($"{name}: {expected} expected, {given} given", name);
        }
    }

    /// <summary>For memory that the native library does not see.</summary>
    private static unsafe void CheckApart(
        string name, ReadOnlySpan<byte> own, string otherName, ReadOnlySpan<byte> other, PinnedList? list = null)
    {
        bool overlap = own.Overlaps(other);
        for (int i = 0; i < list?.Count && !own.IsEmpty; i++)
        {
            overlap |= own.Overlaps(new ReadOnlySpan<byte>((void*)list.Addresses[i], (int)list.Lengths[i]));
        }
        if (overlap)
        {
            throw new ArgumentException($"{name} overlaps {otherName}", name);
        }
    }
}
