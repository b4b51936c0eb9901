using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Sivka.Benchmark;

/// <summary>Tables for people, and the figures in the columns of the project's other records, which `sivka-bench` plots.</summary>
internal sealed class Report(TextWriter? figures)
{
    private const string Columns =
        "algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns,gb_per_s,reference,ratio";

    /// <summary>Whose figure it is.</summary>
    internal readonly record struct Name(string Text, Kind Kind, string Algorithm);

    /// <summary>The figures of one length, not their buffers, which are long.</summary>
    internal readonly record struct Row(int Length, Name[] Names, List<Turns.Time> Times);

    /// <summary>What a record says before its figures.</summary>
    internal void Begin(string[] args)
    {
        Console.WriteLine($"command    Sivka.Benchmark {string.Join(' ', args)}");
        Console.WriteLine($"cpu        {Cpu()}");
        Console.WriteLine($"date       {DateTime.UtcNow:yyyy-MM-dd}");
        Console.WriteLine($"dotnet     {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription}");
        Console.WriteLine("peers      NSec 25.4.0 on libsodium 1.0.20, BouncyCastle 2.7.0, ChaCha20BLAKE2b 2.0.1, AES-GCM-SIV 0.3.2 (a port)");
        figures?.WriteLine(Columns);
    }

    /// <summary>One table: all contenders at all lengths, in nanoseconds, and in brackets how many times as fast ours is.</summary>
    internal void Table(string algorithm, string operation, string reference, List<Row> rows)
    {
        Console.WriteLine();
        Console.WriteLine($"{$"{algorithm} {operation}",-32}{string.Concat(rows[0].Names.Select(one => $"{one.Text,24}"))}");
        foreach ((int length, Name[] names, List<Turns.Time> times) in rows)
        {
            IEnumerable<string> cells = times.Select(time => $"{$"{time.Least:F1} ({time.Least / times[0].Least:F2})",24}");
            Console.WriteLine($"{length,-32}{string.Concat(cells)}");
            double least = times[Array.FindIndex(names, one => one.Text == reference)].Least;
            for (int i = 0; i < times.Count; i++)
            {
                figures?.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"{algorithm},{operation},{length},0,1,{names[i].Text},{Word(names[i].Kind)},{names[i].Algorithm},{times[i].Least:F2},{times[i].Median:F2},{length / times[i].Least:F4},{reference},{least / times[i].Least:F4}"));
            }
        }
    }

    /// <summary>A list of calls that do the same in different ways.</summary>
    internal static void Rows(string title, IReadOnlyList<(string Name, Action Call)> rows, List<Turns.Time> times)
    {
        Console.WriteLine();
        Console.WriteLine($"{title,-32}{"least",16}{"median",16}{"of the first",16}");
        for (int i = 0; i < rows.Count; i++)
        {
            Console.WriteLine($"{rows[i].Name,-32}{times[i].Least,16:F1}{times[i].Median,16:F1}{times[i].Least / times[0].Least,16:F2}");
        }
    }

    private static string Word(Kind kind) => kind switch { Kind.Ours => "ours", Kind.Peer => "peer", _ => "yardstick" };

    /// <summary>By family, model and stepping: a virtual machine hides the name.</summary>
    private static string Cpu()
    {
        if (!File.Exists("/proc/cpuinfo"))
        {
            return RuntimeInformation.ProcessArchitecture.ToString();
        }
        string[] lines = File.ReadAllLines("/proc/cpuinfo");
        string Field(string name) => lines.FirstOrDefault(line => line.StartsWith($"{name}\t", StringComparison.Ordinal))?.Split(':')[^1].Trim() ?? "?";
        return $"{Field("model name")}, family {Field("cpu family")}, model {Field("model")}, stepping {Field("stepping")}";
    }
}
