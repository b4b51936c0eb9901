using System.Globalization;
using System.IO;
using System.Security.Cryptography;

namespace Sivka.Matrix;

/// <summary>Tink keysets.</summary>
internal static class KeysetLines
{
    internal static string Answer(string[] words)
    {
        try
        {
            return words[0] == "keyset-decrypt-with" ? DecryptWith(words) : Changed(words);
        }
        catch (AuthenticationTagMismatchException)
        {
            return "forged";
        }
    }

    private static string DecryptWith(string[] words)
    {
        using var master = (Aead)Keys.Make(words[1], Program.Bytes(words[2]));
        KeysetForm form = words[3] == "json" ? KeysetForm.Json : KeysetForm.Binary;
        using Keyset keyset = Keyset.Decrypt(Program.Bytes(words[5]), form, master, Program.Bytes(words[4]));
        return Json(keyset);
    }

    /// <summary>What is made or changed; what needs a keyset to work with goes on.</summary>
    private static string Changed(string[] words)
    {
        using Keyset keyset = words[0] switch
        {
            "keyset-new" => Keyset.Generate(words[1]),
            "keyset-rotate" or "keyset-enable" => Read(words[2]),
            "keyset-from-binary" => Keyset.FromInsecure(Program.Bytes(words[1]), KeysetForm.Binary),
            _ => Read(words[1]),
        };
        switch (words[0])
        {
            case "keyset-rotate":
                _ = keyset.Rotate(words[1]);
                return Json(keyset);
            case "keyset-enable":
                keyset.Enable(uint.Parse(words[1], CultureInfo.InvariantCulture));
                return Json(keyset);
            case "keyset-new" or "keyset-from-binary" or "keyset-to-json":
                return Json(keyset);
            case "keyset-to-binary":
                return Program.Digits(keyset.ToInsecure(KeysetForm.Binary));
            case "keyset-primitive":
                return keyset.Info.Purpose switch
                {
                    KeysetPurpose.Aead => "AEAD",
                    KeysetPurpose.DeterministicAead => "deterministic AEAD",
                    KeysetPurpose.StreamingAead => "streaming AEAD",
                    _ => "none",
                };
            default:
                return Under(keyset, words[0], Program.Bytes(words[2]), words[3]);
        }
    }

    private static string Under(Keyset keyset, string command, byte[] data, string word)
    {
        bool deterministic = keyset.Info.IsDeterministic, streams = keyset.Info.Purpose == KeysetPurpose.StreamingAead;
        byte[] given = Program.Bytes(word);
        switch (command)
        {
            case "keyset-seal" when streams:
                return Program.Digits(SealedStream(keyset, given, data));
            case "keyset-open" when streams:
                using (OpeningStream opening = keyset.CreateOpeningStream(new MemoryStream(given), data))
                {
                    var plaintext = new MemoryStream();
                    opening.CopyTo(plaintext);
                    return Program.Digits(plaintext.ToArray());
                }
            case "keyset-encrypt":
                using (Keyset inner = Read(word))
                {
                    return Program.Digits(inner.Encrypt(KeysetForm.Json, keyset, data));
                }
            case "keyset-decrypt":
                using (Keyset inner = Keyset.Decrypt(given, KeysetForm.Json, keyset, data))
                {
                    return Json(inner);
                }
            case "keyset-seal":
                return Program.Digits(deterministic ? keyset.SealDeterministically(given, data) : keyset.Seal(given, data));
            default:
                return Program.Digits(deterministic ? keyset.OpenDeterministically(given, data) : keyset.Open(given, data));
        }
    }

    private static byte[] SealedStream(Keyset keyset, byte[] plaintext, byte[] data)
    {
        var output = new MemoryStream();
        using SealingStream sealing = keyset.CreateSealingStream(output, data);
        sealing.Write(plaintext, 0, plaintext.Length);
        sealing.Complete();
        return output.ToArray();
    }

    private static Keyset Read(string word) => Keyset.FromInsecure(Program.Bytes(word), KeysetForm.Json);

    private static string Json(Keyset keyset) => Program.Digits(keyset.ToInsecure(KeysetForm.Json));
}
