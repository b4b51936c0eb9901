using System;
using System.Collections.Generic;
using System.Linq;

namespace Sivka.Benchmark;

internal delegate void Sealing(Span<byte> ciphertext, Span<byte> tag);

internal delegate void Opening(ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext);

/// <summary>
/// One implementation with its key made: seals and opens one message of one length, into its own buffers. Its kind is
/// ours, peer, or yardstick (another algorithm for the same job), as evidence/bench/README.md has it.
/// </summary>
internal sealed record Contender(string Name, string Kind, string Algorithm, Action Seal, Action? Open = null)
{
    /// <summary>Ciphertext and tag of the last call; contenders of one algorithm compute the same bytes.</summary>
    internal Func<byte[]> Sealed { get; init; } = () => [];

    internal Func<byte[]> Opened { get; init; } = () => [];

    /// <summary>One that has ciphertext and tag in two buffers.</summary>
    internal static Contender Apart(string name, string kind, string algorithm, int length, int tagLength, Sealing seal, Opening open)
    {
        byte[] ciphertext = new byte[length], tag = new byte[tagLength], opened = new byte[length];
        return new(name, kind, algorithm, () => seal(ciphertext, tag), () => open(ciphertext, tag, opened))
        {
            Sealed = () => [.. ciphertext, .. tag],
            Opened = () => opened,
        };
    }

    /// <summary>One that makes new arrays, of ciphertext and tag together.</summary>
    internal static Contender Joined(string name, string kind, string algorithm, Func<byte[]> seal, Func<byte[], byte[]> open)
    {
        byte[] made = [], opened = [];
        return new(name, kind, algorithm, () => made = seal(), () => opened = open(made)) { Sealed = () => made, Opened = () => opened };
    }

    /// <summary>Who computes something else is not measured.</summary>
    internal static void Agree(IEnumerable<Contender> contenders)
    {
        byte[]? text = null;
        foreach (IGrouping<string, Contender> algorithm in contenders.GroupBy(one => one.Algorithm))
        {
            byte[]? expected = null;
            foreach (Contender one in algorithm)
            {
                one.Seal();
                one.Open?.Invoke();
                expected ??= one.Sealed();
                text ??= one.Opened();
                That(expected.AsSpan().SequenceEqual(one.Sealed()) && text.AsSpan().SequenceEqual(one.Opened()));
            }
        }
    }

    internal static void That(bool holds)
    {
        if (!holds)
        {
            throw new InvalidOperationException("contenders do not agree");
        }
    }
}
