using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace Sivka.Vectors;

/// <summary>The sealed files of <c>vectors/file-v1</c>.</summary>
internal static class FileVectors
{
    /// <summary>What the errors of the format's specification, section 9, are here.</summary>
    private static readonly Dictionary<string, Type> s_failures = new()
    {
        ["not-sivka"] = typeof(InvalidDataException),
        ["unknown-version"] = typeof(InvalidDataException),
        ["unknown-suite"] = typeof(InvalidDataException),
        ["unknown-slot"] = typeof(InvalidDataException),
        ["header-damaged"] = typeof(InvalidDataException),
        ["payload-mismatch"] = typeof(InvalidDataException),
        ["damaged"] = typeof(InvalidDataException),
        ["damaged-end"] = typeof(InvalidDataException),
        ["cost-too-high"] = typeof(InvalidDataException),
        ["truncated"] = typeof(EndOfStreamException),
        ["no-slot-opens"] = typeof(CryptographicException),
    };

    /// <summary>Opens every file, or sees it refused; how many of each.</summary>
    internal static (int Opened, int Refused) PlayAll(string folder)
    {
        int opened = 0, refused = 0;
        foreach (string name in VectorFolder.Files(".vec"))
        {
            if (Play(name, folder))
            {
                opened++;
            }
            else
            {
                refused++;
            }
        }
        return (opened, refused);
    }

    private static bool Play(string name, string folder)
    {
        (Dictionary<string, string> head, byte[] bytes) = Read(name);
        string sealedPath = Path.Combine(folder, "sealed"), output = Path.Combine(folder, "opened");
        File.WriteAllBytes(sealedPath, bytes);
        using var keys = new FileKeys();
        if (head.TryGetValue("key", out string? digits))
        {
            using KeyFile key = KeyFile.FromKey(Hex.Bytes(digits), "vector");
            _ = keys.Add(key);
        }
        else
        {
            _ = keys.AddPassphrase(head["passphrase"]);
        }
        string expected = head["expect"], payload = head["payload"];
        if (expected == "success")
        {
            SealedFile.Verify(sealedPath, keys);
            SealedFile.Open(sealedPath, output, keys);
            Check.That(Sha256(File.ReadAllBytes(output)) == payload, $"{name}: by path");
            File.Delete(output);
            using var plaintext = new MemoryStream();
            SealedFile.Open(new MemoryStream(bytes), plaintext, keys);
            Check.That(Sha256(plaintext.ToArray()) == payload, $"{name}: by stream");
            using var read = new MemoryStream();
            using var stream = new SealedFileStream(sealedPath, keys);
            stream.CopyTo(read);
            Check.That(Sha256(read.ToArray()) == payload && stream.Length == read.Length, $"{name}: in parts");
            return true;
        }
        Type failure = s_failures[expected];
        Fails(failure, () => SealedFile.Open(sealedPath, output, keys), $"{name}: by path");
        Check.That(!File.Exists(output), $"{name}: an output is there");
        Fails(failure, () => SealedFile.Verify(sealedPath, keys), $"{name}: verified");
        using var released = new MemoryStream();
        Fails(failure, () => SealedFile.Open(new MemoryStream(bytes), released, keys), $"{name}: by stream");
        Check.That(Sha256(released.ToArray()) == payload, $"{name}: what was released");
        // The end is looked at first, so that the reason may be another one.
        Fails(null, () => ReadInParts(sealedPath, keys), $"{name}: in parts");
        return false;
    }

    private static void ReadInParts(string path, FileKeys keys)
    {
        using var stream = new SealedFileStream(path, keys);
        stream.CopyTo(Stream.Null);
    }

    private static void Fails(Type? failure, Action action, string what)
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is IOException or InvalidDataException or CryptographicException)
        {
            Check.That(failure is null || e.GetType() == failure, $"{what}: {e.GetType()}, {e.Message}");
            return;
        }
        Check.That(false, $"{what}: nothing was thrown");
    }

    private static (Dictionary<string, string> Head, byte[] Bytes) Read(string name)
    {
        byte[] vector = File.ReadAllBytes(VectorFolder.PathOf(name));
        var head = new Dictionary<string, string>();
        int at = 0;
        while (vector[at] != (byte)'\n')
        {
            int end = Array.IndexOf(vector, (byte)'\n', at);
            string line = Encoding.UTF8.GetString(vector, at, end - at);
            int colon = line.IndexOf(": ", StringComparison.Ordinal);
            head.Add(line.Substring(0, colon), line.Substring(colon + 2));
            at = end + 1;
        }
        return (head, vector.AsSpan(at + 1).ToArray());
    }

    private static string Sha256(byte[] bytes)
    {
        using var hash = SHA256.Create();
        return Hex.Digits(hash.ComputeHash(bytes));
    }
}
