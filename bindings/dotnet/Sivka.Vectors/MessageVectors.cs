using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Xml.Linq;

namespace Sivka.Vectors;

/// <summary>The JSON files: messages and single blocks.</summary>
internal static class MessageVectors
{
    /// <summary>How many cases each file of an AEAD has.</summary>
    internal static readonly Dictionary<string, int> Aeads = new()
    {
        ["aes-gcm-siv/rfc8452.json"] = 48,
        ["aes-gcm-siv/rfc8452-counter-wrap.json"] = 2,
        ["aes-siv/aead.json"] = 26,
        ["chacha20-blake2b/aead.json"] = 180,
        ["kuznyechik/rfc9058.json"] = 2,
    };

    /// <summary>Files of the block cipher, and the field that has the ciphertext.</summary>
    internal static readonly Dictionary<string, string> Blocks = new()
    {
        ["kuznyechik/rfc7801.json"] = "ciphertext",
        ["kuznyechik/gost-r-34.13-2015.json"] = "ecb",
    };

    internal const string Lists = "aes-siv/lists.json";

    internal const string Chains = "kuznyechik/chain.json";

    /// <summary>What the public interface does not offer by itself.</summary>
    internal static readonly Dictionary<string, string> OutOfReach = new()
    {
        ["accumulated/accumulated.json"] = "the matrix of languages plays it",
        ["column-v1/keys.json"] = "keys of columns",
        ["blake2b/keyed.json"] = "the hash alone",
        ["chacha20/chacha20.json"] = "the cipher alone",
        ["kuznyechik/rfc9058-steps.json"] = "steps of the computation",
        ["published/nist-acvp/aes-gcm-siv.json"] = "another form; the tests of the core read it",
    };

    /// <summary>Every file of the folder is played, or named with a reason. The number of cases.</summary>
    internal static int PlayAll()
    {
        IEnumerable<string> known = Aeads.Keys.Concat(Blocks.Keys).Concat(OutOfReach.Keys).Append(Lists).Append(Chains)
            .Append(ModeVectors.Acpkm).Append(KeysetVectors.Name);
        Check.That(
            known.OrderBy(name => name, StringComparer.Ordinal).SequenceEqual(VectorFolder.Files(".json")),
            "the files of the folder are those that are known");
        return Aeads.Sum(file => PlayAead(file.Key, file.Value)) + Blocks.Sum(file => PlayBlocks(file.Key, file.Value)) + PlayChains()
            + PlayLists() + ModeVectors.PlayAll() + KeysetVectors.PlayAll();
    }

    internal static int PlayAead(string name, int expected)
    {
        XElement json = VectorFolder.Json(name);
        Check.That(json.FieldsOf().SequenceEqual(["groups", "source"]), $"{name}: fields");
        int count = 0;
        foreach (XElement group in json.Element("groups")!.Elements())
        {
            Check.That(group.FieldsOf().SequenceEqual(["algorithm", "case_count", "cases", "section"]), $"{name}: fields of a group");
            int cases = 0;
            foreach (XElement vector in group.Element("cases")!.Elements())
            {
                string[] fields = vector.FieldsOf();
                string[] all = ["aad", "ciphertext", "key", "name", "nonce", "plaintext", "tag"];
                Check.That(fields.SequenceEqual(all) || fields.SequenceEqual(all.Where(one => one != "nonce")), $"{name}: fields of a case");
                PlayMessage(group.TextOf("algorithm"), vector);
                cases++;
            }
            Check.That(cases == int.Parse(group.TextOf("case_count"), CultureInfo.InvariantCulture), $"{name}: count");
            count += cases;
        }
        Check.That(count == expected, $"{name}: {expected} cases");
        return count;
    }

