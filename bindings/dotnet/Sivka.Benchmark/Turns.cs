using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

namespace Sivka.Benchmark;

/// <summary>
/// Takes turns (A B C A B C …), each a batch of calls of about a millisecond, so that a drifting clock or a busy
/// neighbour meets all alike: the rule of the project's other benchmarks (bench/README.md).
/// </summary>
internal static class Turns
{
    private static readonly TimeSpan s_batch = TimeSpan.FromMilliseconds(1.2);

    /// <summary>Nanoseconds a call: the fastest batch and the median.</summary>
    internal static List<(double Least, double Median)> Measure(IReadOnlyList<Action> calls, int rounds)
    {
        int[] counts = [.. calls.Select(Count)];
        List<double>[] times = [.. calls.Select(_ => new List<double>(rounds))];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < calls.Count; i++)
            {
                times[i].Add(Batch(calls[i], counts[i]));
            }
        }
        return [.. times.Select(one => (one.Min(), one.Order().ElementAt(one.Count / 2)))];
    }

    private static double Batch(Action call, int count)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            call();
        }
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / count;
    }

    /// <summary>Warms up until the last tier of the just-in-time compiler is there, and finds how many calls fill a batch.</summary>
    private static int Count(Action call)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < 5000 && Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(150); i++)
        {
            call();
        }
        double one = Math.Min(Batch(call, 10), Batch(call, 10));
        return Math.Max(1, (int)(s_batch.TotalNanoseconds / one));
    }
}
