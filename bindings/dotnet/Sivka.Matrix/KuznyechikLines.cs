using System;
using System.Globalization;

namespace Sivka.Matrix;

/// <summary>The block cipher Kuznyechik, CTR and OMAC.</summary>
internal static class KuznyechikLines
{
    internal static string Answer(string[] words) => words[0] switch
    {
        "ctr" => Ctr(words),
        "omac" => Omac(words),
        "omac-verify" => Verify(words),
        _ => Blocks(words),
    };

    private static string Blocks(string[] words)
    {
        using var key = new Kuznyechik(Program.Bytes(words[1]));
        byte[] blocks = Program.Bytes(words[3]);
        for (int times = Number(words[2]); times > 0; times--)
        {
            if (words[0] == "encrypt-blocks")
            {
                key.EncryptBlocks(blocks);
            }
            else
            {
                key.DecryptBlocks(blocks);
            }
        }
        return Program.Digits(blocks);
    }

    private static string Ctr(string[] words)
    {
        byte[] key = Program.Bytes(words[1]), iv = Program.Bytes(words[2]), text = Program.Bytes(words[5]);
        int section = Number(words[3]), piece = Number(words[4]);
        using KuznyechikCtr ctr = section == 0 ? new KuznyechikCtr(key, iv) : KuznyechikCtr.CreateAcpkm(key, iv, section);
        for (int at = 0; at < text.Length; at += piece)
        {
            ctr.ApplyKeystream(Piece(text, at, piece));
        }
        return Program.Digits(text);
    }

    private static string Omac(string[] words)
    {
        using var omac = new KuznyechikOmac(Program.Bytes(words[1]), Number(words[2]));
        byte[] message = Program.Bytes(words[4]);
        int piece = Number(words[3]);
        if (piece == 0)
        {
            return Program.Digits(omac.Tag(message));
        }
        Append(omac, message, piece);
        return Program.Digits(omac.GetTagAndReset());
    }

    private static string Verify(string[] words)
    {
        byte[] message = Program.Bytes(words[3]), tag = Program.Bytes(words[4]);
        using var omac = new KuznyechikOmac(Program.Bytes(words[1]), tag.Length);
        int piece = Number(words[2]);
        if (piece > 0)
        {
            Append(omac, message, piece);
        }
        return (piece == 0 ? omac.Verify(message, tag) : omac.VerifyAndReset(tag)) ? "verified" : "forged";
    }

    private static void Append(KuznyechikOmac omac, byte[] message, int piece)
    {
        for (int at = 0; at < message.Length; at += piece)
        {
            omac.AppendData(Piece(message, at, piece));
        }
    }

    private static Span<byte> Piece(byte[] whole, int at, int length) => whole.AsSpan(at, Math.Min(length, whole.Length - at));

    private static int Number(string word) => int.Parse(word, CultureInfo.InvariantCulture);
}
