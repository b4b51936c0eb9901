using System;
using System.Buffers;
using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>Many messages in one call.</summary>
internal static unsafe class Batch
{
    internal static void Encrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonces,
        IReadOnlyList<Memory<byte>> messages,
        Span<byte> tags,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData)
    {
        using var batch = new PinnedBatch(messages, associatedData);
        fixed (byte* n = nonces, t = tags)
        fixed (byte** aads = batch.AssociatedData, texts = batch.Messages)
        fixed (nuint* aadLengths = batch.AssociatedDataLengths, textLengths = batch.MessageLengths)
        fixed (int* statuses = batch.Statuses)
        {
            int status = NativeMethods.sivka_seal_batch(
                key.Enter(out bool alone), (nuint)messages.Count, n, (nuint)nonces.Length, aads, aadLengths, texts, textLengths,
                t, (nuint)tags.Length, statuses);
            key.Leave(alone);
            Finish(status, batch.Statuses, default);
        }
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
        CheckCount(opened.Length, messages.Count);
        fixed (byte* n = nonces, t = tags)
        fixed (byte** aads = batch.AssociatedData, texts = batch.Messages)
        fixed (nuint* aadLengths = batch.AssociatedDataLengths, textLengths = batch.MessageLengths)
        fixed (int* statuses = batch.Statuses)
        {
            int status = NativeMethods.sivka_open_batch(
                key.Enter(out bool alone), (nuint)messages.Count, n, (nuint)nonces.Length, aads, aadLengths, texts, textLengths,
                t, (nuint)tags.Length, statuses);
            key.Leave(alone);
            return Finish(status, batch.Statuses, opened);
        }
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
        fixed (byte* n = nonces, a = associatedData, m = messages, t = tags)
        fixed (nuint* o = layout.Offsets)
        fixed (int* statuses = layout.Statuses)
        {
            int status = NativeMethods.sivka_seal_batch_contiguous(
                key.Enter(out bool alone), (nuint)layout.Count, n, (nuint)nonces.Length, a, (nuint)associatedData.Length, null,
                m, (nuint)messages.Length, o, t, (nuint)tags.Length, statuses);
            key.Leave(alone);
            Finish(status, layout.Statuses, default);
        }
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
        fixed (byte* n = nonces, a = associatedData, m = messages, t = tags)
        fixed (nuint* o = layout.Offsets)
        fixed (int* statuses = layout.Statuses)
        {
            int status = NativeMethods.sivka_open_batch_contiguous(
                key.Enter(out bool alone), (nuint)layout.Count, n, (nuint)nonces.Length, a, (nuint)associatedData.Length, null,
                m, (nuint)messages.Length, o, t, (nuint)tags.Length, statuses);
            key.Leave(alone);
            return Finish(status, layout.Statuses, opened);
        }
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

    /// <summary>The messages of a list with their addresses, which hold while this is not disposed of.</summary>
    private readonly ref struct PinnedBatch
    {
        private readonly int _count;
        private readonly MemoryHandle[] _pins;
        private readonly int[] _statuses;

        internal PinnedBatch(IReadOnlyList<Memory<byte>> messages, IReadOnlyList<ReadOnlyMemory<byte>>? associatedData)
        {
            _count = messages.Count;
            if (associatedData is not null && associatedData.Count != _count)
            {
                throw new ArgumentException(
                    $"associatedData: {_count} expected, {associatedData.Count} given", nameof(associatedData));
            }
            Messages = new byte*[_count];
            MessageLengths = new nuint[_count];
            AssociatedData = associatedData is null ? null : new byte*[_count];
            AssociatedDataLengths = associatedData is null ? null : new nuint[_count];
            _statuses = ArrayPool<int>.Shared.Rent(_count);
            _pins = new MemoryHandle[associatedData is null ? _count : checked(_count + _count)];
            for (int i = 0; i < _count; i++)
            {
                _pins[i] = messages[i].Pin();
                Messages[i] = (byte*)_pins[i].Pointer;
                MessageLengths[i] = (nuint)messages[i].Length;
            }
            for (int i = 0; associatedData is not null && i < _count; i++)
            {
                MemoryHandle pin = associatedData[i].Pin();
                _pins[_count + i] = pin;
                AssociatedData![i] = (byte*)pin.Pointer;
                AssociatedDataLengths![i] = (nuint)associatedData[i].Length;
            }
        }

        internal byte*[] Messages { get; }

        internal nuint[] MessageLengths { get; }

        internal byte*[]? AssociatedData { get; }

        internal nuint[]? AssociatedDataLengths { get; }

        internal Span<int> Statuses => _statuses.AsSpan(0, _count);

        public void Dispose()
        {
            foreach (MemoryHandle pin in _pins)
            {
                pin.Dispose();
            }
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
                // A negative one becomes one beyond every buffer, which the native library refuses.
                _offsets[i] = unchecked((nuint)offsets[i]);
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
