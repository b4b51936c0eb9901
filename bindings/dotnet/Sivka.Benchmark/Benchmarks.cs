using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Attributes;

namespace Sivka.Benchmark;

/// <summary>The table of the package AES-GCM-SIV, with its sizes.</summary>
public class AesBenchmarks : Benchmarks
{
    [Params(16, 128, 1024, 4096, 8192)]
    public int Bytes { get; set; }

    private protected override IEnumerable<string> Names => Aes.At(16).Select(one => one.Name);

    private protected override List<Contender> At() => Aes.At(Bytes);
}

/// <summary>The tables of the package ChaCha20BLAKE2b, with its sizes: those of files.</summary>
public abstract class FamilyBenchmarks : Benchmarks
{
    [Params(512, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 512 << 10, 35_756_441)]
    public int Bytes { get; set; }

    private protected abstract string Algorithm { get; }

    private protected override IEnumerable<string> Names => ChaCha.At(Algorithm, 16).Select(one => one.Name);

    private protected override List<Contender> At() => ChaCha.At(Algorithm, Bytes);
}

public class ChaCha20Benchmarks : FamilyBenchmarks
{
    private protected override string Algorithm => ChaCha.Algorithms[0];
}

public class XChaCha20Benchmarks : FamilyBenchmarks
{
    private protected override string Algorithm => ChaCha.Algorithms[1];
}

public class XChaCha20SivBenchmarks : FamilyBenchmarks
{
    private protected override string Algorithm => ChaCha.Algorithms[2];
}

/// <summary>One contender at one size, both ways.</summary>
public abstract class Benchmarks
{
    private Action _seal = () => { };
    private Action _open = () => { };

    [ParamsSource(nameof(Contenders))]
    public string Contender { get; set; } = "";

    public IEnumerable<string> Contenders => Names;

    private protected abstract IEnumerable<string> Names { get; }

    [GlobalSetup]
    public void SetUp()
    {
        List<Contender> all = At();
        Check.Agree(all);
        Contender chosen = all.Single(one => one.Name == Contender);
        (_seal, _open) = (chosen.Seal, chosen.Open);
    }

    [Benchmark]
    public void Encrypt() => _seal();

    [Benchmark]
    public void Decrypt() => _open();

    private protected abstract List<Contender> At();
}
