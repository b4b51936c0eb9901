using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// A key of an algorithm for authenticated encryption with associated data. Its calls take the caller's nonces, as
/// those of <c>System.Security.Cryptography.AesGcm</c>. <see cref="Aead"/> has calls without a nonce.
/// </summary>
/// <remarks>
/// <para>The nonce of an algorithm without one is empty. The overloads with spans allocate nothing.</para>
/// <para>
/// <c>plaintext</c> and <c>ciphertext</c> have the same length and are the same memory, to work in place, or do not
/// overlap. An output overlaps nothing else. A wrong call throws an <see cref="ArgumentException"/> with both numbers;
/// nothing was written then.
/// </para>
/// <para>
/// Any number of threads may use one key at the same time. The key is in native memory;
/// <see cref="Dispose"/> wipes it as soon as no call uses it any more, and the garbage collector does so
/// for a key that was forgotten.
/// </para>
/// <para>
/// The first call throws a <see cref="DllNotFoundException"/> if the native library is missing. Every call after <see
/// cref="Dispose"/> throws an <see cref="ObjectDisposedException"/>. Null throws an <see cref="ArgumentNullException"/>
/// if the type does not allow it.
/// </para>
/// </remarks>
public abstract class AeadKey : IDisposable
{
    private protected AeadKey(Algorithm algorithm, ReadOnlySpan<byte> key)
    {
        Algorithm = algorithm;
        Failure.Check(NativeMethods.sivka_key_new(algorithm.Number, key, out KeyHandle made));
        made.Owner = GetType().FullName!;
        Handle = made;
    }

    /// <summary>Gets whether the native library is there; it has all algorithms.</summary>
    public static bool IsSupported => Library.IsAvailable;

    /// <summary>Gets the name of the algorithm, as <c>AES-256-GCM-SIV</c>.</summary>
    public string AlgorithmName => Algorithm.Name;

    /// <summary>Gets the length of a nonce in bytes; 0 for an algorithm that takes none.</summary>
    public int NonceSizeInBytes => Algorithm.NonceLength;

    /// <summary>Gets the length of a tag in bytes.</summary>
    public int TagSizeInBytes => Algorithm.TagLength;

    private protected Algorithm Algorithm { get; }

    internal KeyHandle Handle { get; }

    /// <summary>Wipes the key. Calls that use it in other threads end before that; later ones fail.</summary>
    public void Dispose()
    {
        Handle.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Encrypts and authenticates a message.</summary>
    /// <param name="nonce">The nonce, which should seal one message under this key.</param>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="ciphertext">Gets the ciphertext; as long as <paramref name="plaintext"/>.</param>
    /// <param name="tag">Gets the tag.</param>
    /// <param name="associatedData">Data that is authenticated and not encrypted; null is nothing.</param>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    public void Encrypt(byte[] nonce, byte[] plaintext, byte[] ciphertext, byte[] tag, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(nonce);
        ArgumentNullException.ThrowIfNull(plaintext);
        ArgumentNullException.ThrowIfNull(ciphertext);
        ArgumentNullException.ThrowIfNull(tag);
        Failure.Check(Message.Run(seals: true, Handle, associatedData, plaintext, ciphertext, out _, isDetached: true, nonce, tag));
    }

    /// <inheritdoc cref="Encrypt(byte[], byte[], byte[], byte[], byte[])"/>
    public void Encrypt(
        ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plaintext, Span<byte> ciphertext, Span<byte> tag, ReadOnlySpan<byte> associatedData = default) =>
        Failure.Check(Message.Run(seals: true, Handle, associatedData, plaintext, ciphertext, out _, isDetached: true, nonce, tag));

    /// <summary>Decrypts a message if it is authentic.</summary>
    /// <param name="nonce">The nonce that it was sealed with.</param>
    /// <param name="ciphertext">The ciphertext.</param>
    /// <param name="tag">Its tag.</param>
    /// <param name="plaintext">
    /// Gets the plaintext; as long as <paramref name="ciphertext"/>. Holds zeros after a forgery.
    /// </param>
    /// <param name="associatedData">The associated data that it was sealed with; null is nothing.</param>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open, for whatever reason.</exception>
    public void Decrypt(byte[] nonce, byte[] ciphertext, byte[] tag, byte[] plaintext, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(nonce);
        ArgumentNullException.ThrowIfNull(ciphertext);
        ArgumentNullException.ThrowIfNull(tag);
        ArgumentNullException.ThrowIfNull(plaintext);
        Failure.Check(Message.Run(seals: false, Handle, associatedData, ciphertext, plaintext, out _, isDetached: true, nonce, tag));
    }

