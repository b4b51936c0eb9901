package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Wrong calls: an exception of the right kind that says what was expected, and nothing is changed. */
class MisuseTest {
    static final List<String> NAMES = Keys.NAMES;
    private static final byte[] NONE = {};

    private static void assertSays(Class<? extends Exception> kind, String text, Executable call) {
        Exception e = assertThrows(kind, call);
        assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
    }

    private static void assertSays(String text, Executable call) {
        assertSays(IllegalArgumentException.class, text, call);
    }

    private static void assertNull(String name, Executable call) {
        assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
    }

    @Test
    void keys() {
        assertSays("16 or 32 bytes expected, 24 given", () -> new AesGcmSiv(new byte[24]));
        assertSays("64, 48 or 32 bytes expected, 16 given", () -> new AesSiv(new byte[16]));
        assertSays("32 expected, 16 given", () -> new Kuznyechik(new byte[16]));
        assertNull("key", () -> new AesGcmSiv(null));
        assertNull("key", () -> new KuznyechikMgm(null));
        assertFalse(Arrays.equals(AesGcmSiv.generateKey(), AesGcmSiv.generateKey()));
        new ChaCha20Blake2b(ChaCha20Blake2b.generateKey()).close();
        new XChaCha20Blake2b(XChaCha20Blake2b.generateKey()).close();
        new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.generateKey()).close();
        new KuznyechikMgm(KuznyechikMgm.generateKey()).close();
        assertEquals("AES-128-GCM-SIV key", new AesGcmSiv(AesGcmSiv.generateKey(16)).toString());
        assertEquals("AES-SIV-384", new AesSiv(AesSiv.generateKey(48)).algorithm());
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void noncesTagsAndNulls(String name) {
        byte[] some = new byte[80];
        Key key = Keys.make(name);
        byte[] nonce = Keys.nonce(key, 1);
        byte[] text = Keys.paint(40, 1);
        String says = "tag: " + key.tagLength() + " expected, 80 given";
        assertSays(says, () -> key.sealInPlace(nonce, ByteBuffer.wrap(text), some, some));
        assertSays(says, () -> key.openInPlace(nonce, ByteBuffer.wrap(text), some, some));
        assertArrayEquals(Keys.paint(40, 1), text);
        // An array that is long crosses into C otherwise.
        String saysNonce = "nonce: " + nonce.length + " expected, 80 given";
        assertSays(saysNonce, () -> key.sealWithNonce(some, new byte[10_000], some));
        assertSays(saysNonce, () -> key.openWithNonce(some, new byte[10_000], some));
        assertNull("plaintext", () -> key.sealWithNonce(nonce, null, some));
        assertNull("ciphertext", () -> key.openWithNonce(nonce, null, some));
        assertNull("nonce", () -> key.sealWithNonce((byte[]) null, some, some));
        assertNull("nonce", () -> key.openWithNonce((byte[]) null, some, some));
        byte[] sealed = key.sealWithNonce(nonce, some, null);
        assertArrayEquals(key.sealWithNonce(nonce, some, NONE), sealed);
        assertArrayEquals(some, key.openWithNonce(nonce, sealed, null).orElseThrow());
        if (key instanceof Aead aead) {
            assertArrayEquals(some, aead.open(aead.seal(some)).orElseThrow());
            assertArrayEquals(some, aead.open(aead.seal(some), NONE).orElseThrow());
            assertTrue(aead.open(aead.seal(some, some)).isEmpty());
        }
        key.close();
        key.close();
        for (Executable call : List.<Executable>of(
                () -> key.sealWithNonce(nonce, some, some), () -> key.openWithNonce(nonce, some, some),
                () -> key.sealWithNonce(nonce, new byte[10_000], some),
                () -> key.sealInPlace(nonce, ByteBuffer.wrap(some), some, some),
                () -> key.sealBatchWithNonces(List.of(nonce), List.of(some), some))) {
            assertSays(IllegalStateException.class, "this " + name + " key is closed", call);
        }
    }

