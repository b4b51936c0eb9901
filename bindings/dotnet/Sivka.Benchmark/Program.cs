using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Sivka.Benchmark;

/// <summary>
/// Measures in turns, and writes figures in the columns of the project's other records, which evidence/bench/plot.py
/// draws. The words are of <see cref="s_aeads"/>, and batch; none is all.
/// </summary>
internal static class Program
{
    private const int Rounds = 32;
    private const int Million = 1_000_000;
    private static readonly string[] s_aeads = ["aes-256-gcm-siv", "chacha20-blake2b", "xchacha20-blake2b", "xchacha20-blake2b-siv"];

    /// <summary>The last is 34.1 MiB, the file of the old library's own table.</summary>
    private static readonly int[] s_sizes = [16, 64, 512, 1024, 8192, 16 << 10, 64 << 10, 128 << 10, 1 << 20, 35_756_441];

    private static void Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Console.WriteLine("algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns");
        bool Wants(string word) => args.Length == 0 || args.Contains(word);
        foreach (string algorithm in s_aeads.Where(Wants))
        {
            Turns.Warm([.. Aeads.At(algorithm, s_sizes[0]).SelectMany(one => new[] { one.Seal, one.Open! })], 6);
            foreach (int size in s_sizes)
            {
                // The longest takes tens of milliseconds a call.
                Rows(algorithm, size, 1, Aeads.At(algorithm, size), size > 1 << 20 ? 3 : Rounds);
            }
        }
        if (Wants("batch"))
        {
            Turns.Warm([.. Calls.Batch(100).Select(one => one.Seal)], 6);
            Rows("batch", Calls.BatchedLength, Million, Calls.Batch(Million), 7);
        }
    }

    private static void Rows(string algorithm, int length, int batch, List<Contender> contenders, int rounds)
    {
        Contender.Agree(contenders);
        Operation("seal", [.. contenders.Select(one => one.Seal)]);
        Operation("open", [.. contenders.Select(one => one.Open).OfType<Action>()]);

        void Operation(string operation, List<Action> calls)
        {
            foreach ((Contender one, Turns.Time time) in contenders.Zip(Turns.Measure(calls, rounds)))
            {
                Console.WriteLine($"{algorithm},{operation},{length},0,{batch},{one.Name},{one.Kind},{one.Algorithm},{time.Least / batch:F2},{time.Median / batch:F2}");
            }
        }
    }
}
