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
    private const string Tink = "type.googleapis.com/google.crypto.tink.", Streaming = "AES256_GCM_HKDF_4KB";
    private static readonly byte[] s_data = "backup of monday"u8.ToArray();

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
        Assert.Equal(100 + overhead, (type == "AesSivKey" ? keyset.SealDeterministically(new byte[100]) : keyset.Seal(new byte[100])).Length);
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
        service.Nonsense = () => new byte[(1 << 20) + 1];
        _ = Assert.ThrowsAny<ArgumentException>(() => keyset.Encrypt(form, service));
        service.Nonsense = () => null!;
        _ = Assert.Throws<InvalidOperationException>(() => Keyset.Decrypt(encrypted, form, service));
        _ = Assert.Throws<InvalidOperationException>(() => keyset.Encrypt(form, service));
        service.Nonsense = () => [];
        Refused<ArgumentException>("an encrypted keyset is not empty", () => keyset.Encrypt(form, service));
        _ = Assert.Throws<InvalidDataException>(() => Keyset.Decrypt(encrypted, form, service));
    }

    /// <summary>The matrix does it in the other form, too.</summary>
    [Fact]
    public void EncryptedUnderAKeysetAndUnderAKey()
    {
        const KeysetForm form = KeysetForm.Json;
        using Keyset keyset = Keyset.Generate("AES256_SIV"), master = Keyset.Generate("AES256_GCM");
        using var key = new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.GenerateKey());
        byte[] clear = keyset.ToInsecure(KeysetForm.Binary);
        byte[] encrypted = keyset.Encrypt(form, master, "prod/eu"u8);
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => Keyset.Decrypt(encrypted, form, master, "prod/us"u8));
        _ = Assert.Throws<AuthenticationTagMismatchException>(() => Keyset.Decrypt(encrypted, form, key, "prod/eu"u8));
        Refused<InvalidDataException>("encrypted keyset", () => Keyset.FromInsecure(encrypted, form));

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
        using Keyset keyset = Keyset.Generate("AES256_GCM");
        string json = Encoding.UTF8.GetString(keyset.ToInsecure(KeysetForm.Json));
        uint id = keyset.Info.PrimaryKeyId;
        byte[] unknown = Encoding.UTF8.GetBytes(json.Replace("AesGcmKey", "HmacKey", StringComparison.Ordinal));
        Refused<NotSupportedException>($"key {id} (key[0])", () => Keyset.FromInsecure(unknown, KeysetForm.Json));
        _ = Assert.Throws<ArgumentOutOfRangeException>("form", () => Keyset.FromInsecure(unknown, (KeysetForm)2));
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

    /// <summary>A stream has what it needs when it is made.</summary>
    [Fact]
    public void KeysetMayBeDisposedOfAndChangedMeanwhile()
    {
        byte[] text = RandomNumberGenerator.GetBytes(50_000), data = (byte[])s_data.Clone(), kept;
        var output = new MemoryStream();
        SealingStream stream;
        using (var keyset = Keyset.Generate(Streaming))
        {
            kept = keyset.ToInsecure(KeysetForm.Binary);
            stream = keyset.CreateSealingStream(output, data);
            Array.Clear(data);
            _ = keyset.Rotate("AES128_CTR_HMAC_SHA256_4KB");
        }
        using (stream)
        {
            stream.Write(text, 0, text.Length);
            stream.Complete();
        }
        var read = Keyset.FromInsecure(kept, KeysetForm.Binary);
        OpeningStream opening = read.CreateOpeningStream(new MemoryStream(output.ToArray()), s_data);
        _ = read.Rotate("AES128_CTR_HMAC_SHA256_4KB");
        read.Dispose();
        using (opening)
        {
            var copy = new MemoryStream();
            opening.CopyTo(copy);
            Assert.Equal(text, copy.ToArray());
        }
    }

    [Fact]
    public void PurposesAreToldApart()
    {
        using Keyset streams = Keyset.Generate(Streaming), messages = Keyset.Generate("AES256_GCM_SIV");
        // Also where it gave a key for its own.
        _ = messages.Seal(s_data);
        Action[] calls =
        [
            () => messages.CreateSealingStream(new MemoryStream(), s_data),
            () => messages.CreateOpeningStream(new MemoryStream(), s_data),
            () => streams.Seal(s_data),
            () => streams.OpenDeterministically(s_data),
            () => messages.SealDeterministically(s_data),
            () => messages.OpenDeterministically(s_data),
            () => messages.Encrypt(KeysetForm.Json, streams),
        ];
        foreach (Action call in calls)
        {
            InvalidOperationException e = Assert.Throws<InvalidOperationException>(call);
            Assert.Contains("the keyset is for ", e.Message, StringComparison.Ordinal);
        }
        _ = Assert.Throws<ArgumentException>(() => streams.CreateSealingStream(new MemoryStream([], writable: false)));
        streams.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => streams.CreateSealingStream(new MemoryStream()));
        _ = Assert.Throws<ObjectDisposedException>(() => streams.CreateOpeningStream(new MemoryStream()));
    }

    [Fact]
    public void NothingShowsAKeyAndNothingWorksAfterDisposal()
    {
        Keyset keyset = Keyset.Generate("AES256_SIV");
        KeysetInfo info = keyset.Info;
        string expected = $"Keyset, primary {info.PrimaryKeyId}: {info.PrimaryKeyId} AesSivKey Enabled Tink";
        Assert.Equal(expected, keyset.ToString());
        keyset.Dispose();
        keyset.Dispose();
        Assert.Equal("Keyset", keyset.ToString());
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.SealDeterministically("text"u8));
        _ = Assert.Throws<ObjectDisposedException>(() => keyset.Add("AES256_SIV"));
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

        internal Func<byte[]>? Nonsense { get; set; }

        public byte[] Encrypt(ReadOnlySpan<byte> keyset, ReadOnlySpan<byte> associatedData)
        {
            Asked();
            return Nonsense is null ? key.Seal(keyset, associatedData) : Nonsense();
        }

        public byte[] Decrypt(ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> associatedData)
        {
            Asked();
            return Clear = Nonsense is null ? key.Open(encrypted, associatedData) : Nonsense();
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
