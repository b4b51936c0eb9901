using System;
using Microsoft.AspNetCore.DataProtection.AuthenticatedEncryption;

namespace Sivka.DataProtection;

/// <summary>
/// Protects with one key: nonce, ciphertext and tag. The nonce is random, so that any number of servers may share the
/// key; one that repeats shows only whether two payloads with the same purpose are equal.
/// </summary>
/// <remarks>Data Protection disposes of no encryptor: the key is wiped when the collector finds it.</remarks>
internal sealed class AesGcmSivEncryptor(AesGcmSiv key) : IAuthenticatedEncryptor
{
    public byte[] Encrypt(ArraySegment<byte> plaintext, ArraySegment<byte> additionalAuthenticatedData) =>
        key.Seal(plaintext.AsSpan(), (ReadOnlySpan<byte>)additionalAuthenticatedData.AsSpan());

    public byte[] Decrypt(ArraySegment<byte> ciphertext, ArraySegment<byte> additionalAuthenticatedData) =>
        key.Open(ciphertext.AsSpan(), additionalAuthenticatedData.AsSpan());
}
