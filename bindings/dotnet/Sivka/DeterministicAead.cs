using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>A key of an algorithm that takes no nonce: a message gives the same bytes every time.</summary>
/// <remarks>
/// Equal messages with equal associated data look equal. A sealed message is ciphertext and tag; of
/// <see cref="AesSiv"/> tag and ciphertext.
/// </remarks>
public abstract class DeterministicAead : Aead
{
    private protected DeterministicAead(Algorithm algorithm, ReadOnlySpan<byte> key)
        : base(algorithm, key)
    {
    }

    /// <summary>Encrypts and authenticates a message.</summary>
    /// <param name="plaintext">What to encrypt.</param>
    /// <param name="ciphertext">Gets the ciphertext; as long as <paramref name="plaintext"/>.</param>
    /// <param name="tag">Gets the tag.</param>
    /// <param name="associatedData">What is authenticated and not encrypted; null is nothing.</param>
    /// <exception cref="ArgumentNullException">One of the first three is null.</exception>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public void Encrypt(byte[] plaintext, byte[] ciphertext, byte[] tag, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(plaintext);
        ArgumentNullException.ThrowIfNull(ciphertext);
        ArgumentNullException.ThrowIfNull(tag);
        Failure.Check(Message.Encrypt(Handle, default, plaintext, ciphertext, tag, associatedData));
    }

    /// <inheritdoc cref="Encrypt(byte[], byte[], byte[], byte[])"/>
    public void Encrypt(
        ReadOnlySpan<byte> plaintext,
        Span<byte> ciphertext,
        Span<byte> tag,
        ReadOnlySpan<byte> associatedData = default) =>
        Failure.Check(Message.Encrypt(Handle, default, plaintext, ciphertext, tag, associatedData));

    /// <summary>Decrypts a message if it is authentic.</summary>
    /// <param name="ciphertext">What to decrypt.</param>
    /// <param name="tag">Its tag.</param>
    /// <param name="plaintext">
    /// Gets the plaintext; as long as <paramref name="ciphertext"/>. Holds zeros after a forgery.
    /// </param>
    /// <param name="associatedData">The associated data that it was sealed with; null is nothing.</param>
    /// <exception cref="ArgumentNullException">One of the first three is null.</exception>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open; there is no saying why.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public void Decrypt(byte[] ciphertext, byte[] tag, byte[] plaintext, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(ciphertext);
        ArgumentNullException.ThrowIfNull(tag);
        ArgumentNullException.ThrowIfNull(plaintext);
        Failure.Check(Message.Decrypt(Handle, default, ciphertext, tag, plaintext, associatedData));
    }

    /// <inheritdoc cref="Decrypt(byte[], byte[], byte[], byte[])"/>
    public void Decrypt(
        ReadOnlySpan<byte> ciphertext,
        ReadOnlySpan<byte> tag,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        Failure.Check(Message.Decrypt(Handle, default, ciphertext, tag, plaintext, associatedData));

    /// <summary>Decrypts a message if it is authentic, and says whether it is.</summary>
    /// <param name="ciphertext">What to decrypt.</param>
    /// <param name="tag">Its tag.</param>
    /// <param name="plaintext">
    /// Gets the plaintext; as long as <paramref name="ciphertext"/>. Holds zeros after a forgery.
    /// </param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>Whether it opened; there is no saying why not.</returns>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public bool TryDecrypt(
        ReadOnlySpan<byte> ciphertext,
        ReadOnlySpan<byte> tag,
        Span<byte> plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        Opened(Message.Decrypt(Handle, default, ciphertext, tag, plaintext, associatedData));

    /// <inheritdoc cref="RandomNonceAead.Seal(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        SealToArray(plaintext, associatedData);

    /// <inheritdoc cref="RandomNonceAead.Seal(byte[], byte[])"/>
    public byte[] Seal(byte[] plaintext, byte[]? associatedData = null) => SealToArray(plaintext, associatedData);

    /// <inheritdoc cref="RandomNonceAead.Seal(ReadOnlySpan{byte}, Span{byte}, ReadOnlySpan{byte})"/>
    public int Seal(ReadOnlySpan<byte> plaintext, Span<byte> destination, ReadOnlySpan<byte> associatedData) =>
        SealToSpan(plaintext, destination, associatedData);

    /// <inheritdoc cref="RandomNonceAead.Open(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public byte[] Open(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        OpenToArray(sealedMessage, associatedData);

    /// <inheritdoc cref="RandomNonceAead.Open(byte[], byte[])"/>
    public byte[] Open(byte[] sealedMessage, byte[]? associatedData = null) => OpenToArray(sealedMessage, associatedData);

    /// <inheritdoc cref="RandomNonceAead.TryOpen(ReadOnlySpan{byte}, ReadOnlySpan{byte}, out byte[])"/>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        [NotNullWhen(true)] out byte[]? plaintext) =>
        TryOpenToArray(sealedMessage, associatedData, out plaintext);

    /// <inheritdoc cref="RandomNonceAead.TryOpen(ReadOnlySpan{byte}, ReadOnlySpan{byte}, Span{byte}, out int)"/>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        Span<byte> destination,
        out int bytesWritten) =>
        TryOpenToSpan(sealedMessage, destination, associatedData, out bytesWritten);

    /// <inheritdoc cref="RandomNonceAead.SealedLength(int)"/>
    public int SealedLength(int plaintextLength) => Algorithm.SealedLength(plaintextLength);

    /// <inheritdoc cref="RandomNonceAead.OpenedLength(int)"/>
    public int OpenedLength(int sealedLength) => Algorithm.OpenedLength(sealedLength);

    /// <summary>Encrypts in place the messages that are in one buffer.</summary>
    /// <param name="messages">Message <c>i</c> is from <c>offsets[i]</c> up to <c>offsets[i + 1]</c>.</param>
    /// <param name="offsets">One more than there are messages; they ascend.</param>
    /// <param name="tags">Gets the tags, one after another.</param>
    /// <param name="associatedData">That of every message.</param>
    /// <exception cref="ArgumentException">A length or an offset is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public void EncryptBatch(
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        Span<byte> tags,
        ReadOnlySpan<byte> associatedData = default) =>
        Batch.Encrypt(Handle, default, messages, offsets, tags, associatedData);

    /// <summary>Decrypts in place the messages that are in one buffer.</summary>
    /// <param name="messages">Message <c>i</c> is from <c>offsets[i]</c> up to <c>offsets[i + 1]</c>.</param>
    /// <param name="offsets">One more than there are messages; they ascend.</param>
    /// <param name="tags">The tags, one after another.</param>
    /// <param name="opened">Gets for each message whether it opened; one that did not holds zeros.</param>
    /// <param name="associatedData">That of every message.</param>
    /// <returns>Whether all opened.</returns>
    /// <exception cref="ArgumentException">A length or an offset is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public bool DecryptBatch(
        Span<byte> messages,
        ReadOnlySpan<int> offsets,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        ReadOnlySpan<byte> associatedData = default) =>
        Batch.Decrypt(Handle, default, messages, offsets, tags, opened, associatedData);

    /// <summary>Encrypts the messages of a list in place.</summary>
    /// <param name="messages">The messages, which become their ciphertexts; none overlaps another.</param>
    /// <param name="tags">Gets the tags, one after another.</param>
    /// <param name="associatedData">That of each message, or null if none has any.</param>
    /// <exception cref="ArgumentNullException"><paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public void EncryptBatch(
        IReadOnlyList<Memory<byte>> messages,
        Span<byte> tags,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(messages);
        Batch.Encrypt(Handle, default, messages, tags, associatedData);
    }

    /// <summary>Decrypts the messages of a list in place.</summary>
    /// <param name="messages">The ciphertexts, which become their plaintexts, or zeros if they do not open.</param>
    /// <param name="tags">The tags, one after another.</param>
    /// <param name="opened">Gets for each message whether it opened.</param>
    /// <param name="associatedData">That of each message, or null if none has any.</param>
    /// <returns>Whether all opened.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A length is wrong, or buffers overlap.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public bool DecryptBatch(
        IReadOnlyList<Memory<byte>> messages,
        ReadOnlySpan<byte> tags,
        Span<bool> opened,
        IReadOnlyList<ReadOnlyMemory<byte>>? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(messages);
        return Batch.Decrypt(Handle, default, messages, tags, opened, associatedData);
    }
}
