using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Win32.SafeHandles;
using Sivka;
using Sivka.Matrix;

/// <summary>
/// Does what it is asked with keys, as evidence/leaks/src/zeroization/hold.rs does, in .NET.
/// </summary>
/// <remarks>
/// Keys are read into memory outside the heap, and are in an array for as long as a constructor needs it: a
/// collection that moves the array leaves its bytes where it was.
/// </remarks>
internal static unsafe class Hold
{
    private const int WordsLength = 96;
    private const int RequestLength = WordsLength + 64;
    private static readonly byte[] AssociatedData = Encoding.ASCII.GetBytes("associated data of 33 bytes, long");
    private static readonly string s_place = Environment.GetEnvironmentVariable("SIVKA_SEALED_FILE") ?? "";

    private static Aead? s_kept;

    private static void Main()
    {
        using var input = new FileStream(new SafeFileHandle(0, ownsHandle: false), FileAccess.Read, bufferSize: 0);
        using Stream output = Console.OpenStandardOutput();
        var request = new Span<byte>(NativeMemory.AllocZeroed(RequestLength), RequestLength);
        while (input.ReadAtLeast(request, RequestLength, throwOnEndOfStream: false) == RequestLength)
        {
            string[] words = Encoding.ASCII.GetString(request[..WordsLength]).Split(' ', StringSplitOptions.RemoveEmptyEntries);
            int length = int.Parse(words[2]);
            // What a collection moves is .NET's to say.
            _ = GC.TryStartNoGCRegion(16 << 20);
            Span<byte> key = request.Slice(WordsLength, int.Parse(words[3]));
            if (words[0].StartsWith("file:", StringComparison.Ordinal))
            {
                OfFile(words[0]["file:".Length..], words[1], length, key);
            }
            else if (words[0].StartsWith("keyset:", StringComparison.Ordinal))
            {
                key.Clear();
                OfKeyset(words[1] == "keyset-refused", length);
            }
            else
            {
                OfKey(words[0], words[1], length, key);
            }
            request[WordsLength..].Clear();
            GC.EndNoGCRegion();
            output.Write("freed 0 0\n"u8);
            output.Flush();
            _ = input.ReadByte();
        }
    }

    private static void OfKey(string algorithm, string act, int length, Span<byte> bytes)
    {
        byte[] copy = act == "refused" ? bytes[1..].ToArray() : bytes.ToArray();
        Aead key;
        try
        {
            key = Keys.Make(algorithm, copy);
        }
        catch (ArgumentException) when (act == "refused")
        {
            return;
        }
        finally
        {
            Array.Clear(copy);
            bytes.Clear();
        }
        if (act == "kept")
        {
            s_kept = key;
            Use(key, "open", length);
            return;
        }
        using (key)
        {
            Use(key, act, length);
        }
    }

    private static void Use(Aead key, string act, int length)
    {
        bool forged = act.EndsWith("forged", StringComparison.Ordinal);
        if (act == "set-up")
        {
            return;
        }
        if (act.StartsWith("batch", StringComparison.Ordinal))
        {
            int count = length <= 64 ? 17 : 19;
            var messages = new List<Memory<byte>>();
            byte[] nonces = new byte[count * key.NonceSizeInBytes];
            for (int i = 0; i < count; i++)
            {
                messages.Add(new byte[length <= 64 ? length : (int)((long)length * (i + 1) / 19)]);
                nonces.AsSpan(i * key.NonceSizeInBytes, key.NonceSizeInBytes).Fill((byte)(i + 1));
            }
            List<ReadOnlyMemory<byte>> data = [.. messages.ConvertAll(_ => (ReadOnlyMemory<byte>)AssociatedData)];
            byte[] tags = key.EncryptBatch(nonces, messages, data);
            tags[0] ^= (byte)(forged ? 1 : 0);
            Check(key.DecryptBatch(nonces, messages, tags, new bool[count], data), !forged);
            return;
        }
        byte[] nonce = new byte[key.NonceSizeInBytes];
        Array.Fill(nonce, (byte)1);
        byte[] joined = key.EncryptJoined(nonce, new byte[length], AssociatedData);
        if (act != "seal")
        {
            joined[0] ^= (byte)(forged ? 1 : 0);
            Check(key.DecryptJoined(nonce, joined, AssociatedData) != null, !forged);
        }
    }

    /// <summary>
    /// A file for a key file or for a passphrase. Who searches has written the key files, and reads what is sealed.
    /// </summary>
    private static void OfFile(string suite, string act, int length, Span<byte> key)
    {
        string plain = s_place + ".plain";
        using (FileStream empty = File.Create(plain))
        {
            empty.SetLength(length);
        }
        bool passphrase = act.StartsWith("passphrase", StringComparison.Ordinal);
        bool refused = act.EndsWith("refused", StringComparison.Ordinal);
        bool forged = act.EndsWith("forged", StringComparison.Ordinal);
        bool wrong = act.EndsWith("wrong", StringComparison.Ordinal);
        for (int i = 0; passphrase && i < key.Length; i++)
        {
            key[i] = (byte)('?' + (key[i] & 63));
        }
        using FileKeys right = new(), other = new();
        Add(right, key, passphrase, ".key", refused);
        for (int i = 0; i < key.Length; i++)
        {
            key[i] ^= 1;
        }
        Add(other, key, passphrase, ".wrong", refused);
        Late(key, passphrase);
        key.Clear();
        if (refused)
        {
            return;
        }
        if (passphrase)
        {
            _ = right.SetCost(64, 1, 1);
        }
        SealedFile.Seal(plain, s_place, right, new SealedFileOptions { Suite = suite, Overwrite = true });
        if (forged)
        {
            using var file = new FileStream(s_place, FileMode.Open, FileAccess.ReadWrite);
            file.Position = file.Length - 1;
            int last = file.ReadByte();
            file.Position = file.Length - 1;
            file.WriteByte((byte)(last ^ 1));
        }
        bool opened = true;
        try
        {
            SealedFile.Open(s_place, plain, wrong ? other : right, new SealedFileOptions { Overwrite = true });
        }
        catch (Exception e) when (e is InvalidDataException or CryptographicException)
        {
            opened = false;
        }
        Check(opened, !(forged || wrong));
    }

