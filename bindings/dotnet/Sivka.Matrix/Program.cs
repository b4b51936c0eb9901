using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Sivka.Matrix;

/// <summary>Seals and opens what other programs ask for: each line of the input is a question, answered with a line.</summary>
internal static class Program
{
    internal static void Main()
    {
        using var input = new BufferedStream(Console.OpenStandardInput(), 1 << 16);
        using var output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        while (Line(input) is { Length: > 0 } line)
        {
            string[] words = line.Split(' ');
            if (words[0].EndsWith("-list", StringComparison.Ordinal) || words[0].EndsWith("-contiguous", StringComparison.Ordinal))
            {
                byte[][] given = [.. words.Skip(4).Select(word => Part(input, int.Parse(word, CultureInfo.InvariantCulture)))];
                byte[][] parts = Many(words, given);
                Write(output, Encoding.UTF8.GetBytes(string.Join(" ", parts.Select(part => part.Length)) + "\n"));
                Array.ForEach(parts, part => Write(output, part));
            }
            else
            {
                Write(output, Encoding.UTF8.GetBytes(AnswerOrRefusal(words)));
            }
            output.WriteByte((byte)'\n');
            output.Flush();
        }
    }

    private static void Write(BufferedStream output, byte[] bytes) => output.Write(bytes, 0, bytes.Length);

    private static byte[] Part(BufferedStream input, int length)
    {
        byte[] part = new byte[length];
        for (int at = 0, read; at < length; at += read)
        {
            read = input.Read(part, at, length - at);
            if (read == 0)
            {
                throw new EndOfStreamException();
            }
        }
        return part;
    }

    /// <summary>A line without its end; empty at the end of the input.</summary>
    private static string Line(BufferedStream input)
    {
        var line = new MemoryStream();
        for (int one = input.ReadByte(); one is not (-1 or '\n'); one = input.ReadByte())
        {
            line.WriteByte((byte)one);
        }
        return Encoding.UTF8.GetString(line.ToArray());
    }

    private static string AnswerOrRefusal(string[] words)
    {
        try
        {
            return Answer(words);
        }
        catch (ArgumentException refusal)
        {
            return $"{refusal.GetType().Name} {refusal.ParamName}: {refusal.Message}".Replace('\n', ' ');
        }
    }

    private static string Answer(string[] words) => words[0] switch
    {
        "seal" or "open" => Message(words),
        "seal-strings" or "open-strings" => WithList(words),
        "encrypt-blocks" or "decrypt-blocks" => Blocks(words),
        "handles" => HandleLines.Answer(words),
        string command when command.StartsWith("keyset-", StringComparison.Ordinal) => KeysetLines.Answer(words),
        _ => FileLines.Answer(words),
    };

    private static string Message(string[] words)
    {
        using AeadKey key = Keys.Make(words[2], Bytes(words[3]));
        byte[] nonce = Bytes(words[4]), data = Bytes(words[5]), given = Bytes(words[6]);
        bool seals = words[0] == "seal";
        if (words[1] == "drawn")
        {
            var aead = (Aead)key;
            return seals ? Digits(aead.Seal(given, data)) : Opened(aead.TryOpen(given, out byte[]? plaintext, data) ? plaintext : null);
        }
        int less = words.Length > 7 ? int.Parse(words[7], CultureInfo.InvariantCulture) : 0;
        int tagSize = words.Length > 7 ? int.Parse(words[8], CultureInfo.InvariantCulture) : key.TagSizeInBytes;
        byte[] text = seals ? given : key.TextOf(given).ToArray(), tag = new byte[tagSize];
        byte[] output = words[1] switch
        {
            "in-place" => text,
            "apart" => [.. Enumerable.Repeat((byte)0xaa, text.Length - less)],
            _ => throw new ArgumentException($"no form {words[1]}", nameof(words)),
        };
        if (seals)
        {
            key.Encrypt(nonce, text, output, tag, data);
            return Digits(key.Join(output, tag));
        }
        key.TagOf(given).Span.Slice(0, Math.Min(tagSize, key.TagSizeInBytes)).CopyTo(tag);
        bool opened = key.TryDecrypt(nonce, text, tag, output, data);
        return opened ? Digits(output) : $"forged {Digits(output)}";
    }

    private static string Blocks(string[] words)
    {
        using var key = new Kuznyechik(Bytes(words[1]));
        byte[] blocks = Bytes(words[3]);
        for (int times = int.Parse(words[2], CultureInfo.InvariantCulture); times > 0; times--)
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
        return Digits(blocks);
    }

    private static string WithList(string[] words)
    {
        using var key = new AesSiv(Bytes(words[1]));
        byte[] text = Bytes(words[2]);
        List<ReadOnlyMemory<byte>> list = [.. words.Skip(3).Select(word => (ReadOnlyMemory<byte>)Bytes(word))];
        try
        {
            return Digits(words[0] == "seal-strings" ? key.SealWithList(text, list) : key.OpenWithList(text, list));
        }
        catch (AuthenticationTagMismatchException)
        {
            return "forged";
        }
    }

    /// <summary>What many messages seal or open to, in place; the parts are those that the test names.</summary>
    private static byte[][] Many(string[] words, byte[][] parts)
    {
        using AeadKey key = Keys.Make(words[1], parts[0]);
        byte[] nonces = parts[1], data = parts[2], texts = parts[4], tags = parts[6];
        int[] offsets = Ints(parts[5]);
        bool[] opened = new bool[offsets.Length - 1];
        List<Memory<byte>> messages = [.. Split(texts, offsets)];
        List<ReadOnlyMemory<byte>> datas = parts[3].Length == 0
            ? [.. messages.Select(_ => (ReadOnlyMemory<byte>)data)]
            : [.. Split(data, Ints(parts[3])).Select(part => (ReadOnlyMemory<byte>)part)];
        switch (words[0])
        {
            case "seal-list":
                return [texts, key.EncryptBatch(nonces, messages, datas)];
            case "open-list":
                _ = key.DecryptBatch(nonces, messages, tags, opened, datas);
                return [texts, MemoryMarshal.AsBytes(opened.AsSpan()).ToArray()];
            case "seal-contiguous":
                byte[] made = new byte[opened.Length * key.TagSizeInBytes];
                key.EncryptBatch(nonces, texts, offsets, made, data);
                return [texts, made];
            default:
                _ = key.DecryptBatch(nonces, texts, offsets, tags, opened, data);
                return [texts, MemoryMarshal.AsBytes(opened.AsSpan()).ToArray()];
        }
    }

    private static int[] Ints(byte[] bytes) => MemoryMarshal.Cast<byte, int>(bytes).ToArray();

    private static IEnumerable<Memory<byte>> Split(byte[] bytes, int[] offsets) =>
        Enumerable.Range(0, offsets.Length - 1).Select(i => bytes.AsMemory(offsets[i], offsets[i + 1] - offsets[i]));

    internal static string Opened(byte[]? plaintext) => plaintext is null ? "forged" : Digits(plaintext);

    internal static string Digits(byte[] bytes) => bytes.Length == 0 ? "-" : Hex.Digits(bytes);

    internal static byte[] Bytes(string word) => word == "-" ? [] : Hex.Bytes(word);
}
