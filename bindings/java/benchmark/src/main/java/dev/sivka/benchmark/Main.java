package dev.sivka.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.LinkedHashMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks with JMH's own options, and prints the columns that evidence/bench/README.md
 * names. Nanoseconds are those of an iteration: other programs on the machine disturbed the fastest
 * least. What JMH says goes to standard error.
 */
public final class Main {
    private Main() {}

    /**
     * Arguments are those of JMH; {@code -h} lists them. {@code --rounds N} before them runs all
     * of it so many times: what disturbs a peer in one round hardly does so in each.
     */
    public static void main(String[] args) throws Exception {
        boolean hasRounds = args.length > 1 && args[0].equals("--rounds");
        int rounds = hasRounds ? Integer.parseInt(args[1]) : 1;
        CommandLineOptions options =
                new CommandLineOptions(hasRounds ? Arrays.copyOfRange(args, 2, args.length) : args);
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Map<String, List<Double>> rows = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            var said = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL);
            for (RunResult result : new Runner(options, said).run()) {
                List<Double> times = rows.computeIfAbsent(columns(result), any -> new ArrayList<>());
                for (BenchmarkResult fork : result.getBenchmarkResults()) {
                    for (IterationResult iteration : fork.getIterationResults()) {
                        times.add(iteration.getPrimaryResult().getScore());
                    }
                }
            }
        }
        System.out.println("algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns");
        rows.forEach((columns, times) -> {
            times.sort(null);
            System.out.printf(Locale.ROOT, "%s,%.2f,%.2f%n", columns, times.get(0), times.get(times.size() / 2));
        });
    }

    /** All but the times. */
    private static String columns(RunResult result) {
        String method = result.getParams().getBenchmark();
        Peer.Kind peer = Peer.Kind.valueOf(result.getParams().getParam("peer"));
        return String.join(",", Peer.Kind.SIVKA.algorithm(), method.substring(method.lastIndexOf('.') + 1),
                result.getParams().getParam("length"), "0", "1", peer.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                peer.kind(), peer.algorithm());
    }
}
