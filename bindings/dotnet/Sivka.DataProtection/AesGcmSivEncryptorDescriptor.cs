using System;
using System.Security.Cryptography;
using System.Xml.Linq;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.AuthenticatedEncryption.ConfigurationModel;

namespace Sivka.DataProtection;

/// <summary>A key of a key ring for AES-256-GCM-SIV, and how it is written there.</summary>
public sealed class AesGcmSivEncryptorDescriptor : IAuthenticatedEncryptorDescriptor
{
    internal const string EncryptionElement = "encryption";
    internal const string AlgorithmAttribute = "algorithm";
    internal const string KeyElement = "masterKey";
    internal const string ValueElement = "value";
    private const int KeyLength = 32;

    /// <summary>The only one: a key ring says it, so that another can be added.</summary>
    internal const string Algorithm = "AES-256-GCM-SIV";

    private readonly ISecret _key;

    /// <summary>Describes a key.</summary>
    /// <param name="key">32 bytes, uniformly random.</param>
    /// <exception cref="ArgumentException">The key has another length.</exception>
    public AesGcmSivEncryptorDescriptor(ISecret key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (key.Length != KeyLength)
        {
            throw new ArgumentException($"key: {KeyLength} expected, {key.Length} given", nameof(key));
        }
        _key = key;
    }

    /// <summary>Writes the key, marked to be encrypted where the key ring encrypts its keys.</summary>
    /// <returns>The XML, and what reads it.</returns>
    public XmlSerializedDescriptorInfo ExportToXml()
    {
        XElement key = Read(bytes => new XElement(KeyElement, new XElement(ValueElement, Convert.ToBase64String(bytes))));
        key.MarkAsRequiresEncryption();
        var descriptor = new XElement(
            "descriptor",
            new XElement(EncryptionElement, new XAttribute(AlgorithmAttribute, Algorithm)),
            key);
        return new XmlSerializedDescriptorInfo(descriptor, typeof(AesGcmSivEncryptorDescriptorDeserializer));
    }

    internal AesGcmSiv CreateKey() => Read(bytes => new AesGcmSiv(bytes));

    private T Read<T>(Func<byte[], T> use)
    {
        byte[] bytes = new byte[_key.Length];
        try
        {
            _key.WriteSecretIntoBuffer(new ArraySegment<byte>(bytes));
            return use(bytes);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }
}
