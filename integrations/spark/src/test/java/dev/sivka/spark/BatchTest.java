package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator that gathers rows, beside a call a row. */
class BatchTest extends SparkTest {
    private static final String NODE = "SivkaBatch";

    @BeforeAll
    void table() {
        spark.range(0, 5000, 1, 3)
                .selectExpr("id", "CASE WHEN id % 7 = 0 THEN NULL WHEN id % 7 = 1 THEN '' ELSE 'value ' || id % 100 END AS v")
                .write().saveAsTable("numbers");
        spark.sql("CREATE TABLE forged USING parquet AS SELECT id, CASE WHEN id = 3000 THEN X'00' ELSE"
                + " sivka_seal(v, 'example', 'c') END AS s FROM numbers ORDER BY id");
    }

    @AfterEach
    void asConfigured() {
        spark.conf().unset(Settings.BATCH_ROWS);
    }

    private String plan(String sql) {
        return spark.sql(sql).queryExecution().executedPlan().toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000, 1024, 65_536})
    void rowsAreThoseOfACallARow(int rows) {
        spark.conf().set(Settings.BATCH_ROWS, rows);
        String sql = "SELECT id, v, sivka_token(v, 'example', 'c') AS t, CAST(sivka_open_token(sivka_token(v || 'x', 'example'),"
                + " 'example') AS STRING) AS x, sivka_seal(v, 'example', 'c') AS s, sivka_seal(v, 'example', 'c') AS again"
                + " FROM numbers";
        assertEquals(rows > 1, plan(sql).contains(NODE), plan(sql));
        spark.sql(sql).createOrReplaceTempView("sealed");
        long right = one("SELECT count(*) FROM sealed WHERE x <=> v || 'x'"
                + " AND CASE WHEN v IS NULL THEN t IS NULL AND s IS NULL"
                + " ELSE t = sivka_token(v, 'example', concat('c', substr(v, 1, 0))) AND s != again"
                + " AND CAST(sivka_open(s, 'example', 'c') AS STRING) = v END");
        assertEquals(5000, right);
        assertEquals(5000L, this.<Long>one("SELECT count(DISTINCT id) FROM sealed"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 65_536})
    void contextsOfEachRow(int rows) {
        spark.conf().set(Settings.BATCH_ROWS, rows);
        String sealed = "SELECT id, v, sivka_seal(v, 'example', 'c.' || id) AS s, sivka_token(v, 'example', v) AS t FROM numbers";
        assertEquals(rows > 1, plan(sealed).contains(NODE), plan(sealed));
        spark.sql(sealed).createOrReplaceTempView("of_each");
        String opened = "SELECT id, v, sivka_open(s, 'example', CAST('c.' || id AS BINARY)) AS o,"
                + " sivka_try_open(s, 'example', 'c.' || (id + id % 2)) AS half FROM of_each";
        long right = one("SELECT count(*) FROM (" + opened + ") WHERE CAST(o AS STRING) <=> v"
                + " AND CAST(half AS STRING) <=> CASE WHEN id % 2 = 0 THEN v END");
        assertEquals(5000, right);
        assertEquals(5000, this.<Long>one("SELECT count(*) FROM of_each WHERE t <=> CASE WHEN true THEN sivka_token(v, 'example', v) END"));
    }

    @Test
    void aNullContextFailsWhereItsRowIsAskedFor() {
        spark.conf().set(Settings.BATCH_ROWS, 65_536);
        spark.read().table("numbers").coalesce(1).sortWithinPartitions("id").createOrReplaceTempView("ordered");
        String sql = "SELECT sivka_seal(v, 'example', CASE WHEN id NOT IN (7, 3000) THEN 'c' END) FROM ordered";
        assertTrue(plan(sql).contains(NODE), plan(sql));
        // Number 7 is NULL itself, and needs no context.
        assertEquals(3000, spark.sql(sql).takeAsList(3000).size());
        Exception thrown = assertThrows(Exception.class, () -> rows(sql));
        assertTrue(messages(thrown).contains("the context of a value of column 'v' is NULL"), messages(thrown));
    }

    @Test
    void orderIsKept() {
        List<Row> rows = rows("SELECT id, sivka_token(v, 'example') FROM (SELECT * FROM numbers ORDER BY id DESC)");
        for (int i = 0; i < 5000; i++) {
            assertEquals(4999L - i, rows.get(i).getLong(0));
        }
    }

    @Test
    void aForgedValueFailsWhereItsRowIsAskedFor() {
        assertTrue(plan("SELECT id, sivka_open(s, 'example', 'c') FROM forged").contains(NODE));
        Exception thrown = assertThrows(Exception.class, () -> rows("SELECT sivka_open(s, 'example', 'c') FROM forged"));
        assertTrue(messages(thrown).contains("column 's'"), messages(thrown));
        long nulls = one("SELECT count(*) FROM (SELECT id, sivka_try_open(s, 'example', 'c') AS o FROM forged)"
                + " WHERE o IS NULL AND id % 7 != 0");
        assertEquals(1, nulls);
        spark.read().table("forged").coalesce(1).sortWithinPartitions("id").createOrReplaceTempView("in_order");
        spark.conf().set(Settings.BATCH_ROWS, 65_536);
        assertEquals(2999, spark.sql("SELECT sivka_open(s, 'example', 'c') FROM in_order").takeAsList(2999).size());
    }

    @Test
    void whatIsNotAskedForIsNotOpened() {
        String sql = "SELECT CASE WHEN id != 3000 THEN sivka_open(s, 'example', 'c') END AS o FROM forged";
        assertTrue(!plan(sql).contains(NODE), plan(sql));
        assertEquals(5000, rows(sql).size());
    }

    /** As a rotation has them: what is opened to be sealed again is gathered too. */
    @Test
    void aCallOfACall() {
        String sql = "SELECT id, v, sivka_seal(sivka_open(sivka_seal(v, 'example', 'c'), 'example', 'c'), 'example', 'd') AS s FROM numbers";
        String plan = plan(sql);
        assertEquals(1 + 3, plan.split(NODE, -1).length, plan);
        assertTrue(!plan.contains("Project"), plan);
        assertEquals(5000, this.<Long>one("SELECT count(*) FROM (" + sql + ") WHERE CAST(sivka_open(s, 'example', 'd') AS STRING) <=> v"));
    }

    @Test
    void longRows() {
        long right = one("SELECT count(*) FROM (SELECT v, sivka_open(s, 'example', 'c') AS o FROM"
                + " (SELECT v, sivka_seal(v, 'example', 'c') AS s FROM"
                + " (SELECT repeat(id || '', 16 * 1024 * 1024) AS v FROM range(0, 4, 1, 1))))"
                + " WHERE CAST(o AS STRING) = v AND length(v) = 16 * 1024 * 1024");
        assertEquals(4, right);
    }
}
