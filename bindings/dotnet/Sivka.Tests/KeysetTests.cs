using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>Tink keysets beyond the vectors: round trips, rotation, encryption and what is refused.</summary>
public sealed class KeysetTests
{
    private const string Tink = "type.googleapis.com/google.crypto.tink.";

    /// <summary>The matrix seals and opens with every template.</summary>
    [Theory]
    [InlineData("aes256_gcm_siv", "AesGcmSivKey", 33)]
    [InlineData("AES256_SIV_RAW", "AesSivKey", 16)]
    public void ANewKeysetSaysWhatItIs(string template, string type, int overhead)
    {
        using Keyset keyset = Keyset.Generate(template);
        KeysetKeyInfo key = Assert.Single(keyset.Info.Keys);
        Assert.Equal((Tink + type, KeysetKeyStatus.Enabled), (key.TypeName, key.Status));
        Assert.Equal(template.EndsWith("_RAW", StringComparison.Ordinal) ? KeysetPrefix.Raw : KeysetPrefix.Tink, key.Prefix);
        Assert.Equal(key.Id, keyset.Info.PrimaryKeyId);
        KeysetPurpose purpose = type == "AesSivKey" ? KeysetPurpose.DeterministicAead : KeysetPurpose.Aead;
        Assert.Equal((purpose, purpose == KeysetPurpose.DeterministicAead), (keyset.Info.Purpose, keyset.Info.IsDeterministic));
        Assert.Equal((100 + overhead, 100 - overhead, 0), (keyset.SealedLength(100), keyset.OpenedLength(100), keyset.OpenedLength(5)));
        Assert.Empty(Open(keyset, Seal(keyset, [])));
    }

    [Fact]
    public void AKeysetForDifferentPurposesIsForNone()
    {
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV"), siv = Keyset.Generate("AES256_SIV");
        string json = Encoding.UTF8.GetString(keyset.ToInsecure(KeysetForm.Json));
        string other = Encoding.UTF8.GetString(siv.ToInsecure(KeysetForm.Json));
        string entry = other[(other.IndexOf('[') + 1)..other.LastIndexOf(']')];
        byte[] both = Encoding.UTF8.GetBytes(json.Insert(json.LastIndexOf(']'), "," + entry));
        using Keyset mixed = Keyset.FromInsecure(both, KeysetForm.Json);
        Assert.Equal((KeysetPurpose.Other, false), (mixed.Info.Purpose, mixed.Info.IsDeterministic));
        _ = Assert.Throws<InvalidDataException>(() => mixed.Seal("text"u8));
    }

    [Fact]
    public void KeysAreAddedPromotedDisabledDestroyedAndRemoved()
    {
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        uint old = keyset.Info.PrimaryKeyId;
        byte[] byOld = keyset.Seal("old"u8);
        uint added = keyset.Add("XCHACHA20_POLY1305");
        Assert.Equal(old, keyset.Info.PrimaryKeyId);
        keyset.Promote(added);
        byte[] byNew = keyset.Seal("new"u8);
        Assert.Equal(byOld.Length + 12, byNew.Length);
        Assert.Equal("old"u8.ToArray(), keyset.Open(byOld));

        keyset.Disable(old);
        Assert.False(keyset.TryOpen(byOld, out _));
        Refused<InvalidOperationException>($"key {old} is not enabled", () => keyset.Promote(old));
        keyset.Enable(old);
        Assert.True(keyset.TryOpen(byOld, out _));
        keyset.Destroy(old);
        Assert.Equal((KeysetKeyStatus.Destroyed, ""), (keyset.Info.Keys[0].Status, keyset.Info.Keys[0].TypeName));
        Refused<InvalidOperationException>($"key {old} is destroyed", () => keyset.Enable(old));
        keyset.Remove(old);
        Refused<ArgumentException>($"there is no key {old}", () => keyset.Remove(old));
        Refused<InvalidOperationException>($"key {added} is the primary", () => keyset.Remove(added));
        Refused<InvalidOperationException>("the keyset is for AEAD", () => keyset.Add("AES256_SIV"));
        uint third = keyset.Rotate("AES128_GCM");
        Assert.Equal((third, 2), (keyset.Info.PrimaryKeyId, keyset.Info.Keys.Count));
        Assert.Equal("new"u8.ToArray(), keyset.Open(byNew));
    }

