using System;
using System.Collections.Generic;
using Sivka.Native;

namespace Sivka;

/// <summary>The fields of a sealed file that are visible without a key; none is authenticated.</summary>
public sealed class SealedFileInfo
{
    internal unsafe SealedFileInfo(InspectionHandle inspection)
    {
        var found = (sivka_inspection*)inspection.Enter(out bool alone);
        Suite = FileSuite.Name(found->Suite);
        var slots = new List<KeySlot>();
        for (sivka_slot* slot = found->Slots; slot < found->Slots + found->SlotCount; slot++)
        {
            slots.Add(new KeySlot(
                slot->Kind,
                slot->Kind == Constants.SlotKeyFile ? Text.Hex(new ReadOnlySpan<byte>(slot->KeyId, Constants.KeyIdLen)) : null,
                slot->Kind == Constants.SlotPassphrase,
                Told(slot->MemoryKib), Told(slot->Passes), Told(slot->Lanes)));
        }
        inspection.Leave(alone);
        Slots = slots;
    }

    /// <summary>The number, or the greatest that there is: no try of such a passphrase ever ends.</summary>
    private static int Told(uint number) => number > int.MaxValue ? int.MaxValue : (int)number;

    /// <summary>Gets the suite, as <see cref="SealedFile.Suites"/> names it.</summary>
    public string Suite { get; }

    /// <summary>Gets the key slots in their order.</summary>
    public IReadOnlyList<KeySlot> Slots { get; }
}
