using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using Sivka.Vectors;

namespace Sivka.Matrix;

/// <summary>Seals and opens what other programs ask for: each line of the input is a question, answered with a line.</summary>
internal static class Program
{
    internal static void Main()
    {
        while (Console.ReadLine() is string line)
        {
            Console.WriteLine(Answer(line.Split(' ')));
        }
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
                    return words[0].EndsWith("-batch", StringComparison.Ordinal) ? Batch(key, words) : Message(key, words);
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

    private static string Batch(Aead key, string[] words)
    {
        byte[] data = Bytes(words[3]);
        List<byte[][]> parts = [.. words.Skip(4).Select(word => word.Split(':').Select(Bytes).ToArray())];
        byte[] nonces = [.. parts.SelectMany(part => part[0])];
        ReadOnlyMemory<byte>[] datas = [.. parts.Select(_ => (ReadOnlyMemory<byte>)data)];
        if (words[0] == "seal-batch")
        {
            byte[] tags = key.EncryptBatch(nonces, [.. parts.Select(part => part[1].AsMemory())], datas);
            IEnumerable<byte[]> split = tags.Chunk(key.TagSizeInBytes);
            return string.Join(' ', parts.Zip(split, (part, tag) => Digits(key.Join(part[1], tag))));
        }
        // A message that is too short has no tag, and is not asked of the batch.
        int[] whole = [.. Enumerable.Range(0, parts.Count).Where(i => parts[i][1].Length >= key.TagSizeInBytes)];
        Memory<byte>[] texts = [.. whole.Select(i => key.TextOf(parts[i][1]))];
        byte[] given = [.. whole.SelectMany(i => key.TagOf(parts[i][1]).ToArray())];
        bool[] opened = new bool[whole.Length];
        _ = key.DecryptBatch([.. whole.SelectMany(i => parts[i][0])], texts, given, opened, datas[..whole.Length]);
        string[] answers = [.. parts.Select(_ => "forged")];
        for (int i = 0; i < whole.Length; i++)
        {
            answers[whole[i]] = opened[i] ? Digits(texts[i].ToArray()) : "forged";
        }
        return string.Join(' ', answers);
    }

    private static string Opened(byte[]? plaintext) => plaintext is null ? "forged" : Digits(plaintext);

    private static string Digits(byte[] bytes) => bytes.Length == 0 ? "-" : Hex.Digits(bytes);

    private static byte[] Bytes(string word) => word == "-" ? [] : Hex.Bytes(word);
}
