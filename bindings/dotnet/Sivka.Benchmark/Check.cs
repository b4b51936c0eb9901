using System;
using System.Collections.Generic;
using System.Linq;

namespace Sivka.Benchmark;

/// <summary>Who computes something else is not measured.</summary>
internal static class Check
{
    internal static void That(bool holds)
    {
        if (!holds)
        {
            throw new InvalidOperationException("contenders do not agree");
        }
    }

    /// <summary>All seal, all open what they sealed, and those of one algorithm have the same bytes.</summary>
    internal static void Agree(IEnumerable<Contender> contenders)
    {
        byte[]? text = null;
        foreach (IGrouping<string, Contender> algorithm in contenders.GroupBy(one => one.Algorithm))
        {
            byte[]? expected = null;
            foreach (Contender one in algorithm)
            {
                one.Seal();
                one.Open();
                expected ??= one.Sealed();
                text ??= one.Opened();
                That(expected.AsSpan().SequenceEqual(one.Sealed()) && text.AsSpan().SequenceEqual(one.Opened()));
            }
        }
    }
}