    [Theory]
    [InlineData(KeysetForm.Binary)]
    [InlineData(KeysetForm.Json)]
    public void EncryptedByAService(KeysetForm form)
    {
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        using var key = new AesGcmSiv(new byte[32]);
        var service = new Service(key);
        byte[] clear = keyset.ToInsecure(KeysetForm.Binary);
        byte[] encrypted = keyset.Encrypt(form, service, "prod/eu"u8);
        using (Keyset read = Keyset.Decrypt(encrypted, form, service, "prod/eu"u8))
        using (Keyset again = Keyset.Decrypt(encrypted, form, key, "prod/eu"u8))
        {
            Assert.Equal(clear, read.ToInsecure(KeysetForm.Binary));
            Assert.Equal(clear, again.ToInsecure(KeysetForm.Binary));
        }
        Assert.Equal(2, service.Calls);
        Assert.All(service.Clear, octet => Assert.Equal(0, octet));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => Keyset.Decrypt(encrypted, form, service, "prod/us"u8));

        service.Failure = new TimeoutException("not reached");
        Assert.Same(service.Failure, Assert.Throws<TimeoutException>(() => Keyset.Decrypt(encrypted, form, service)));
        Assert.Same(service.Failure, Assert.Throws<TimeoutException>(() => keyset.Encrypt(form, service)));

