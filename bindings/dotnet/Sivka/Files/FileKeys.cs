using System;
using System.IO;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// The key files, passphrases and recipients that a file is sealed for, or the key files, passphrases and identities
/// that it is to be opened with.
/// </summary>
/// <remarks>
/// Any number of threads may use one set at the same time, and add to it: a call works with the keys that were there
/// when it began. Keys and passphrases are copied, and <see cref="Dispose"/> wipes the copies; later calls with the set
/// throw an <see cref="ObjectDisposedException"/>. Each call returns the set.
/// </remarks>
public sealed class FileKeys : IDisposable
{
    private readonly FileKeysHandle _handle;

    internal FileKeysHandle Handle => _handle;

    /// <summary>Makes an empty set.</summary>
    public FileKeys()
    {
        Library.Load();
        Failure.Check(NativeMethods.sivka_file_keys_new(out _handle));
    }

    /// <summary>Makes a set of one key.</summary>
    /// <param name="key">The key; copied.</param>
    public FileKeys(KeyFile key)
        : this() => Add(key);

    /// <summary>Adds a key.</summary>
    /// <param name="key">The key; copied.</param>
    public FileKeys Add(KeyFile key)
    {
        ArgumentNullException.ThrowIfNull(key);
        // Before there is a copy: an exception keeps the content of registers.
        ObjectDisposedException.ThrowIf(_handle.IsDisposed, this);
        byte[] text = key.ToText();
        try
        {
            Failure.Check(NativeMethods.sivka_file_keys_add_key_file(_handle, text, default));
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
        }
        return this;
    }

    /// <summary>Adds the key of a key file, which a passphrase may protect.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="passphrase">As for <see cref="KeyFile.Load"/>, with the same exceptions.</param>
    public FileKeys AddKeyFile(string path, ReadOnlySpan<char> passphrase = default)
    {
        using var key = KeyFile.Load(path, passphrase);
        return Add(key);
    }

    /// <summary>Adds a passphrase, in Unicode's form C. Opening also tries it as given.</summary>
    /// <param name="passphrase">The passphrase; copied.</param>
    /// <exception cref="ArgumentException">The passphrase is empty or no text.</exception>
    public FileKeys AddPassphrase(ReadOnlySpan<char> passphrase)
    {
        ObjectDisposedException.ThrowIf(_handle.IsDisposed, this);
        char[] characters = passphrase.ToArray();
        byte[] text = [];
        try
        {
            text = Text.Utf8.GetBytes(characters);
            Failure.Check(NativeMethods.sivka_file_keys_add_passphrase(_handle, text));
        }
        finally
        {
            Array.Clear(text, 0, text.Length);
            Array.Clear(characters, 0, characters.Length);
        }
        return this;
    }

    /// <inheritdoc cref="AddPassphrase(ReadOnlySpan{char})"/>
    public FileKeys AddPassphrase(string passphrase)
    {
        ArgumentNullException.ThrowIfNull(passphrase);
        return AddPassphrase(passphrase.AsSpan());
    }

    /// <summary>
    /// Adds recipients, for whom files are sealed from now on: public keys of age, one a line. A future quantum
    /// computer may open files for an <c>age1...</c> recipient, not for an <c>age1pq1...</c> recipient. Recipients open
    /// nothing.
    /// </summary>
    /// <param name="recipients">The keys; empty lines, and lines that begin with <c>#</c>, are left out.</param>
    /// <exception cref="InvalidDataException">There is none, or one that is no recipient.</exception>
    public FileKeys AddRecipients(string recipients)
    {
        ArgumentNullException.ThrowIfNull(recipients);
        Failure.Check(NativeMethods.sivka_file_keys_add_recipients(Handle, Text.Utf8.GetBytes(recipients)));
        return this;
    }

    /// <summary>
    /// Adds identities of age, which open files for their recipients. Sealing with identities seals for their
    /// recipients.
    /// </summary>
    /// <param name="identities">
    /// The content of a file of age's in UTF-8, <c>AGE-SECRET-KEY-1...</c> or <c>AGE-SECRET-KEY-PQ-1...</c> one a line;
    /// copied.
    /// </param>
    /// <exception cref="InvalidDataException">There is none, or one that is no identity.</exception>
    public FileKeys AddIdentities(ReadOnlySpan<byte> identities)
    {
        Failure.Check(NativeMethods.sivka_file_keys_add_identities(Handle, identities));
        return this;
    }

    /// <summary>
    /// Sets how many more key slots later files reserve space for, so that one can be added without moving the content.
    /// Without this call, 0.
    /// </summary>
    /// <param name="slots">Up to 64 with those of the file, or 54 of post-quantum recipients.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public FileKeys SetSpareSlots(int slots)
    {
        if (slots < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(slots), slots, "A number of slots is not negative.");
        }
        Failure.Check(NativeMethods.sivka_file_keys_set_spare_slots(Handle, (nuint)slots));
        return this;
    }

    /// <summary>
    /// Sets the cost of one try of a passphrase (Argon2id, RFC 9106) in files that are sealed from now on. Without this
    /// call, 262144 KiB, 3 passes and 4 lanes.
    /// </summary>
    /// <param name="memoryKib">The memory in KiB.</param>
    /// <param name="passes">How often it is gone over.</param>
    /// <param name="lanes">How many threads may work on it.</param>
    /// <exception cref="ArgumentException">The cost is outside the limits of the file format.</exception>
    public FileKeys SetCost(int memoryKib, int passes, int lanes)
    {
        Failure.Check(NativeMethods.sivka_file_keys_set_cost(
            Handle, Cost(memoryKib, nameof(memoryKib)), Cost(passes, nameof(passes)), Cost(lanes, nameof(lanes))));
        return this;
    }

    /// <summary>
    /// Sets the highest cost of a passphrase when a file is opened: the maker of the file chose the cost. Without this
    /// call, 1048576 KiB and 16 passes.
    /// </summary>
    /// <param name="memoryKib">The memory in KiB.</param>
    /// <param name="passes">How often it is gone over.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is negative.</exception>
    public FileKeys SetMaxCost(int memoryKib, int passes)
    {
        Failure.Check(NativeMethods.sivka_file_keys_set_max_cost(
            Handle, Cost(memoryKib, nameof(memoryKib)), Cost(passes, nameof(passes))));
        return this;
    }

    /// <summary>Wipes the keys, once no call uses them any more.</summary>
    public void Dispose() => _handle.Dispose();

    private static uint Cost(int given, string parameter) =>
        given >= 0 ? (uint)given : throw new ArgumentOutOfRangeException(parameter, given, "A cost is not negative.");
}
