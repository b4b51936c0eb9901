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
    public static unsafe KeyFile Generate(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Library.Load();
        byte[] text = new byte[Room];
        fixed (byte* label = Text.OfName(name, nameof(name)), room = text)
        {
            int status = NativeMethods.sivka_generate_key_file(label, room, (nuint)text.Length, out nuint length);
            return Made(status, text, length);
        }
    }

    /// <summary>Makes a key file of a key that is there already.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <param name="name">A name for people, as for <see cref="Generate"/>.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">The key has another length, or the name is not allowed.</exception>
    public static unsafe KeyFile FromKey(ReadOnlySpan<byte> key, string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Library.Load();
        byte[] text = new byte[Room];
        fixed (byte* bytes = key, label = Text.OfName(name, nameof(name)), room = text)
        {
            int status = NativeMethods.sivka_key_file_from_bytes(
                bytes, (nuint)key.Length, label, room, (nuint)text.Length, out nuint length);
            return Made(status, text, length);
        }
    }

    /// <summary>Reads the text of a key file.</summary>
    /// <param name="text">The content of the file; copied.</param>
    /// <returns>The key.</returns>
    /// <exception cref="InvalidDataException">The text is not a key file, or it was damaged.</exception>
    public static KeyFile Parse(ReadOnlySpan<byte> text)
    {
        Library.Load();
        return new KeyFile(text);
    }

    /// <summary>Reads a key file.</summary>
    /// <param name="path">Where it is.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">The path is the text of a key, which no message quotes.</exception>
    /// <exception cref="InvalidDataException">The file is not a key file, or it was damaged.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static unsafe KeyFile Load(string path)
    {
        byte[] name = Text.OfPath(path, nameof(path));
        Library.Load();
        fixed (byte* start = name)
        {
            // Before an exception of the system quotes it.
            Failure.Check(NativeMethods.sivka_check_key_path(start, (nuint)name.Length - 1));
        }
        byte[] text = new byte[Room];
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1);
            int length = 0;
            for (int read = -1; read != 0 && length < text.Length; length += read)
            {
                read = file.Read(text, length, text.Length - length);
            }
            return new KeyFile(text.AsSpan(0, length), path);
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
        }
    }

    /// <summary>Writes the key file to a new file, which only its owner may read.</summary>
    /// <param name="path">Where; nothing is there yet.</param>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
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
    /// <exception cref="ObjectDisposedException">The key was disposed of.</exception>
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

    private static unsafe string IdOf(byte[] text, string? path)
    {
        NativeSlot.KeyId id;
        fixed (byte* start = text)
        {
            int status = NativeMethods.sivka_key_file_id(
                start, (nuint)text.Length, id.Bytes, (nuint)NativeSlot.KeyId.Length);
            Failure.CheckKeyFile(status, path);
        }
        return id.ToString();
    }
}
