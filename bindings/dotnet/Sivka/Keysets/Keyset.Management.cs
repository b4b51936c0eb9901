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
        uint flags = FlagsOf(form, allowDuplicateIds);
        var service = new ServiceBridge(master, encrypts: false);
        service.Check(NativeMethods.sivka_keyset_decrypt_with_service(
            service.Function, 0, associatedData, bytes, flags, out KeysetHandle made));
        return Made(Status.Ok, made);
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
        var service = new ServiceBridge(master, encrypts: true);
        // The service is asked once, with all the room that can be needed.
        byte[] room = new byte[Constants.KeysetMaxLen];
        byte[] data = associatedData.ToArray();
        return With(keyset =>
        {
            service.Check(NativeMethods.sivka_keyset_encrypt_with_service(
                keyset, service.Function, 0, data, flags, room, out nuint length));
            return room.AsSpan(0, (int)length).ToArray();
        });
    }
}
