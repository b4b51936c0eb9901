using System;
using System.Collections.Generic;
using Sivka.Native;

namespace Sivka;

/// <summary>The fields of a sealed file that are visible without a key; none is authenticated.</summary>
public sealed class SealedFileInfo
{
    internal unsafe SealedFileInfo(InspectionHandle inspection)
    {
        Suite = FileSuite.Name(NativeMethods.sivka_inspection_suite(inspection));
        var slots = new List<KeySlot>();
        nuint count = NativeMethods.sivka_inspection_slot_count(inspection);
        for (nuint index = 0; index < count; index++)
        {
            Failure.Check(NativeMethods.sivka_inspection_slot(inspection, index, out sivka_slot slot));
            slots.Add(new KeySlot(
                slot.Kind,
                slot.Kind == Constants.SlotKeyFile ? Text.Hex(new ReadOnlySpan<byte>(slot.KeyId, Constants.KeyIdLen)) : null,
                slot.Kind == Constants.SlotPassphrase,
                Told(slot.MemoryKib), Told(slot.Passes), Told(slot.Lanes)));
        }
        Slots = slots;
    }

    /// <summary>The number, or the greatest that there is: no try of such a passphrase ever ends.</summary>
    private static int Told(uint number) => number > int.MaxValue ? int.MaxValue : (int)number;

    /// <summary>Gets the suite, as <see cref="SealedFile.Suites"/> names it.</summary>
    public string Suite { get; }

    /// <summary>Gets the key slots in their order.</summary>
    public IReadOnlyList<KeySlot> Slots { get; }
}
