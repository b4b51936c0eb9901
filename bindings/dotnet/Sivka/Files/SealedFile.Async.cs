using System;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace Sivka;

/// <content>The same while the caller does something else.</content>
public static partial class SealedFile
{
    /// <inheritdoc cref="Seal(string, string, FileKeys, SealedFileOptions)"/>
    /// <param name="inputPath">What to seal.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">1 to 64 keys, each of which will open it.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible; no file appears then.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task SealAsync(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Run(() => SealPath(inputPath, outputPath, keys, options, progress, cancellationToken), cancellationToken);

    /// <inheritdoc cref="Seal(Stream, Stream, FileKeys, SealedFileOptions)"/>
    /// <param name="input">What to seal; it is read with <c>ReadAsync</c>.</param>
    /// <param name="output">Gets the sealed file; it is written with <c>WriteAsync</c>.</param>
    /// <param name="keys">1 to 64 keys, each of which will open it.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task SealAsync(
        Stream input, Stream output, FileKeys keys, SealedFileOptions? options = null,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => SealStream(input, output, keys, options, progress, async: true, cancellationToken), cancellationToken);

    /// <inheritdoc cref="Open(string, string, FileKeys, SealedFileOptions)"/>
    /// <param name="inputPath">What to open.</param>
    /// <param name="outputPath">Where; nothing is there yet, unless the options say so.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="options">How; null is as usual.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible; no file appears then.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task OpenAsync(
        string inputPath, string outputPath, FileKeys keys, SealedFileOptions? options = null,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Run(() => OpenPath(inputPath, outputPath, keys, options, progress, cancellationToken), cancellationToken);

    /// <inheritdoc cref="Open(Stream, Stream, FileKeys)"/>
    /// <param name="input">What to open; it is read with <c>ReadAsync</c>.</param>
    /// <param name="output">Gets the plaintext, in authenticated chunks; it is written with <c>WriteAsync</c>.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task OpenAsync(
        Stream input, Stream output, FileKeys keys,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => OpenStream(input, output, keys, progress, async: true, cancellationToken), cancellationToken);

    /// <inheritdoc cref="Verify(string, FileKeys)"/>
    /// <param name="inputPath">What to verify.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task VerifyAsync(
        string inputPath, FileKeys keys,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Run(() => VerifyPath(inputPath, keys, progress, cancellationToken), cancellationToken);

    /// <inheritdoc cref="Verify(Stream, FileKeys)"/>
    /// <param name="input">What to verify; it is read with <c>ReadAsync</c>.</param>
    /// <param name="keys">The keys to try.</param>
    /// <param name="progress">Hears how many bytes of plaintext are done.</param>
    /// <param name="cancellationToken">Stops the work as soon as possible.</param>
    /// <returns>A task that ends with the work.</returns>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Task VerifyAsync(
        Stream input, FileKeys keys,
        IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => VerifyStream(input, keys, progress, async: true, cancellationToken), cancellationToken);
}
