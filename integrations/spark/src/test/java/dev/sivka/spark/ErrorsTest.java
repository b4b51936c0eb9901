package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That errors are those of Spark, which Python and Connect know. */
class ErrorsTest extends SparkTest {
    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder.config("spark.sivka.keys.no-file", folder.resolve("no.key").toString());
    }

    private static void assertIsOfSpark(Throwable thrown) {
        assertEquals("22023", assertInstanceOf(SparkThrowable.class, thrown).getSqlState());
        assertTrue(thrown.getMessage().contains("[INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR] "), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sivka_seal('v')", "sivka_seal('v', 'a b')", "sivka_token('v', 'nobody')"})
    void analysisFails(String call) {
        AnalysisException thrown = assertThrows(AnalysisException.class, () -> spark.sql("SELECT 1,\n  " + call));
        assertIsOfSpark(thrown);
        assertTrue(thrown.getMessage().contains("line 2 pos 2"), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "sivka_open(id || '', 'example')",
        "sivka_open_token(id || '', 'example')",
        "sivka_seal(id || '', 'example', nullif(id, id) || '')",
        "sivka_seal(id || '', 'no-file')"
    })
    void executionFails(String call) {
        for (String rows : new String[] {"1", "1024"}) {
            spark.conf().set(Settings.BATCH_ROWS, rows);
            // Spark 3.5 puts it into an exception that says that a job failed.
            Throwable thrown = assertThrows(Exception.class, () -> rows("SELECT " + call + " FROM range(3)"));
            while (thrown.getCause() != null) {
                thrown = thrown.getCause();
            }
            assertInstanceOf(SparkRuntimeException.class, thrown);
            assertIsOfSpark(thrown);
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
