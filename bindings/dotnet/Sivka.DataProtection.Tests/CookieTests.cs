using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.KeyManagement;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Sivka.DataProtection.Tests;

/// <summary>Real servers at 127.0.0.1 that share a key ring.</summary>
public sealed class CookieTests : IDisposable
{
    private readonly string _keyRing = Directory.CreateTempSubdirectory("sivka-key-ring-").FullName;

    public void Dispose() => Directory.Delete(_keyRing, recursive: true);

    [Fact]
    public async Task ACookieOfOneServerIsReadByTheOther()
    {
        await using WebApplication one = await Start(), other = await Start();
        string cookie = await LogIn(one);
        Assert.Equal("Alice", await WhoIs(one, cookie));
        Assert.Equal("Alice", await WhoIs(other, cookie));
        Assert.Equal("nobody", await WhoIs(other, "other=cookie"));
        string ring = string.Concat(Directory.GetFiles(_keyRing).Select(File.ReadAllText));
        Assert.Contains("AES-256-GCM-SIV", ring, StringComparison.Ordinal);
        Assert.Contains("requiresEncryption", ring, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AForgedCookieIsRefused()
    {
        await using WebApplication app = await Start();
        string cookie = await LogIn(app);
        // The name of the cookie comes before it, and an identifier of the key in its first 20 bytes.
        int start = cookie.IndexOf('=', StringComparison.Ordinal) + 1;
        foreach (int place in new[] { start, start + 12, start + 30, start + 80, cookie.Length - 3 })
        {
            char[] forged = cookie.ToCharArray();
            forged[place] = forged[place] == 'A' ? 'B' : 'A';
            Assert.Equal("nobody", await WhoIs(app, new string(forged)));
        }
        Assert.Equal("nobody", await WhoIs(app, cookie[..^4]));
        Assert.Equal("Alice", await WhoIs(app, cookie));
    }

    [Fact]
    public async Task KeysRotateAndAreRevoked()
    {
        await using WebApplication app = await Start();
        string before = await LogIn(app);
        IKeyManager manager = app.Services.GetRequiredService<IKeyManager>();
        _ = manager.CreateNewKey(DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(90));
        // Instances read the key ring when they start.
        await using WebApplication rotated = await Start();
        string after = await LogIn(rotated);
        Assert.NotEqual(KeyOf(Payload(before)), KeyOf(Payload(after)));
        Assert.Equal("Alice", await WhoIs(rotated, before));
        Assert.Equal("Alice", await WhoIs(rotated, after));

        manager.RevokeAllKeys(DateTimeOffset.UtcNow, "lost");
        await using WebApplication revoked = await Start();
        Assert.Equal("nobody", await WhoIs(revoked, after));
    }

    /// <summary>Nothing happens to a key ring until its next key; what an older one protected still opens.</summary>
    [Fact]
    public void AnExistingRingProtectsAsBeforeUntilItsNextKey()
    {
        byte[] text = [1, 2, 3];
        (IDataProtector plain, _) = Application(usesSivka: false);
        byte[] before = plain.Protect(text);
        string[] files = Directory.GetFiles(_keyRing);
        string[] ring = [.. files.Select(File.ReadAllText)];
        Assert.Contains("AES_256_CBC", Assert.Single(ring), StringComparison.Ordinal);
        (IDataProtector app, IKeyManager manager) = Application(usesSivka: true);
        byte[] after = app.Protect(text);
        Assert.Equal(KeyOf(before), KeyOf(after));
        Assert.Equal(text, plain.Unprotect(after));
        Assert.Equal(files, Directory.GetFiles(_keyRing));
        Assert.Equal(ring, files.Select(File.ReadAllText));

        _ = manager.CreateNewKey(DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(90));
        (IDataProtector rotated, _) = Application(usesSivka: true);
        byte[] next = rotated.Protect(text);
        Assert.NotEqual(KeyOf(before), KeyOf(next));
        Assert.Equal(text, rotated.Unprotect(before));
        Assert.Equal(text, rotated.Unprotect(next));
        // A server without the call reads nothing of the next key.
        _ = Assert.ThrowsAny<CryptographicException>(() => Application(usesSivka: false).Protector.Unprotect(next));
    }

    /// <summary>The same application with the one line, and without it.</summary>
    private (IDataProtector Protector, IKeyManager Manager) Application(bool usesSivka)
    {
        var services = new ServiceCollection();
        IDataProtectionBuilder builder = services.AddLogging().AddDataProtection()
            .SetApplicationName("example").PersistKeysToFileSystem(new DirectoryInfo(_keyRing));
        _ = usesSivka ? builder.UseSivka() : builder;
        ServiceProvider made = services.BuildServiceProvider();
        return (made.GetDataProtector("test"), made.GetRequiredService<IKeyManager>());
    }

    private async Task<WebApplication> Start()
    {
        WebApplication app = CookieExample.Build(_keyRing);
        app.Urls.Add("http://127.0.0.1:0");
        await app.StartAsync(TestContext.Current.CancellationToken);
        return app;
    }

    private static async Task<string> LogIn(WebApplication app)
    {
        using HttpClient client = ClientOf(app);
        using HttpResponseMessage answer = await client.GetAsync(new Uri("login", UriKind.Relative), TestContext.Current.CancellationToken);
        _ = answer.EnsureSuccessStatusCode();
        return answer.Headers.GetValues("Set-Cookie").Single().Split(';')[0];
    }

    private static async Task<string> WhoIs(WebApplication app, string cookie)
    {
        using HttpClient client = ClientOf(app);
        client.DefaultRequestHeaders.Add("Cookie", cookie);
        return await client.GetStringAsync(new Uri("", UriKind.Relative), TestContext.Current.CancellationToken);
    }

    private static HttpClient ClientOf(WebApplication app) =>
        new(new HttpClientHandler { UseCookies = false, CheckCertificateRevocationList = true }) { BaseAddress = new Uri(app.Urls.Single()) };

    /// <summary>The identifier of the key, after four bytes that are always the same.</summary>
    private static string KeyOf(byte[] payload) => Convert.ToHexString(payload.AsSpan(4, 16));

    private static byte[] Payload(string cookie) =>
        System.Buffers.Text.Base64Url.DecodeFromChars(cookie.AsSpan(cookie.IndexOf('=', StringComparison.Ordinal) + 1));
}
