using System;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// A <see cref="NonceAead"/> whose nonces are long enough to be drawn at random. <c>Seal</c> draws one, which
/// travels in front: nonce, ciphertext, tag.
/// </summary>
public abstract class RandomNonceAead : NonceAead
{
    private protected RandomNonceAead(Algorithm algorithm, ReadOnlySpan<byte> key)
        : base(algorithm, key)
    {
    }

    /// <summary>Seals a message under a random nonce.</summary>
    /// <param name="plaintext">What to seal.</param>
    /// <param name="associatedData">What is authenticated and not encrypted.</param>
    /// <returns>Nonce, ciphertext and tag, one after another.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        SealToArray(plaintext, associatedData);

    /// <inheritdoc cref="Seal(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentNullException"><paramref name="plaintext"/> is null.</exception>
    public byte[] Seal(byte[] plaintext, byte[]? associatedData = null) => SealToArray(plaintext, associatedData);

    /// <summary>Seals a message under a random nonce into a buffer; allocates nothing.</summary>
    /// <param name="plaintext">What to seal.</param>
    /// <param name="destination">Gets nonce, ciphertext and tag; at least <see cref="SealedLength"/> bytes.</param>
    /// <param name="associatedData">What is authenticated and not encrypted.</param>
    /// <returns>How many bytes were written.</returns>
    /// <exception cref="ArgumentException">The message is too long, or the destination too short.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public int Seal(ReadOnlySpan<byte> plaintext, Span<byte> destination, ReadOnlySpan<byte> associatedData) =>
        SealToSpan(plaintext, destination, associatedData);

    /// <summary>Opens what <c>Seal</c> gave.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>The plaintext.</returns>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open; there is no saying why.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public byte[] Open(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        OpenToArray(sealedMessage, associatedData);

    /// <inheritdoc cref="Open(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentNullException"><paramref name="sealedMessage"/> is null.</exception>
    public byte[] Open(byte[] sealedMessage, byte[]? associatedData = null) => OpenToArray(sealedMessage, associatedData);

    /// <summary>Opens what <c>Seal</c> gave, without an exception for a forgery.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <param name="plaintext">The plaintext, or null if the message does not open.</param>
    /// <returns>Whether the message opened.</returns>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        [NotNullWhen(true)] out byte[]? plaintext) =>
        TryOpenToArray(sealedMessage, associatedData, out plaintext);

    /// <summary>Opens what <c>Seal</c> gave into a buffer; allocates nothing.</summary>
    /// <param name="sealedMessage">Nonce, ciphertext and tag.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <param name="destination">Gets the plaintext; at least <see cref="OpenedLength"/> bytes.</param>
    /// <param name="bytesWritten">The length of the plaintext, or 0 if the message does not open.</param>
    /// <returns>Whether the message opened.</returns>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        Span<byte> destination,
        out int bytesWritten) =>
        TryOpenToSpan(sealedMessage, destination, associatedData, out bytesWritten);

    /// <summary>The length of what <c>Seal</c> gives for a plaintext.</summary>
    /// <param name="plaintextLength">The length of the plaintext in bytes.</param>
    /// <returns>The length of nonce, ciphertext and tag in bytes.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or no array can be so long.</exception>
    public int SealedLength(int plaintextLength) => Algorithm.SealedLength(plaintextLength);

    /// <summary>The length of the plaintext in a sealed message.</summary>
    /// <param name="sealedLength">The length of nonce, ciphertext and tag in bytes.</param>
    /// <returns>The length of the plaintext in bytes; 0 also for a message that is too short and will not open.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public int OpenedLength(int sealedLength) => Algorithm.OpenedLength(sealedLength);

    /// <summary>Draws random nonces, for <c>EncryptBatch</c> and its like.</summary>
    /// <param name="nonces">Gets as many nonces as it has room for; a multiple of the length of one.</param>
    /// <exception cref="ArgumentException">The length is no multiple of a nonce's.</exception>
    public void GenerateNonces(Span<byte> nonces) => Algorithm.GenerateNonces(nonces);
}
