package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.FileKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A name with two key files: the first seals, and both open. */
class RotationTest extends SparkTest {
    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        Path old = folder.resolve("example.key");
        Path fresh = folder.resolve("fresh.key");
        Files.write(fresh, FileKeys.generateKeyFile("fresh"));
        return builder.config("spark.sivka.keys.fresh", fresh.toString())
                .config("spark.sivka.keys.both", fresh + ", " + old)
                .config("spark.sivka.keys.half", fresh + "," + folder.resolve("no.key"))
                .config("spark.sivka.keys.empty", fresh + ",");
    }

    /** Some of the old, some of the new, some of neither, and nulls. */
    @BeforeAll
    void table() {
        spark.sql("CREATE TABLE mixed USING parquet AS SELECT id, v, CASE id % 5"
                + " WHEN 0 THEN sivka_seal(v, 'example', 'c') WHEN 1 THEN sivka_seal(v, 'fresh', 'c') WHEN 2 THEN sivka_seal(v, 'both', 'c')"
                + " WHEN 3 THEN X'00' END AS s,"
                + " CASE id % 2 WHEN 0 THEN sivka_token(v, 'example') ELSE sivka_token(v, 'both') END AS t"
                + " FROM (SELECT id, 'value ' || id AS v FROM range(0, 5000, 1, 2))");
    }

    @Test
    void eachOpens() {
        long right = one("SELECT count_if(CAST(o AS STRING) <=> CASE WHEN id % 5 < 3 THEN v END AND CAST(p AS STRING) = v) FROM"
                + " (SELECT id, v, sivka_try_open(s, 'both', 'c') AS o, sivka_open_token(t, 'both') AS p FROM mixed)");
        assertEquals(5000, right);
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_open(s, 'both', 'c') FROM mixed")));
        assertTrue(message.contains("a value of column 's' does not open with key 'both'"), message);
    }

    @Test
    void theFirstSeals() {
        assertEquals(2500L, this.<Long>one("SELECT count_if(sivka_try_open_token(t, 'fresh') IS NOT NULL) FROM mixed"));
        assertEquals(2000L, this.<Long>one("SELECT count(o) FROM (SELECT sivka_try_open(s, 'fresh', 'c') AS o FROM mixed)"));
    }

    /** As the page has it, also run again: no row of the old key is left. */
    @Test
    void aTableIsRewritten() {
        spark.sql("CREATE TABLE rewritten (id LONG, s BINARY) USING parquet");
        for (int turn = 0; turn < 2; turn++) {
            spark.sql("INSERT OVERWRITE rewritten SELECT id, sivka_seal(sivka_open(s, 'both', 'c'), 'both', 'c')"
                    + " FROM mixed WHERE id % 5 != 3");
        }
        assertEquals(0L, this.<Long>one("SELECT count(sivka_try_open(s, 'example', 'c')) FROM rewritten"));
        assertEquals(3000L, this.<Long>one("SELECT count(sivka_open(s, 'fresh', 'c')) FROM rewritten"));
    }

    @Test
    void eachMustBeThere() {
        assertTrue(messages(assertThrows(Exception.class, () -> rows("SELECT sivka_open(s, 'half', 'c') FROM mixed")))
                .contains("is not there"));
        assertTrue(messages(assertThrows(Exception.class, () -> spark.sql("SELECT sivka_token('v', 'empty')")))
                .contains("the absolute path of a key file expected"));
    }
}
