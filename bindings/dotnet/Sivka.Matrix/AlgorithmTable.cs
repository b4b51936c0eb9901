// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
using System.Collections.Generic;

namespace Sivka;

/// <summary>Every algorithm, with the length of its keys in bytes.</summary>
internal static class AlgorithmTable
{
    internal static readonly IReadOnlyDictionary<string, int> KeyLengths = new Dictionary<string, int>
    {
        ["AES-128-GCM-SIV"] = 16,
        ["AES-256-GCM-SIV"] = 32,
        ["ChaCha20-BLAKE2b"] = 32,
        ["XChaCha20-BLAKE2b"] = 32,
        ["XChaCha20-BLAKE2b-SIV"] = 32,
        ["Kuznyechik-MGM"] = 32,
        ["ChaCha20-BLAKE2b-Tag48"] = 32,
        ["ChaCha20-BLAKE2b-Tag64"] = 32,
        ["XChaCha20-BLAKE2b-Tag48"] = 32,
        ["XChaCha20-BLAKE2b-Tag64"] = 32,
        ["XChaCha20-BLAKE2b-SIV-Tag48"] = 32,
        ["XChaCha20-BLAKE2b-SIV-Tag64"] = 32,
        ["AES-SIV-256"] = 32,
        ["AES-SIV-384"] = 48,
        ["AES-SIV-512"] = 64,
    };
}
