using System;
using System.IO;
using Sivka.Native;

namespace Sivka;

/// <content>Keysets that a key-management service encrypts.</content>
public sealed partial class Keyset
{
    /// <summary>
    /// Decrypts a keyset by a key-management service. What is beside it is not authenticated, and not used.
    /// </summary>
    /// <param name="bytes">The encrypted keyset.</param>
    /// <param name="form">How it is written.</param>
    /// <param name="master">The service that encrypted it. What it throws is thrown.</param>
    /// <param name="associatedData">What it was encrypted with. Tink's older calls and tinkey have none.</param>
    /// <param name="allowDuplicateIds">As for <see cref="FromInsecure"/>.</param>
    /// <returns>The keyset.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="master"/> is null.</exception>
    /// <exception cref="InvalidDataException">It is no encrypted keyset in this form, or what it holds breaks a rule.</exception>
    /// <exception cref="NotSupportedException">It has an enabled key of another type or version.</exception>
    /// <exception cref="DllNotFoundException">The native library is missing.</exception>
    public static Keyset Decrypt(
        ReadOnlySpan<byte> bytes,
        KeysetForm form,
        IKeyManagement master,
        ReadOnlySpan<byte> associatedData = default,
        bool allowDuplicateIds = false)
    {
        ArgumentNullException.ThrowIfNull(master);
        Library.Load();
        byte[] input = bytes.ToArray();
        uint flags = FlagsOf(form, allowDuplicateIds);
        byte[] encrypted = Written((output, out length) =>
            NativeMethods.sivka_encrypted_keyset_ciphertext(input, flags, output, out length));
        byte[] clear = Answered(master.Decrypt(encrypted, associatedData));
        try
        {
            return FromInsecure(clear, KeysetForm.Binary, allowDuplicateIds);
        }
        finally
        {
            Array.Clear(clear, 0, clear.Length);
        }
    }

    /// <summary>Encrypts the keyset by a key-management service.</summary>
    /// <param name="form">
    /// How to write it. Binary says nothing of the keys; JSON says their ids, types and statuses in the clear, as Tink
    /// has it.
    /// </param>
    /// <param name="master">The service. What it throws is thrown.</param>
    /// <param name="associatedData">Not in what is written: who decrypts must know it.</param>
    /// <returns>The encrypted keyset.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="master"/> is null.</exception>
    /// <exception cref="ArgumentException">Several keys have one id.</exception>
    /// <exception cref="ObjectDisposedException">The keyset was disposed of.</exception>
    public byte[] Encrypt(
        KeysetForm form, IKeyManagement master, ReadOnlySpan<byte> associatedData = default)
    {
        ArgumentNullException.ThrowIfNull(master);
        uint flags = FlagsOf(form);
        using KeysetHandle copy = With(state =>
        {
            Failure.Check(NativeMethods.sivka_keyset_copy(state.Keyset, out KeysetHandle made));
            return made;
        });
        byte[] clear = Insecure(copy, Constants.KeysetBinary), encrypted;
        try
        {
            encrypted = Answered(master.Encrypt(clear, associatedData));
        }
        finally
        {
            Array.Clear(clear, 0, clear.Length);
        }
        return Written((output, out length) =>
            NativeMethods.sivka_encrypted_keyset_of(copy, encrypted, flags, output, out length));
    }

    private static byte[] Answered(byte[]? answer) =>
        answer ?? throw new InvalidOperationException("The key-management service answered null.");
}
