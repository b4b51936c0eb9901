using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// A key that seals messages without a nonce of the caller's. It draws a random one for each message, or its
/// algorithm has none and gives the same bytes for the same message every time.
/// </summary>
/// <remarks>
/// A sealed message is nonce, ciphertext and tag, one after another; <see cref="AesSiv"/> puts the tag first.
/// Associated data is the last argument of every call; null is nothing.
/// </remarks>
public abstract class Aead : AeadKey, IKeyManagement
{
    private protected Aead(Algorithm algorithm, ReadOnlySpan<byte> key)
        : base(algorithm, key)
    {
    }

    /// <summary>Seals a message. If the algorithm has nonces, a random one is drawn.</summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="associatedData">Data that is authenticated and not encrypted.</param>
    /// <returns>Nonce, ciphertext and tag, one after another.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default)
    {
        byte[] sealedMessage = NewArray(Algorithm.SealedLength(plaintext.Length));
        Failure.Check(Message.Run(seals: true, Handle, associatedData, plaintext, sealedMessage, out _));
        return sealedMessage;
    }

    /// <inheritdoc cref="Seal(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, byte[]? associatedData) =>
        Seal(plaintext, (ReadOnlySpan<byte>)associatedData);

    /// <inheritdoc cref="Seal(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public byte[] Seal(byte[] plaintext, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(plaintext);
        return Seal((ReadOnlySpan<byte>)plaintext, (ReadOnlySpan<byte>)associatedData);
    }

    /// <summary>Does not compile: a span that can be written is no associated data.</summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="destination">The output of <see cref="SealTo"/>.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="NotSupportedException">Always.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [Obsolete("SealTo seals into a destination. Associated data is a ReadOnlySpan<byte> or an array.", error: true)]
    public byte[] Seal(ReadOnlySpan<byte> plaintext, Span<byte> destination) => throw new NotSupportedException();

    /// <summary>Seals a message into a buffer; allocates nothing.</summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="destination">Gets nonce, ciphertext and tag; at least <see cref="SealedLength"/> bytes.</param>
    /// <param name="associatedData">Data that is authenticated and not encrypted.</param>
    /// <returns>How many bytes were written.</returns>
    /// <exception cref="ArgumentException">The message is too long, or the destination too short.</exception>
    public int SealTo(ReadOnlySpan<byte> plaintext, Span<byte> destination, ReadOnlySpan<byte> associatedData = default)
    {
        Failure.Check(Message.Run(seals: true, Handle, associatedData, plaintext, destination, out nuint written), "sealed", nameof(destination));
        return (int)written;
    }

    /// <summary>Opens what <c>Seal</c> gave.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>The plaintext.</returns>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open, for whatever reason.</exception>
    public byte[] Open(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        TryOpen(sealedMessage, out byte[]? plaintext, associatedData) ? plaintext : throw Failure.Forged();

    /// <inheritdoc cref="Open(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public byte[] Open(byte[] sealedMessage, byte[]? associatedData = null)
    {
        ArgumentNullException.ThrowIfNull(sealedMessage);
        return Open((ReadOnlySpan<byte>)sealedMessage, (ReadOnlySpan<byte>)associatedData);
    }

    /// <summary>Opens a result of <c>Seal</c>, without an exception for a forgery.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="plaintext">The plaintext, or null if the message does not open.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>Whether the message opened.</returns>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        [NotNullWhen(true)] out byte[]? plaintext,
        ReadOnlySpan<byte> associatedData = default)
    {
        byte[] opened = new byte[Algorithm.OpenedLength(sealedMessage.Length)];
        plaintext = TryOpenTo(sealedMessage, opened, out _, associatedData) ? opened : null;
        return plaintext is not null;
    }

    /// <summary>Opens a result of <c>Seal</c> into a buffer; allocates nothing.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="destination">Gets the plaintext; at least <see cref="OpenedLength"/> bytes.</param>
    /// <param name="bytesWritten">The length of the plaintext, or 0 if the message does not open.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>Whether the message opened.</returns>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public bool TryOpenTo(
        ReadOnlySpan<byte> sealedMessage,
        Span<byte> destination,
        out int bytesWritten,
        ReadOnlySpan<byte> associatedData = default)
    {
        int status = Message.Run(seals: false, Handle, associatedData, sealedMessage, destination, out nuint written);
        bytesWritten = status == Status.Ok ? (int)written : 0;
        if (status == Status.Open)
        {
            return false;
        }
        Failure.Check(status, "plaintext", nameof(destination));
        return true;
    }

    /// <summary>The length of the result of <c>Seal</c> for a plaintext.</summary>
    /// <param name="plaintextLength">The length of the plaintext in bytes.</param>
    /// <returns>The length of nonce, ciphertext and tag in bytes.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or no array can be so long.</exception>
    public int SealedLength(int plaintextLength) => Algorithm.SealedLength(plaintextLength);

    /// <summary>The length of the plaintext in a sealed message.</summary>
    /// <param name="sealedLength">The length of nonce, ciphertext and tag in bytes.</param>
    /// <returns>The length of the plaintext in bytes; 0 also for a message that is too short and will not open.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public int OpenedLength(int sealedLength) => Algorithm.OpenedLength(sealedLength);

    /// <inheritdoc/>
    byte[] IKeyManagement.Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData) => Seal(keyset, associatedData);

    /// <inheritdoc/>
    byte[] IKeyManagement.Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData) => Open(encrypted, associatedData);

    /// <summary>Draws random nonces, such as for <c>EncryptBatch</c>.</summary>
    /// <param name="nonces">Gets the nonces; a multiple of the length of one.</param>
    /// <exception cref="ArgumentException">The length is no multiple of a nonce's.</exception>
    public void GenerateNonces(Span<byte> nonces) => Algorithm.GenerateNonces(nonces);
}
