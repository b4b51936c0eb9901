using System;
using System.Security.Cryptography;
using System.Xml.Linq;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.AuthenticatedEncryption.ConfigurationModel;

namespace Sivka.DataProtection;

/// <summary>Reads what <see cref="AesGcmSivEncryptorDescriptor"/> wrote into a key ring.</summary>
public sealed class AesGcmSivEncryptorDescriptorDeserializer : IAuthenticatedEncryptorDescriptorDeserializer
{
    /// <summary>Reads a key of the key ring.</summary>
    /// <param name="element">The XML, decrypted.</param>
    /// <returns>The descriptor of the key.</returns>
    /// <exception cref="CryptographicException">The XML is not that of such a key.</exception>
    public IAuthenticatedEncryptorDescriptor ImportFromXml(XElement element)
    {
        ArgumentNullException.ThrowIfNull(element);
        string? algorithm = (string?)element.Element(AesGcmSivEncryptorDescriptor.EncryptionElement)
            ?.Attribute(AesGcmSivEncryptorDescriptor.AlgorithmAttribute);
        if (algorithm != AesGcmSivEncryptorDescriptor.Algorithm)
        {
            throw new CryptographicException($"A key ring has a key for '{algorithm}', which this version does not know.");
        }
        string? value = (string?)element.Element(AesGcmSivEncryptorDescriptor.KeyElement)
            ?.Element(AesGcmSivEncryptorDescriptor.ValueElement);
        byte[] key = [];
        try
        {
            key = Convert.FromBase64String(value ?? "");
            return new AesGcmSivEncryptorDescriptor(new Secret(key));
        }
        catch (Exception e) when (e is FormatException or ArgumentException)
        {
            throw new CryptographicException("A key ring has a key that is damaged.", e);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }
}
