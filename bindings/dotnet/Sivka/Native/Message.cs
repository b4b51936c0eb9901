using System;

namespace Sivka.Native;

/// <summary>
/// One message for each call. Every check of a length, of overlap and of limits is the native library's.
/// </summary>
internal static unsafe class Message
{
    internal static int Encrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> plaintext,
        Span<byte> ciphertext,
        Span<byte> tag,
        ReadOnlySpan<byte> associatedData)
    {
        fixed (byte* n = nonce, a = associatedData, p = plaintext, c = ciphertext, t = tag)
        {
            return NativeMethods.sivka_seal_detached(
                key, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                p, (nuint)plaintext.Length, c, (nuint)ciphertext.Length, t, (nuint)tag.Length);
        }
    }

    internal static int Decrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> ciphertext,
        ReadOnlySpan<byte> tag,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData)
    {
        fixed (byte* n = nonce, a = associatedData, c = ciphertext, t = tag, p = plaintext)
        {
            return NativeMethods.sivka_open_detached(
                key, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                c, (nuint)ciphertext.Length, t, (nuint)tag.Length, p, (nuint)plaintext.Length);
        }
    }

    internal static int Seal(
        KeyHandle key,
        ReadOnlySpan<byte> plaintext,
        Span<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        out int written)
    {
        fixed (byte* a = associatedData, p = plaintext, s = sealedMessage)
        {
            int status = NativeMethods.sivka_seal(
                key, a, (nuint)associatedData.Length, p, (nuint)plaintext.Length,
                s, (nuint)sealedMessage.Length, out nuint length);
            written = status == Status.Ok ? (int)length : 0;
            return status;
        }
    }

    internal static int Open(
        KeyHandle key,
        ReadOnlySpan<byte> sealedMessage,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData,
        out int written)
    {
        fixed (byte* a = associatedData, s = sealedMessage, p = plaintext)
        {
            int status = NativeMethods.sivka_open(
                key, a, (nuint)associatedData.Length, s, (nuint)sealedMessage.Length,
                p, (nuint)plaintext.Length, out nuint length);
            written = status == Status.Ok ? (int)length : 0;
            return status;
        }
    }

    /// <summary>Ciphertext and tag, one after another.</summary>
    internal static int SealWithNonce(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> plaintext,
        Span<byte> ciphertext,
        ReadOnlySpan<byte> associatedData)
    {
        fixed (byte* n = nonce, a = associatedData, p = plaintext, c = ciphertext)
        {
            return NativeMethods.sivka_seal_with_nonce(
                key, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                p, (nuint)plaintext.Length, c, (nuint)ciphertext.Length, out _);
        }
    }

    internal static int OpenWithNonce(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> ciphertext,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData)
    {
        fixed (byte* n = nonce, a = associatedData, c = ciphertext, p = plaintext)
        {
            return NativeMethods.sivka_open_with_nonce(
                key, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                c, (nuint)ciphertext.Length, p, (nuint)plaintext.Length, out _);
        }
    }
}