    private static void PlayMessage(string algorithm, XElement vector)
    {
        string name = $"{algorithm}, {vector.TextOf("name")}";
        byte[] nonce = vector.Element("nonce") is null ? [] : vector.BytesOf("nonce");
        byte[] data = vector.BytesOf("aad"), text = vector.BytesOf("plaintext");
        byte[] ciphertext = vector.BytesOf("ciphertext"), tag = vector.BytesOf("tag");
        string known = algorithm.Contains("BLAKE2b") && tag.Length != 32 ? $"{algorithm}-Tag{tag.Length}" : algorithm;
        using Aead key = Keys.Make(known, vector.BytesOf("key"));

        byte[] made = new byte[text.Length], madeTag = new byte[tag.Length];
        key.Encrypt(nonce, text, made, madeTag, data);
        Check.Equal(ciphertext, made, $"{name}: ciphertext");
        Check.Equal(tag, madeTag, $"{name}: tag");
        byte[] inPlace = (byte[])text.Clone();
        key.Encrypt(nonce, inPlace, inPlace, madeTag, data);
        Check.Equal(ciphertext, inPlace, $"{name}: ciphertext in place");

        byte[] opened = new byte[text.Length];
        Check.That(key.TryDecrypt(nonce, ciphertext, tag, opened, data), $"{name}: opens");
        Check.Equal(text, opened, $"{name}: plaintext");
        Check.That(key.TryDecrypt(nonce, inPlace, tag, inPlace, data), $"{name}: opens in place");
        Check.Equal(text, inPlace, $"{name}: plaintext in place");

        tag[tag.Length - 1] ^= 1;
        Check.That(!key.TryDecrypt(nonce, ciphertext, tag, opened, data), $"{name}: a forgery opens");
        Check.Equal(new byte[text.Length], opened, $"{name}: zeros after a forgery");
        if (nonce.Length == 0 || key is RandomNonceAead)
        {
            byte[] joined = nonce.Concat(key.Join(ciphertext, vector.BytesOf("tag"))).ToArray();
            Check.Equal(text, key.Open(joined, data), $"{name}: opens with the nonce in front");
            joined[joined.Length - 1] ^= 0x80;
            Check.That(key.Open(joined, data) is null, $"{name}: a forgery opens with the nonce in front");
        }
    }

    internal static int PlayLists()
    {
        int count = 0;
        foreach (XElement group in VectorFolder.Json(Lists).Element("groups")!.Elements())
        {
            foreach (XElement vector in group.Element("cases")!.Elements())
            {
                string name = vector.TextOf("name");
                using var key = new AesSiv(vector.BytesOf("key"));
                List<ReadOnlyMemory<byte>> list = [];
                foreach (XElement one in vector.Element("associated_data")!.Elements())
                {
                    list.Add(Hex.Bytes(one.Value));
                }
                byte[] text = vector.BytesOf("plaintext");
                byte[] joined = key.Join(vector.BytesOf("ciphertext"), vector.BytesOf("tag"));
                Check.Equal(joined, key.SealWithList(text, list), $"{name}: sealed");
                Check.Equal(text, key.OpenWithList(joined, list), $"{name}: opened");
                list.Add(default);
                Check.That(list.Count > 126 || IsForged(key, joined, list), $"{name}: one string more");
                count++;
            }
        }
        Check.That(count == 7, $"{Lists}: 7 cases");
        return count;
    }

    private static bool IsForged(AesSiv key, byte[] joined, List<ReadOnlyMemory<byte>> list)
    {
        try
        {
            _ = key.OpenWithList(joined, list);
            return false;
        }
        catch (AuthenticationTagMismatchException)
        {
            return true;
        }
    }

    internal static int PlayBlocks(string name, string field)
    {
        XElement json = VectorFolder.Json(name);
        using var key = new Kuznyechik(json.BytesOf("key"));
        byte[] blocks = json.BytesOf("plaintext");
        key.EncryptBlocks(blocks);
        Check.Equal(json.BytesOf(field), blocks, $"{name}: encrypted");
        key.DecryptBlocks(blocks);
        Check.Equal(json.BytesOf("plaintext"), blocks, $"{name}: decrypted");
        return 1;
    }

    internal static int PlayChains()
    {
        XElement json = VectorFolder.Json(Chains);
        string[] lanes = json.Element("lanes")!.Elements().Select(lane => lane.Value).ToArray();
        Check.That(lanes.Length == 32, "32 chains");
        byte[] blocks = new byte[16 * lanes.Length];
        for (int lane = 0; lane < lanes.Length; lane++)
        {
            blocks[16 * lane] = (byte)lane;
        }
        using var key = new Kuznyechik(json.BytesOf("key"));
        for (int times = int.Parse(json.TextOf("times"), CultureInfo.InvariantCulture); times > 0; times--)
        {
            key.EncryptBlocks(blocks);
        }
        Check.Equal(Hex.Bytes(string.Concat(lanes)), blocks, "chains");
        return lanes.Length;
    }
}
