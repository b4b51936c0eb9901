package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** The functions where Spark plans anew, runs again, or never ends. */
class ExecutionTest extends SparkTest {
    private static final int ROWS = 1000;

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        // The second number: how often a task may fail.
        return builder.master("local[2,3]");
    }

    @Test
    void adaptiveExecution() {
        String sql = "SELECT CAST(sivka_open_token(a.t, 'example') AS STRING) AS v, count(*) AS n"
                + " FROM (SELECT sivka_token(id % 50 || '', 'example') AS t FROM range(1000)) a"
                + " JOIN (SELECT sivka_token(id || '', 'example') AS t FROM range(40)) b ON a.t = b.t"
                + " GROUP BY a.t ORDER BY v";
        spark.conf().set("spark.sql.adaptive.enabled", "false");
        List<Row> expected = rows(sql);
        spark.conf().set("spark.sql.adaptive.enabled", "true");
        Dataset<Row> adaptive = spark.sql(sql);
        assertEquals(expected, adaptive.collectAsList());
        assertEquals(40, expected.size());
        String plan = adaptive.queryExecution().executedPlan().toString();
        assertTrue(plan.contains("isFinalPlan=true"), plan);
    }

    @Test
    void aTaskThatRunsAgain() {
        spark.udf().register("fails_at_first", (UDF1<Long, Long>) id -> {
            if (id % 100 == 99 && TaskContext.get().attemptNumber() == 0) {
                throw new IllegalStateException("the first attempt fails");
            }
            return id;
        }, DataTypes.LongType);
        String sealing = "SELECT id, sivka_token(id || '', 'example') AS t, sivka_seal(id || '', 'example') AS s FROM ";
        String path = folder.resolve("retried").toString();
        spark.sql(sealing + "(SELECT fails_at_first(id) AS id FROM range(0, " + ROWS + ", 1, 4))").write().parquet(path);
        spark.read().parquet(path).createOrReplaceTempView("retried");
        spark.sql(sealing + "range(" + ROWS + ")").createOrReplaceTempView("direct");
        long same = one("SELECT count(*) FROM retried r JOIN direct d ON r.t = d.t AND r.id = d.id"
                + " WHERE CAST(sivka_open(r.s, 'example') AS STRING) = r.id || ''");
        assertEquals(ROWS, same);
        long nonces = one("SELECT count(DISTINCT substr(s, 1, 12)) FROM retried");
        assertEquals(ROWS, nonces);
    }

    @Test
    void structuredStreaming() throws Exception {
        String in = folder.resolve("stream-in").toString();
        String out = folder.resolve("stream-out").toString();
        spark.range(0, ROWS / 2, 1, 2).selectExpr("id", "id || '' AS v").write().parquet(in);
        Dataset<Row> sealed = spark.readStream().schema("id LONG, v STRING").parquet(in)
                .selectExpr("id", "v", "sivka_seal(v, 'example', 'c') AS s", "sivka_token(v, 'example', 'c') AS t");
        stream(sealed, out);
        spark.range(ROWS / 2, ROWS, 1, 2).selectExpr("id", "id || '' AS v").write().mode("append").parquet(in);
        stream(sealed, out);
        Dataset<Row> written = spark.read().parquet(out);
        assertEquals(ROWS, written.count());
        assertEquals(
                ROWS,
                written.where("CAST(sivka_open(s, 'example', 'c') AS STRING) = v AND"
                                + " CAST(sivka_open_token(t, 'example', 'c') AS STRING) = v")
                        .count());
    }

    /** Runs until all that is there has been read; goes on from its checkpoint. */
    private void stream(Dataset<Row> from, String path) throws Exception {
        StreamingQuery query = from.writeStream().format("parquet").trigger(Trigger.AvailableNow())
                .option("checkpointLocation", folder.resolve("checkpoint").toString())
                .start(path);
        query.awaitTermination();
    }

    @Test
    void tokensAreTheSameEveryTime() {
        String sql = "SELECT sivka_token(id || '', 'example') AS t FROM range(0, 100, 1, 5) ORDER BY id";
        List<Row> first = rows(sql);
        List<Row> second = rows(sql);
        for (int i = 0; i < first.size(); i++) {
            assertTrue(Arrays.equals(first.get(i).<byte[]>getAs(0), second.get(i).<byte[]>getAs(0)));
        }
        assertEquals(100, first.size());
    }
}
