using System;
using Sivka.Native;

namespace Sivka;

/// <content>The keys of a sealed file, which change without touching its content.</content>
/// <remarks>
/// Only the header is written. A crash leaves the old slots or the new ones.
/// </remarks>
public static partial class SealedFile
{
    /// <summary>Reads the fields of a sealed file that are visible without a key.</summary>
    /// <param name="path">The file.</param>
    /// <returns>Its suite and its key slots; none of it is authenticated.</returns>
    public static SealedFileInfo Inspect(string path)
    {
        Library.Load();
        Failure.Check(NativeMethods.sivka_inspect_file(Text.OfPath(path, nameof(path)), out InspectionHandle made));
        using InspectionHandle inspection = made;
        return new SealedFileInfo(inspection);
    }

    /// <summary>Adds a key slot.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keys">Keys, one of which opens the file.</param>
    /// <param name="added">One key file or passphrase, which will open it too.</param>
    /// <returns>The index of the slot, counted from 0.</returns>
    /// <exception cref="ArgumentException">No slot is free, or there is more than one key to add, or none.</exception>
    public static int AddSlot(string path, FileKeys keys, FileKeys added)
    {
        ArgumentNullException.ThrowIfNull(keys);
        ArgumentNullException.ThrowIfNull(added);
        byte[] file = Text.OfPath(path, nameof(path));
        Failure.Check(NativeMethods.sivka_add_slot(file, keys.Handle, added.Handle, out nuint slot));
        return (int)slot;
    }

    /// <summary>Removes a key slot; those after it move up by one.</summary>
    /// <remarks>An old copy of the file still opens with the key of the slot.</remarks>
    /// <param name="path">The file.</param>
    /// <param name="keys">Keys, one of which opens the file.</param>
    /// <param name="slot">The index of the slot, counted from 0.</param>
    /// <exception cref="ArgumentException">There is no such slot, or it is the only one.</exception>
    public static void RemoveSlot(string path, FileKeys keys, int slot)
    {
        ArgumentNullException.ThrowIfNull(keys);
        byte[] file = Text.OfPath(path, nameof(path));
        Failure.Check(NativeMethods.sivka_remove_slot(file, keys.Handle, Index(slot)));
    }

    /// <summary>Replaces a key by another one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keys">Keys, one of which opens the file.</param>
    /// <param name="slot">The index of the slot, counted from 0.</param>
    /// <param name="added">One key file or passphrase.</param>
    /// <exception cref="ArgumentException">There is no such slot, or there is more than one key to add, or none.</exception>
    public static void ReplaceSlot(string path, FileKeys keys, int slot, FileKeys added)
    {
        ArgumentNullException.ThrowIfNull(keys);
        ArgumentNullException.ThrowIfNull(added);
        byte[] file = Text.OfPath(path, nameof(path));
        Failure.Check(NativeMethods.sivka_replace_slot(file, keys.Handle, Index(slot), added.Handle));
    }

    private static nuint Index(int slot) =>
        slot >= 0 ? (nuint)slot : throw new ArgumentOutOfRangeException(nameof(slot), slot, "A slot is not negative.");
}
