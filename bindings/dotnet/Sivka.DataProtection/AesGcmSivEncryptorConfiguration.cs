using System;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.AuthenticatedEncryption.ConfigurationModel;

namespace Sivka.DataProtection;

/// <summary>Makes the keys of a key ring for AES-256-GCM-SIV.</summary>
public sealed class AesGcmSivEncryptorConfiguration : AlgorithmConfiguration
{
    /// <summary>Draws a new key.</summary>
    /// <returns>Its descriptor.</returns>
    public override IAuthenticatedEncryptorDescriptor CreateNewDescriptor()
    {
        byte[] key = AesGcmSiv.GenerateKey();
        try
        {
            return new AesGcmSivEncryptorDescriptor(new Secret(key));
        }
        finally
        {
            Array.Clear(key);
        }
    }
}