        service.Failure = null;
        service.Nonsense = new byte[(1 << 20) + 1];
        _ = Assert.ThrowsAny<ArgumentException>(() => keyset.Encrypt(form, service));
        Assert.All(service.Clear, octet => Assert.Equal(0, octet));
        service.AnswersNull = true;
        _ = Assert.Throws<InvalidOperationException>(() => Keyset.Decrypt(encrypted, form, service));
        _ = Assert.Throws<InvalidOperationException>(() => keyset.Encrypt(form, service));
        service.AnswersNull = false;
        service.Nonsense = [];
        _ = Assert.Throws<InvalidDataException>(() => Keyset.Decrypt(encrypted, form, service));
    }

    [Theory]
    [InlineData(KeysetForm.Binary)]
    [InlineData(KeysetForm.Json)]
    public void EncryptedUnderAKeysetAndUnderAKey(KeysetForm form)
    {
        using Keyset keyset = Keyset.Generate("AES256_SIV"), master = Keyset.Generate("AES256_GCM");
        using var key = new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.GenerateKey());
        byte[] clear = keyset.ToInsecure(KeysetForm.Binary);
        byte[] encrypted = keyset.Encrypt(form, master, "prod/eu"u8);
        using (Keyset read = Keyset.Decrypt(encrypted, form, master, "prod/eu"u8))
        {
            Assert.Equal(clear, read.ToInsecure(KeysetForm.Binary));
        }
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => Keyset.Decrypt(encrypted, form, master, "prod/us"u8));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => Keyset.Decrypt(encrypted, form, key, "prod/eu"u8));
        Refused<InvalidDataException>("encrypted keyset", () => Keyset.FromInsecure(encrypted, form));
        Refused<InvalidOperationException>("the keyset is for deterministic AEAD", () => keyset.Encrypt(form, keyset));

        encrypted = keyset.Encrypt(form, key);
        using (Keyset read = Keyset.Decrypt(encrypted, form, key))
        {
            Assert.Equal(clear, read.ToInsecure(KeysetForm.Binary));
        }
    }

    [Fact]
    public void WhatIsNoKeysetIsSaidWithThePlace()
    {
        Refused<InvalidDataException>("at byte 7 (key)", () => Keyset.FromInsecure("{\"key\":3}"u8, KeysetForm.Json));
        Refused<InvalidDataException>("no key", () => Keyset.FromInsecure(default, KeysetForm.Binary));
        using Keyset keyset = Keyset.Generate("AES256_GCM");
        string json = Encoding.UTF8.GetString(keyset.ToInsecure(KeysetForm.Json));
        uint id = keyset.Info.PrimaryKeyId;
        byte[] unknown = Encoding.UTF8.GetBytes(json.Replace("AesGcmKey", "HmacKey", StringComparison.Ordinal));
        Refused<NotSupportedException>($"key {id} (key[0])", () => Keyset.FromInsecure(unknown, KeysetForm.Json));
        byte[] disabled = Encoding.UTF8.GetBytes(json.Replace("ENABLED", "DISABLED", StringComparison.Ordinal));
        Refused<InvalidDataException>("enabled", () => Keyset.FromInsecure(disabled, KeysetForm.Json));
        _ = Assert.Throws<ArgumentOutOfRangeException>("form", () => Keyset.FromInsecure(unknown, (KeysetForm)2));
        _ = Assert.Throws<ArgumentException>("template", () => Keyset.Generate("AES256"));
        _ = Assert.Throws<ArgumentException>("template", () => Keyset.Generate("AES256_GCM\0x"));

        int start = json.IndexOf("\"key\":[", StringComparison.Ordinal) + 7, end = json.LastIndexOf(']');
        string entry = json[start..end];
        string other = entry.Replace($"{id}", "1", StringComparison.Ordinal);
        byte[] twice = Encoding.UTF8.GetBytes($"{json[..end]},{other},{other}{json[end..]}");
        Refused<InvalidDataException>("key 1 (key[2])", () => Keyset.FromInsecure(twice, KeysetForm.Json));
        using Keyset allowed = Keyset.FromInsecure(twice, KeysetForm.Json, allowDuplicateIds: true);
        Refused<ArgumentException>("several keys have the id 1", () => allowed.ToInsecure(KeysetForm.Json));
        allowed.Remove(1);
        Assert.Equal(json, Encoding.UTF8.GetString(allowed.ToInsecure(KeysetForm.Json)));
    }

    [Fact]
    public void TheOtherPurposeIsRefused()
    {
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV"), siv = Keyset.Generate("AES256_SIV");
        Refused<InvalidOperationException>("the keyset is for deterministic AEAD", () => siv.Seal("text"u8));
        Refused<InvalidOperationException>("the keyset is for deterministic AEAD", () => siv.Open(new byte[50]));
        // Also where it gave a key for its own.
        _ = keyset.Seal("text"u8);
        Refused<InvalidOperationException>("the keyset is for AEAD", () => keyset.SealDeterministically("text"u8));
        Refused<InvalidOperationException>("the keyset is for AEAD", () => keyset.OpenDeterministically(new byte[50]));
        _ = Assert.Throws<ArgumentOutOfRangeException>("plaintextLength", () => keyset.SealedLength(int.MaxValue));
    }

    [Fact]
    public void NothingShowsAKey()
    {
        using Keyset keyset = Keyset.Generate("AES256_SIV");
        KeysetInfo info = keyset.Info;
        string expected = $"Keyset, primary {info.PrimaryKeyId}: {info.PrimaryKeyId} AesSivKey Enabled Tink";
        Assert.Equal(expected, keyset.ToString());
        keyset.Dispose();
        Assert.Equal("Keyset", keyset.ToString());
    }

    [Fact]
    public void ADisposedKeysetIsRefused()
    {
        Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        keyset.Dispose();
        keyset.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.Seal("text"u8));
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.Open(new byte[50]));
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.Add("AES256_GCM_SIV"));
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.ToInsecure(KeysetForm.Json));
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.Info);
    }

    /// <summary>Threads seal and open while another one rotates: every message opens, and no call meets a freed handle.</summary>
    [Fact]
    public async Task RotatesWhileOthersUseIt()
    {
        using Keyset keyset = Keyset.Generate("AES256_GCM_SIV");
        using var stop = new CancellationTokenSource();
        Task<int>[] users = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            int done = 0;
            for (; !stop.IsCancellationRequested || done == 0; done++)
            {
                Assert.Equal("text"u8.ToArray(), keyset.Open(keyset.Seal("text"u8)));
            }
            return done;
        }))];
        for (int i = 0; i < 200; i++)
        {
            _ = keyset.Rotate("AES128_GCM_SIV");
        }
        await stop.CancelAsync();
        Assert.All(await Task.WhenAll(users), done => Assert.True(done > 0));
        Assert.Equal(201, keyset.Info.Keys.Count);
    }

    private static byte[] Seal(Keyset keyset, byte[] text) =>
        keyset.Info.IsDeterministic ? keyset.SealDeterministically(text, "aad"u8) : keyset.Seal(text, "aad"u8);

    private static byte[] Open(Keyset keyset, byte[] sealedText) =>
        keyset.Info.IsDeterministic ? keyset.OpenDeterministically(sealedText, "aad"u8) : keyset.Open(sealedText, "aad"u8);

    private static void Refused<T>(string words, Func<object?> call)
        where T : Exception => Assert.Contains(words, Assert.Throws<T>(() => _ = call()).Message, StringComparison.Ordinal);

    private static void Refused<T>(string words, Action call)
        where T : Exception => Assert.Contains(words, Assert.Throws<T>(call).Message, StringComparison.Ordinal);

    /// <summary>A service with one key, which counts its calls.</summary>
    private sealed class Service(AesGcmSiv key) : IKeyManagement
    {
        internal int Calls { get; private set; }

        internal byte[] Clear { get; private set; } = [];

        internal Exception? Failure { get; set; }

        internal byte[]? Nonsense { get; set; }

        internal bool AnswersNull { get; set; }

        public byte[] Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData)
        {
            Asked();
            return AnswersNull ? null! : Nonsense ?? key.Seal(keyset, associatedData);
        }

        public byte[] Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData)
        {
            Asked();
            return AnswersNull ? null! : Clear = Nonsense ?? key.Open(encrypted, associatedData);
        }

        private void Asked()
        {
            Calls++;
            if (Failure is not null)
            {
                throw Failure;
            }
        }
    }
}
