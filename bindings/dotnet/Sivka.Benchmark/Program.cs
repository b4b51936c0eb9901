using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Running;

namespace Sivka.Benchmark;

/// <summary>
/// <c>compare WORDS… [--csv PATH]</c> measures in turns: the words are of aes, crossing, batch and the three
/// of <see cref="ChaCha.Algorithms"/>; none is all.
/// Everything else is BenchmarkDotNet's, as <c>--filter *</c>.
/// </summary>
internal static class Program
{
    private const int Rounds = 32;
    private static readonly int[] s_aesSizes = [16, 64, 128, 256, 1024, 4096, 8192, 65_536, 1 << 20];

    /// <summary>The last is 34.1 MiB, the file of the old library's own table.</summary>
    private static readonly int[] s_chachaSizes = [64, 512, 1024, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 512 << 10, 35_756_441];

    private static void Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        if (args is not ["compare", ..])
        {
            _ = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args, Short.Config);
            return;
        }
        int csv = Array.IndexOf(args, "--csv");
        string[] words = args[1..(csv < 0 ? args.Length : csv)];
        using StreamWriter? figures = csv < 0 ? null : new StreamWriter(args[csv + 1]) { NewLine = "\n" };
        Compare(word => words.Length == 0 || words.Contains(word), new Report(figures), args);
    }

    private static void Compare(Predicate<string> wants, Report report, string[] args)
    {
        report.Begin(args);
        if (wants("aes"))
        {
            Table(report, Aes.Algorithm, Aes.Reference, s_aesSizes, Aes.At);
        }
        foreach (string algorithm in ChaCha.Algorithms.Where(algorithm => wants(algorithm)))
        {
            Table(report, algorithm, ChaCha.Reference, s_chachaSizes, length => ChaCha.At(algorithm, length));
        }
        if (wants("crossing"))
        {
            List<(string, Action)> rows = Crossing.At16();
            Turns.Warm([.. rows.Select(row => row.Item2)], 6);
            List<Turns.Time> times = Turns.Measure([.. rows.Select(row => row.Item2)], 4 * Rounds);
            Report.Rows("seal 16 bytes, ns", rows, times);
            Console.WriteLine($"outside the C interface: {times[0].Least - times[2].Least + times[4].Least - times[5].Least:F1}, medians {times[0].Median - times[2].Median + times[4].Median - times[5].Median:F1}");
        }
        if (wants("batch"))
        {
            List<(string, Action)> rows = Batches.Of(1_000_000);
            Turns.Warm([.. Batches.Of(100).Select(row => row.Item2)], 6);
            Report.Rows("1,000,000 messages of 64 bytes, ns", rows, Turns.Measure([.. rows.Select(row => row.Item2)], 7));
        }
    }

    private static void Table(Report report, string algorithm, string reference, int[] sizes, Func<int, List<Contender>> at)
    {
        List<Report.Row> sealing = [], opening = [];
        List<Contender> first = at(sizes[0]);
        Check.Agree(first);
        Turns.Warm([.. first.Select(one => one.Seal), .. first.Select(one => one.Open)], 6);
        foreach (int size in sizes)
        {
            List<Contender> contenders = at(size);
            Check.Agree(contenders);
            // The longest takes tens of milliseconds a call.
            int rounds = size > 1 << 20 ? 3 : Rounds;
            Report.Name[] names = [.. contenders.Select(one => new Report.Name(one.Name, one.Kind, one.Algorithm))];
            sealing.Add(new(size, names, Turns.Measure([.. contenders.Select(one => one.Seal)], rounds)));
            opening.Add(new(size, names, Turns.Measure([.. contenders.Select(one => one.Open)], rounds)));
        }
        report.Table(algorithm, "seal", reference, sealing);
        report.Table(algorithm, "open", reference, opening);
    }
}
