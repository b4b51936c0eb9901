namespace Sivka.ChaCha20BLAKE2;

/// <summary>The length of a tag in bytes.</summary>
public enum TagLength
{
    /// <summary>32 bytes, which commit 128 bits strong.</summary>
    BLAKE2b256 = 32,

    /// <summary>48 bytes, which commit 192 bits strong.</summary>
    BLAKE2b384 = 48,

    /// <summary>64 bytes, which commit 256 bits strong.</summary>
    BLAKE2b512 = 64,
}
