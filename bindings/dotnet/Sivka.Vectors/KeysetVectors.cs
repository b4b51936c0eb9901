using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;

namespace Sivka.Vectors;

/// <summary>Tink keysets and what was sealed under them.</summary>
internal static class KeysetVectors
{
    internal const string Name = "keyset/tink.json";

    /// <summary>The number of messages and encrypted keysets.</summary>
    internal static int PlayAll()
    {
        XElement json = VectorFolder.Json(Name);
        List<XElement> keysets = [.. json.Element("keysets")!.Elements()];
        Check.That(keysets.Count == 4, "4 keysets");
        int count = keysets.Sum(PlayKeyset);
        PlayAndroid(keysets[0], json.Element("raw")!.Elements().First());
        return count + 1 + PlayEncrypted(keysets[0], json.Element("encrypted")!);
    }

    private static Keyset Read(XElement vector) => Keyset.FromInsecure(Encoding.UTF8.GetBytes(vector.TextOf("json")), KeysetForm.Json);

    private static int PlayKeyset(XElement vector)
    {
        string name = vector.TextOf("name");
        using Keyset keyset = Read(vector);
        Check.Equal(Encoding.UTF8.GetBytes(vector.TextOf("json") + "\n"), keyset.ToInsecure(KeysetForm.Json), $"{name}: JSON");
        bool deterministic = keyset.Info.IsDeterministic;
        Check.That(deterministic == (vector.TextOf("primitive") == "deterministic AEAD"), $"{name}: primitive");
        if (vector.TextOf("binary").Length > 0)
        {
            byte[] binary = vector.BytesOf("binary");
            using Keyset same = Keyset.FromInsecure(binary, KeysetForm.Binary);
            Check.Equal(binary, keyset.ToInsecure(KeysetForm.Binary), $"{name}: binary");
            Check.Equal(keyset.ToInsecure(KeysetForm.Json), same.ToInsecure(KeysetForm.Json), $"{name}: read in binary");
        }
        int count = 0;
        foreach (XElement message in vector.Element("messages")!.Elements())
        {
            byte[] data = message.BytesOf("aad"), text = message.BytesOf("plaintext"), joined = message.BytesOf("ciphertext");
            Check.Equal(text, Open(keyset, joined, data)!, $"{name}: opened");
            if (deterministic)
            {
                Check.Equal(joined, keyset.SealDeterministically(text, data), $"{name}: sealed");
            }
            for (int i = 0; i < joined.Length; i++)
            {
                joined[i] ^= 4;
                Check.That(Open(keyset, joined, data) is null, $"{name}: a forgery opens");
                joined[i] ^= 4;
            }
            count++;
        }
        foreach (XElement message in vector.Element("refused")!.Elements())
        {
            Check.That(Open(keyset, message.BytesOf("ciphertext"), message.BytesOf("aad")) is null, $"{name}: a disabled key opens");
            keyset.Enable(9);
            byte[]? opened = Open(keyset, message.BytesOf("ciphertext"), message.BytesOf("aad"));
            Check.Equal(message.BytesOf("plaintext"), opened!, $"{name}: enabled");
            count++;
        }
        return count;
    }

    private static byte[]? Open(Keyset keyset, byte[] sealedMessage, byte[] data)
    {
        bool opened = keyset.Info.IsDeterministic
            ? keyset.TryOpenDeterministically(sealedMessage, data, out byte[]? plaintext)
            : keyset.TryOpen(sealedMessage, data, out plaintext);
        return opened ? plaintext : null;
    }

    /// <summary>The same key as that of the keyset, under AES-GCM.</summary>
    private static void PlayAndroid(XElement vector, XElement raw)
    {
        using Keyset keyset = Read(vector);
        byte[] data = raw.BytesOf("aad");
        byte[] joined = [.. Hex.Bytes("01cafebabe"), .. raw.BytesOf("ciphertext")];
        Check.That(Open(keyset, joined, data) is null, "AES-GCM opens as AES-GCM-SIV");
        Check.Equal(raw.BytesOf("plaintext"), keyset.OpenAndroidAesGcm(joined, data), "an old Android's message");
    }

    private static int PlayEncrypted(XElement vector, XElement encrypted)
    {
        using Keyset expected = Read(vector);
        using var master = new AesGcmSiv(encrypted.BytesOf("key"));
        (byte[] Bytes, KeysetForm Form)[] forms =
        [
            (encrypted.BytesOf("binary"), KeysetForm.Binary),
            (encrypted.BytesOf("binary_with_info"), KeysetForm.Binary),
            (Encoding.UTF8.GetBytes(encrypted.TextOf("json")), KeysetForm.Json),
        ];
        foreach ((byte[] bytes, KeysetForm form) in forms)
        {
            using Keyset keyset = Keyset.Decrypt(bytes, form, master);
            Check.Equal(expected.ToInsecure(KeysetForm.Binary), keyset.ToInsecure(KeysetForm.Binary), "a decrypted keyset");
            Check.That(!Opens(bytes, form, master), "an encrypted keyset opens with other associated data");
        }
        return forms.Length;
    }

    private static bool Opens(byte[] bytes, KeysetForm form, Aead master)
    {
        try
        {
            Keyset.Decrypt(bytes, form, master, Encoding.UTF8.GetBytes("prod/eu")).Dispose();
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }
}
