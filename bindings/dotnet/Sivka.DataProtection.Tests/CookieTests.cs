using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
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
        Assert.NotEqual(KeyOf(before), KeyOf(after));
        Assert.Equal("Alice", await WhoIs(rotated, before));
        Assert.Equal("Alice", await WhoIs(rotated, after));

        manager.RevokeAllKeys(DateTimeOffset.UtcNow, "lost");
        await using WebApplication revoked = await Start();
        Assert.Equal("nobody", await WhoIs(revoked, after));
    }

    [Fact]
    public async Task WhatTheBuiltInAlgorithmProtectedStillOpens()
    {
        await using WebApplication plain = await Start(BuiltIn);
        string before = await LogIn(plain);
        Assert.Contains("AES_256_CBC", string.Concat(Directory.GetFiles(_keyRing).Select(File.ReadAllText)), StringComparison.Ordinal);
        await using WebApplication app = await Start();
        Assert.Equal("Alice", await WhoIs(app, before));
        _ = app.Services.GetRequiredService<IKeyManager>().CreateNewKey(DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(90));
        await using WebApplication rotated = await Start();
        string after = await LogIn(rotated);
        Assert.NotEqual(KeyOf(before), KeyOf(after));
        Assert.Equal("Alice", await WhoIs(rotated, before));
        Assert.Equal("Alice", await WhoIs(rotated, after));
    }

    /// <summary>Nothing happens to a key ring until its next key.</summary>
    [Fact]
    public async Task AnExistingRingProtectsAsBeforeUntilItsNextKey()
    {
        await using WebApplication plain = await Start(BuiltIn);
        string before = await LogIn(plain);
        string[] files = Directory.GetFiles(_keyRing);
        string[] ring = [.. files.Select(File.ReadAllText)];
        await using WebApplication app = await Start();
        string after = await LogIn(app);
        Assert.Equal(KeyOf(before), KeyOf(after));
        Assert.Equal("Alice", await WhoIs(plain, after));
        Assert.Equal(files, Directory.GetFiles(_keyRing));
        Assert.Equal(ring, files.Select(File.ReadAllText));

        // A server without the call reads nothing of the next key.
        _ = app.Services.GetRequiredService<IKeyManager>().CreateNewKey(DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(90));
        await using WebApplication rotated = await Start();
        string next = await LogIn(rotated);
        Assert.NotEqual(KeyOf(before), KeyOf(next));
        Assert.Equal("Alice", await WhoIs(rotated, next));
        await using WebApplication left = await Start(BuiltIn);
        Assert.Equal("nobody", await WhoIs(left, next));
    }

    private static async Task<WebApplication> Listening(WebApplication app)
    {
        app.Urls.Add("http://127.0.0.1:0");
        await app.StartAsync(TestContext.Current.CancellationToken);
        return app;
    }

    private Task<WebApplication> Start(Func<string, WebApplication>? build = null) =>
        Listening((build ?? CookieExample.Build)(_keyRing));

    /// <summary>The same application without the one line.</summary>
    private static WebApplication BuiltIn(string keyRing) => PlainApplication.Build(keyRing);

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
    private static string KeyOf(string cookie)
    {
        string value = cookie[(cookie.IndexOf('=', StringComparison.Ordinal) + 1)..];
        byte[] bytes = System.Buffers.Text.Base64Url.DecodeFromChars(value);
        return Convert.ToHexString(bytes.AsSpan(4, 16));
    }
}
