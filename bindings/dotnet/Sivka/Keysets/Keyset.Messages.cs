using System;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <content>Keysets at work: the primary seals, and every enabled key that may have sealed a message is tried on it.</content>
public sealed partial class Keyset
{
    /// <summary>The length of what sealing a plaintext gives: prefix, nonce, ciphertext and tag.</summary>
    /// <param name="plaintextLength">Of the plaintext, in bytes.</param>
    /// <returns>The length in bytes.</returns>
    /// <exception cref="ArgumentException">The length is negative, or no array is so long.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for streams.</exception>
    /// <exception cref="InvalidDataException">The enabled keys are for different purposes.</exception>
    public int SealedLength(int plaintextLength)
    {
        return With(state => SealedLength(state.Key(Purpose(state)), plaintextLength));
    }

    /// <summary>
    /// The room that opening needs: as long as the plaintext, or a little longer where keys of the keyset seal to
    /// different lengths.
    /// </summary>
    /// <param name="sealedLength">Of the sealed message, in bytes.</param>
    /// <returns>The length in bytes; 0 also for a message that is too short and will not open.</returns>
    /// <exception cref="ArgumentException">The length is negative.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for streams.</exception>
    /// <exception cref="InvalidDataException">The enabled keys are for different purposes.</exception>
    public int OpenedLength(int sealedLength)
    {
        nuint length = (nuint)Algorithm.NotNegative(sealedLength, nameof(sealedLength));
        return With(state => (int)NativeMethods.sivka_key_open_len(state.Key(Purpose(state)), length));
    }

    /// <summary>Seals a message with the primary key, under a nonce that is drawn.</summary>
    /// <param name="plaintext">What to seal.</param>
    /// <param name="associatedData">What is authenticated and not encrypted.</param>
    /// <returns>Prefix, nonce, ciphertext and tag.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] Seal(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        SealToArray(KeysetPurpose.Aead, plaintext, associatedData);

    /// <summary>Opens what an enabled key has sealed.</summary>
    /// <param name="sealedMessage">What <see cref="Seal"/> returned, or any Tink.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>The plaintext.</returns>
    /// <exception cref="AuthenticationTagMismatchException">The message does not open; there is no saying why.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] Open(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        TryOpen(sealedMessage, out byte[]? plaintext, associatedData) ? plaintext : throw Failure.Forged();

    /// <summary>Opens what an enabled key has sealed, if it is authentic.</summary>
    /// <param name="sealedMessage">What <see cref="Seal"/> returned, or any Tink.</param>
    /// <param name="plaintext">Gets the plaintext, or null.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <returns>Whether it opened.</returns>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public bool TryOpen(
        ReadOnlySpan<byte> sealedMessage,
        [NotNullWhen(true)] out byte[]? plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        TryOpenToArray(KeysetPurpose.Aead, sealedMessage, associatedData, out plaintext);

    /// <summary>
    /// Seals a message of a deterministic keyset: equal messages with equal associated data are sealed to equal bytes,
    /// for look-ups and joins, and everybody sees that they are equal. After another key was promoted they are sealed to
    /// other bytes than before.
    /// </summary>
    /// <param name="plaintext">What to seal.</param>
    /// <param name="associatedData">What is authenticated and not encrypted, as the names of table and column.</param>
    /// <returns>Prefix, tag and ciphertext.</returns>
    /// <exception cref="ArgumentException">The message is too long.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    public byte[] SealDeterministically(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData = default) =>
        SealToArray(KeysetPurpose.DeterministicAead, plaintext, associatedData);

    /// <summary>Opens what an enabled key of a deterministic keyset has sealed.</summary>
    /// <inheritdoc cref="Open"/>
    public byte[] OpenDeterministically(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData = default) =>
        TryOpenDeterministically(sealedMessage, out byte[]? plaintext, associatedData) ? plaintext : throw Failure.Forged();

    /// <summary>Opens what an enabled key of a deterministic keyset has sealed, if it is authentic.</summary>
    /// <inheritdoc cref="TryOpen"/>
    public bool TryOpenDeterministically(
        ReadOnlySpan<byte> sealedMessage,
        [NotNullWhen(true)] out byte[]? plaintext,
        ReadOnlySpan<byte> associatedData = default) =>
        TryOpenToArray(KeysetPurpose.DeterministicAead, sealedMessage, associatedData, out plaintext);

    /// <summary>Of a keyset for anything else, that which the library refuses.</summary>
    private static KeysetPurpose Purpose(State state) =>
        NativeMethods.sivka_keyset_primitive(state.Keyset) == Constants.KeysetDeterministicAead
            ? KeysetPurpose.DeterministicAead
            : KeysetPurpose.Aead;

    private static int SealedLength(KeyHandle key, int plaintextLength)
    {
        nuint length = NativeMethods.sivka_key_seal_len(key, (nuint)Algorithm.NotNegative(plaintextLength, nameof(plaintextLength)));
        return length is 0 or > int.MaxValue ? throw Algorithm.TooLong(nameof(plaintextLength), plaintextLength) : (int)length;
    }

    private byte[] SealToArray(KeysetPurpose purpose, ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData)
    {
        for (State found = _state; ; found = _state)
        {
            try
            {
                KeyHandle key = found.Key(purpose);
                byte[] sealedMessage = new byte[SealedLength(key, plaintext.Length)];
                Failure.Check(NativeMethods.sivka_seal(key, associatedData, plaintext, sealedMessage, out _));
                return sealedMessage;
            }
            catch (ObjectDisposedException) when (_state != found)
            {
                // As in With, which spans cannot come into.
            }
        }
    }

    private bool TryOpenToArray(
        KeysetPurpose purpose,
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        [NotNullWhen(true)] out byte[]? plaintext)
    {
        for (State found = _state; ; found = _state)
        {
            try
            {
                KeyHandle key = found.Key(purpose);
                byte[] room = new byte[(int)NativeMethods.sivka_key_open_len(key, (nuint)sealedMessage.Length)];
                int status = NativeMethods.sivka_open(key, associatedData, sealedMessage, room, out nuint length);
                plaintext = null;
                if (status == Status.Open)
                {
                    return false;
                }
                Failure.Check(status);
                plaintext = room;
                if ((int)length != room.Length)
                {
                    plaintext = room.AsSpan(0, (int)length).ToArray();
                    Array.Clear(room, 0, room.Length);
                }
                return true;
            }
            catch (ObjectDisposedException) when (_state != found)
            {
                // As in With, which spans cannot come into.
            }
        }
    }
}