    /// <inheritdoc cref="Decrypt(byte[], byte[], byte[], byte[], byte[])"/>
    public void Decrypt(
        ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        Failure.Check(Message.Run(seals: false, Handle, associatedData, ciphertext, plaintext, out _, isDetached: true, nonce, tag));

    /// <summary>Decrypts a message if it is authentic, and says whether it is.</summary>
    /// <inheritdoc cref="Decrypt(byte[], byte[], byte[], byte[], byte[])" path="/param"/>
    /// <returns>Whether it opened, for whatever reason.</returns>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    public bool TryDecrypt(
        ReadOnlySpan<byte> nonce,
        ReadOnlySpan<byte> ciphertext,
        ReadOnlySpan<byte> tag,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        Opened(Message.Run(seals: false, Handle, associatedData, ciphertext, plaintext, out _, isDetached: true, nonce, tag));

    /// <summary>Encrypts many messages in place in one call: short ones then share the CPU.</summary>
    /// <param name="nonces">The nonces, one after another.</param>
    /// <param name="messages">The messages, which become their ciphertexts; none overlaps another.</param>
    /// <param name="tags">Gets the tags, one after another.</param>
    /// <param name="associatedData">That of each message, or null if none has any.</param>
    /// <exception cref="ArgumentException">A length is wrong, buffers overlap, or the algorithm refuses a message.</exception>
    public void EncryptBatch(
        ReadOnlySpan<byte> nonces,
        IReadOnlyList<Memory<byte>> messages,
        Span<byte> tags,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(messages);
        using var texts = new PinnedList(messages);
        using PinnedList? data = associatedData is null ? null : new PinnedList(associatedData);
        _ = Batch.Run(seals: true, this, nonces, data, texts, tags, default, texts.Count);
    }

    /// <summary>Decrypts many messages in place in one call.</summary>
    /// <param name="nonces">The nonces, one after another.</param>
    /// <param name="messages">The ciphertexts, which become their plaintexts, or zeros if they do not open.</param>
    /// <param name="tags">The tags, one after another.</param>
    /// <param name="opened">Gets for each message whether it opened.</param>
    /// <param name="associatedData">That of each message, or null if none has any.</param>
    /// <returns>Whether all opened.</returns>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    public bool DecryptBatch(
        ReadOnlySpan<byte> nonces,
        IReadOnlyList<Memory<byte>> messages,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(messages);
        using var texts = new PinnedList(messages);
        using PinnedList? data = associatedData is null ? null : new PinnedList(associatedData);
        return Batch.Run(seals: false, this, nonces, data, texts, tags, opened, texts.Count);
    }

    /// <summary>Encrypts in place the messages that are in one buffer, as Arrow lays out strings.</summary>
    /// <param name="nonces">The nonces, one after another.</param>
    /// <param name="messages">Message <c>i</c> is from <c>offsets[i]</c> up to <c>offsets[i + 1]</c>.</param>
    /// <param name="offsets">One more than there are messages; they ascend.</param>
    /// <param name="tags">Gets the tags, one after another.</param>
    /// <param name="associatedData">That of every message.</param>
    /// <exception cref="ArgumentException">A length or an offset is wrong, buffers overlap, or the algorithm refuses a message.</exception>
    public void EncryptBatch(
        ReadOnlySpan<byte> nonces,
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        Span<byte> tags,
        ReadOnlySpan<byte> associatedData = default) =>
        Batch.Run(seals: true, this, nonces, messages, offsets, tags, default, associatedData);

    /// <summary>Decrypts in place the messages that are in one buffer.</summary>
    /// <param name="nonces">The nonces, one after another.</param>
    /// <param name="messages">Message <c>i</c> is from <c>offsets[i]</c> up to <c>offsets[i + 1]</c>.</param>
    /// <param name="offsets">One more than there are messages; they ascend.</param>
    /// <param name="tags">The tags, one after another.</param>
    /// <param name="opened">Gets for each message whether it opened; one that did not holds zeros.</param>
    /// <param name="associatedData">That of every message.</param>
    /// <returns>Whether all opened.</returns>
    /// <exception cref="ArgumentException">A length or an offset is wrong, or buffers overlap.</exception>
    public bool DecryptBatch(
        ReadOnlySpan<byte> nonces,
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        ReadOnlySpan<byte> associatedData = default) =>
        Batch.Run(seals: false, this, nonces, messages, offsets, tags, opened, associatedData);

    /// <summary>Whether a message opened; other errors are thrown.</summary>
    private protected static bool Opened(int status)
    {
        if (status == Status.Open)
        {
            return false;
        }
        Failure.Check(status);
        return true;
    }

    /// <summary>An array that is written in whole, or thrown away.</summary>
    internal static byte[] NewArray(int length)
    {
#if NET
        return GC.AllocateUninitializedArray<byte>(length);
#else
        return new byte[length];
#endif
    }
}
