using System;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.KeyManagement;
using Microsoft.Extensions.DependencyInjection;

namespace Sivka.DataProtection;

/// <summary>Puts AES-256-GCM-SIV into ASP.NET Core Data Protection.</summary>
public static class SivkaDataProtectionBuilderExtensions
{
    /// <summary>Protects with AES-256-GCM-SIV from the next key of the key ring on.</summary>
    /// <remarks>
    /// Data that keys of other algorithms protected still opens. An instance without this call cannot read what one
    /// with it has protected. So all instances that share a key ring get it before the next key is made.
    /// </remarks>
    /// <param name="builder">The result of <c>AddDataProtection</c>.</param>
    /// <returns>The same.</returns>
    public static IDataProtectionBuilder UseSivka(this IDataProtectionBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        _ = builder.Services.Configure<KeyManagementOptions>(options =>
        {
            options.AuthenticatedEncryptorConfiguration = new AesGcmSivEncryptorConfiguration();
            options.AuthenticatedEncryptorFactories.Add(new AesGcmSivEncryptorFactory());
        });
        return builder;
    }
}
