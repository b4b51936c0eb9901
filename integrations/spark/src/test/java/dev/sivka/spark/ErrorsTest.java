package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That errors are those of Spark, which programs tell apart by their SQLSTATE. */
class ErrorsTest extends SparkTest {
    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder.config("spark.sivka.keys.no-file", folder.resolve("no.key").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
        "sivka_seal('v')            ~ SIVKA_WRONG_CALL ~ 22023",
        "sivka_seal('v', 'a b')     ~ SIVKA_WRONG_CALL ~ 22023",
        "sivka_token('v', 'nobody') ~ SIVKA_UNKNOWN_KEY ~ 42704",
    })
    void analysisFails(String call, String condition, String state) {
        String sql = "SELECT 1,\n  " + call;
        AnalysisException thrown = assertThrows(AnalysisException.class, () -> spark.sql(sql));
        assertEquals(state, thrown.getSqlState());
        assertTrue(thrown.getMessage().contains("[" + condition + "] "), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(". SQLSTATE: " + state), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("line 2 pos 2"), thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
        "sivka_open(id || '', 'example')                         ~ 22000",
        "sivka_open_token(id || '', 'example')                   ~ 22000",
        "sivka_seal(id || '', 'example', nullif(id, id) || '')   ~ 22004",
        "sivka_seal(id || '', 'no-file')                         ~ 58030",
    })
    void executionFails(String call, String state) {
        for (String rows : new String[] {"1", "1024"}) {
            spark.conf().set(Settings.BATCH_ROWS, rows);
            // Spark 3.5 puts it into an exception that says that a job failed.
            Throwable thrown = assertThrows(Exception.class, () -> rows("SELECT " + call + " FROM range(3)"));
            while (thrown.getCause() != null) {
                thrown = thrown.getCause();
            }
            assertEquals(state, assertInstanceOf(SparkThrowable.class, thrown).getSqlState(), rows);
            assertTrue(thrown.getMessage().endsWith(". SQLSTATE: " + state), thrown.getMessage());
        }
        spark.conf().unset(Settings.BATCH_ROWS);
    }

    @Test
    void whereAKeyIsMissing() {
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_seal(id || '', 'no-file') FROM range(3)")));
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        assertTrue(message.contains("(NoSuchFileException), on the driver at " + host), message);
    }

    /** A wrong value is refused where it is set, and so breaks nothing later. */
    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "-1", "65537", "100000000"})
    void aWrongNumberOfRows(String rows) {
        String message = messages(assertThrows(Exception.class, () -> rows("SET " + Settings.BATCH_ROWS + "=" + rows)));
        assertTrue(message.contains(Settings.BATCH_ROWS), message);
        assertThrows(Exception.class, () -> spark.conf().set(Settings.BATCH_ROWS, rows));
        assertEquals("1024", rows("SET " + Settings.BATCH_ROWS).get(0).getString(1));
        rows("SELECT sivka_token('v', 'example')");
        rows("RESET " + Settings.BATCH_ROWS);
        rows("RESET");
    }

    @Test
    void settingsAreListed() {
        assertTrue(rows("SET -v").stream().anyMatch(row -> row.getString(0).equals(Settings.BATCH_ROWS)
                && row.getString(2).contains("How many rows")));
    }
}