    private static void Add(FileKeys keys, ReadOnlySpan<byte> key, bool passphrase, string ending, bool refused)
    {
        bool added = true;
        try
        {
            if (passphrase)
            {
                AddLetters(keys, key, isText: !refused);
            }
            else
            {
                _ = keys.AddKeyFile(s_place + ending);
            }
        }
        catch (Exception e) when (refused && e is ArgumentException or InvalidDataException)
        {
            added = false;
        }
        Check(added, !refused);
    }

    private static void AddLetters(FileKeys keys, ReadOnlySpan<byte> key, bool isText)
    {
        Span<char> letters = stackalloc char[key.Length];
        try
        {
            for (int i = 0; i < key.Length; i++)
            {
                letters[i] = (char)key[i];
            }
            if (!isText)
            {
                letters[^1] = '\ud800'; // Half a surrogate pair.
            }
            _ = keys.AddPassphrase(letters);
        }
        finally
        {
            letters.Clear();
        }
    }

    /// <summary>What is added to a set that was disposed of is refused, and stays nowhere.</summary>
    private static void Late(ReadOnlySpan<byte> key, bool passphrase)
    {
        using KeyFile? made = passphrase ? null : KeyFile.FromKey(key, "name");
        FileKeys keys = new();
        keys.Dispose();
        try
        {
            if (made == null)
            {
                AddLetters(keys, key, isText: true);
            }
            else
            {
                _ = keys.Add(made);
            }
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        Check(given: true, expected: false);
    }

    /// <summary>
    /// Reads the keyset that who searches has written in both forms, and uses it; cut off, if it is to be refused. What
    /// it seals goes after its length.
    /// </summary>
    private static void OfKeyset(bool refused, int length)
    {
        using FileStream output = File.Create(s_place);
        byte[] other = new byte[32];
        using var master = new AesGcmSiv(other);
        Array.Fill(other, (byte)8);
        using var wrong = new AesGcmSiv(other);
        foreach ((KeysetForm form, string ending) in new[] { (KeysetForm.Binary, ".binary"), (KeysetForm.Json, ".json") })
        {
            byte[] text = Content(s_place + ending);
            try
            {
                using var read = Keyset.FromInsecure(text.AsSpan(0, text.Length - (refused ? 2 : 0)), form);
                Check(given: false, expected: refused);
                Messages(read, length, output);
                byte[] written = read.ToInsecure(form);
                using var again = Keyset.FromInsecure(written, form);
                Array.Clear(written);
                Messages(again, length, output);
                byte[] encrypted = read.Encrypt(form, master, AssociatedData);
                Check(Opens(() => Keyset.Decrypt(encrypted, form, wrong, AssociatedData).Dispose()), false);
                Check(Opens(() => Keyset.Decrypt(encrypted, form, master).Dispose()), false);
                using var decrypted = Keyset.Decrypt(encrypted, form, master, AssociatedData);
                Messages(decrypted, length, output);
            }
            catch (InvalidDataException) when (refused)
            {
            }
            finally
            {
                Array.Clear(text);
            }
        }
    }

    /// <summary>Seals with a keyset, unless it is for streams, and opens that and forgeries.</summary>
    private static void Messages(Keyset keyset, int length, FileStream output)
    {
        byte[] text = new byte[length];
        byte[] sealedMessage;
        bool siv = keyset.Info.IsDeterministic;
        try
        {
            sealedMessage = siv ? keyset.SealDeterministically(text, AssociatedData) : keyset.Seal(text, AssociatedData);
        }
        catch (InvalidDataException)
        {
            return; // For streams.
        }
        output.Write(BitConverter.GetBytes(sealedMessage.Length));
        output.Write(sealedMessage);
        void Open(byte[] data) => _ = siv ? keyset.OpenDeterministically(sealedMessage, data) : keyset.Open(sealedMessage, data);
        Check(Opens(() => Open(AssociatedData)), true);
        Check(Opens(() => Open([])), false);
        sealedMessage[^1] ^= 1;
        Check(Opens(() => Open(AssociatedData)), false);
    }

    private static bool Opens(Action call)
    {
        try
        {
            call();
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }

    /// <summary>A file, read without a buffer but the array.</summary>
    private static byte[] Content(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        byte[] text = new byte[file.Length];
        file.ReadExactly(text);
        return text;
    }

    private static void Check(bool given, bool expected)
    {
        if (given != expected)
        {
            throw new InvalidOperationException("not done as it should");
        }
    }
}
