using System;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <content>Keysets at work: the primary seals, and every enabled key that may have sealed a message is tried on it.</content>
public sealed partial class Keyset
{
    private delegate T Work<T>(KeyHandle key, ReadOnlySpan<byte> text, ReadOnlySpan<byte> data);

    /// <summary>Seals a message with the primary key, under a nonce that is drawn.</summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="associatedData">Data that is authenticated and not encrypted.</param>
    /// <returns>Prefix, nonce, ciphertext and tag.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        Under(KeysetPurpose.Aead, plaintext, associatedData, SealUnder);

    /// <summary>Opens a message of an enabled key.</summary>
    /// <param name="sealedMessage">A message of <see cref="Seal"/>, or of any Tink.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>The plaintext.</returns>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open, for whatever reason.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] Open(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        TryOpen(sealedMessage, out byte[]? plaintext, associatedData) ? plaintext : throw Failure.Forged();

    /// <summary>Opens a message of an enabled key, if it is authentic.</summary>
    /// <param name="sealedMessage">A message of <see cref="Seal"/>, or of any Tink.</param>
    /// <param name="plaintext">Gets the plaintext, or null.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>Whether it opened.</returns>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        [NotNullWhen(true)] out byte[]? plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        (plaintext = Under(KeysetPurpose.Aead, sealedMessage, associatedData, OpenUnder)) is not null;

    /// <summary>
    /// Seals a message of a deterministic keyset: equal messages with equal associated data are sealed to equal bytes,
    /// for look-ups and joins, and everybody sees that they are equal. After another key was promoted they are sealed to
    /// other bytes than before.
    /// </summary>
    /// <param name="plaintext">The plaintext.</param>
    /// <param name="associatedData">Data that is authenticated and not encrypted, as the names of table and column.</param>
    /// <returns>Prefix, tag and ciphertext.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] SealDeterministically(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        Under(KeysetPurpose.DeterministicAead, plaintext, associatedData, SealUnder);

    /// <summary>Opens a message of an enabled key of a deterministic keyset.</summary>
    /// <inheritdoc cref="Open"/>
    public byte[] OpenDeterministically(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        TryOpenDeterministically(sealedMessage, out byte[]? plaintext, associatedData) ? plaintext : throw Failure.Forged();

    /// <summary>Opens a message of an enabled key of a deterministic keyset, if it is authentic.</summary>
    /// <inheritdoc cref="TryOpen"/>
    public bool TryOpenDeterministically(
        ReadOnlySpan<byte> sealedMessage,
        [NotNullWhen(true)] out byte[]? plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        (plaintext = Under(KeysetPurpose.DeterministicAead, sealedMessage, associatedData, OpenUnder)) is not null;

    private static byte[] SealUnder(KeyHandle key, ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData)
    {
        nuint length = NativeMethods.sivka_key_seal_len(key, (nuint)plaintext.Length);
        if (length is 0 or > int.MaxValue)
        {
            throw Algorithm.TooLong(nameof(plaintext), plaintext.Length);
        }
        byte[] sealedMessage = new byte[(int)length];
        Failure.Check(Message.Run(seals: true, key, associatedData, plaintext, sealedMessage, out _));
        return sealedMessage;
    }

    /// <summary>The plaintext, or null for a forgery.</summary>
    private static byte[]? OpenUnder(KeyHandle key, ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData)
    {
        byte[] room = new byte[(int)NativeMethods.sivka_key_open_len(key, (nuint)sealedMessage.Length)];
        int status = Message.Run(seals: false, key, associatedData, sealedMessage, room, out nuint length);
        if (status == Status.Open)
        {
            return null;
        }
        Failure.Check(status);
        if ((int)length == room.Length)
        {
            return room;
        }
        byte[] plaintext = room.AsSpan(0, (int)length).ToArray();
        Array.Clear(room, 0, room.Length);
        return plaintext;
    }

    /// <summary>As <see cref="With"/>, for spans, which no lambda takes along.</summary>
    private T Under<T>(KeysetPurpose purpose, ReadOnlySpan<byte> text, ReadOnlySpan<byte> data, Work<T> work)
    {
        for (State found = _state; ; found = _state)
        {
            try
            {
                return work(found.Key(purpose), text, data);
            }
            catch (ObjectDisposedException) when (_state != found)
            {
                // Changed between the look at it and its use.
            }
        }
    }
}
