using System;

namespace Sivka;

/// <summary>
/// Encrypts and decrypts keysets: a key, another keyset, or a client of a key-management service.
/// </summary>
/// <remarks>
/// Each method is called once for a keyset, by the thread that encrypts or decrypts it; its exceptions leave that call.
/// If the results of a service are Tink's, the keyset is Tink's too.
/// </remarks>
public interface IKeyManagement
{
    /// <summary>Encrypts a keyset.</summary>
    /// <param name="keyset">The keyset in the clear, valid only during the call.</param>
    /// <param name="associatedData">The associated data.</param>
    /// <returns>The encrypted keyset, for <see cref="Decrypt"/>, at most 1 MiB.</returns>
    byte[] Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData);

    /// <summary>Decrypts a keyset.</summary>
    /// <param name="encrypted">What <see cref="Encrypt"/> returned.</param>
    /// <param name="associatedData">The associated data.</param>
    /// <returns>The keyset in the clear, in an array that is wiped after the call.</returns>
    /// <exception cref="System.Security.Cryptography.CryptographicException">It does not open.</exception>
    byte[] Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData);
}
