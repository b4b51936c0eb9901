using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;

namespace Sivka.Benchmark;

/// <summary>
/// Takes turns (A B C A B C …), each a batch of calls of about a millisecond, so that a drifting clock or a busy
/// neighbour meets all alike. It is the rule of the project's other benchmarks (evidence/bench/README.md).
/// </summary>
internal static class Turns
{
    private static readonly TimeSpan s_batch = TimeSpan.FromMilliseconds(1.2);

    /// <summary>Nanoseconds a call: the fastest batch and the median.</summary>
    internal readonly record struct Time(double Least, double Median);

    internal static List<Time> Measure(IReadOnlyList<Action> calls, int rounds)
    {
        Warm(calls, 1);
        int[] counts = [.. calls.Select(Count)];
        List<double>[] times = [.. calls.Select(_ => new List<double>(rounds))];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < calls.Count; i++)
            {
                times[i].Add(Batch(calls[i], counts[i]));
            }
        }
        return [.. times.Select(one => new Time(one.Min(), one.Order().ElementAt(one.Count / 2)))];
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

    /// <summary>
    /// The just-in-time compiler makes the last tier of what was called often, but only when nothing new was called for
    /// 100 ms, twice or three times. Its thread needs a processor too: the pauses give it both. Who has called
    /// nothing yet takes six; what the first length has warmed, the others find warm.
    /// </summary>
    internal static void Warm(IReadOnlyList<Action> calls, int pauses)
    {
        for (int pause = 0; pause < pauses; pause++)
        {
            foreach (Action call in calls)
            {
                long start = Stopwatch.GetTimestamp();
                for (int i = 0; i < 100 && Stopwatch.GetElapsedTime(start) < 5 * s_batch; i++)
                {
                    _ = Batch(call, 1);
                }
            }
            Thread.Sleep(150);
        }
    }

    /// <summary>How many calls fill a batch.</summary>
    private static int Count(Action call)
    {
        int count = 1;
        while (Batch(call, count) * count < s_batch.TotalNanoseconds / 2)
        {
            count *= 2;
        }
        return Math.Max(1, (int)(s_batch.TotalNanoseconds / Batch(call, count)));
    }
}
