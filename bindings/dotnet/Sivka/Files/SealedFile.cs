using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Sivka.Native;

namespace Sivka;

/// <summary>Seals files and streams of any length, opens and verifies them, and changes their keys.</summary>
/// <remarks>
/// <para>
/// All cores work, and the memory does not grow with the file. An output path appears complete or not at all. A stream
/// gets chunks as soon as they are authenticated: after a failure it has the beginning of the output. If a part would
/// do harm, throw it away.
/// </para>
/// <para>Every call throws these for input that does not open, and for the system:</para>
/// <list type="table">
/// <item><term><see cref="InvalidDataException"/></term><description>It is no sealed file, needs a newer version, or
/// was damaged or changed. Or a passphrase would cost more than <see cref="FileKeys.SetMaxCost"/> allows.</description></item>
/// <item><term><see cref="EndOfStreamException"/></term><description>The end of the file is missing or damaged.</description></item>
/// <item><term><see cref="CryptographicException"/></term><description>None of the keys opens it.</description></item>
/// <item><term>Others of <c>System.IO</c></term><description>A file cannot be read or written.</description></item>
/// </list>
/// </remarks>
public static partial class SealedFile
{
    /// <summary>Gets the names of the suites, the default first.</summary>
    public static IReadOnlyList<string> Suites => FileSuite.Names();

    /// <summary>Seals a file into a new one.</summary>
    /// <param name="inputPath">The plaintext.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">1 to 64 keys, each of which will open it.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <exception cref="IOException">A file cannot be read or written, or the output exists.</exception>
    /// <exception cref="ArgumentException">There are no keys or too many, or no suite has that name.</exception>
    public static void Seal(string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null) =>
        SealPath(inputPath, outputPath, keys, options, default);

