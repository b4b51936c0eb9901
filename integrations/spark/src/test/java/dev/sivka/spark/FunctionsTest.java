package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the functions compute, and what Spark's planner makes of them. */
class FunctionsTest extends SparkTest {
    private static final int ROWS = 1000;

    /** In four partitions: each third value is null, each seventh empty. */
    @BeforeAll
    void makePeople() {
        spark.range(0, ROWS, 1, 4)
                .selectExpr(
                        "id",
                        "CASE WHEN id % 3 = 0 THEN NULL WHEN id % 7 = 0 THEN '' ELSE 'name ' || id % 100 END AS name",
                        "CAST('number ' || id AS BINARY) AS bytes")
                .write()
                .parquet(folder.resolve("people").toString());
        spark.read().parquet(folder.resolve("people").toString()).createOrReplaceTempView("people");
        spark.range(0, ROWS, 1, 2)
                .selectExpr("id", "CASE WHEN id % 7 > 0 THEN 'value ' || id % 100 END AS v")
                .write().saveAsTable("numbers");
    }

    @AfterEach
    void asConfigured() {
        spark.conf().unset("spark.sql.codegen.wholeStage");
        spark.conf().unset("spark.sql.codegen.factoryMode");
        spark.conf().unset("spark.sql.adaptive.enabled");
        spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }

