package dev.sivka.benchmark;

import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.Conscrypt;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs the benchmarks with JMH's own options and prints a table: nanoseconds a message in the
 * fastest iteration, which other programs on the machine disturbed least, and in brackets how
 * many times as long the peer takes as Sivka's direct interface does.
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
        List<RunResult> results = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            results.addAll(new Runner(options).run());
        }
        if (results.isEmpty()) {
            throw new IllegalStateException("nothing was run");
        }
        System.out.println();
        System.out.println("command  java -jar sivka-benchmark.jar " + String.join(" ", args));
        System.out.println("java     " + System.getProperty("java.vm.name") + " "
                + System.getProperty("java.vm.version"));
        for (Provider provider : List.of(Conscrypt.newProvider(), new BouncyCastleProvider())) {
            System.out.println("peer     " + provider.getName() + " " + provider.getVersionStr());
        }
        Map<String, Map<Integer, Map<String, Double>>> table = new TreeMap<>();
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            String method = params.getBenchmark();
            table.computeIfAbsent(method.substring(method.lastIndexOf('.') + 1), any -> new TreeMap<>())
                    .computeIfAbsent(Integer.valueOf(params.getParam("length")), any -> new TreeMap<>())
                    .merge(params.getParam("peer"), fastest(result), Math::min);
        }
        table.forEach(Main::print);
    }

    private static double fastest(RunResult result) {
        return result.getBenchmarkResults().stream()
                .map(BenchmarkResult::getIterationResults)
                .flatMap(Collection::stream)
                .map(IterationResult::getPrimaryResult)
                .mapToDouble(each -> each.getScore())
                .min().orElseThrow();
    }

    private static void print(String method, Map<Integer, Map<String, Double>> rows) {
        System.out.printf("%n%-8s", method);
        List<Peer.Kind> kinds = Stream.of(Peer.Kind.values())
                .filter(kind -> rows.values().stream().anyMatch(row -> row.containsKey(kind.name()))).toList();
        kinds.forEach(kind -> System.out.printf("%19s",
                kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        System.out.println();
        rows.forEach((length, row) -> {
            System.out.printf("%-8d", length);
            for (Peer.Kind kind : kinds) {
                Double time = row.get(kind.name());
                Double ours = row.get(kind.ours().name());
                String ratio = time == null || ours == null
                        ? "" : String.format(Locale.ROOT, "(%.2f)", time / ours);
                System.out.printf("%19s", time == null
                        ? "-" : String.format(Locale.ROOT, "%.0f %9s", time, ratio));
            }
            System.out.println();
        });
    }
}