    @Test
    void batchesAndLists() {
        byte[] texts = Keys.paint(30, 1);
        int[] offsets = {0, 10, 30};
        List<byte[]> one = List.of(new byte[12]);
        List<byte[]> two = List.of(NONE, NONE);
        List<byte[]> hole = Arrays.asList(NONE, null);
        // Arrays that are long together, and take no memory because they are the same.
        List<byte[]> manyNonces = Collections.nCopies(2050, new byte[12]);
        List<byte[]> many = Collections.nCopies(2050, new byte[1 << 20]);
        AesSiv siv = new AesSiv(AesSiv.generateKey());
        try (AesGcmSiv key = new AesGcmSiv(new byte[16]); siv) {
            assertSays("dataOffsets: 3 expected, 2 given",
                    () -> key.sealColumn(new Column(texts, offsets), NONE, new int[2]));
            assertSays("offsets: one more", () -> new Column(texts, new int[0]));
            assertSays("validity: 2 bytes expected, 1 given", () -> new Column(texts, new int[10], new byte[1]));
            assertSays("validity: 2 bytes expected, 9 given", () -> new Column(texts, new int[10], new byte[9]));
            assertSays("2 expected, 1 given", () -> key.sealBatchWithNonces(one, two, NONE));
            assertSays("nonce 0: 12 bytes expected, 11 given",
                    () -> key.sealBatchWithNonces(List.of(new byte[11]), one, NONE));
            assertArrayEquals(Keys.paint(30, 1), texts);

            assertSays("plaintexts together", () -> key.sealBatch(many, NONE));
            assertSays("sealed together", () -> key.openBatch(many, NONE));
            assertSays("plaintexts together", () -> key.sealBatchWithNonces(manyNonces, many, NONE));
            assertSays("ciphertexts together", () -> key.openBatchWithNonces(manyNonces, many, NONE));
            assertSays("data together", () -> siv.sealWithList(NONE, many));
            assertNull("plaintexts: number 1", () -> key.sealBatch(hole, NONE));
            assertNull("sealed: number 1", () -> key.openBatch(hole, NONE));
            assertNull("nonces: number 1", () -> key.openBatchWithNonces(hole, two, NONE));
            assertNull("ciphertexts: number 1", () -> key.openBatchWithNonces(one, hole, NONE));
            assertNull("data: number 1", () -> siv.sealWithList(NONE, hole));
            assertNull("plaintexts", () -> key.sealBatch(null, NONE));
            assertNull("nonces", () -> key.sealBatchWithNonces(null, two, NONE));
            assertNull("data", () -> siv.openWithList(NONE, null));

            assertArrayEquals(siv.seal(texts, NONE), siv.sealWithList(texts, List.of(NONE)));
            assertFalse(Arrays.equals(siv.seal(texts, NONE), siv.sealWithList(texts, List.of())));
            assertTrue(siv.openWithList(new byte[15], List.of()).isEmpty());
            assertTrue(siv.openWithList(new byte[16], List.of()).isEmpty());
        }
        assertThrows(IllegalStateException.class, () -> siv.sealWithList(texts, List.of()));
    }

    private static void refusesOffsets(String name, Consumer<int[]> call) {
        for (int number : new int[] {Integer.MIN_VALUE, -1, 101, Integer.MAX_VALUE}) {
            assertSays(name, () -> call.accept(new int[] {0, number, 100}));
            assertSays(Integer.toString(number), () -> call.accept(new int[] {number, number, 100}));
        }
    }

    /** Those that stay in Java. */
    @Test
    void placesAndOffsets() {
        byte[] bytes = Keys.paint(100, 1);
        int[] offsets = {0, 50, 100};
        byte[] data = new byte[100];
        Column column = new Column(bytes, offsets);
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            refusesOffsets("dataOffsets", o -> key.sealColumn(column, data, o));
            refusesOffsets("dataOffsets", o -> key.openColumn(column, data, o));
            refusesOffsets("offset", o -> key.sealColumn(new Column(bytes, o), NONE, null));
            assertThrows(IndexOutOfBoundsException.class, () -> column.isNull(2));
            assertSays("bytes expected", () -> AesGcmSiv.generateKey(-1));
        }
        assertArrayEquals(Keys.paint(100, 1), bytes);
    }

    /** Numbers that the type of C does not have are refused for all functions at one place. */
    @Test
    void numbersOfNativeFunctions() {
        try (FileKeys keys = new FileKeys(); Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
            String range = ": a number from 0 to 4294967295 expected, ";
            for (int number : new int[] {Integer.MIN_VALUE, -1}) {
                assertSays("memoryKib" + range + number, () -> keys.setCost(number, 2, 3));
                assertSays("passes" + range + number, () -> keys.setCost(64, number, 3));
                assertSays("lanes" + range + number, () -> keys.setCost(64, 2, number));
                assertSays("memoryKib" + range + number, () -> keys.setMaxCost(number, 16));
                assertSays("passes" + range + number, () -> keys.setMaxCost(1 << 20, number));
                assertSays("slots: 0 or more expected, " + number, () -> keys.setSpareSlots(number));
            }
            KeysetInfo info = keyset.info();
            for (long id : new long[] {Long.MIN_VALUE, -1, 1L << 32, (1L << 32) + info.primaryKeyId(), Long.MAX_VALUE}) {
                assertSays("id" + range + id, () -> keyset.promote(id));
                assertSays("id" + range + id, () -> keyset.remove(id));
            }
            assertEquals(info, keyset.info());
        }
    }
}
