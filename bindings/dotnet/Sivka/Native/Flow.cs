using System;
using System.Buffers;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Sivka.Native;

/// <summary>Bytes in, bytes out: a sealed file, or a stream under a keyset, that is sealed or opened.</summary>
/// <remarks>No stream of the caller's is called from native code. One call at a time uses an object.</remarks>
internal sealed class Flow : IDisposable
{
    /// <summary>As much as is taken and given at once where all of a stream is: all cores share it.</summary>
    private const int RoomOfAll = 1 << 22;

    private readonly SealerHandle? _sealer;
    private readonly OpenerHandle? _opener;
    private ExceptionDispatchInfo? _failure;
    private int _busy;

    private Flow(SealerHandle? sealer, OpenerHandle? opener) => (_sealer, _opener) = (sealer, opener);

    internal bool HasFailed => _failure is not null;

    /// <summary>The keys may be disposed of then.</summary>
    internal static Flow Sealing(FileKeys keys, SealedFileOptions? options)
    {
        ArgumentNullException.ThrowIfNull(keys);
        Failure.Check(NativeMethods.sivka_sealer_new(keys.Handle, FileSuite.Number(options?.Suite), out SealerHandle made));
        return new Flow(made, null);
    }

    internal static Flow Sealing(KeysetHandle keyset, ReadOnlySpan<byte> associatedData)
    {
        Failure.Check(NativeMethods.sivka_keyset_sealer_new(keyset, associatedData, out SealerHandle made));
        return new Flow(made, null);
    }

    /// <summary>The keys may be disposed of then.</summary>
    internal static Flow Opening(FileKeys keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        Failure.Check(NativeMethods.sivka_opener_new(keys.Handle, out OpenerHandle made));
        return new Flow(null, made);
    }

    internal static Flow Opening(KeysetHandle keyset, ReadOnlySpan<byte> associatedData)
    {
        Failure.Check(NativeMethods.sivka_keyset_opener_new(keyset, associatedData, out OpenerHandle made));
        return new Flow(null, made);
    }

    public void Dispose()
    {
        _sealer?.Dispose();
        _opener?.Dispose();
    }

    /// <summary>Takes bytes and gives bytes; takes all of them unless the output is full.</summary>
    internal void Update(ReadOnlySpan<byte> input, Span<byte> output, out int used, out int written)
    {
        Failure.Check(_sealer is not null
            ? NativeMethods.sivka_sealer_update(_sealer, input, out nuint taken, output, out nuint given)
            : NativeMethods.sivka_opener_update(_opener!, input, out taken, output, out given));
        (used, written) = ((int)taken, (int)given);
    }

    /// <summary>Gives the remaining bytes after the end of the input; 0 when there are no more.</summary>
    internal int Finish(Span<byte> output)
    {
        Failure.Check(_sealer is not null
            ? NativeMethods.sivka_sealer_finish(_sealer, output, out nuint given)
            : NativeMethods.sivka_opener_finish(_opener!, output, out given));
        return (int)given;
    }

    /// <summary>Does some work of a stream, alone. After a failure nothing goes on, and each call throws the same.</summary>
    internal async Task<int> Alone(Func<Task<int>> work)
    {
        if (Interlocked.Exchange(ref _busy, 1) != 0)
        {
            throw new InvalidOperationException("Another call uses this stream.");
        }
        try
        {
            _failure?.Throw();
            return await work().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            _failure ??= ExceptionDispatchInfo.Capture(e);
            throw;
        }
        finally
        {
            Volatile.Write(ref _busy, 0);
        }
    }

    /// <summary>Everything that the input gives, to its end; without an output it is thrown away.</summary>
    internal async Task All(Stream input, Stream? output, IProgress<long>? progress, bool async, CancellationToken cancellation)
    {
        byte[] given = ArrayPool<byte>.Shared.Rent(RoomOfAll), room = ArrayPool<byte>.Shared.Rent(RoomOfAll);
        try
        {
            long done = 0;
            for (int length = -1, written; length != 0;)
            {
                cancellation.ThrowIfCancellationRequested();
                length = await Read(input, given, given.Length, async, cancellation).ConfigureAwait(false);
                for (int at = 0, used; at < length; at += used)
                {
                    Update(given.AsSpan(at, length - at), room, out used, out written);
                    await Write(output, room, written, async, cancellation).ConfigureAwait(false);
                    done += _sealer is not null ? used : written;
                    progress?.Report(done);
                }
            }
            for (int written = -1; written != 0;)
            {
                cancellation.ThrowIfCancellationRequested();
                written = Finish(room);
                await Write(output, room, written, async, cancellation).ConfigureAwait(false);
                done += _sealer is not null ? 0 : written;
            }
            await Flush(output, async, cancellation).ConfigureAwait(false);
            progress?.Report(done);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(given, clearArray: true);
            ArrayPool<byte>.Shared.Return(room, clearArray: true);
        }
    }

    /// <summary>Reads so many bytes at most. A stream that says it read more, or less than none, is refused.</summary>
    internal static async Task<int> Read(Stream input, byte[] buffer, int most, bool async, CancellationToken cancellation)
    {
        int read = async
#if NET
            ? await input.ReadAsync(buffer.AsMemory(0, most), cancellation).ConfigureAwait(false)
#else
            ? await input.ReadAsync(buffer, 0, most, cancellation).ConfigureAwait(false)
#endif
            : input.Read(buffer, 0, most);
        return read >= 0 && read <= most ? read : throw new ArgumentException($"The stream says that it read {read} of {most} bytes.", nameof(input));
    }

    internal static Task Write(Stream? output, byte[] bytes, int length, bool async, CancellationToken cancellation)
    {
        if (async && length > 0 && output is not null)
        {
#if NET
            return output.WriteAsync(bytes.AsMemory(0, length), cancellation).AsTask();
#else
            return output.WriteAsync(bytes, 0, length, cancellation);
#endif
        }
        if (length > 0)
        {
            output?.Write(bytes, 0, length);
        }
        return Task.CompletedTask;
    }

    /// <summary>After the last byte, so that a failure of the output is thrown here.</summary>
    internal static Task Flush(Stream? output, bool async, CancellationToken cancellation)
    {
        if (async && output is not null)
        {
            return output.FlushAsync(cancellation);
        }
        output?.Flush();
        return Task.CompletedTask;
    }

    internal static Stream Readable(Stream input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input.CanRead ? input : throw new ArgumentException("A stream that can be read is expected.", nameof(input));
    }

    internal static Stream Writable(Stream output)
    {
        ArgumentNullException.ThrowIfNull(output);
        return output.CanWrite ? output : throw new ArgumentException("A stream that can be written is expected.", nameof(output));
    }
}

/// <summary>A span as memory, for work that ends before the span does.</summary>
internal sealed unsafe class Borrowed(byte* start, int length) : MemoryManager<byte>
{
    public override Span<byte> GetSpan() => new(start, length);

    public override MemoryHandle Pin(int elementIndex = 0) => new(start + elementIndex);

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
