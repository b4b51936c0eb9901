using System;

namespace Sivka.Benchmark;

/// <summary>Whose code it is, as evidence/bench/README.md has it: a yardstick is another algorithm for the same job.</summary>
internal enum Kind
{
    Ours,
    Peer,
    Yardstick,
}

/// <summary>One implementation with its key made: seals and opens one message of one length, into its own buffers.</summary>
internal sealed class Contender(string name, Kind kind, string algorithm, Action seal, Action open, Func<byte[]> sealedBytes, Func<byte[]> openedBytes)
{
    internal string Name { get; } = name;

    internal Kind Kind { get; } = kind;

    /// <summary>Contenders of one algorithm compute the same bytes.</summary>
    internal string Algorithm { get; } = algorithm;

    internal Action Seal { get; } = seal;

    internal Action Open { get; } = open;

    /// <summary>Ciphertext and tag of the last call.</summary>
    internal Func<byte[]> Sealed { get; } = sealedBytes;

    internal Func<byte[]> Opened { get; } = openedBytes;
}
