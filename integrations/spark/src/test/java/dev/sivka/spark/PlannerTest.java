package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark's planner makes of the functions: it takes them for what they are. */
class PlannerTest extends SparkTest {
    @BeforeAll
    void table() {
        spark.range(0, 1000, 1, 2)
                .selectExpr("id", "CASE WHEN id % 7 > 0 THEN 'value ' || id % 100 END AS v")
                .write().saveAsTable("numbers");
    }

    @AfterEach
    void asConfigured() {
        spark.conf().unset("spark.sql.adaptive.enabled");
        spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }

    private String optimized(String sql) {
        return spark.sql(sql).queryExecution().optimizedPlan().toString();
    }

    /** Each row has a nonce of its own, so each is a group of its own. */
    @Test
    void sealsGroup() {
        List<Row> groups = rows("SELECT sivka_seal(id || '', 'example') AS s, count(*) AS n FROM numbers"
                + " GROUP BY sivka_seal(id || '', 'example')");
        assertEquals(1000, groups.size());
        assertTrue(groups.stream().allMatch(row -> row.<byte[]>getAs("s").length >= 29));
        assertEquals(1000L, this.<Long>one("SELECT sum(n) FROM (SELECT count(*) AS n FROM numbers"
                + " GROUP BY sivka_seal(id || '', 'example'), id % 3)"));
    }

    @Test
    void sealsOrder() {
        List<Row> rows = rows("SELECT id FROM numbers ORDER BY sivka_seal(id || '', 'example')");
        assertEquals(1000, rows.size());
        assertEquals(1000, rows.stream().map(row -> row.getLong(0)).distinct().count());
    }

    /** A join drops nulls before: by what is sealed, so that no token is made for that alone. */
    @Test
    void aJoinMakesTokensOnce() {
        spark.sql("CREATE OR REPLACE TEMP VIEW tokens AS SELECT id, sivka_token(v, 'example', 'c') AS t FROM numbers");
        String join = "SELECT a.id FROM tokens a JOIN tokens b ON a.t = b.t";
        String plan = optimized(join);
        assertFalse(plan.contains("isnotnull(sivka_token"), plan);
        assertTrue(plan.contains("isnotnull(v"), plan);
        assertEquals(rows("SELECT a.id FROM numbers a JOIN numbers b ON a.v = b.v").size(), rows(join).size());
        assertEquals(143L, this.<Long>one("SELECT count(*) FROM tokens WHERE t IS NULL"));
    }

    /** What opens or fails is not left out, and a context that is null fails. */
    @Test
    void whatMayFailIsNotOptimizedAway() {
        String opens = optimized("SELECT id FROM (SELECT id, sivka_open(v, 'example') AS o FROM numbers) WHERE o IS NOT NULL");
        assertTrue(opens.contains("sivka_open"), opens);
        String tries = optimized("SELECT id FROM (SELECT id, sivka_try_open(v, 'example') AS o FROM numbers) WHERE o IS NOT NULL");
        assertTrue(tries.contains("isnotnull(sivka_try_open"), tries);
        String context = optimized("SELECT id FROM (SELECT id, sivka_token(id || '', 'example', v) AS t FROM numbers) WHERE t IS NOT NULL");
        assertTrue(context.contains("isnotnull(sivka_token"), context);
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
