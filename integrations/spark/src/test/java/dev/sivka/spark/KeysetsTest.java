package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyTemplates;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.daead.DeterministicAeadConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tink keysets as keys, in files and from providers. Tink's library for Java makes them, and judges. */
class KeysetsTest extends SparkTest {
    private static final byte[] NONE = {};

    /** With each a second key, which seals; the first one still opens. */
    private final KeysetHandle old;
    private final KeysetHandle aead;
    private final KeysetHandle deterministic;

    KeysetsTest() throws GeneralSecurityException {
        AeadConfig.register();
        DeterministicAeadConfig.register();
        // What BigQuery's functions of this name have, too.
        old = generate("AES256_GCM");
        aead = KeysetHandle.newBuilder(old)
                .addEntry(KeysetHandle.generateEntryFromParameters(KeyTemplates.get("AES256_CTR_HMAC_SHA256").toParameters())
                        .withRandomId()
                        .makePrimary())
                .build();
        deterministic = generate("AES256_SIV");
    }

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
        try {
            String json = json(aead);
            Files.writeString(folder.resolve("aead.json"), json);
            Files.write(
                    folder.resolve("deterministic.bin"),
                    TinkProtoKeysetFormat.serializeKeyset(
                            deterministic, InsecureSecretKeyAccess.get(), RegistryConfiguration.get()));
            Files.writeString(folder.resolve("broken.json"), "{\"primaryKeyId\": 1, \"hunter2\": 2}");
            Files.writeString(folder.resolve("long.json"), json + " ".repeat(KeysetKey.MAX_BYTES));
            Provider.keyset = TestKeys.utf8(json);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
        String provider = "provider:" + Provider.class.getName();
        return builder
                .config("spark.sivka.keys.aead", folder.resolve("aead.json").toString())
                .config("spark.sivka.keys.deterministic", folder.resolve("deterministic.bin").toString())
                .config("spark.sivka.keys.broken", folder.resolve("broken.json").toString())
                .config("spark.sivka.keys.long", folder.resolve("long.json").toString())
                .config("spark.sivka.keys.provided", provider + ":keyset")
                .config("spark.sivka.keys.provided-file", provider + ":file")
                .config("spark.sivka.keys.fails", provider + ":fails")
                .config("spark.sivka.keys.null", provider + ":null")
                .config("spark.sivka.keys.garbage", provider)
                .config("spark.sivka.keys.nobody", "provider:com.example.Nobody:x")
                .config("spark.sivka.keys.no-class", "provider:no class");
    }

    private static KeysetHandle generate(String template) throws GeneralSecurityException {
        return KeysetHandle.generateNew(KeyTemplates.get(template).toParameters(), RegistryConfiguration.get());
    }

    private static String json(KeysetHandle keyset) throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.serializeKeyset(keyset, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
    }

    private static Aead judge(KeysetHandle keyset) throws GeneralSecurityException {
        return keyset.getPrimitive(RegistryConfiguration.get(), Aead.class);
    }

    private DeterministicAead tokenJudge() throws GeneralSecurityException {
        return deterministic.getPrimitive(RegistryConfiguration.get(), DeterministicAead.class);
    }

    /** Rows with nulls, texts of no and of many bytes, and a context for each. */
    private void createRows() {
        spark.sql("SELECT CAST(id AS INT) AS id, IF(id % 7 = 3, NULL, repeat('v', CAST(id % 300 AS INT))) AS v,"
                        + " 'row ' || id AS c FROM range(3000)")
                .createOrReplaceTempView("many");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {"'one'", "c"})
    void tinkOpensWhatASealIs(String written) throws GeneralSecurityException {
        createRows();
        List<Row> sealed = rows("SELECT v, " + written + ", sivka_seal(v, 'aead', " + written + ") FROM many");
        assertEquals(3000, sealed.size());
        for (Row row : sealed) {
            if (row.isNullAt(0)) {
                assertNull(row.get(2));
            } else {
                byte[] opened = judge(aead).decrypt(row.getAs(2), TestKeys.utf8(row.getString(1)));
                assertArrayEquals(TestKeys.utf8(row.getString(0)), opened);
            }
        }
        long wrong = this.<Long>one("SELECT count(*) FROM (SELECT v, c, sivka_seal(v, 'aead', " + written
                + ") AS s FROM many) WHERE NOT (CAST(sivka_open(s, 'aead', " + written + ") AS STRING) <=> v)");
        assertEquals(0, wrong);
    }

