using System;
using System.Buffers;
using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>Many messages in one call.</summary>
internal static class Batch
{
    internal static void Encrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonces,
        IReadOnlyList<Memory<byte>> messages,
        Span<byte> tags,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData)
    {
        using var batch = new PinnedBatch(messages, associatedData);
        int status = NativeMethods.sivka_seal_batch(
            key, (nuint)batch.Messages.Count, nonces, batch.AssociatedData?.Addresses, batch.AssociatedData?.Lengths,
            batch.Messages.Addresses, batch.Messages.Lengths, tags, batch.Statuses);
        Finish(status, batch.Statuses, default);
    }

    internal static bool Decrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonces,
        IReadOnlyList<Memory<byte>> messages,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData)
    {
        using var batch = new PinnedBatch(messages, associatedData);
        CheckCount(opened.Length, batch.Messages.Count);
        int status = NativeMethods.sivka_open_batch(
            key, (nuint)batch.Messages.Count, nonces, batch.AssociatedData?.Addresses, batch.AssociatedData?.Lengths,
            batch.Messages.Addresses, batch.Messages.Lengths, tags, batch.Statuses);
        return Finish(status, batch.Statuses, opened);
    }

    internal static void Encrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonces,
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        Span<byte> tags,
        ReadOnlySpan<byte> associatedData)
    {
        using var layout = new Layout(offsets);
        int status = NativeMethods.sivka_seal_batch_contiguous(
            key, (nuint)layout.Count, nonces, associatedData, default, messages, layout.Offsets, tags, layout.Statuses);
        Finish(status, layout.Statuses, default);
    }

    internal static bool Decrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonces,
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        ReadOnlySpan<byte> associatedData)
    {
        using var layout = new Layout(offsets);
        CheckCount(opened.Length, layout.Count);
        int status = NativeMethods.sivka_open_batch_contiguous(
            key, (nuint)layout.Count, nonces, associatedData, default, messages, layout.Offsets, tags, layout.Statuses);
        return Finish(status, layout.Statuses, opened);
    }

    private static void CheckCount(int opened, int expected)
    {
        if (opened != expected)
        {
            throw new ArgumentException($"opened: {expected} expected, {opened} given", nameof(opened));
        }
    }

    /// <summary>Whether all messages were done; the first that a wrong call kept from it is an exception.</summary>
    private static bool Finish(int status, ReadOnlySpan<int> statuses, Span<bool> opened)
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

    /// <summary>The messages of a list with what belongs to each.</summary>
    private readonly ref struct PinnedBatch
    {
        private readonly int[] _statuses;

        internal PinnedBatch(IReadOnlyList<Memory<byte>> messages, IReadOnlyList<ReadOnlyMemory<byte>>? associatedData)
        {
            Messages = new PinnedList(messages);
            try
            {
                AssociatedData = associatedData is null ? null : new PinnedList(associatedData);
                if (AssociatedData is not null && AssociatedData.Count != Messages.Count)
                {
                    throw new ArgumentException(
                        $"associatedData: {Messages.Count} expected, {AssociatedData.Count} given", nameof(associatedData));
                }
            }
            catch
            {
                Messages.Dispose();
                AssociatedData?.Dispose();
                throw;
            }
            _statuses = ArrayPool<int>.Shared.Rent(Messages.Count);
        }

        internal PinnedList Messages { get; }

        internal PinnedList? AssociatedData { get; }

        internal Span<int> Statuses => _statuses.AsSpan(0, Messages.Count);

        public void Dispose()
        {
            Messages.Dispose();
            AssociatedData?.Dispose();
            ArrayPool<int>.Shared.Return(_statuses);
        }
    }

    /// <summary>Offsets as wide as the native library's, and room for the statuses.</summary>
    private readonly ref struct Layout
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
