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
        // Spark 3.5 puts it into an exception that says that a job failed.
        Throwable thrown = assertThrows(Exception.class, () -> rows("SELECT " + call + " FROM range(3)"));
        while (thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        assertInstanceOf(SparkRuntimeException.class, thrown);
        assertIsOfSpark(thrown);
    }

    @Test
    void whereAKeyIsMissing() {
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_seal(id || '', 'no-file') FROM range(3)")));
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        assertTrue(message.contains("(NoSuchFileException), on the driver at " + host), message);
    }
}
