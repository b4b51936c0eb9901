// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
namespace Sivka.Native;

/// <summary>The other constants of <c>sivka.h</c>.</summary>
internal static class Constants
{
    /// <summary>The length of the key in a key file in bytes.</summary>
    internal const int FileKeyLen = 32;

    /// <summary>The most bytes that the text of a key file has.</summary>
    internal const int MaxKeyFileLen = 1024;

    /// <summary>A flag: replace the output if it exists.</summary>
    internal const uint Overwrite = 1;

    /// <summary>The most bytes of a keyset, in whatever form, that is read or written.</summary>
    internal const int KeysetMaxLen = 1048576;

    /// <summary>The most keys of a keyset.</summary>
    internal const int KeysetMaxKeys = 1000;

    /// <summary>A keyset in binary.</summary>
    internal const uint KeysetBinary = 0;

    /// <summary>A flag: a keyset in JSON.</summary>
    internal const uint KeysetJson = 1;

    /// <summary>A flag to read: several keys may have one id, unless it is the primary's.</summary>
    internal const uint KeysetDuplicateIds = 2;

    /// <summary>A key that opens, and seals if it is the primary.</summary>
    internal const uint KeysetEnabled = 1;

    /// <summary>A key that does nothing until it is enabled.</summary>
    internal const uint KeysetDisabled = 2;

    /// <summary>A key of which only the id is left.</summary>
    internal const uint KeysetDestroyed = 3;

    /// <summary>What the key seals begins with the byte 1 and its id, four bytes, the highest first.</summary>
    internal const uint KeysetPrefixTink = 1;

    /// <summary>The byte 0 and the id.</summary>
    internal const uint KeysetPrefixLegacy = 2;

    /// <summary>Nothing: to open what others than Tink have sealed.</summary>
    internal const uint KeysetPrefixRaw = 3;

    /// <summary>The byte 0 and the id.</summary>
    internal const uint KeysetPrefixCrunchy = 4;

    /// <summary>The keyset neither seals nor opens here: its enabled keys are for different purposes.</summary>
    internal const uint KeysetMixed = 0;

    /// <summary>The keyset is for AEAD: what is sealed differs each time.</summary>
    internal const uint KeysetAead = 1;

    /// <summary>The keyset is for deterministic AEAD: equal plaintexts under equal AAD are sealed to equal bytes.</summary>
    internal const uint KeysetDeterministicAead = 2;

    /// <summary>The keyset is for streaming AEAD: whole streams, segment by segment.</summary>
    internal const uint KeysetStreamingAead = 3;

    /// <summary>The length of an IV of CTR and CTR-ACPKM in bytes.</summary>
    internal const int KuznyechikIvLen = 8;

    /// <summary>The length of the shortest tag of OMAC in bytes.</summary>
    internal const int KuznyechikOmacMinTagLen = 4;

    /// <summary>The length of the longest tag of OMAC in bytes.</summary>
    internal const int KuznyechikOmacMaxTagLen = 16;

    /// <summary>The length of a block of Kuznyechik in bytes.</summary>
    internal const int KuznyechikBlockLen = 16;

    /// <summary>The most strings of associated data that a message has.</summary>
    internal const int MaxStrings = 126;

    /// <summary>The length of a key id in bytes: a hint which key opens a slot.</summary>
    internal const int KeyIdLen = 8;

    /// <summary>A slot that opens with a key file.</summary>
    internal const uint SlotKeyFile = 1;

    /// <summary>A slot that opens with a passphrase.</summary>
    internal const uint SlotPassphrase = 2;

    /// <summary>A slot that opens with the identity of an `age1...` recipient: not post-quantum.</summary>
    internal const uint SlotX25519 = 3;

    /// <summary>A slot that opens with the identity of an `age1pq1...` recipient.</summary>
    internal const uint SlotMlkem768X25519 = 4;

    /// <summary>The length of a sealed file's header in bytes, unless its slots or the room for more need a longer one.</summary>
    internal const int FileHeaderLen = 2048;

    /// <summary>The most bytes that a sealed file's header has.</summary>
    internal const int FileMaxHeaderLen = 131072;

    /// <summary>The number of the interface that this header describes.</summary>
    internal const uint AbiVersion = 1;
}