    /// <inheritdoc cref="Seal(string, string, FileKeys, SealedFileOptions)"/>
    /// <remarks>If the token stops the work, no file appears.</remarks>
    public static Task SealAsync(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Run(() => SealPath(inputPath, outputPath, keys, options, cancellationToken), cancellationToken);

    /// <summary>Seals all bytes of a stream into another.</summary>
    /// <param name="input">The plaintext, from its position; it is read to its end and not closed.</param>
    /// <param name="output">Gets the sealed file; it is flushed and not closed.</param>
    /// <param name="keys">1 to 64 keys, each of which will open it.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <exception cref="ArgumentException">
    /// There are no keys or too many, no suite has that name, or a stream cannot be read or written.
    /// </exception>
    public static void Seal(Stream input, Stream output, FileKeys keys, SealedFileOptions? options = null) =>
        SealStream(input, output, keys, options, async: false, default).GetAwaiter().GetResult();

    /// <inheritdoc cref="Seal(Stream, Stream, FileKeys, SealedFileOptions)"/>
    /// <remarks>The streams are read with <c>ReadAsync</c> and written with <c>WriteAsync</c>.</remarks>
    public static Task SealAsync(
        Stream input, Stream output, FileKeys keys, SealedFileOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => SealStream(input, output, keys, options, async: true, cancellationToken), cancellationToken);

    /// <summary>Opens a sealed file into a new one.</summary>
    /// <param name="inputPath">The sealed file.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <exception cref="IOException">A file cannot be read or written, or the output exists.</exception>
    public static void Open(string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null) =>
        OpenPath(inputPath, outputPath, keys, options, default);

    /// <inheritdoc cref="Open(string, string, FileKeys, SealedFileOptions)"/>
    /// <remarks>If the token stops the work, no file appears.</remarks>
    public static Task OpenAsync(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Run(() => OpenPath(inputPath, outputPath, keys, options, cancellationToken), cancellationToken);

    /// <summary>Opens the sealed file in a stream into another stream.</summary>
    /// <param name="input">The sealed file, from its position; it is read to its end and not closed.</param>
    /// <param name="output">Gets the plaintext, in authenticated chunks; it is flushed and not closed.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">Gets the progress; null is nothing.</param>
    /// <exception cref="ArgumentException">A stream cannot be read or written.</exception>
    public static void Open(Stream input, Stream output, FileKeys keys, SealedFileOptions? options = null) =>
        OpenStream(input, Flow.Writable(output), keys, options, async: false, default).GetAwaiter().GetResult();

    /// <inheritdoc cref="Open(Stream, Stream, FileKeys, SealedFileOptions)"/>
    /// <remarks>The streams are read with <c>ReadAsync</c> and written with <c>WriteAsync</c>.</remarks>
    public static Task OpenAsync(
        Stream input, Stream output, FileKeys keys, SealedFileOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => OpenStream(input, Flow.Writable(output), keys, options, async: true, cancellationToken), cancellationToken);

    /// <summary>Authenticates every byte of a sealed file, and makes no output.</summary>
    /// <param name="inputPath">The sealed file.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">Gets the progress; null is nothing.</param>
    /// <exception cref="IOException">The input cannot be read.</exception>
    public static void Verify(string inputPath, FileKeys keys, SealedFileOptions? options = null) =>
        VerifyPath(inputPath, keys, options, default);

    /// <inheritdoc cref="Verify(string, FileKeys, SealedFileOptions)"/>
    public static Task VerifyAsync(
        string inputPath, FileKeys keys, SealedFileOptions? options = null, CancellationToken cancellationToken = default) =>
        Run(() => VerifyPath(inputPath, keys, options, cancellationToken), cancellationToken);

    /// <summary>Authenticates every byte of the sealed file in a stream.</summary>
    /// <param name="input">The sealed file, from its position; it is read to its end and not closed.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">Gets the progress; null is nothing.</param>
    /// <exception cref="ArgumentException">The stream cannot be read.</exception>
    public static void Verify(Stream input, FileKeys keys, SealedFileOptions? options = null) =>
        OpenStream(input, null, keys, options, async: false, default).GetAwaiter().GetResult();

    /// <inheritdoc cref="Verify(Stream, FileKeys, SealedFileOptions)"/>
    /// <remarks>The stream is read with <c>ReadAsync</c>.</remarks>
    public static Task VerifyAsync(
        Stream input, FileKeys keys, SealedFileOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => OpenStream(input, null, keys, options, async: true, cancellationToken), cancellationToken);

    private static void SealPath(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(keys);
        uint suite = FileSuite.Number(options?.Suite);
        byte[] from = Text.OfPath(inputPath, nameof(inputPath)), to = Text.OfPath(outputPath, nameof(outputPath));
        var bridge = new ProgressBridge(options?.Progress, cancellation);
        bridge.Check(NativeMethods.sivka_seal_file(from, to, keys.Handle, suite, Flags(options), bridge.Function, 0));
    }

    private static void OpenPath(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(keys);
        byte[] from = Text.OfPath(inputPath, nameof(inputPath)), to = Text.OfPath(outputPath, nameof(outputPath));
        var bridge = new ProgressBridge(options?.Progress, cancellation);
        bridge.Check(NativeMethods.sivka_open_file(from, to, keys.Handle, Flags(options), bridge.Function, 0));
    }

    private static void VerifyPath(string inputPath, FileKeys keys, SealedFileOptions? options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(keys);
        byte[] from = Text.OfPath(inputPath, nameof(inputPath));
        var bridge = new ProgressBridge(options?.Progress, cancellation);
        bridge.Check(NativeMethods.sivka_verify_file(from, keys.Handle, bridge.Function, 0));
    }

    private static async Task SealStream(
        Stream input, Stream output, FileKeys keys, SealedFileOptions? options, bool async, CancellationToken cancellation)
    {
        (_, _) = (Flow.Readable(input), Flow.Writable(output));
        using var flow = Flow.Sealing(keys, options);
        await flow.All(input, output, options?.Progress, async, cancellation).ConfigureAwait(false);
    }

    /// <summary>Without an output, it verifies.</summary>
    private static async Task OpenStream(
        Stream input, Stream? output, FileKeys keys, SealedFileOptions? options, bool async, CancellationToken cancellation)
    {
        _ = Flow.Readable(input);
        using var flow = Flow.Opening(keys);
        await flow.All(input, output, options?.Progress, async, cancellation).ConfigureAwait(false);
    }

    private static uint Flags(SealedFileOptions? options) => options is { Overwrite: true } ? Constants.Overwrite : 0;

    /// <summary>On a thread of its own: the native library blocks it, and starts as many again as there are cores.</summary>
    private static Task Run(Action work, CancellationToken cancellation) => Task.Factory.StartNew(
        work, cancellation, TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default);
}
