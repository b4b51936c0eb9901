package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs over two workers, one of which is killed, or hangs, while they run. */
@Tag("cluster")
class ClusterTest {
    /** How many rows the job has. */
    private static final long ROWS = Long.getLong("sivka.cluster.rows", 10_000_000);

    private static final int PARTITIONS = 32;
    private static final int PEOPLE = 10_000;

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void aWorkerIsKilledAndTheResultIsRight() throws Exception {
        try (Cluster cluster = new Cluster(folder, 2)) {
            SparkSession spark = session(cluster).getOrCreate();
            try {
                sealOrders(spark, cluster);
                compare(spark);
            } finally {
                spark.stop();
            }
        }
    }

    private SparkSession.Builder session(Cluster cluster) throws Exception {
        return SparkSession.builder()
                .master(cluster.address())
                .appName("ClusterTest")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "1g")
                .config("spark.executor.extraClassPath", cluster.folders())
                .config("spark.sql.shuffle.partitions", "8")
                .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
                .config("spark.sivka.keys.example", TestKeys.file(folder).toString());
    }

    /** A task that hangs is run a second time elsewhere, while the first still runs. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aTaskThatRunsTwiceAtOnce() throws Exception {
        try (Cluster cluster = new Cluster(folder, 2)) {
            SparkSession spark = session(cluster)
                    .config("spark.speculation", "true")
                    .config("spark.speculation.quantile", "0.5")
                    .getOrCreate();
            try {
                speculate(spark);
            } finally {
                spark.stop();
            }
        }
    }

    private void speculate(SparkSession spark) {
        AtomicInteger speculative = new AtomicInteger();
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                speculative.addAndGet(end.taskInfo().speculative() && end.taskInfo().successful() ? 1 : 0);
            }
        });
        spark.udf().register("hangs_at_first", (UDF1<Long, Long>) id -> {
            if (id == 50 && TaskContext.get().attemptNumber() == 0) {
                Thread.sleep(120_000);
            }
            return id;
        }, DataTypes.LongType);
        String path = folder.resolve("speculated").toString();
        spark.sql("SELECT id, sivka_token(id || '', 'example') AS t, sivka_seal(id || '', 'example') AS s"
                        + " FROM (SELECT hangs_at_first(id) AS id FROM range(0, 1000, 1, 8))")
                .write().parquet(path);
        spark.read().parquet(path).createOrReplaceTempView("speculated");
        Row result = spark.sql("SELECT count(*), count(DISTINCT id), count(DISTINCT t), count(DISTINCT substr(s, 1, 12)),"
                        + " count_if(CAST(sivka_open(s, 'example') AS STRING) = id || '' AND t = sivka_token(id || '', 'example'))"
                        + " FROM speculated")
                .collectAsList().get(0);
        for (int i = 0; i < result.size(); i++) {
            assertEquals(1000, result.getLong(i), "column " + i);
        }
        assertTrue(speculative.get() > 0, "no task ran twice");
    }

    private void sealOrders(SparkSession spark, Cluster cluster) throws Exception {
        spark.range(PEOPLE)
                .selectExpr("id AS person", "sivka_token('person ' || id, 'example', 'person') AS token")
                .write().parquet(folder.resolve("people").toString());
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> spark.range(0, ROWS, 1, PARTITIONS)
                .selectExpr(
                        "id",
                        "sivka_token('person ' || id % " + PEOPLE + ", 'example', 'person') AS token",
                        "sivka_seal('the order with the number ' || id, 'example', 'orders.' || id) AS text")
                .write().parquet(folder.resolve("orders").toString()));
        while (tasksDone(spark) < PARTITIONS / 4) {
            assertTrue(!writing.isDone(), "the job ended before a worker was killed");
            Thread.sleep(50);
        }
        cluster.killWorker(0);
        writing.get();
    }

    /** Of the job that runs. */
    private static int tasksDone(SparkSession spark) {
        int done = 0;
        for (int stage : spark.sparkContext().statusTracker().getActiveStageIds()) {
            done += spark.sparkContext().statusTracker().getStageInfo(stage).get().numCompletedTasks();
        }
        return done;
    }

    private void compare(SparkSession spark) {
        spark.read().parquet(folder.resolve("orders").toString()).createOrReplaceTempView("orders");
        spark.read().parquet(folder.resolve("people").toString()).createOrReplaceTempView("people");
        Row result = spark.sql("SELECT count(*), count(DISTINCT id), count(DISTINCT substr(text, 1, 12)),"
                        + " count_if(id % " + PEOPLE + " = person),"
                        + " count_if(CAST(sivka_open(text, 'example', 'orders.' || id) AS STRING)"
                        + " = 'the order with the number ' || id)"
                        + " FROM orders JOIN people USING (token)")
                .collectAsList().get(0);
        for (int i = 0; i < result.size(); i++) {
            assertEquals(ROWS, result.getLong(i), "column " + i);
        }
    }
}
