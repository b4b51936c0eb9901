using System;
using Microsoft.AspNetCore.DataProtection.AuthenticatedEncryption;
using Microsoft.AspNetCore.DataProtection.KeyManagement;

namespace Sivka.DataProtection;

/// <summary>Makes what protects with a key of the key ring, if the key is one for AES-256-GCM-SIV.</summary>
public sealed class AesGcmSivEncryptorFactory : IAuthenticatedEncryptorFactory
{
    /// <summary>Makes what protects with a key.</summary>
    /// <param name="key">The key.</param>
    /// <returns>That, or null for a key of another algorithm.</returns>
    public IAuthenticatedEncryptor? CreateEncryptorInstance(IKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return key.Descriptor is AesGcmSivEncryptorDescriptor descriptor ? new AesGcmSivEncryptor(descriptor.CreateKey()) : null;
    }
}
