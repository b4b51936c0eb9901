using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>A key that opens sealed files, with a name for people, as it is kept in a key file.</summary>
/// <remarks>The text is a secret. <see cref="Dispose"/> wipes it.</remarks>
public sealed class KeyFile : IDisposable
{
    /// <summary>More than any key file has; the native library says how many are too many.</summary>
    private const int Room = 4096;

    /// <summary>A byte more than the longest protected key file: a header with many slots.</summary>
    private const int ProtectedRoom = (1 << 16) + 1;

    private readonly byte[] _text;
    private bool _disposed;

    private KeyFile(ReadOnlySpan<byte> text, string? path = null)
    {
        _text = text.ToArray();
        try
        {
            Id = IdOf(_text, path);
        }
        catch
        {
            Array.Clear(_text, 0, _text.Length);
            throw;
        }
    }

    /// <summary>Gets the id of the key in hexadecimal digits: a hint which slot it opens, and nothing secret.</summary>
    public string Id { get; }

    /// <summary>Draws a new key.</summary>
    /// <param name="name">
    /// A name for people: 1 to 64 bytes of UTF-8, no control character, no space at either end.
    /// </param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">The name is not allowed.</exception>
    public static KeyFile Generate(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Library.Load();
        byte[] text = new byte[Room];
        int status = NativeMethods.sivka_generate_key_file(Text.OfName(name, nameof(name)), text, out nuint length);
        return Made(status, text, length);
    }

    /// <summary>Makes a key file of a key that is there already.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <param name="name">A name for people, as for <see cref="Generate"/>.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">The key has another length, or the name is not allowed.</exception>
    public static KeyFile FromKey(ReadOnlySpan<byte> key, string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Library.Load();
        byte[] text = new byte[Room];
        int status = NativeMethods.sivka_key_file_from_bytes(key, Text.OfName(name, nameof(name)), text, out nuint length);
        return Made(status, text, length);
    }

    /// <summary>Reads the text of a key file, which a passphrase may protect.</summary>
    /// <param name="text">The content of the file; copied.</param>
    /// <param name="passphrase">
    /// The passphrase, as <c>sivka keygen --protect</c> asks for it. For a key file in the clear it is not read.
    /// </param>
    /// <returns>The key.</returns>
    /// <exception cref="InvalidDataException">The text is not a key file, or it was damaged.</exception>
    /// <exception cref="EndOfStreamException">The end of a protected key file is missing.</exception>
    /// <exception cref="CryptographicException">The passphrase does not open it.</exception>
    /// <exception cref="ArgumentException">
    /// A passphrase protects the key file, and none is given, or one that is no text.
    /// </exception>
    public static KeyFile Parse(ReadOnlySpan<byte> text, ReadOnlySpan<char> passphrase = default) =>
        Opened(text, passphrase, null);

    /// <summary>Reads a key file, which a passphrase may protect.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="passphrase">As for <see cref="Parse"/>.</param>
    /// <returns>The key.</returns>
    /// <exception cref="InvalidDataException">The file is not a key file, or it was damaged.</exception>
    /// <exception cref="CryptographicException">The passphrase does not open it.</exception>
    /// <exception cref="ArgumentException">
    /// The path is the text of a key, which no message quotes; or the passphrase is wrong as in <see cref="Parse"/>.
    /// </exception>
    /// <exception cref="IOException">The file cannot be read, or its end is missing or damaged.</exception>
    public static KeyFile Load(string path, ReadOnlySpan<char> passphrase = default)
    {
        byte[] name = Text.OfPath(path, nameof(path));
        Library.Load();
        // Before an exception of the system quotes it.
        Failure.Check(NativeMethods.sivka_check_key_path(name.AsSpan(0, name.Length - 1)));
        byte[] text = new byte[ProtectedRoom];
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1);
            int length = 0;
            for (int read = -1; read != 0 && length < text.Length; length += read)
            {
                read = file.Read(text, length, text.Length - length);
            }
            return Opened(text.AsSpan(0, length), passphrase, path);
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
        }
    }

    /// <summary>Writes the key file to a new file, which only its owner may read.</summary>
    /// <param name="path">Where; nothing is there yet.</param>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The runtime cannot make such a file: .NET Standard 2.0 on another system than Windows.
    /// </exception>
    public void Save(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        ObjectDisposedException.ThrowIf(_disposed, this);
#if NET
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }
        using var file = new FileStream(path, options);
#else
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            throw new PlatformNotSupportedException(
                "This runtime cannot make a file that only its owner may read; write what ToText gives to one.");
        }
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 1);
#endif
        file.Write(_text, 0, _text.Length);
    }

    /// <summary>The text of the key file, which is a secret.</summary>
    /// <returns>A copy, which the caller wipes.</returns>
    public byte[] ToText()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return (byte[])_text.Clone();
    }

    /// <summary>Wipes the key.</summary>
    public void Dispose()
    {
        _disposed = true;
        Array.Clear(_text, 0, _text.Length);
    }

    private static KeyFile Opened(ReadOnlySpan<byte> content, ReadOnlySpan<char> passphrase, string? path)
    {
        using var keys = new FileKeys();
        char[] characters = passphrase.ToArray();
        // As long as it can be, at once: a buffer that grows leaves copies of a secret behind.
        byte[] words = [], text = new byte[content.Length];
        try
        {
            int status = NativeMethods.sivka_file_keys_add_key_file(keys.Handle, content, default);
            if (status != Status.EmptyPassphrase || passphrase.IsEmpty)
            {
                Failure.CheckKeyFile(status, path);
                return new KeyFile(content, path);
            }
            words = Text.Utf8.GetBytes(characters);
            Failure.Check(NativeMethods.sivka_file_keys_add_passphrase(keys.Handle, words));
            Failure.Check(NativeMethods.sivka_open_memory(content, text, out nuint opened, keys.Handle));
            return new KeyFile(text.AsSpan(0, (int)opened), path);
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
            Array.Clear(words, 0, words.Length);
            Array.Clear(characters, 0, characters.Length);
        }
    }

    private static KeyFile Made(int status, byte[] text, nuint length)
    {
        try
        {
            Failure.Check(status);
            return new KeyFile(text.AsSpan(0, (int)length));
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
        }
    }

    private static string IdOf(byte[] text, string? path)
    {
        byte[] id = new byte[Constants.KeyIdLen];
        Failure.CheckKeyFile(NativeMethods.sivka_key_file_id(text, id), path);
        return Text.Hex(id);
    }
}
