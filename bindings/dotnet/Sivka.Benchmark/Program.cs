using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;

namespace Sivka.Benchmark;

/// <summary>Prints a table of CSV: what, operation, bytes, contender, the least and the median of nanoseconds, ratio.</summary>
internal static class Program
{
    private static readonly int[] s_aesSizes = [16, 64, 128, 256, 1024, 4096, 8192, 65_536, 1 << 20];
    private static readonly int[] s_chachaSizes = [512, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 512 << 10, 34_100_000];

    private static void Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        string what = args.Length > 0 ? args[0] : "all";
        int rounds = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 60;
        Console.WriteLine($"# {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription}, {rounds} rounds; ratio: of the first row's least");
        Console.WriteLine("table,operation,bytes,contender,least_ns,median_ns,ratio");
        if (what is "all" or "aes")
        {
            foreach (int size in s_aesSizes)
            {
                Table("aes", size, Aes.At(size, withSlow: size <= 8192), rounds);
            }
        }
        if (what is "all" or "chacha")
        {
            foreach (int size in s_chachaSizes)
            {
                // The longest takes tens of milliseconds a call.
                Table("chacha", size, ChaCha.At(size), size > 1 << 20 ? Math.Min(rounds, 5) : rounds);
            }
        }
        if (what is "all" or "crossing")
        {
            Print("crossing", "seal", 16, Crossing.At16(), rounds);
        }
        if (what is "all" or "batch")
        {
            Print("batch", "seal", 64, Crossing.Million(1_000_000), Math.Min(rounds, 7));
        }
    }

    private static void Table(string table, int size, List<Contender> contenders, int rounds)
    {
        Check.Agree(contenders);
        Print(table, "seal", size, [.. contenders.Select(one => (one.Name, one.Seal))], rounds);
        Print(table, "open", size, [.. contenders.Select(one => (one.Name, one.Open))], rounds);
    }

    private static void Print(string table, string operation, int size, List<(string Name, Action Call)> rows, int rounds)
    {
        List<(double Least, double Median)> times = Turns.Measure([.. rows.Select(row => row.Call)], rounds);
        for (int i = 0; i < rows.Count; i++)
        {
            Console.WriteLine($"{table},{operation},{size},\"{rows[i].Name}\",{times[i].Least:F1},{times[i].Median:F1},{times[i].Least / times[0].Least:F2}");
        }
    }
}
