package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.Keyset;
import dev.sivka.KeysetForm;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tink keysets as keys, in files and from providers. {@code cargo xtask tink} has Tink judge what they seal. */
class KeysetsTest extends SparkTest {
    private final Keyset aead = Keyset.generate("AES256_GCM");
    private final Keyset deterministic = Keyset.generate("AES256_SIV");

    /** Of the first key of the keyset, which has a second one that seals. */
    private final byte[] old = aead.seal(TestKeys.utf8("old"), TestKeys.utf8("c"));

    /** Gives what its argument asks for, and counts how often. */
    public static final class Provider implements KeyProvider {
        static final AtomicInteger ASKED = new AtomicInteger();
        static volatile byte[] keyset;

        @Override
        public byte[] key(String name, String argument) throws Exception {
            ASKED.incrementAndGet();
            return switch (argument) {
                case "keyset" -> keyset.clone();
                case "file" -> TestKeys.utf8(TestKeys.TEXT);
                case "fails" -> throw new IOException("hunter2");
                case "null" -> null;
                default -> TestKeys.utf8("garbage hunter2");
            };
        }
    }

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        aead.rotate("AES256_GCM");
        Provider.keyset = aead.toInsecure(KeysetForm.JSON);
        Files.write(folder.resolve("aead"), Provider.keyset);
        Files.write(folder.resolve("deterministic"), deterministic.toInsecure(KeysetForm.BINARY));
        Files.writeString(folder.resolve("broken"), "{\"primaryKeyId\": 1, \"hunter2\": 2}");
        Files.writeString(folder.resolve("long"), "{" + " ".repeat(ColumnKey.MAX_KEYSET_BYTES));
        for (String name : new String[] {"aead", "deterministic", "broken", "long"}) {
            builder = builder.config("spark.sivka.keys." + name, folder.resolve(name).toString());
        }
        String provider = "provider:" + Provider.class.getName();
        for (String argument : new String[] {"keyset", "file", "fails", "null"}) {
            builder = builder.config("spark.sivka.keys.provided-" + argument, provider + ":" + argument);
        }
        return builder
                .config("spark.sivka.keys.garbage", provider)
                .config("spark.sivka.keys.nobody", "provider:com.example.Nobody:x")
                .config("spark.sivka.keys.no-class", "provider:no class");
    }

    /** Rows with nulls, texts of no and of many bytes, and a context for each. */
    @Test
    void whatIsSealedOpensHereAndThere() {
        spark.sql("SELECT IF(id % 7 = 3, NULL, repeat('v', CAST(id % 300 AS INT))) AS v, 'row ' || id AS c FROM range(3000)")
                .createOrReplaceTempView("many");
        for (Row row : rows("SELECT v, c, sivka_seal(v, 'aead', c), sivka_token(v, 'deterministic', c) FROM many")) {
            if (!row.isNullAt(0)) {
                byte[] context = TestKeys.utf8(row.getString(1));
                assertArrayEquals(TestKeys.utf8(row.getString(0)), aead.open(row.getAs(2), context).get());
                assertArrayEquals(
                        deterministic.sealDeterministically(TestKeys.utf8(row.getString(0)), context), row.<byte[]>getAs(3));
            }
        }
        long wrong = one("SELECT count(*) FROM (SELECT v, c, sivka_seal(v, 'aead', c) AS s, sivka_token(v, 'deterministic', c) AS t"
                + " FROM many) WHERE NOT (CAST(sivka_open(s, 'aead', c) AS STRING) <=> v)"
                + " OR NOT (CAST(sivka_open_token(t, 'deterministic', c) AS STRING) <=> v)");
        assertEquals(0, wrong);
    }

    @Test
    void aKeyOfBeforeOpens() {
        String hex = HexFormat.of().formatHex(old);
        assertArrayEquals(TestKeys.utf8("old"), one("SELECT sivka_open(X'" + hex + "', 'aead', 'c')"));
        assertNull(this.<byte[]>one("SELECT sivka_try_open(X'" + hex + "00', 'aead', 'c')"));
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_open(X'" + hex + "', 'aead', 'd')")));
        assertTrue(message.contains("does not open with key 'aead'"), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "sivka_token(v, 'aead')          | key 'aead' is a keyset that is not for deterministic AEAD",
        "sivka_seal(v, 'deterministic')  | key 'deterministic' is a keyset that is not for AEAD",
        "sivka_seal(v, 'broken')         | what spark.sivka.keys.broken names is not a keyset whose keys are known here",
        "sivka_seal(v, 'long')           | what spark.sivka.keys.long names is not a keyset",
        "sivka_seal(v, 'provided-fails') | the key provider that spark.sivka.keys.provided-fails names failed (IOException)",
        "sivka_seal(v, 'provided-null')  | spark.sivka.keys.provided-null names failed (NullPointerException)",
        "sivka_seal(v, 'garbage')        | what spark.sivka.keys.garbage names is not a key file",
        "sivka_seal(v, 'nobody')         | the key provider that spark.sivka.keys.nobody names failed (ClassNotFoundException)",
        "sivka_seal(v, 'no-class')       | spark.sivka.keys.no-class: the absolute path of a key file expected",
    })
    void aKeyThatIsNoneForTheCallFailsTheQuery(String call, String expected) {
        String message = messages(assertThrows(
                Exception.class, () -> rows("SELECT " + call + " FROM (SELECT id || '' AS v FROM range(10))")));
        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("hunter2"), message);
    }

    @Test
    void aProviderIsAskedOnce() {
        int before = Provider.ASKED.get();
        for (int i = 0; i < 3; i++) {
            byte[] sealed = one("SELECT sivka_seal('v', 'provided-keyset', 'c') FROM range(100)");
            assertArrayEquals(TestKeys.utf8("v"), aead.open(sealed, TestKeys.utf8("c")).get());
        }
        assertEquals(before + 1, Provider.ASKED.get());
        assertArrayEquals(this.<byte[]>one("SELECT sivka_token('v', 'provided-file')"), one("SELECT sivka_token('v', 'example')"));
    }
}
