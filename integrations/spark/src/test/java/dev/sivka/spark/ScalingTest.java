package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a second worker brings: the same job on one worker of one core, and on two. */
@Tag("benchmark")
class ScalingTest {
    private static final long ROWS = Long.getLong("sivka.benchmark.rows", 10_000_000);
    private static final int TURNS = Integer.getInteger("sivka.benchmark.turns", 3);

    @TempDir
    Path folder;

    @Test
    void aSecondWorker() throws Exception {
        try (Cluster cluster = new Cluster(folder, 2)) {
            double one = seconds(cluster, 1);
            double two = seconds(cluster, 2);
            System.out.printf(Locale.ROOT, "workers,rows,seconds%n1,%d,%.3f%n2,%d,%.3f%nratio,,%.2f%n", ROWS, one, ROWS, two, one / two);
        }
    }

    /** The fastest of some turns after one that warms up. */
    private double seconds(Cluster cluster, int workers) throws Exception {
        SparkSession spark = SparkSession.builder()
                .master(cluster.address())
                .appName("ScalingTest")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "700m")
                .config("spark.executor.extraClassPath", cluster.folders())
                .config("spark.cores.max", workers)
                .config("spark.sivka.keys.example", TestKeys.file(folder).toString())
                .getOrCreate();
        try {
            while (spark.sparkContext().statusTracker().getExecutorInfos().length < workers + 1) {
                Thread.sleep(50);
            }
            double best = Double.MAX_VALUE;
            for (int turn = 0; turn <= TURNS; turn++) {
                double taken = seconds(spark);
                best = turn == 0 ? best : Math.min(best, taken);
            }
            return best;
        } finally {
            spark.stop();
        }
    }

    private static double seconds(SparkSession spark) {
        long from = System.nanoTime();
        long right = spark.range(0, ROWS, 1, 32)
                .selectExpr("id", "sivka_seal(substr(repeat(id || ' ', 32), 1, 32), 'example', 'c') AS s")
                .selectExpr("count_if(length(s) = 60) AS n")
                .head().getLong(0);
        assertEquals(ROWS, right);
        return (System.nanoTime() - from) / 1e9;
    }
}
