using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC), a message authentication code whose length of tag is
/// fixed when the key is made.
/// </summary>
/// <remarks>
/// Whole messages go through <c>Tag</c> and <see cref="Verify"/>. One message at a time may come in pieces, in the shape
/// of <see cref="IncrementalHash"/>: <see cref="AppendData"/>, then <c>GetTagAndReset</c> or
/// <see cref="VerifyAndReset"/>. Threads take turns.
/// </remarks>
public sealed class KuznyechikOmac : IDisposable
{
    private readonly KuznyechikOmacHandle _handle;
    private readonly object _turn = new();

    /// <summary>Makes a key.</summary>
    /// <param name="key">
    /// 32 bytes, uniformly random; copied. A shorter tag is the beginning of a longer one, so they should serve one
    /// length only.
    /// </param>
    /// <param name="tagSizeInBytes">The length of every tag, 4 to 16.</param>
    /// <exception cref="ArgumentNullException"><paramref name="key"/> is null.</exception>
    /// <exception cref="ArgumentException">A key or a tag has another length.</exception>
    /// <exception cref="DllNotFoundException">The native library is missing.</exception>
    public KuznyechikOmac(byte[] key, int tagSizeInBytes)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))), tagSizeInBytes)
    {
    }

    /// <inheritdoc cref="KuznyechikOmac(byte[], int)"/>
    public KuznyechikOmac(ReadOnlySpan<byte> key, int tagSizeInBytes)
    {
        _handle = KuznyechikOmacHandle.Create(key, tagSizeInBytes);
        TagSizeInBytes = _handle.TagLength();
    }

    /// <summary>Gets whether the native library is there and has the algorithm.</summary>
    public static bool IsSupported => Library.IsAvailable;

    /// <summary>Gets the length of a key in bytes.</summary>
    public static KeySizes KeyByteSizes => KuznyechikMgm.KeyByteSizes;

    /// <summary>Gets the length of every tag in bytes.</summary>
    public int TagSizeInBytes { get; }

    /// <summary>Computes the tag of a whole message.</summary>
    /// <param name="message">Any number of bytes.</param>
    /// <returns>The tag.</returns>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public byte[] Tag(ReadOnlySpan<byte> message)
    {
        byte[] tag = new byte[TagSizeInBytes];
        Tag(message, tag);
        return tag;
    }

    /// <summary>Computes the tag of a whole message into a buffer; allocates nothing.</summary>
    /// <param name="message">Any number of bytes.</param>
    /// <param name="tag">Gets the tag; <see cref="TagSizeInBytes"/> bytes.</param>
    /// <exception cref="ArgumentException">The tag has another length, or overlaps the message; it is as it was.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public unsafe void Tag(ReadOnlySpan<byte> message, Span<byte> tag)
    {
        lock (_turn)
        {
            fixed (byte* m = message, t = tag)
            {
                int status = NativeMethods.sivka_kuznyechik_omac_tag(
                    _handle.Enter(out bool alone), m, (nuint)message.Length, t, (nuint)tag.Length);
                _handle.Leave(alone);
                Failure.Check(status);
            }
        }
    }

    /// <summary>Compares a tag with that of a whole message, in the same time whatever the bytes are.</summary>
    /// <param name="message">Any number of bytes.</param>
    /// <param name="tag">What is said to be its tag; <see cref="TagSizeInBytes"/> bytes.</param>
    /// <returns>Whether it is.</returns>
    /// <exception cref="ArgumentException">The tag has another length.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public unsafe bool Verify(ReadOnlySpan<byte> message, ReadOnlySpan<byte> tag)
    {
        lock (_turn)
        {
            fixed (byte* m = message, t = tag)
            {
                int status = NativeMethods.sivka_kuznyechik_omac_verify(
                    _handle.Enter(out bool alone), m, (nuint)message.Length, t, (nuint)tag.Length);
                _handle.Leave(alone);
                return IsAuthentic(status);
            }
        }
    }

    /// <summary>Goes on with the message in pieces.</summary>
    /// <param name="piece">Any number of bytes.</param>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public unsafe void AppendData(ReadOnlySpan<byte> piece)
    {
        lock (_turn)
        {
            fixed (byte* bytes = piece)
            {
                int status = NativeMethods.sivka_kuznyechik_omac_update(_handle.Enter(out bool alone), bytes, (nuint)piece.Length);
                _handle.Leave(alone);
                Failure.Check(status);
            }
        }
    }

    /// <summary>
    /// Computes the tag of all pieces since the key was made or a message last ended, and ends this message: the next
    /// piece is the first of another one.
    /// </summary>
    /// <returns>The tag.</returns>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public byte[] GetTagAndReset()
    {
        byte[] tag = new byte[TagSizeInBytes];
        GetTagAndReset(tag);
        return tag;
    }

    /// <summary>The same into a buffer; allocates nothing.</summary>
    /// <param name="tag">Gets the tag; <see cref="TagSizeInBytes"/> bytes.</param>
    /// <exception cref="ArgumentException">The tag has another length; it is as it was, and the message goes on.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public unsafe void GetTagAndReset(Span<byte> tag)
    {
        lock (_turn)
        {
            fixed (byte* bytes = tag)
            {
                int status = NativeMethods.sivka_kuznyechik_omac_finish(_handle.Enter(out bool alone), bytes, (nuint)tag.Length);
                _handle.Leave(alone);
                Failure.Check(status);
            }
        }
    }

    /// <summary>
    /// Ends the message in pieces and compares a tag with its own, in the same time whatever the bytes are.
    /// </summary>
    /// <param name="tag">What is said to be its tag; <see cref="TagSizeInBytes"/> bytes.</param>
    /// <returns>Whether it is; the message has ended either way.</returns>
    /// <exception cref="ArgumentException">The tag has another length; the message goes on.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public unsafe bool VerifyAndReset(ReadOnlySpan<byte> tag)
    {
        lock (_turn)
        {
            fixed (byte* bytes = tag)
            {
                int status = NativeMethods.sivka_kuznyechik_omac_finish_and_verify(
                    _handle.Enter(out bool alone), bytes, (nuint)tag.Length);
                _handle.Leave(alone);
                return IsAuthentic(status);
            }
        }
    }

    /// <summary>Wipes the key. Calls that use it in other threads end before that; later ones fail.</summary>
    public void Dispose() => _handle.Dispose();

    private static bool IsAuthentic(int status)
    {
        if (status != Status.Open)
        {
            Failure.Check(status);
        }
        return status == Status.Ok;
    }
}