    @Test
    void tokensAreTinks() throws GeneralSecurityException {
        createRows();
        for (Row row : rows("SELECT v, c, sivka_token(v, 'deterministic', c),"
                + " sivka_open_token(sivka_token(v, 'deterministic', c), 'deterministic', c) FROM many")) {
            if (!row.isNullAt(0)) {
                byte[] value = TestKeys.utf8(row.getString(0));
                byte[] expected = tokenJudge().encryptDeterministically(value, TestKeys.utf8(row.getString(1)));
                assertArrayEquals(expected, (byte[]) row.getAs(2));
                assertArrayEquals(value, (byte[]) row.getAs(3));
            }
        }
    }

    @Test
    void whatTinkSealedOpensAlsoUnderAKeyOfBefore() throws GeneralSecurityException {
        byte[] sealed = judge(old).encrypt(TestKeys.utf8("a value"), TestKeys.utf8("c"));
        byte[] flipped = sealed.clone();
        flipped[sealed.length - 1] ^= 1;
        byte[] others = judge(generate("AES256_GCM"))
                .encrypt(TestKeys.utf8("a value"), TestKeys.utf8("c"));
        List<Row> given = Arrays.asList(
                RowFactory.create(sealed), RowFactory.create(flipped), RowFactory.create((Object) NONE),
                RowFactory.create((Object) null), RowFactory.create(others), RowFactory.create(sealed));
        spark.createDataFrame(given, new StructType().add("s", DataTypes.BinaryType)).createOrReplaceTempView("given");
        List<Row> opened = rows("SELECT CAST(sivka_try_open(s, 'aead', 'c') AS STRING) FROM given");
        assertEquals("[[a value], [null], [null], [null], [null], [a value]]", opened.toString());
        String message = messages(assertThrows(Exception.class, () -> rows("SELECT sivka_open(s, 'aead', 'c') FROM given")));
        assertTrue(message.contains("does not open with key 'aead'"), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "sivka_token(v, 'aead')         | key 'aead' is a keyset that is not for deterministic AEAD",
        "sivka_seal(v, 'deterministic') | key 'deterministic' is a keyset that is not for AEAD",
        "sivka_seal(v, 'broken')        | what spark.sivka.keys.broken names is not a keyset whose keys are known here",
        "sivka_seal(v, 'long')          | what spark.sivka.keys.long names is not a keyset",
        "sivka_seal(v, 'fails')         | the key provider that spark.sivka.keys.fails names failed (IOException)",
        "sivka_seal(v, 'null')          | the key provider that spark.sivka.keys.null names failed (NullPointerException)",
        "sivka_seal(v, 'garbage')       | what spark.sivka.keys.garbage names is not a key file",
        "sivka_seal(v, 'nobody')        | the key provider that spark.sivka.keys.nobody names failed (ClassNotFoundException)",
        "sivka_seal(v, 'no-class')      | spark.sivka.keys.no-class: the absolute path of a key file expected",
    })
    void aKeyThatIsNoneForTheCallFailsTheQuery(String call, String expected) {
        String message = messages(assertThrows(
                Exception.class, () -> rows("SELECT " + call + " FROM (SELECT id || '' AS v FROM range(10))")));
        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("hunter2"), message);
    }

    @Test
    void aProviderIsAskedOnce() throws GeneralSecurityException {
        int before = Provider.ASKED.get();
        for (int i = 0; i < 3; i++) {
            byte[] sealed = one("SELECT sivka_seal('v', 'provided', 'c') FROM range(100)");
            assertArrayEquals(TestKeys.utf8("v"), judge(aead).decrypt(sealed, TestKeys.utf8("c")));
        }
        assertEquals(before + 1, Provider.ASKED.get());
        byte[] token = one("SELECT sivka_token('v', 'provided-file')");
        assertArrayEquals(token, one("SELECT sivka_token('v', 'example')"));
    }
}
