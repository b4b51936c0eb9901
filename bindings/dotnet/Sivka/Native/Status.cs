// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
namespace Sivka.Native;

/// <summary>What a native call answers: <c>SIVKA_ERROR_*</c> of <c>sivka.h</c>.</summary>
internal static class Status
{
    /// <summary>Everything was done.</summary>
    internal const int Ok = 0;

    /// <summary>The message does not open under this key, nonce and AAD: forged, damaged, cut short or sealed otherwise; there is no saying which.</summary>
    internal const int Open = 1;

    /// <summary>Some messages of a batch were not done; their statuses say why.</summary>
    internal const int Batch = 2;

    /// <summary>A pointer is NULL that may not be.</summary>
    internal const int Null = 16;

    /// <summary>A key, nonce, tag, section or array does not have the length that it must have.</summary>
    internal const int Length = 17;

    /// <summary>A buffer is too small for the result.</summary>
    internal const int Capacity = 18;

    /// <summary>An input is longer than the algorithm allows, or than memory can be; or there are too many.</summary>
    internal const int TooLong = 19;

    /// <summary>A buffer that is written overlaps another one in a way that is not allowed.</summary>
    internal const int Overlap = 20;

    /// <summary>An array of numbers or pointers is not aligned.</summary>
    internal const int Alignment = 21;

    /// <summary>No algorithm has this number or name in this version, or this one does not have the call.</summary>
    internal const int Algorithm = 22;

    /// <summary>The algorithm's nonce is too short to be random: choose it yourself.</summary>
    internal const int NoRandomNonce = 23;

    /// <summary>The offsets of a batch do not ascend, or go beyond their buffer.</summary>
    internal const int Offsets = 24;

    /// <summary>A text is not UTF-8.</summary>
    internal const int Text = 25;

    /// <summary>A flag is set that this version does not know.</summary>
    internal const int Flags = 26;

    /// <summary>No suite of the file format has this number in this version.</summary>
    internal const int Suite = 27;

    /// <summary>The passphrase is empty.</summary>
    internal const int EmptyPassphrase = 28;

    /// <summary>An Argon2id cost is outside the limits of the file format.</summary>
    internal const int Cost = 29;

    /// <summary>A key's name is not 1 to 64 bytes, begins or ends with a space, or has a control character in it.</summary>
    internal const int KeyName = 30;

    /// <summary>A file has 1 to 64 key slots, and a header with room for them.</summary>
    internal const int KeyCount = 31;

    /// <summary>The usage bound of the key is spent.</summary>
    internal const int UsageBound = 32;

    /// <summary>The algorithm refuses such a nonce, or a message that is empty in every part.</summary>
    internal const int Refused = 33;

    /// <summary>The file has no key slot with this index.</summary>
    internal const int Slot = 34;

    /// <summary>No template of keyset keys has this name.</summary>
    internal const int Template = 35;

    /// <summary>The keyset has no key with this id, or several.</summary>
    internal const int KeyId = 36;

    /// <summary>A key that is the primary cannot be disabled, destroyed or removed; one that is not enabled cannot become it; what is destroyed stays so.</summary>
    internal const int KeyState = 37;

    /// <summary>The keyset is for another primitive, of AEAD, deterministic AEAD and streaming AEAD, than the call or the new key.</summary>
    internal const int Primitive = 38;

    /// <summary>The text of a key was given where the path of a file belongs.</summary>
    internal const int KeyText = 39;

    /// <summary>The operating system gave no random bytes.</summary>
    internal const int Random = 64;

    /// <summary>The code for this CPU gave a wrong known answer and refuses to run.</summary>
    internal const int SelfCheck = 65;

    /// <summary>There is not enough memory.</summary>
    internal const int NoMemory = 66;

    /// <summary>A defect of this library.</summary>
    internal const int Internal = 67;

    /// <summary>The input is not a sealed file.</summary>
    internal const int NotSivka = 96;

    /// <summary>The file or key file needs a newer version of this library.</summary>
    internal const int Newer = 97;

    /// <summary>The file is damaged, or somebody changed it.</summary>
    internal const int Damaged = 98;

    /// <summary>The end of the file is missing or damaged; nobody can tell which.</summary>
    internal const int Truncated = 99;

    /// <summary>None of the given keys and passphrases opens the file.</summary>
    internal const int WrongKey = 100;

    /// <summary>The file asks for more memory or time to try a passphrase than is allowed.</summary>
    internal const int CostLimit = 101;

    /// <summary>The input is longer than the file format allows.</summary>
    internal const int FileTooLong = 102;

    /// <summary>The text is not a key file, or it was damaged.</summary>
    internal const int KeyFile = 103;

    /// <summary>A file could not be opened or read.</summary>
    internal const int Read = 104;

    /// <summary>A file could not be created or written.</summary>
    internal const int Write = 105;

    /// <summary>The output exists and was not to be overwritten.</summary>
    internal const int Exists = 106;

    /// <summary>The caller's function that hears of the progress said to stop.</summary>
    internal const int Cancelled = 107;

    /// <summary>The input is not a keyset in the form asked for, or breaks a rule of keysets; sivka_last_error() says where, or at which key.</summary>
    internal const int Keyset = 108;

    /// <summary>A key of the keyset is of a type or version that this library does not have.</summary>
    internal const int KeyType = 109;

    /// <summary>The text has no recipients or identities of age's, one a line, or one that is none.</summary>
    internal const int AgeKey = 110;

    /// <summary>The call is wrong, and will be wrong again.</summary>
    internal static bool IsMisuse(int status) => status is >= 16 and <= 63;
}
