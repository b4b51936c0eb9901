using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <content>What is intact of a damaged file.</content>
public static unsafe partial class SealedFile
{
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int LostFunction(nint context, ulong start, ulong length);

    /// <summary>
    /// Writes what is intact of a damaged file at its place in a new file, with zeros where something is lost. What is
    /// written is authenticated. The header must still have its first 16 bytes and a whole slot that one of the keys
    /// opens.
    /// </summary>
    /// <remarks>
    /// The output of a damaged file is not what was sealed: look at the result before it is used. It appears under its
    /// name when it is complete, or not at all.
    /// </remarks>
    /// <param name="inputPath">The sealed file.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <returns>What was found, however much was lost.</returns>
    /// <exception cref="InvalidDataException">The input is no sealed file, or too little of its header is left.</exception>
    /// <exception cref="EndOfStreamException">The header is cut short.</exception>
    /// <exception cref="IOException">A file cannot be read or written, or the output exists.</exception>
    /// <exception cref="CryptographicException">None of the keys opens it.</exception>
    public static SalvageResult Salvage(string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null) =>
        SalvagePath(inputPath, outputPath, keys, options, null, default);

    /// <inheritdoc cref="Salvage(string, string, FileKeys, SealedFileOptions)"/>
    /// <param name="inputPath">The sealed file.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible; no file appears then.</param>
    /// <returns>What was found, however much was lost.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task<SalvageResult> SalvageAsync(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Factory.StartNew(
            () => SalvagePath(inputPath, outputPath, keys, options, progress, cancellationToken),
            cancellationToken, TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default);

    private static SalvageResult SalvagePath(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options,
        IProgress<long>? progress, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(keys);
        byte[] from = Text.OfPath(inputPath, nameof(inputPath)), to = Text.OfPath(outputPath, nameof(outputPath));
        using var bridge = new StreamBridge(null, null, progress, async: false, cancellation);
        var lost = new List<LostRange>();
        // One that finds no memory ends the process, as everywhere where no exception can be thrown.
        LostFunction onLost = (_, start, length) =>
        {
            lost.Add(new LostRange((long)start, (long)length));
            return Status.Ok;
        };
        NativeSalvage found;
        fixed (byte* input = from, output = to)
        {
            bridge.Check(NativeMethods.sivka_salvage_file(
                input, output, keys.Handle, Flags(options), Marshal.GetFunctionPointerForDelegate(onLost),
                lostContext: 0, bridge.Progress, progressContext: 0, (nint)(&found)));
        }
        GC.KeepAlive(onLost);
        return new SalvageResult(found, lost);
    }
}
