package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where keys come from, what is said when they are not there, and when they are wiped. */
class KeysTest extends SparkTest {
    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        Files.writeString(folder.resolve("damaged.key"), TestKeys.TEXT.replace("key: 00", "key: 01"));
        return builder
                .config("spark.hadoop.hadoop.security.credential.provider.path", TestKeys.provider(folder, "sivka.example"))
                .config("spark.hadoop.in.the.clear", "no provider has it")
                .config("spark.sivka.keys.credential", "alias:sivka.example")
                .config("spark.sivka.keys.variable", "env:SIVKA_TEST_SECRET")
                .config("spark.sivka.keys.no-credential", "alias:in.the.clear")
                .config("spark.sivka.keys.no-variable", "env:SIVKA_TEST_NO_SUCH_SECRET")
                .config("spark.sivka.keys.no-file", folder.resolve("no.key").toString())
                .config("spark.sivka.keys.damaged", folder.resolve("damaged.key").toString())
                .config("spark.sivka.keys.shown", "env:SIVKA_TEST_SHOWN_HUNTER2")
                .config("spark.sivka.keys.no-form", "hunter2");
    }

    @AfterAll
    void wipedWithTheApplication() {
        spark.sql("SELECT sivka_token('a', 'example')").collect();
        assertTrue(Keys.count() > 0);
        spark.stop();
        assertEquals(0, Keys.count());
    }

    @Test
    void eachPlaceGivesTheSameKey() {
        byte[] token = one("SELECT sivka_token('a', 'example')");
        assertArrayEquals(token, one("SELECT sivka_token('a', 'credential')"));
        assertArrayEquals(token, one("SELECT sivka_token('a', 'variable')"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "'nobody'         ~ spark.sivka.keys.nobody is not set",
        "'no-form'        ~ spark.sivka.keys.no-form: the absolute path of a key file expected",
        "'shown'          ~ spark.sivka.keys.shown: a variable expected whose name Spark redacts",
        "'a b'            ~ the name of a key expected, which has 1 to 40 letters",
        "''               ~ the name of a key expected, which has 1 to 40 letters",
        "NULL             ~ the name of a key expected",
        "'x' || v         ~ the name of a key expected, as a constant string",
        "X'00'            ~ the name of a key expected, as a constant string",
        "'example', NULL  ~ context: BINARY or STRING expected, NULL given",
        "'example', 1     ~ context: BINARY or STRING expected, INT given",
        "'example', 'c', 2 ~ 2 or 3 arguments expected, 4 given",
    }, quoteCharacter = '`')
    void aWrongCallFailsWhenTheQueryIsAnalysed(String arguments, String expected) {
        for (ColumnFunction function : ColumnFunction.values()) {
            String sql = "SELECT " + function.sqlName + "(v, " + arguments + ") FROM VALUES ('a') AS t(v)";
            AnalysisException thrown = assertThrows(AnalysisException.class, () -> spark.sql(sql));
            // Of conditions that Python and Connect know.
            assertEquals(expected.endsWith("INT given") ? "42K09" : "22023", thrown.getSqlState());
            String message = thrown.getMessage();
            assertTrue(message.contains(expected), message);
            assertFalse(message.toLowerCase(Locale.ROOT).contains("hunter2"), message);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "no-file       | the key file that spark.sivka.keys.no-file names cannot be read (NoSuchFileException)",
        "no-variable   | the environment variable that spark.sivka.keys.no-variable names is not set",
        "no-credential | no credential provider of Hadoop has the alias that spark.sivka.keys.no-credential names",
        "damaged       | what spark.sivka.keys.damaged names is not a key file",
    })
    void aKeyThatIsNotThereFailsTheQuery(String name, String expected) {
        Throwable thrown = assertThrows(
                Exception.class, () -> rows("SELECT sivka_seal(id || '', '" + name + "') FROM range(10)"));
        // Spark 3.5 puts it into an exception that says that a job failed.
        while (thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        assertEquals("22023", assertInstanceOf(SparkRuntimeException.class, thrown).getSqlState());
        assertTrue(thrown.getMessage().contains(expected) && thrown.getMessage().contains("key '" + name + "'"), thrown.getMessage());
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        assertTrue(thrown.getMessage().contains("on the driver at " + host), thrown.getMessage());
    }

    @Test
    void aSessionCannotNameKeys() {
        spark.conf().set("spark.sivka.keys.mine", folder.resolve("example.key").toString());
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_seal('a', 'mine')")));
        assertTrue(message.contains("key 'mine' is not known"), message);
    }

    @Test
    void aNullContextFailsTheQuery() {
        String message = messages(assertThrows(
                Exception.class, () -> rows("SELECT sivka_seal(id || '', 'example', nullif(id, id) || '') FROM range(10)")));
        assertTrue(message.contains("in `sivka_seal` is invalid: detail message: the context of a value of an expression is NULL"), message);
    }
}
