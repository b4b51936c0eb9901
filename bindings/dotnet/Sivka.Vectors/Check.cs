using System;

namespace Sivka.Vectors;

/// <summary>What a vector says, compared with what was computed.</summary>
internal static class Check
{
    internal static void That(bool holds, string what)
    {
        if (!holds)
        {
            throw new InvalidOperationException($"a vector fails: {what}");
        }
    }

    internal static void Equal(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> given, string what) =>
        That(expected.SequenceEqual(given), what);
}
