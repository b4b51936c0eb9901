package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a column of values takes, in one run: read from Parquet and given to a sink that drops
 * it, after each function. Prints the columns that evidence/bench/README.md names, in nanoseconds
 * a row and thread. {@code -Dsivka.benchmark.values=FOLDER} keeps the values for another run.
 */
@Tag("benchmark")
class BenchmarkTest extends SparkTest {
    private static final long ROWS = Long.getLong("sivka.benchmark.rows", 10_000_000);
    private static final int TURNS = Integer.getInteger("sivka.benchmark.turns", 3);
    private static final int THREADS = Integer.getInteger("sivka.benchmark.threads", 2);
    private static final String AES_KEY = "X'5f4dcc3b5aa765d61d8327deb882cf995f4dcc3b5aa765d61d8327deb882cf99'";

    /** How long a function takes that needs no turns: it is a hundred times the others. */
    private static final String SLOW = "aes_encrypt";

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder.master("local[" + THREADS + "]").config("spark.sql.codegen.wholeStage", "true");
    }

    /** What is timed: a name, and what is selected. */
    private static Map<String, String> contenders() {
        Map<String, String> contenders = new LinkedHashMap<>();
        contenders.put("no function", "v");
        contenders.put("concat", "concat(v, X'')");
        contenders.put("a UDF in Java that copies", "copied(v)");
        contenders.put("sivka_seal", "sivka_seal(v, 'example', 'c')");
        contenders.put("sivka_seal with a context of each row", "sivka_seal(v, 'example', substr(v, 1, 8))");
        contenders.put("sivka_token", "sivka_token(v, 'example', 'c')");
        contenders.put("sivka_open", "sivka_open(s, 'example', 'c')");
        contenders.put("sivka_open_token", "sivka_open_token(t, 'example', 'c')");
        contenders.put(SLOW, "aes_encrypt(v, " + AES_KEY + ", 'GCM')");
        return contenders;
    }

    @Test
    void aColumn() throws IOException {
        spark.udf().register("copied", (UDF1<byte[], byte[]>) byte[]::clone, DataTypes.BinaryType);
        Path path = Path.of(System.getProperty("sivka.benchmark.values", folder.resolve("values").toString()));
        if (!Files.exists(path)) {
            prepare(path.toString());
        }
        spark.read().parquet(path.toString()).createOrReplaceTempView("t");
        spark.read().parquet(path + "-warm").createOrReplaceTempView("warm");
        check();

        Map<String, String> contenders = contenders();
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        for (int turn = 0; turn <= TURNS; turn++) {
            for (Map.Entry<String, String> contender : contenders.entrySet()) {
                if (contender.getKey().equals(SLOW) && turn > 1) {
                    continue;
                }
                // The first turn warms up, with a part of the rows.
                String from = turn == 0 ? " FROM warm" : " FROM t";
                double taken = time("SELECT " + contender.getValue() + from);
                if (turn > 0) {
                    seconds.computeIfAbsent(contender.getKey(), name -> new ArrayList<>()).add(taken);
                }
            }
        }
        report(seconds);
    }

    /** Values, and a part of them to warm up with, in files that another run may use again. */
    private void prepare(String path) {
        spark.range(0, ROWS, 1, 16)
                .selectExpr("unhex(sha2(id || '', 256)) AS v")
                .selectExpr("v", "sivka_seal(v, 'example', 'c') AS s", "sivka_token(v, 'example', 'c') AS t")
                .write().parquet(path);
        spark.read().parquet(path).limit(100_000).write().parquet(path + "-warm");
    }

    /** All say the same before anything is timed. */
    private void check() {
        long right = one("SELECT count(*) FROM t WHERE sivka_open(s, 'example', 'c') = v"
                + " AND sivka_open_token(t, 'example', 'c') = v AND t = sivka_token(v, 'example', 'c')"
                + " AND concat(v, X'') = v AND copied(v) = v AND length(v) = 32");
        assertEquals(ROWS, right);
        List<Row> some = rows("SELECT v, aes_decrypt(aes_encrypt(v, " + AES_KEY + ", 'GCM'), " + AES_KEY
                + ", 'GCM'), sivka_open(sivka_seal(v, 'example'), 'example') FROM t LIMIT 1000");
        for (Row row : some) {
            assertEquals(true, Arrays.equals(row.<byte[]>getAs(0), row.<byte[]>getAs(1)));
            assertEquals(true, Arrays.equals(row.<byte[]>getAs(0), row.<byte[]>getAs(2)));
        }
    }

    private double time(String sql) {
        long from = System.nanoTime();
        spark.sql(sql).write().format("noop").mode("overwrite").save();
        return (System.nanoTime() - from) / 1e9;
    }

    private static void report(Map<String, List<Double>> seconds) {
        StringBuilder csv = new StringBuilder(
                "algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns\n");
        for (Map.Entry<String, List<Double>> each : seconds.entrySet()) {
            String name = each.getKey();
            String algorithm = name.contains("token") ? "xchacha20-blake2b-siv"
                    : name.startsWith("sivka") ? "aes-256-gcm-siv" : name.equals(SLOW) ? "aes-256-gcm" : "none";
            double[] sorted = each.getValue().stream().sorted().mapToDouble(s -> s * 1e9 * THREADS / ROWS).toArray();
            csv.append(String.format(Locale.ROOT, "spark,query,32,0,%d,%s,%s,%s,%.1f,%.1f%n", ROWS, name,
                    name.startsWith("sivka") ? "ours" : "yardstick", algorithm, sorted[0], sorted[sorted.length / 2]));
        }
        System.out.print(csv);
    }
}