    private void setCodegen(boolean on) {
        spark.conf().set("spark.sql.codegen.wholeStage", Boolean.toString(on));
        spark.conf().set("spark.sql.codegen.factoryMode", on ? "CODEGEN_ONLY" : "NO_CODEGEN");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasSealedOpens(boolean codegen) {
        setCodegen(codegen);
        for (String pair : List.of("sivka_seal sivka_open", "sivka_seal sivka_try_open",
                "sivka_token sivka_open_token", "sivka_token sivka_try_open_token")) {
            String seal = pair.split(" ")[0];
            String open = pair.split(" ")[1];
            spark.sql("SELECT id, name, bytes, " + seal + "(name, 'example') AS n, " + seal
                            + "(bytes, 'example', 'people.' || id) AS b FROM people")
                    .write().mode("overwrite").parquet(folder.resolve("sealed").toString());
            Dataset<Row> sealed = spark.read().parquet(folder.resolve("sealed").toString());
            sealed.createOrReplaceTempView("sealed");
            assertEquals(
                    ROWS,
                    sealed.where("CAST(" + open + "(n, 'example') AS STRING) <=> name AND "
                                    + open + "(b, 'example', CAST('people.' || id AS BINARY)) = bytes")
                            .count(),
                    pair);
            assertEquals(0, sealed.where("n IS NULL AND name IS NOT NULL OR b IS NULL").count(), pair);
        }
    }

    @Test
    void wholeStageCodegenHasThem() {
        String plan = spark.sql("SELECT sivka_seal(name, 'example', id || '') AS s, sivka_token(name, 'example', id || '')"
                        + " FROM people")
                .queryExecution().executedPlan().toString();
        assertTrue(plan.contains("*(1) Project [sivka_seal("), plan);
    }

    /** DuckDB's tests read the same file: what one engine seals, the other opens. */
    @Test
    void rowsAreThoseOfEveryEngine() {
        spark.read().option("header", true).option("emptyValue", "").csv("../../../vectors/column-v1/rows.csv")
                .selectExpr("function", "unhex(coalesce(context, '')) AS c", "unhex(coalesce(value, '')) AS v", "unhex(sealed) AS s")
                .createOrReplaceTempView("shared");
        assertEquals(14L, this.<Long>one("SELECT count(*) FROM shared"));
        assertEquals(7L, this.<Long>one(
                "SELECT count(*) FROM shared WHERE function = 'sivka_seal' AND sivka_try_open(s, 'example', c) = v"));
        assertEquals(7L, this.<Long>one("SELECT count(*) FROM shared WHERE sivka_token(v, 'example', c) = s"
                + " AND sivka_try_open_token(s, 'example', c) = v"));
    }

    @Test
    void nullsAndEmptyValues() {
        for (ColumnFunction function : ColumnFunction.values()) {
            assertNull(one("SELECT " + function.sqlName + "(NULL, 'example')"), function.sqlName);
            assertNull(one("SELECT " + function.sqlName + "(name, 'example', 'c') FROM people WHERE id = 3"));
        }
        byte[] sealed = one("SELECT sivka_seal('', 'example')");
        byte[] token = one("SELECT sivka_token(X'', 'example')");
        assertEquals(28, sealed.length);
        assertEquals(32, token.length);
        byte[] opened = one("SELECT sivka_open(sivka_seal('', 'example'), 'example')");
        assertEquals(0, opened.length);
    }

    @Test
    void noNonceComesTwice() {
        long nonces = one("SELECT count(DISTINCT substr(s, 1, 12)) FROM"
                + " (SELECT sivka_seal('the same', 'example') AS s FROM people)");
        assertEquals(ROWS, nonces);
        Row twice = rows("SELECT sivka_seal(bytes, 'example') AS a, sivka_seal(bytes, 'example') AS b FROM people").get(0);
        assertFalse(java.util.Arrays.equals(twice.<byte[]>getAs("a"), twice.<byte[]>getAs("b")));
    }

    @Test
    void tokensGroupAndJoin() {
        assertEquals(
                rows("SELECT count(*) AS n FROM people GROUP BY name ORDER BY n"),
                rows("SELECT count(*) AS n FROM people GROUP BY sivka_token(name, 'example', 'c') ORDER BY n"));
        long joined = one("SELECT count(*) FROM people a JOIN people b"
                + " ON sivka_token(a.name, 'example') = sivka_token(b.name, 'example')");
        long expected = one("SELECT count(*) FROM people a JOIN people b ON a.name = b.name");
        assertEquals(expected, joined);
        long found = one("SELECT count(*) FROM people WHERE sivka_token(name, 'example', 'c') = sivka_token('name 4', 'example', 'c')");
        assertEquals(spark.table("people").where("name = 'name 4'").count(), found);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsForgedDoesNotOpen(boolean codegen) {
        setCodegen(codegen);
        for (String kind : List.of("seal open", "token open_token")) {
            String seal = "sivka_" + kind.split(" ")[0];
            String open = kind.split(" ")[1];
            spark.sql("SELECT " + seal + "(bytes, 'example', 'c') AS good FROM people").createOrReplaceTempView("good");
            for (String forged : List.of(
                    "substr(good, 2)", "substr(good, 1, length(good) - 1)", "good || X'00'", "X''", "X'00'",
                    "overlay(good PLACING X'' FROM 5 FOR 1)")) {
                Dataset<Row> bad = spark.sql("SELECT " + forged + " AS bad FROM good");
                assertEquals(ROWS, bad.where("sivka_try_" + open + "(bad, 'example', 'c') IS NULL").count(), forged);
                String message = messages(assertThrows(
                        Exception.class, () -> bad.selectExpr("sivka_" + open + "(bad, 'example', 'c')").collect()));
                assertTrue(message.contains("`sivka_" + open + "` is invalid: detail message: a value of column 'bad' does not open with key 'example'"), message);
            }
            Dataset<Row> good = spark.table("good");
            assertEquals(ROWS, good.where("sivka_try_" + open + "(good, 'example') IS NULL").count());
            assertEquals(0, good.where("sivka_try_" + open + "(good, 'example', 'c') IS NULL").count());
        }
    }

    @Test
    void sparkDescribesThem() {
        for (ColumnFunction function : ColumnFunction.values()) {
            String text = rows("DESCRIBE FUNCTION EXTENDED " + function.sqlName).toString();
            assertTrue(text.contains(function.signature()), text);
            assertTrue(text.contains("Examples:"), text);
        }
    }

    /** Permanent views have only what is built in, and are for sessions that did not make them. */
    @Test
    void permanentViews() {
        spark.sql("CREATE TABLE sealed_people USING parquet AS SELECT id, sivka_seal('name ' || id, 'example', 'n') AS name FROM range(100)");
        spark.sql("CREATE VIEW names AS SELECT id, CAST(sivka_open(name, 'example', 'n') AS STRING) AS name FROM sealed_people");
        assertEquals(100L, spark.newSession().table("names").where("name = 'name ' || id").count());
    }

    private String optimized(String sql) {
        return spark.sql(sql).queryExecution().optimizedPlan().toString();
    }

    /** Each row has a nonce of its own, so each is a group of its own. */
    @Test
    void sealsGroupAndOrder() {
        List<Row> groups = rows("SELECT sivka_seal(id || '', 'example') AS s, count(*) AS n FROM numbers"
                + " GROUP BY sivka_seal(id || '', 'example')");
        assertEquals(1000, groups.size());
        assertTrue(groups.stream().allMatch(row -> row.<byte[]>getAs("s").length >= 29));
        List<Row> ordered = rows("SELECT id FROM numbers ORDER BY sivka_seal(id || '', 'example')");
        assertEquals(1000, ordered.stream().map(row -> row.getLong(0)).distinct().count());
    }

    /** What opens or fails is not left out. */
    @Test
    void whatMayFailIsNotOptimizedAway() {
        String opens = optimized("SELECT id FROM (SELECT id, sivka_open(v, 'example') AS o FROM numbers) WHERE o IS NOT NULL");
        assertTrue(opens.contains("sivka_open"), opens);
        String tries = optimized("SELECT id FROM (SELECT id, sivka_try_open(v, 'example') AS o FROM numbers) WHERE o IS NOT NULL");
        assertTrue(tries.contains("isnotnull(sivka_try_open"), tries);
    }

    /** The same exchange twice in a query is made once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void exchangesAreReused(boolean adaptive) {
        spark.conf().set("spark.sql.adaptive.enabled", adaptive);
        spark.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
        Dataset<Row> query = spark.sql("WITH t AS (SELECT t, u, count(*) AS n FROM"
                + " (SELECT sivka_token(v, 'example') AS t, sivka_token(v || '', 'example', v) AS u FROM numbers)"
                + " GROUP BY t, u)"
                + " SELECT a.n, b.n, a.u, b.u FROM t a JOIN t b ON a.t = b.t");
        assertEquals(100, query.collectAsList().size());
        String plan = query.queryExecution().executedPlan().toString();
        assertTrue(plan.contains("ReusedExchange"), plan);
    }
}
