using System.Collections.Generic;
using Sivka.Matrix;
using Xunit;

namespace Sivka.Tests;

/// <summary>One algorithm of each class, with the length of its keys: the matrix plays the others.</summary>
internal static class Algorithms
{
    private static readonly Dictionary<string, int> s_keyLengths = new()
    {
        ["AES-128-GCM-SIV"] = 16,
        ["AES-SIV-512"] = 64,
        ["ChaCha20-BLAKE2b"] = 32,
        ["XChaCha20-BLAKE2b-Tag64"] = 32,
        ["XChaCha20-BLAKE2b-SIV-Tag48"] = 32,
        ["Kuznyechik-MGM"] = 32,
    };

    internal static TheoryData<string> Names => [.. s_keyLengths.Keys];

    internal static AeadKey New(string algorithm) => Keys.Make(algorithm, new byte[s_keyLengths[algorithm]]);
}
