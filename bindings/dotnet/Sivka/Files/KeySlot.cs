namespace Sivka;

/// <summary>A key slot of a sealed file, as anybody sees it; nothing of it is authenticated.</summary>
/// <remarks>A number that is greater than an <see cref="int"/> is given as the greatest.</remarks>
public sealed class KeySlot
{
    internal KeySlot(string? keyId, bool isPassphrase, int memoryKib, int passes, int lanes)
    {
        KeyId = keyId;
        IsPassphrase = isPassphrase;
        MemoryKib = memoryKib;
        Passes = passes;
        Lanes = lanes;
    }

    /// <summary>
    /// Gets the id of the key file that opens the slot, to compare with <see cref="KeyFile.Id"/>; null if a passphrase
    /// opens it.
    /// </summary>
    public string? KeyId { get; }

    /// <summary>Gets whether a passphrase opens the slot.</summary>
    public bool IsPassphrase { get; }

    /// <summary>Gets the memory of one try of a passphrase in KiB, else 0.</summary>
    public int MemoryKib { get; }

    /// <summary>Gets the passes of one try of a passphrase, else 0.</summary>
    public int Passes { get; }

    /// <summary>Gets the lanes of one try of a passphrase, else 0.</summary>
    public int Lanes { get; }
}
