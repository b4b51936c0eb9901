using System;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;

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

    /// <summary>For a call that reads a file or writes one.</summary>
    internal static void Check(int status, string? input, string? output = null)
    {
        if (status != Status.Ok)
        {
            throw Of(status, input, output ?? input);
        }
    }

    /// <summary>Called by the thread whose call failed, before it makes another one.</summary>
    [DoesNotReturn]
    internal static void Throw(int status) => throw Of(status);

    internal static Exception Of(int status, string? input = null, string? output = null)
    {
        string detail = Detail();
        return status switch
        {
            Status.Open => Forged(),
            Status.UsageBound or Status.KeyState or Status.Primitive => new InvalidOperationException(detail),
            Status.Keyset => new InvalidDataException(detail),
            Status.KeyType => new NotSupportedException(detail),
            Status.NoMemory => new InsufficientMemoryException(detail),
            Status.NotSivka or Status.Newer or Status.Damaged or Status.FileTooLong or Status.CostLimit or Status.KeyFile
                => new InvalidDataException(About(input, detail)),
            Status.Truncated => new EndOfStreamException(About(input, detail)),
            Status.Read => OfSystem(About(input, detail), NativeMethods.sivka_error_os_code(), input),
            Status.Write => OfSystem(About(output, detail), NativeMethods.sivka_error_os_code(), output),
            Status.Exists => new IOException(About(output, detail)),
            Status.Cancelled => new OperationCanceledException(detail),
            _ when Status.IsMisuse(status) => Misuse(detail),
            _ => new CryptographicException(detail),
        };
    }

    /// <summary>For one message of a batch.</summary>
    internal static Exception OfMessage(int status, int index)
    {
        string message = $"message {index}: {MessageOf(status)}";
        return Status.IsMisuse(status) ? new ArgumentException(message) : new CryptographicException(message);
    }

    internal static AuthenticationTagMismatchException Forged() =>
        new("The message does not open: it was sealed under another key, nonce or associated data, or it was changed.");

    /// <summary>What the last failed call of this thread was about.</summary>
    private static unsafe string Detail()
    {
        const int Usual = 256;
        byte* text = stackalloc byte[Usual];
        nuint length = NativeMethods.sivka_error_detail(text, Usual);
        if (length < Usual)
        {
            return Encoding.UTF8.GetString(text, (int)length);
        }
        byte[] whole = new byte[checked((int)length + 1)];
        fixed (byte* start = whole)
        {
            _ = NativeMethods.sivka_error_detail(start, (nuint)whole.Length);
            return Encoding.UTF8.GetString(start, (int)length);
        }
    }

    private static unsafe string MessageOf(int status) => Text.Of(NativeMethods.sivka_status_message(status));

    private static string About(string? path, string detail) => path is null ? detail : $"{path}: {detail}";

    /// <summary>A detail begins with the argument's name in C, and says what was expected and what was given.</summary>
    private static ArgumentException Misuse(string detail)
    {
        int end = detail.IndexOfAny([':', ' ']);
        string? parameter = end < 0 ? null : detail.Substring(0, end) switch
        {
            // The three that are sentences.
            "no" when detail.StartsWith("no template", StringComparison.Ordinal) => "template",
            "tags" when detail.StartsWith("tags of OMAC", StringComparison.Ordinal) => "tagSizeInBytes",
            "a" when detail.StartsWith("a section", StringComparison.Ordinal) => "sectionSizeInBytes",
            "aad" or "aads" => "associatedData",
            "sealed" => "sealedMessage",
            "text" or "texts" => "messages",
            "in_out" => "blocks",
            "key" or "keys" or "nonce" or "nonces" or "iv" or "tag" or "tags" or "plaintext" or "ciphertext" or "message"
                or "passphrase" or "name" or "path" or "slot"
                => detail.Substring(0, end),
            _ => null,
        };
        return parameter is null ? new ArgumentException(detail) : new ArgumentException(detail, parameter);
    }

    /// <summary>The numbers are those of <c>errno</c> and of Windows for what .NET has a class of its own for.</summary>
    private static Exception OfSystem(string detail, int code, string? path)
    {
        bool windows = Path.DirectorySeparatorChar == '\\';
        return code switch
        {
            2 => new FileNotFoundException(detail, path),
            3 when windows => new DirectoryNotFoundException(detail),
            20 when !windows => new DirectoryNotFoundException(detail),
            5 when windows => new UnauthorizedAccessException(detail),
            1 or 13 or 21 when !windows => new UnauthorizedAccessException(detail),
            _ => new IOException(detail),
        };
    }
}
