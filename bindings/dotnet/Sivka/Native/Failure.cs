using System;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Sivka.Native;

/// <summary>Makes the exception for a status of the native library.</summary>
internal static class Failure
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Check(int status)
    {
        if (status != Status.Ok)
        {
            Throw(status);
        }
    }

    /// <summary>For a call whose only argument that can be wrong has another name here.</summary>
    internal static void Check(int status, string parameter)
    {
        if (status != Status.Ok)
        {
            throw Of(status, parameter);
        }
    }

    /// <summary>For the text of a key file, which was read from a path unless that is null.</summary>
    internal static void CheckKeyFile(int status, string? path)
    {
        if (status is Status.KeyFile or Status.Newer && path is not null)
        {
            throw new InvalidDataException($"{path}: {Of(status).Message}");
        }
        Check(status);
    }

    /// <summary>The same where <paramref name="output"/> of <c>sivka.h</c> has another name than elsewhere.</summary>
    internal static unsafe void Check(int status, string output, string parameter)
    {
        if (status != Status.Ok)
        {
            string? argument = Text.OfUtf8(NativeMethods.sivka_last_error()->Argument);
            throw Of(status, argument == output ? parameter : null);
        }
    }

    /// <summary>Called by the thread whose call failed, before it makes another one.</summary>
    [DoesNotReturn]
    internal static void Throw(int status) => throw Of(status);

    internal static unsafe Exception Of(int status, string? parameter = null)
    {
        sivka_error* error = NativeMethods.sivka_last_error();
        string detail = Text.OfUtf8(error->Detail)!;
        return status switch
        {
            Status.Open => Forged(),
            Status.UsageBound or Status.KeyState or Status.Primitive => new InvalidOperationException(detail),
            Status.KeyText => new ArgumentException("A path was expected, and the text of a key given."),
            Status.Keyset => new InvalidDataException(detail),
            Status.KeyType => new NotSupportedException(detail),
            Status.NoMemory => new InsufficientMemoryException(detail),
            Status.NotSivka or Status.Newer or Status.Damaged or Status.FileTooLong or Status.CostLimit or Status.KeyFile
                or Status.AgeKey => new InvalidDataException(detail),
            Status.Truncated => new EndOfStreamException(detail),
            Status.Read or Status.Write => OfSystem(detail, error->OsCode, Text.OfUtf8(error->Path)),
            Status.Exists => new IOException(detail),
            Status.Cancelled => new OperationCanceledException(detail),
            _ when Status.IsMisuse(status) => Misuse(detail, error, parameter),
            _ => new CryptographicException(detail),
        };
    }

    /// <summary>Says the caller's own name of the parameter where the detail begins with that of <c>sivka.h</c>.</summary>
    private static unsafe ArgumentException Misuse(string detail, sivka_error* error, string? parameter)
    {
        string? argument = Text.OfUtf8(error->Argument), overlapped = Text.OfUtf8(error->Overlapped);
        parameter ??= ParameterOf(argument);
        if (parameter is null)
        {
            return new ArgumentException(detail);
        }
        if (overlapped is not null)
        {
            return new ArgumentException($"{parameter} overlaps {ParameterOf(overlapped) ?? overlapped}", parameter);
        }
        bool begins = argument is not null && detail.StartsWith(argument, StringComparison.Ordinal)
            && detail.Length > argument.Length && detail[argument.Length] is (':' or ' ');
        return new ArgumentException(begins ? detail.Remove(0, argument!.Length).Insert(0, parameter) : detail, parameter);
    }

    /// <summary>The name here of an argument of <c>sivka.h</c>; null for one that no caller gives.</summary>
    private static string? ParameterOf(string? argument) => argument switch
    {
        "aad" or "aads" or "aad_lens" or "aad_count" => "associatedData",
        "sealed" => "sealedMessage",
        "texts" or "text_lens" => "messages",
        "text_offsets" => "offsets",
        "template_name" => "template",
        "tag_len" => "tagSizeInBytes",
        "memory_kib" => "memoryKib",
        "input" => "bytes",
        "in_out" => "blocks",
        "key" or "keys" or "added" or "nonce" or "nonces" or "tag" or "tags" or "plaintext" or "ciphertext"
            or "message" or "piece" or "passphrase" or "name" or "slot" or "id" or "passes" or "lanes" or "text" => argument,
        _ => null,
    };

    /// <summary>For one message of a batch.</summary>
    internal static unsafe Exception OfMessage(int status, int index)
    {
        string message = $"message {index}: {Text.Of(NativeMethods.sivka_status_message(status))}";
        return Status.IsMisuse(status) ? new ArgumentException(message) : new CryptographicException(message);
    }

    internal static AuthenticationTagMismatchException Forged() =>
        new("The message does not open: it was sealed under another key, nonce or associated data, or it was changed.");

    /// <summary>The numbers are those of <c>errno</c> and of Windows for what .NET has a class of its own for.</summary>
    private static Exception OfSystem(string detail, int code, string? path)
    {
        bool windows = Path.DirectorySeparatorChar == '\\';
        return code switch
        {
            2 when HasNoFolder(path) => new DirectoryNotFoundException(detail),
            2 => new FileNotFoundException(detail, path),
            3 when windows => new DirectoryNotFoundException(detail),
            20 when !windows => new DirectoryNotFoundException(detail),
            5 when windows => new UnauthorizedAccessException(detail),
            1 or 13 or 21 when !windows => new UnauthorizedAccessException(detail),
            _ => new IOException(detail),
        };
    }

    /// <summary>Systems but Windows have one number for a missing file and a missing folder.</summary>
    private static bool HasNoFolder(string? path) =>
        Path.GetDirectoryName(path) is { Length: > 0 } folder && !Directory.Exists(folder);
}
