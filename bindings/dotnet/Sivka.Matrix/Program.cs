using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using Sivka.Vectors;

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
                byte[][] given = [.. words.Skip(4).Select(word => new byte[int.Parse(word, CultureInfo.InvariantCulture)])];
                Array.ForEach(given, part => input.ReadExactly(part));
                byte[][] parts = Many(words, given);
                output.Write(Encoding.UTF8.GetBytes(string.Join(' ', parts.Select(part => part.Length)) + "\n"));
                Array.ForEach(parts, part => output.Write(part));
            }
            else
            {
                output.Write(Encoding.UTF8.GetBytes(Answer(words)));
            }
            output.WriteByte((byte)'\n');
            output.Flush();
        }
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

    private static string Answer(string[] words)
    {
        switch (words[0])
        {
            case "seal-file":
                using (FileKeys keys = new FileKeys().AddKeyFile(words[2]))
                {
                    SealedFile.Seal(words[3], words[4], keys, new SealedFileOptions { Suite = words[1] });
                    return "done";
                }
            case "open-file":
                return OpenFile(words);
            case "keyset-new" or "keyset-rotate" or "keyset-to-binary" or "keyset-from-binary" or "keyset-encrypt"
                or "keyset-decrypt" or "keyset-seal" or "keyset-open":
                return KeysetAnswer(words);
            default:
                using (Aead key = Keys.Make(words[1], Bytes(words[2])))
                {
                    return Message(key, words);
                }
        }
    }

    private static string KeysetAnswer(string[] words)
    {
        byte[] first = words[0] is "keyset-new" or "keyset-rotate" ? [] : Bytes(words[1]);
        using Keyset keyset = words[0] switch
        {
            "keyset-new" => Keyset.Generate(words[1]),
            "keyset-rotate" => Keyset.FromInsecure(Bytes(words[2]), KeysetForm.Json),
            "keyset-from-binary" => Keyset.FromInsecure(first, KeysetForm.Binary),
            _ => Keyset.FromInsecure(first, KeysetForm.Json),
        };
        bool deterministic = keyset.Info.IsDeterministic;
        try
        {
            switch (words[0])
            {
                case "keyset-rotate":
                    _ = keyset.Rotate(words[1]);
                    break;
                case "keyset-to-binary":
                    return Digits(keyset.ToInsecure(KeysetForm.Binary));
                case "keyset-encrypt":
                    using (Keyset inner = Keyset.FromInsecure(Bytes(words[3]), KeysetForm.Json))
                    {
                        return Digits(inner.Encrypt(KeysetForm.Json, keyset, Bytes(words[2])));
                    }
                case "keyset-decrypt":
                    using (Keyset inner = Keyset.Decrypt(Bytes(words[3]), KeysetForm.Json, keyset, Bytes(words[2])))
                    {
                        return Digits(inner.ToInsecure(KeysetForm.Json));
                    }
                case "keyset-seal":
                    byte[] data = Bytes(words[2]), text = Bytes(words[3]);
                    return Digits(deterministic ? keyset.SealDeterministically(text, data) : keyset.Seal(text, data));
                case "keyset-open":
                    byte[] aad = Bytes(words[2]), sealedText = Bytes(words[3]);
                    return Digits(deterministic ? keyset.OpenDeterministically(sealedText, aad) : keyset.Open(sealedText, aad));
                default:
                    break;
            }
            return Digits(keyset.ToInsecure(KeysetForm.Json));
        }
        catch (AuthenticationTagMismatchException)
        {
            return "forged";
        }
    }

    private static string OpenFile(string[] words)
    {
        using FileKeys keys = new FileKeys().AddKeyFile(words[1]);
        try
        {
            SealedFile.Open(words[2], words[3], keys);
            return "done";
        }
        catch (Exception e) when (e is InvalidDataException or EndOfStreamException or CryptographicException)
        {
            return "forged";
        }
    }

    private static string Message(Aead key, string[] words)
    {
        byte[] data = Bytes(words[4]), text = Bytes(words[5]);
        bool seals = words[0] == "seal";
        if (words[3] == "auto")
        {
            return seals ? Digits(key.Seal(text, data)) : Opened(key.Open(text, data));
        }
        byte[] nonce = Bytes(words[3]);
        return seals ? Digits(key.EncryptJoined(nonce, text, data)) : Opened(key.DecryptJoined(nonce, text, data));
    }

    /// <summary>What many messages seal or open to, in place; the parts are those that the test names.</summary>
    private static byte[][] Many(string[] words, byte[][] parts)
    {
        using Aead key = Keys.Make(words[1], parts[0]);
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
                if (key is NonceAead with)
                {
                    with.EncryptBatch(nonces, texts, offsets, made, data);
                }
                else
                {
                    ((DeterministicAead)key).EncryptBatch(texts, offsets, made, data);
                }
                return [texts, made];
            default:
                _ = key is NonceAead aead
                    ? aead.DecryptBatch(nonces, texts, offsets, tags, opened, data)
                    : ((DeterministicAead)key).DecryptBatch(texts, offsets, tags, opened, data);
                return [texts, MemoryMarshal.AsBytes(opened.AsSpan()).ToArray()];
        }
    }

    private static int[] Ints(byte[] bytes) => MemoryMarshal.Cast<byte, int>(bytes).ToArray();

    private static IEnumerable<Memory<byte>> Split(byte[] bytes, int[] offsets) =>
        Enumerable.Range(0, offsets.Length - 1).Select(i => bytes.AsMemory(offsets[i]..offsets[i + 1]));

    private static string Opened(byte[]? plaintext) => plaintext is null ? "forged" : Digits(plaintext);

    private static string Digits(byte[] bytes) => bytes.Length == 0 ? "-" : Hex.Digits(bytes);

    private static byte[] Bytes(string word) => word == "-" ? [] : Hex.Bytes(word);
}
