using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace Sivka.Matrix;

/// <summary>Sealed files.</summary>
internal static class FileLines
{
    internal static string Answer(string[] words)
    {
        if (words[0] == "seal-file")
        {
            using FileKeys sealing = Secret(words[2], words[3]);
            SealedFile.Seal(words[4], words[5], sealing, new SealedFileOptions { Suite = words[1] });
            return "done";
        }
        using FileKeys keys = Secret(words[1], words[2]);
        try
        {
            Open(words[0], words[3], words.Length > 4 ? words[4] : "", keys);
            return "done";
        }
        catch (InvalidDataException)
        {
            return "invalid-data";
        }
        catch (EndOfStreamException)
        {
            return "truncated";
        }
        catch (CryptographicException)
        {
            return "wrong-key";
        }
    }

    private static void Open(string command, string path, string output, FileKeys keys)
    {
        switch (command)
        {
            case "verify-file":
                SealedFile.Verify(path, keys);
                break;
            case "open-file":
                SealedFile.Open(path, output, keys);
                break;
            case "open-stream":
                using (FileStream input = File.OpenRead(path), released = File.Create(output))
                {
                    SealedFile.Open(input, released, keys);
                }
                break;
            case "read-file":
                using (FileStream read = File.Create(output))
                {
                    using var stream = new SealedFileStream(path, keys);
                    stream.CopyTo(read);
                    if (stream.Length != read.Length)
                    {
                        throw new InvalidOperationException("a stream of another length than it says");
                    }
                }
                break;
            default:
                throw new ArgumentException($"no command {command}", nameof(command));
        }
    }

    private static FileKeys Secret(string kind, string value)
    {
        var keys = new FileKeys();
        switch (kind)
        {
            case "key-file":
                return keys.AddKeyFile(value);
            case "key":
                using (KeyFile key = KeyFile.FromKey(Program.Bytes(value), "vector"))
                {
                    return keys.Add(key);
                }
            case "identity":
                return keys.AddIdentities(Encoding.UTF8.GetBytes(value));
            default:
                return keys.AddPassphrase(Encoding.UTF8.GetString(Program.Bytes(value)));
        }
    }
}
