package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens of constants, which the driver makes if it has the key, and who sees what is looked for. */
class ConstantsTest extends SparkTest {
    /** What is looked for under a key that the driver has; {@code value 7} is under another. */
    private static final String HIDDEN = "value 77";

    private static final String LOOK_UP = "SELECT id FROM sealed WHERE t = sivka_token(:value, 'example', 'c')";

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder.config("spark.eventLog.enabled", "true")
                .config("spark.eventLog.compress", "false")
                .config("spark.eventLog.dir", Files.createDirectory(folder.resolve("events")).toUri().toString())
                .config("spark.sivka.keys.no-file", folder.resolve("no.key").toString());
    }

    @BeforeAll
    void table() {
        String path = folder.resolve("sealed").toString();
        spark.range(1000).selectExpr("id", "sivka_token('value ' || id, 'example', 'c') AS t").write().parquet(path);
        spark.read().parquet(path).createOrReplaceTempView("sealed");
    }

    @Test
    void theExecutorsMakeThemIfTheDriverHasNoKey() {
        Dataset<Row> query = spark.sql("SELECT id FROM sealed WHERE t = sivka_token('value 7', 'no-file')");
        String plan = query.queryExecution().executedPlan().toString();
        assertTrue(plan.contains("sivka_token(value 7, "), plan);
        Exception thrown = assertThrows(Exception.class, query::collectAsList);
        assertTrue(messages(thrown).contains("is not there"), messages(thrown));
    }

    @Test
    void theDriverMakesThemIfItHasTheKey() {
        Dataset<Row> query = spark.sql(LOOK_UP, Map.of("value", HIDDEN));
        assertEquals(77L, query.collectAsList().get(0).getLong(0));
        String plan = query.queryExecution().executedPlan().toString();
        assertTrue(plan.contains("PushedFilters: [IsNotNull(t), EqualTo(t,"), plan);
        for (String shown : List.of(plan, query.queryExecution().optimizedPlan().toString(), query.queryExecution().analyzed().toString())) {
            assertFalse(shown.contains(HIDDEN), shown);
            assertFalse(shown.contains("sivka_token"), shown);
        }
    }

    /** What is no constant, and all but tokens, is as before. */
    @Test
    void nothingElseIsFolded() {
        String plan = spark.sql("SELECT sivka_seal('a', 'example') AS s, sivka_open(X'00', 'example') AS o,"
                        + " sivka_token(t, 'example') AS t, sivka_token('a', 'example', t) AS u"
                        + " FROM sealed")
                .queryExecution().analyzed().toString();
        assertEquals(5, plan.split("sivka_", -1).length, plan);
        assertNull(one("SELECT sivka_token(CAST(NULL AS STRING), 'example')"));
        assertThrows(Exception.class, () -> rows("SELECT sivka_token('a', 'example', CAST(NULL AS STRING))"));
        Row row = rows("SELECT sivka_token(X'61' || X'62', 'example') = sivka_token('ab', 'example', '')").get(0);
        assertTrue(row.getBoolean(0));
    }

    @AfterAll
    void events() throws IOException {
        spark.stop();
        StringBuilder events = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("events"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                events.append(Files.readString(file));
            }
        }
        assertTrue(events.indexOf("sivka_token(value 7, ") >= 0, "the event log has what is not folded");
        assertEquals(-1, events.indexOf(HIDDEN), "the event log has what was folded");
    }
}
