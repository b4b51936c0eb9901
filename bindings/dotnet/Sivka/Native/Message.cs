using System;
using System.Runtime.CompilerServices;

namespace Sivka.Native;

/// <summary>
/// One message for each call. Every check of a length, of overlap and of limits is the native library's.
/// </summary>
/// <remarks>Inlined, so that five spans are not passed on from one frame to another.</remarks>
internal static unsafe class Message
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Encrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> plaintext,
        Span<byte> ciphertext,
        Span<byte> tag,
        ReadOnlySpan<byte> associatedData)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        fixed (byte* n = nonce, a = associatedData, p = plaintext, c = ciphertext, t = tag)
        {
            status = NativeMethods.sivka_seal_detached(
                handle, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                p, (nuint)plaintext.Length, c, (nuint)ciphertext.Length, t, (nuint)tag.Length);
        }
        key.Leave(alone);
        return status;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Decrypt(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> ciphertext,
        ReadOnlySpan<byte> tag,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        fixed (byte* n = nonce, a = associatedData, c = ciphertext, t = tag, p = plaintext)
        {
            status = NativeMethods.sivka_open_detached(
                handle, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                c, (nuint)ciphertext.Length, t, (nuint)tag.Length, p, (nuint)plaintext.Length);
        }
        key.Leave(alone);
        return status;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Seal(
        KeyHandle key,
        ReadOnlySpan<byte> plaintext,
        Span<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        out int written)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        nuint length;
        fixed (byte* a = associatedData, p = plaintext, s = sealedMessage)
        {
            status = NativeMethods.sivka_seal(
                handle, a, (nuint)associatedData.Length, p, (nuint)plaintext.Length,
                s, (nuint)sealedMessage.Length, out length);
        }
        key.Leave(alone);
        written = status == Status.Ok ? (int)length : 0;
        return status;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Open(
        KeyHandle key,
        ReadOnlySpan<byte> sealedMessage,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData,
        out int written)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        nuint length;
        fixed (byte* a = associatedData, s = sealedMessage, p = plaintext)
        {
            status = NativeMethods.sivka_open(
                handle, a, (nuint)associatedData.Length, s, (nuint)sealedMessage.Length,
                p, (nuint)plaintext.Length, out length);
        }
        key.Leave(alone);
        written = status == Status.Ok ? (int)length : 0;
        return status;
    }

    /// <summary>Ciphertext and tag, one after another.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int SealWithNonce(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> plaintext,
        Span<byte> ciphertext,
        ReadOnlySpan<byte> associatedData)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        fixed (byte* n = nonce, a = associatedData, p = plaintext, c = ciphertext)
        {
            status = NativeMethods.sivka_seal_with_nonce(
                handle, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                p, (nuint)plaintext.Length, c, (nuint)ciphertext.Length, out _);
        }
        key.Leave(alone);
        return status;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int OpenWithNonce(
        KeyHandle key,
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> ciphertext,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData)
    {
        nint handle = key.Enter(out bool alone);
        int status;
        fixed (byte* n = nonce, a = associatedData, c = ciphertext, p = plaintext)
        {
            status = NativeMethods.sivka_open_with_nonce(
                handle, n, (nuint)nonce.Length, a, (nuint)associatedData.Length,
                c, (nuint)ciphertext.Length, p, (nuint)plaintext.Length, out _);
        }
        key.Leave(alone);
        return status;
    }
}
