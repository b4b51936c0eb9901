package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a batch holds: few bytes of long rows, all of them known to Spark, and shown in its UI. */
class MemoryTest extends SparkTest {
    private static final AtomicLong READ = new AtomicLong();

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        // Tasks share 0.6 of this. What a task holds at its end fails it.
        return builder
                .config("spark.testing.memory", 64 << 20)
                .config("spark.testing.reservedMemory", 0)
                .config("spark.unsafe.exceptionOnMemoryLeak", "true")
                .config("spark.sql.adaptive.enabled", "false");
    }

    /** Rows of 200,000 bytes beside what is sealed, counted when they are read. */
    private Dataset<Row> wide() {
        spark.udf().register("read", (UDF1<Long, Long>) id -> {
            READ.incrementAndGet();
            return id;
        }, DataTypes.LongType);
        return spark.range(0, 2000, 1, 1)
                .selectExpr("read(id) AS id", "repeat(char(65 + id % 26), 200000) AS other")
                .selectExpr("sivka_seal(id || '', 'example') AS s", "other", "id");
    }

    @Test
    void wideRowsAreNotHeldByTheThousand() {
        READ.set(0);
        assertEquals(1, wide().takeAsList(1).size());
        assertTrue(READ.get() <= 3, READ + " rows read for one");
        assertEquals(2000, wide().where("CAST(sivka_open(s, 'example') AS STRING) = id || '' AND length(other) = 200000").count());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "sivka_seal(repeat(id || '', 24 * 1024 * 1024), 'example')",
        "sivka_seal(id || '', 'example', repeat(id || '', 48 * 1024 * 1024))"
    })
    void moreThanATaskMayHoldIsRefused(String call) {
        String message = messages(assertThrows(Exception.class, () -> rows(
                "SELECT length(s) FROM (SELECT " + call + " AS s FROM range(0, 4, 1, 1))")));
        assertTrue(message.contains("UNABLE_TO_ACQUIRE_MEMORY"), message);
    }

    /** Of what is given back, as much may be taken again and again. */
    @Test
    void longValuesOneAfterTheOther() {
        assertEquals(8L * (28 + (6 << 20)), this.<Long>one("SELECT sum(length(s)) FROM"
                + " (SELECT sivka_seal(repeat(id || '', 6 * 1024 * 1024), 'example') AS s FROM range(0, 8, 1, 1))"));
    }

    private static SparkPlan batch(SparkPlan plan) {
        Deque<SparkPlan> open = new ArrayDeque<>();
        open.add(plan);
        while (!(open.getFirst() instanceof BatchExec)) {
            Lists.ofScala(open.removeFirst().children()).forEach(open::add);
        }
        return open.getFirst();
    }

    @Test
    void metrics() {
        Dataset<Row> query = spark.sql("SELECT sivka_try_open(CASE WHEN id % 10 > 0 THEN repeat('x', 100) END, 'example') AS o, id"
                + " FROM range(0, 5000, 1, 2)");
        assertEquals(5000, query.collectAsList().size());
        SparkPlan batch = batch(query.queryExecution().executedPlan());
        assertEquals(5000, batch.metrics().apply("numOutputRows").value());
        assertEquals(4500 * 100, batch.metrics().apply("dataSize").value());
        assertEquals(4500, batch.metrics().apply("notOpened").value());
        long peak = batch.metrics().apply("peakMemory").value();
        // Of each of two tasks: values, rows and results of a batch.
        assertTrue(peak > 2 * 100_000 && peak < 2 << 20, "" + peak);
    }
}
