using Sivka.Native;

namespace Sivka;

/// <summary>A key slot of a sealed file, as anybody sees it; nothing of it is authenticated.</summary>
/// <remarks>A number that is greater than an <see cref="int"/> is given as the greatest.</remarks>
public sealed class KeySlot
{
    internal KeySlot(uint kind, string? keyId, bool isPassphrase, int memoryKib, int passes, int lanes)
    {
        IsRecipient = kind is Constants.SlotX25519 or Constants.SlotMlkem768X25519;
        IsPostQuantum = kind switch
        {
            Constants.SlotX25519 => false,
            Constants.SlotKeyFile or Constants.SlotPassphrase or Constants.SlotMlkem768X25519 => true,
            _ => null,
        };
        (KeyId, IsPassphrase, MemoryKib, Passes, Lanes) = (keyId, isPassphrase, memoryKib, passes, lanes);
    }

    /// <summary>
    /// Gets the id of the key file that opens the slot, to compare with <see cref="KeyFile.Id"/>; null if a passphrase
    /// opens it.
    /// </summary>
    public string? KeyId { get; }

    /// <summary>Gets whether a passphrase opens the slot.</summary>
    public bool IsPassphrase { get; }

    /// <summary>Gets whether the identity of a recipient opens the slot. It does not show whose.</summary>
    public bool IsRecipient { get; }

    /// <summary>
    /// Gets whether no known quantum algorithm opens the slot; null for a kind that this version does not know.
    /// </summary>
    public bool? IsPostQuantum { get; }

    /// <summary>Gets the memory of one try of a passphrase in KiB, else 0.</summary>
    public int MemoryKib { get; }

    /// <summary>Gets the passes of one try of a passphrase, else 0.</summary>
    public int Passes { get; }

    /// <summary>Gets the lanes of one try of a passphrase, else 0.</summary>
    public int Lanes { get; }

    /// <summary>The id of the key file, the cost of a passphrase, or the kind of recipient.</summary>
    /// <returns>A few words; nothing of them is authenticated.</returns>
    public override string ToString() => this switch
    {
        { KeyId: not null } => $"key file {KeyId}",
        { IsPassphrase: true } => $"passphrase: {MemoryKib} KiB, {Passes} passes, {Lanes} lanes",
        { IsRecipient: true } => IsPostQuantum is true ? "post-quantum recipient" : "recipient",
        _ => "a kind of slot that is not known here",
    };
}
