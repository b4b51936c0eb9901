package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Wrong calls: an exception of the right kind that says what was expected. */
class MisuseTest {
    static final List<String> NAMES = Keys.NAMES;

    private static void assertSays(String text, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void keyLengths() {
        for (int len = 0; len < 70; len++) {
            byte[] key = new byte[len];
            if (len != 16 && len != 32) {
                assertSays("16 or 32 bytes expected, " + len + " given", () -> new AesGcmSiv(key));
            }
            if (len != 32) {
                assertSays("32 expected, " + len + " given", () -> new ChaCha20Blake2b(key));
                assertSays("32 expected, " + len + " given", () -> new XChaCha20Blake2b(key, TagLength.BYTES_48));
                assertSays("32 expected, " + len + " given", () -> new KuznyechikMgm(key));
                assertSays("32 expected, " + len + " given", () -> new Kuznyechik(key));
            }
        }
        assertThrows(NullPointerException.class, () -> new AesGcmSiv(null));
        assertThrows(NullPointerException.class, () -> new KuznyechikMgm(null));
        assertSays("24 given", () -> AesGcmSiv.generateKey(24));
    }

    @Test
    void generatedKeysDifferAndFit() {
        assertEquals(16, AesGcmSiv.generateKey(16).length);
        for (int i = 0; i < 3; i++) {
            assertFalse(Arrays.equals(AesGcmSiv.generateKey(), AesGcmSiv.generateKey()));
        }
        assertDoesNotThrow(() -> new AesGcmSiv(AesGcmSiv.generateKey()).close());
        assertDoesNotThrow(() -> new ChaCha20Blake2b(ChaCha20Blake2b.generateKey()).close());
        assertDoesNotThrow(() -> new XChaCha20Blake2b(XChaCha20Blake2b.generateKey()).close());
        assertDoesNotThrow(() -> new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.generateKey()).close());
        assertDoesNotThrow(() -> new AesSiv(AesSiv.generateKey()).close());
        assertEquals(64, AesSiv.generateKey().length);
        assertEquals(48, AesSiv.generateKey(48).length);
        assertDoesNotThrow(() -> new KuznyechikMgm(KuznyechikMgm.generateKey()).close());
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void nonceAndTagLengths(String name) {
        try (Key key = Keys.make(name)) {
            byte[] data = {1};
            byte[] nonce = Keys.nonce(key, 1);
            for (int len = 0; len < 100; len++) {
                byte[] tag = new byte[len];
                byte[] text = Keys.paint(40, 1);
                if (len != key.tagLength()) {
                    String says = "tag: " + key.tagLength() + " expected, " + len + " given";
                    assertSays(says, () -> Keys.sealInPlace(key, nonce, text, data, tag));
                    assertSays(says, () -> Keys.openInPlace(key, nonce, text, data, tag));
                    assertArrayEquals(Keys.paint(40, 1), text);
                }
            }
            for (int len : new int[] {0, 1, 7, 9, 11, 13, 15, 17, 23, 25, 5000}) {
                byte[] wrong = new byte[len];
                String says = "nonce: " + nonce.length + " expected, " + len + " given";
                for (int textLen : new int[] {0, 100, 10_000}) {
                    if (len != nonce.length) {
                        assertSays(says, () -> key.sealWithNonce(wrong, new byte[textLen], data));
                        assertSays(says, () -> key.openWithNonce(wrong, new byte[textLen + 100], data));
                    }
                }
            }
        }
    }

    /** An argument has the caller's own name for it. */
    @Test
    void argumentsHaveTheirNames() throws Exception {
        try (Kuznyechik cipher = new Kuznyechik(new byte[32]);
                FileKeys keys = new FileKeys()) {
            assertSays("inOut: a multiple of 16 expected, 15 given", () -> cipher.encryptBlocks(new byte[15]));
            assertSays("inOut: a multiple of 16 expected, 15 given", () -> cipher.decryptBlocks(new byte[15]));
            SealedFileException none =
                    assertThrows(SealedFileException.class, () -> keys.addKeyFile(new byte[] {(byte) 0xff}));
            assertEquals("not a sivka key file: its first line is not `sivka key file, version 1`", none.getMessage());
            assertNull("text", () -> keys.addKeyFile((byte[]) null));
            assertNull("text", () -> FileKeys.keyFileId(null));
        }
        assertThrows(IllegalArgumentException.class, () -> FileKeys.generateKeyFile("a\0b"));
    }

    private static void assertNull(String name, Executable call) {
        assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void nulls(String name) {
        try (Key key = Keys.make(name)) {
            byte[] some = new byte[80];
            assertThrows(NullPointerException.class, () -> key.sealWithNonce(Keys.nonce(key, 1), null, some));
            assertThrows(NullPointerException.class, () -> key.openWithNonce(Keys.nonce(key, 1), null, some));
            byte[] sealed = key.sealWithNonce(Keys.nonce(key, 1), some, null);
            assertArrayEquals(key.sealWithNonce(Keys.nonce(key, 1), some, new byte[0]), sealed);
            assertArrayEquals(some, key.openWithNonce(Keys.nonce(key, 1), sealed, null).orElseThrow());
            assertThrows(NullPointerException.class, () -> key.sealWithNonce((byte[]) null, some, some));
            assertThrows(NullPointerException.class, () -> key.openWithNonce((byte[]) null, some, some));
            if (key instanceof Aead aead) {
                assertArrayEquals(some, aead.open(aead.seal(some)).orElseThrow());
                assertArrayEquals(some, aead.open(aead.seal(some), new byte[0]).orElseThrow());
                assertTrue(aead.open(aead.seal(some, some)).isEmpty());
            }
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void closedKeys(String name) {
        Key key = Keys.make(name);
        byte[] nonce = Keys.nonce(key, 1);
        byte[] some = new byte[80];
        key.close();
        key.close();
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> key.sealWithNonce(nonce, some, some));
        assertEquals("this " + name + " key is closed", e.getMessage());
        assertThrows(IllegalStateException.class, () -> key.openWithNonce(nonce, some, some));
        assertThrows(IllegalStateException.class, () -> key.sealWithNonce(nonce, new byte[10_000], some));
        assertThrows(IllegalStateException.class, () -> Keys.sealInPlace(key, nonce, some, some, some));
        if (key instanceof Aead random) {
            assertThrows(IllegalStateException.class, () -> random.seal(some, some));
            assertThrows(IllegalStateException.class, () -> random.sealBatch(List.of(some), some));
        }
        assertEquals(name + " key", key.toString());
    }

    @Test
    void batches() {
        try (AesGcmSiv key = new AesGcmSiv(new byte[16])) {
            byte[] none = {};
            byte[] texts = Keys.paint(30, 1);
            int[] offsets = {0, 10, 30};
            byte[] nonces = new byte[24];
            byte[] tags = new byte[32];
            assertSays("offsets", () -> key.sealBatchInPlace(nonces, texts, new int[0], none, null, tags));
            assertSays(
                    "offsets: number 2 is 31",
                    () -> key.sealBatchInPlace(nonces, texts, new int[] {0, 10, 31}, none, null, tags));
            assertSays(
                    "offsets: number 2 is 9",
                    () -> key.sealBatchInPlace(nonces, texts, new int[] {0, 10, 9}, none, null, tags));
            assertSays(
                    "offsets: number 0 is -1",
                    () -> key.sealBatchInPlace(nonces, texts, new int[] {-1, 10, 30}, none, null, tags));
            assertSays(
                    "nonces: 24 expected, 23 given",
                    () -> key.sealBatchInPlace(new byte[23], texts, offsets, none, null, tags));
            assertSays(
                    "tags: 32 expected, 16 given",
                    () -> key.openBatchInPlace(nonces, texts, offsets, none, null, new byte[16]));
            assertSays(
                    "dataOffsets: 3 expected, 2 given",
                    () -> key.sealBatchInPlace(nonces, texts, offsets, none, new int[] {0, 0}, tags));
            assertSays("2 expected, 1 given", () -> key.sealBatchWithNonces(List.of(new byte[12]), List.of(none, none), none));
            assertSays("nonce 0", () -> key.sealBatchWithNonces(List.of(new byte[11]), List.of(none), none));
            assertSays(
                    "texts overlaps data",
                    () -> key.sealBatchInPlace(nonces, texts, offsets, texts, null, tags));
            assertArrayEquals(Keys.paint(30, 1), texts);
        }
    }

    /** Arrays that are long together, and take no memory because they are the same. */
    @Test
    void listsThatAreTooLong() {
        byte[] none = {};
        List<byte[]> nonces = Collections.nCopies(2050, new byte[12]);
        List<byte[]> texts = Collections.nCopies(2050, new byte[1 << 20]);
        AesSiv siv = new AesSiv(AesSiv.generateKey());
        try (AesGcmSiv key = new AesGcmSiv(new byte[16])) {
            assertSays("plaintexts together", () -> key.sealBatch(texts, none));
            assertSays("sealed together", () -> key.openBatch(texts, none));
            assertSays("plaintexts together", () -> key.sealBatchWithNonces(nonces, texts, none));
            assertSays("ciphertexts together", () -> key.openBatchWithNonces(nonces, texts, none));
            assertSays("data together", () -> siv.sealWithList(none, texts));
        }
    }

    @Test
    void listsWithoutAnArray() {
        byte[] none = {};
        List<byte[]> one = List.of(new byte[12]);
        List<byte[]> hole = Arrays.asList(none, null);
        AesSiv siv = new AesSiv(AesSiv.generateKey());
        try (AesGcmSiv key = new AesGcmSiv(new byte[16])) {
            assertNull("plaintexts: number 1", () -> key.sealBatch(hole, none));
            assertNull("sealed: number 1", () -> key.openBatch(hole, none));
            assertNull("nonces: number 1", () -> key.openBatchWithNonces(hole, List.of(none, none), none));
            assertNull("ciphertexts: number 1", () -> key.openBatchWithNonces(one, hole, none));
            assertNull("data: number 1", () -> siv.sealWithList(none, hole));
            assertNull("plaintexts", () -> key.sealBatch(null, none));
            assertNull("data", () -> siv.openWithList(none, null));
        }
    }

    @Test
    void listsOfData() {
        byte[] text = {1, 2, 3};
        AesSiv key = new AesSiv(AesSiv.generateKey());
        assertArrayEquals(key.seal(text, new byte[0]), key.sealWithList(text, List.of(new byte[0])));
        assertFalse(Arrays.equals(key.seal(text, new byte[0]), key.sealWithList(text, List.of())));
        assertTrue(key.openWithList(new byte[15], List.of()).isEmpty());
        assertTrue(key.openWithList(new byte[16], List.of()).isEmpty());
        List<byte[]> many = Collections.nCopies(127, text);
        String words = assertThrows(IllegalArgumentException.class, () -> key.sealWithList(text, many)).getMessage();
        assertTrue(words.contains("at most 126, 127 given"), words);
        key.close();
        assertThrows(IllegalStateException.class, () -> key.sealWithList(text, List.of()));
        assertThrows(IllegalArgumentException.class, () -> new AesSiv(new byte[33]));
    }
}
