using System;
using System.IO;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <content>Keysets that a key, another keyset, or a key-management service encrypts.</content>
public sealed partial class Keyset
{
    /// <summary>Decrypts a keyset. Info beside it is not authenticated, and not used.</summary>
    /// <param name="bytes">The encrypted keyset.</param>
    /// <param name="form">How it is written.</param>
    /// <param name="master">
    /// It encrypted the keyset: a key, a keyset for <c>Seal</c> and <c>Open</c>, or a service, whose exceptions pass.
    /// </param>
    /// <param name="associatedData">As for its encryption. Tink's older calls and tinkey have none.</param>
    /// <param name="allowDuplicateIds">As for <see cref="FromInsecure"/>.</param>
    /// <returns>The keyset.</returns>
    /// <exception cref="AuthenticationTagMismatchException">
    /// A wrong key, wrong associated data, or damage; it does not say which.
    /// </exception>
    /// <exception cref="InvalidDataException">It is no encrypted keyset in this form, or breaks a rule.</exception>
    /// <exception cref="NotSupportedException">It has an enabled key of another type or version.</exception>
    /// <exception cref="InvalidOperationException">The master is for another purpose.</exception>
    public static Keyset Decrypt(
        ReadOnlySpan<byte> bytes,
        KeysetForm form,
        IKeyManagement master,
        ReadOnlySpan<byte> associatedData = default,
        bool allowDuplicateIds = false)
    {
        ArgumentNullException.ThrowIfNull(master);
        Library.Load();
        byte[] input = bytes.ToArray(), data = associatedData.ToArray();
        uint flags = FlagsOf(form, allowDuplicateIds);
        Keyset Under(KeyHandle key) =>
            Made(NativeMethods.sivka_keyset_decrypt(key, data, input, flags, out KeysetHandle made), made);
        switch (master)
        {
            case Aead key:
                return Under(key.Handle);
            case Keyset keyset:
                return keyset.With(state => Under(state.Key(KeysetPurpose.Aead)));
        }
        byte[] encrypted = Written((output, out length) =>
            NativeMethods.sivka_encrypted_keyset_ciphertext(input, flags, output, out length));
        byte[] clear = Answered(master.Decrypt(encrypted, data));
        try
        {
            return FromInsecure(clear, KeysetForm.Binary, allowDuplicateIds);
        }
        finally
        {
            Array.Clear(clear, 0, clear.Length);
        }
    }

    /// <summary>Encrypts the keyset.</summary>
    /// <param name="form">
    /// How to write it. Binary reveals nothing of the keys; JSON has their ids, types and statuses in the clear, as in
    /// Tink.
    /// </param>
    /// <param name="master">
    /// A key, a keyset for <c>Seal</c> and <c>Open</c>, or a service, whose exceptions pass.
    /// </param>
    /// <param name="associatedData">Not in the result: to decrypt it, give the same.</param>
    /// <returns>The encrypted keyset.</returns>
    /// <exception cref="ArgumentException">Several keys have one id.</exception>
    /// <exception cref="InvalidOperationException">The master is for another purpose.</exception>
    public byte[] Encrypt(KeysetForm form, IKeyManagement master, ReadOnlySpan<byte> associatedData = default)
    {
        ArgumentNullException.ThrowIfNull(master);
        uint flags = FlagsOf(form);
        byte[] data = associatedData.ToArray();
        byte[] Under(KeyHandle key) => With(state => Written((output, out length) =>
            NativeMethods.sivka_keyset_encrypt(state.Keyset, key, data, flags, output, out length)));
        switch (master)
        {
            case Aead key:
                return Under(key.Handle);
            case Keyset keyset:
                return keyset.With(state => Under(state.Key(KeysetPurpose.Aead)));
        }
        // The keyset may change while the service is asked, which is once.
        using KeysetHandle copy = With(state =>
        {
            Failure.Check(NativeMethods.sivka_keyset_copy(state.Keyset, out KeysetHandle made));
            return made;
        });
        byte[] clear = Insecure(copy, Constants.KeysetBinary), encrypted;
        try
        {
            encrypted = Answered(master.Encrypt(clear, data));
        }
        finally
        {
            Array.Clear(clear, 0, clear.Length);
        }
        return Written((output, out length) =>
            NativeMethods.sivka_encrypted_keyset_of(copy, encrypted, flags, output, out length));
    }

    /// <inheritdoc/>
    byte[] IKeyManagement.Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData) => Seal(keyset, associatedData);

    /// <inheritdoc/>
    byte[] IKeyManagement.Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData) => Open(encrypted, associatedData);

    private static byte[] Answered(byte[]? answer) =>
        answer ?? throw new InvalidOperationException("The key-management service answered null.");
}
