using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;

namespace Sivka.Benchmark;

/// <summary>Seconds for each figure, in this process: no build, and nothing to download.</summary>
internal static class Short
{
    internal static IConfig Config { get; } = DefaultConfig.Instance
        .AddJob(Job.Default
            .WithToolchain(InProcessEmitToolchain.Instance)
            .WithWarmupCount(3)
            .WithIterationCount(8)
            .WithIterationTime(TimeInterval.FromMilliseconds(25)))
        .AddDiagnoser(MemoryDiagnoser.Default);
}
