using System;
using System.Globalization;
using System.Linq;
using System.Xml.Linq;

namespace Sivka.Vectors;

/// <summary>Kuznyechik in CTR, CTR-ACPKM and OMAC, whole and in pieces of every length.</summary>
internal static class ModeVectors
{
    internal const string Acpkm = "kuznyechik/ctr-acpkm.json";

    private const string Gost = "kuznyechik/gost-r-34.13-2015.json";

    /// <summary>The number of cases.</summary>
    internal static int PlayAll()
    {
        XElement json = VectorFolder.Json(Gost), ctr = json.Element("ctr")!, omac = json.Element("omac")!;
        byte[] key = json.BytesOf("key"), text = json.BytesOf("plaintext");
        PlayKeystream("CTR", () => new KuznyechikCtr(key, ctr.BytesOf("iv")), text, ctr.BytesOf("ciphertext"));
        PlayOmac(key, text, omac.BytesOf("tag"));
        PlayOmac(key, text, omac.BytesOf("tag_printed_by_the_standard"));

        XElement acpkm = VectorFolder.Json(Acpkm);
        long section = long.Parse(acpkm.TextOf("section_len"), CultureInfo.InvariantCulture);
        PlayKeystream(
            "CTR-ACPKM",
            () => KuznyechikCtr.CreateAcpkm(acpkm.BytesOf("key"), acpkm.BytesOf("iv"), section),
            acpkm.BytesOf("plaintext"),
            acpkm.BytesOf("ciphertext"));
        return 4;
    }

    private static void PlayKeystream(string name, Func<KuznyechikCtr> start, byte[] text, byte[] ciphertext)
    {
        for (int piece = 1; piece <= text.Length; piece++)
        {
            byte[] buffer = (byte[])text.Clone();
            using KuznyechikCtr sealing = start(), opening = start();
            for (int at = 0; at < text.Length; at += piece)
            {
                sealing.ApplyKeystream(Piece(buffer, at, piece));
            }
            Check.Equal(ciphertext, buffer, $"{name}: encrypted in pieces of {piece}");
            opening.ApplyKeystream(buffer);
            Check.Equal(text, buffer, $"{name}: decrypted");
        }
    }

    private static void PlayOmac(byte[] keyBytes, byte[] message, byte[] tag)
    {
        using var key = new KuznyechikOmac(keyBytes, tag.Length);
        byte[] forged = (byte[])tag.Clone();
        forged[forged.Length - 1] ^= 1;
        Check.That(key.TagSizeInBytes == tag.Length, "OMAC: length of the tag");
        Check.Equal(tag, key.Tag(message), "OMAC: tag");
        Check.That(key.Verify(message, tag), "OMAC: verifies");
        Check.That(!key.Verify(message, forged), "OMAC: a forgery verifies");
        for (int piece = 1; piece <= message.Length; piece++)
        {
            foreach (byte[] given in new[] { tag, forged })
            {
                Append(key, message, piece);
                Check.That(key.VerifyAndReset(given) == given.SequenceEqual(tag), $"OMAC: verifies in pieces of {piece}");
            }
            Append(key, message, piece);
            Check.Equal(tag, key.GetTagAndReset(), $"OMAC: tag in pieces of {piece}");
        }
    }

    private static void Append(KuznyechikOmac key, byte[] message, int piece)
    {
        for (int at = 0; at < message.Length; at += piece)
        {
            key.AppendData(Piece(message, at, piece));
        }
    }

    private static Span<byte> Piece(byte[] whole, int at, int length) => whole.AsSpan(at, Math.Min(length, whole.Length - at));
}
