package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Wrong calls: an exception of the right kind that says what was expected, and nothing is changed. */
class MisuseTest {
    static final List<String> NAMES = Keys.NAMES;
    private static final byte[] NONE = {};
    /** Less than 0, and what other languages' types wrap to a small number. */
    private static final long[] NUMBERS = {
        Long.MIN_VALUE, Integer.MIN_VALUE, -1, Integer.MAX_VALUE, 1L << 31, (1L << 32) + 64, Long.MAX_VALUE - 4
    };

    @TempDir
    Path folder;

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
        for (int len = 0; len < 70; len++) {
            byte[] key = new byte[len];
            if (len != 16 && len != 32) {
                assertSays("16 or 32 bytes expected, " + len + " given", () -> new AesGcmSiv(key));
            }
            if (len != 32 && len != 48 && len != 64) {
                assertSays("64, 48 or 32 bytes expected, " + len + " given", () -> new AesSiv(key));
            }
            if (len != 32) {
                assertSays("32 expected, " + len + " given", () -> new ChaCha20Blake2b(key));
                assertSays("32 expected, " + len + " given", () -> new XChaCha20Blake2b(key, TagLength.BYTES_48));
                assertSays("32 expected, " + len + " given", () -> new KuznyechikMgm(key));
                assertSays("32 expected, " + len + " given", () -> new Kuznyechik(key));
            }
        }
        assertNull("key", () -> new AesGcmSiv(null));
        assertNull("key", () -> new KuznyechikMgm(null));
        assertFalse(Arrays.equals(AesGcmSiv.generateKey(), AesGcmSiv.generateKey()));
        List<Key> fit = List.of(
                new AesGcmSiv(AesGcmSiv.generateKey()), new AesGcmSiv(AesGcmSiv.generateKey(16)),
                new ChaCha20Blake2b(ChaCha20Blake2b.generateKey()), new XChaCha20Blake2b(XChaCha20Blake2b.generateKey()),
                new XChaCha20Blake2bSiv(XChaCha20Blake2bSiv.generateKey()), new AesSiv(AesSiv.generateKey()),
                new AesSiv(AesSiv.generateKey(48)), new KuznyechikMgm(KuznyechikMgm.generateKey()));
        fit.forEach(Key::close);
        assertEquals("AES-128-GCM-SIV key", fit.get(1).toString());
        assertEquals("AES-SIV-384", fit.get(6).algorithm());
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void noncesTagsAndNulls(String name) {
        byte[] some = new byte[80];
        Key key = Keys.make(name);
        byte[] nonce = Keys.nonce(key, 1);
        for (int len = 0; len < 100; len++) {
            byte[] wrong = new byte[len];
            byte[] text = Keys.paint(40, 1);
            if (len != key.tagLength()) {
                String says = "tag: " + key.tagLength() + " expected, " + len + " given";
                assertSays(says, () -> Keys.sealInPlace(key, nonce, text, some, wrong));
                assertSays(says, () -> Keys.openInPlace(key, nonce, text, some, wrong));
                assertArrayEquals(Keys.paint(40, 1), text);
            }
            String says = "nonce: " + nonce.length + " expected, " + len + " given";
            for (int textLen : len == nonce.length ? new int[0] : new int[] {0, 100, 10_000}) {
                assertSays(says, () -> key.sealWithNonce(wrong, new byte[textLen], some));
                assertSays(says, () -> key.openWithNonce(wrong, new byte[textLen + 100], some));
            }
        }
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
        List<Executable> calls = new ArrayList<>(List.of(
                () -> key.sealWithNonce(nonce, some, some), () -> key.openWithNonce(nonce, some, some),
                () -> key.sealWithNonce(nonce, new byte[10_000], some),
                () -> Keys.sealInPlace(key, nonce, some, some, some)));
        if (key instanceof Aead aead) {
            calls.addAll(List.of(() -> aead.seal(some, some), () -> aead.sealBatch(List.of(some), some)));
        }
        for (Executable call : calls) {
            assertSays(IllegalStateException.class, "this " + name + " key is closed", call);
        }
    }

    @Test
    void batchesAndLists() {
        byte[] texts = Keys.paint(30, 1);
        int[] offsets = {0, 10, 30};
        byte[] nonces = new byte[24];
        byte[] tags = new byte[32];
        List<byte[]> one = List.of(new byte[12]);
        List<byte[]> two = List.of(NONE, NONE);
        List<byte[]> hole = Arrays.asList(NONE, null);
        // Arrays that are long together, and take no memory because they are the same.
        List<byte[]> manyNonces = Collections.nCopies(2050, new byte[12]);
        List<byte[]> many = Collections.nCopies(2050, new byte[1 << 20]);
        AesSiv siv = new AesSiv(AesSiv.generateKey());
        try (AesGcmSiv key = new AesGcmSiv(new byte[16]); siv) {
            assertSays("offsets", () -> key.sealBatchInPlace(nonces, texts, new int[0], NONE, null, tags));
            assertSays("nonces: 24 expected, 23 given",
                    () -> key.sealBatchInPlace(new byte[23], texts, offsets, NONE, null, tags));
            assertSays("tags: 32 expected, 16 given",
                    () -> key.openBatchInPlace(nonces, texts, offsets, NONE, null, new byte[16]));
            assertSays("dataOffsets: 3 expected, 2 given",
                    () -> key.sealBatchInPlace(nonces, texts, offsets, NONE, new int[] {0, 0}, tags));
            assertSays("texts overlaps data", () -> key.sealBatchInPlace(nonces, texts, offsets, texts, null, tags));
            assertSays("dataOffsets: 3 expected, 2 given",
                    () -> key.sealColumn(new Column(texts, offsets), NONE, new int[2]));
            assertSays("offsets: one more", () -> new Column(texts, new int[0]));
            assertSays("validity: 9 bits expected, 8 given", () -> new Column(texts, new int[10], new byte[1]));
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
            assertSays("at most 126, 127 given", () -> siv.sealWithList(texts, Collections.nCopies(127, texts)));
        }
        assertThrows(IllegalStateException.class, () -> siv.sealWithList(texts, List.of()));
    }

    private interface Call {
        void with(int number) throws Exception;
    }

    private interface PartCall {
        void with(int offset, int length) throws Exception;
    }

    private interface OffsetsCall {
        void with(int[] offsets) throws Exception;
    }

    /** Those that are less than 0, or greater than the greatest that is no mistake. */
    private static void refuses(int most, String text, Call call) {
        for (long number : NUMBERS) {
            if (number == (int) number && (number < 0 || number > most)) {
                assertSays(text, () -> call.with((int) number));
            }
        }
    }

    /** A part of an array: two numbers. */
    private static void refusesParts(PartCall call) {
        for (int number : new int[] {Integer.MIN_VALUE, -1, Integer.MAX_VALUE, Integer.MAX_VALUE - 4}) {
            assertThrows(IndexOutOfBoundsException.class, () -> call.with(number, 10));
            assertThrows(IndexOutOfBoundsException.class, () -> call.with(10, number));
        }
    }

    private static void refusesOffsets(String name, OffsetsCall call) {
        for (int number : new int[] {Integer.MIN_VALUE, -1, 101, Integer.MAX_VALUE}) {
            assertSays(name, () -> call.with(new int[] {0, number, 100}));
            assertThrows(IllegalArgumentException.class, () -> call.with(new int[] {number, number, 100}));
        }
    }

    /** Every number that a public method of messages takes. */
    @Test
    void numbersOfMessages() {
        byte[] bytes = Keys.paint(100, 1);
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        byte[] nonces = new byte[24];
        byte[] tags = new byte[32];
        int[] offsets = {0, 50, 100};
        byte[] data = new byte[100];
        Column column = new Column(bytes, offsets);
        try (AesGcmSiv key = new AesGcmSiv(new byte[32]); Kuznyechik blocks = new Kuznyechik(new byte[32])) {
            refusesParts((o, l) -> key.sealInPlace(nonce, bytes, o, l, NONE, tag));
            refusesParts((o, l) -> key.openInPlace(nonce, bytes, o, l, NONE, tag));
            refusesParts((o, l) -> blocks.encryptBlocks(bytes, o, l));
            refusesParts((o, l) -> blocks.decryptBlocks(bytes, o, l));
            refusesOffsets("offsets", o -> key.sealBatchInPlace(nonces, bytes, o, NONE, null, tags));
            refusesOffsets("offsets", o -> key.openBatchInPlace(nonces, bytes, o, NONE, null, tags));
            refusesOffsets("dataOffsets", o -> key.sealBatchInPlace(nonces, bytes, offsets, data, o, tags));
            refusesOffsets("dataOffsets", o -> key.openBatchInPlace(nonces, bytes, offsets, data, o, tags));
            refusesOffsets("dataOffsets", o -> key.sealColumn(column, data, o));
            refusesOffsets("dataOffsets", o -> key.openColumn(column, data, o));
            refusesOffsets("offset", o -> key.sealColumn(new Column(bytes, o), NONE, null));
            for (int number : new int[] {-1, 2, Integer.MAX_VALUE}) {
                assertThrows(IndexOutOfBoundsException.class, () -> column.isNull(number));
            }
            refuses(-1, "bytes expected", AesGcmSiv::generateKey);
            refuses(-1, "bytes expected", AesSiv::generateKey);
            assertSays("inOut: a multiple of 16 expected, 15 given", () -> blocks.encryptBlocks(new byte[15]));
            assertSays("inOut: a multiple of 16 expected, 15 given", () -> blocks.decryptBlocks(new byte[15]));
        }
        assertArrayEquals(Keys.paint(100, 1), bytes);
    }

    /** Every number that a public method of files and keysets takes. */
    @Test
    void numbersOfFilesAndKeysets() throws IOException {
        Path plain = Files.write(folder.resolve("plain"), NONE);
        Path sealed = folder.resolve("sealed");
        try (FileKeys keys = new FileKeys().addPassphrase("correct horse".toCharArray()).setCost(64, 2, 3);
                FileKeys other = new FileKeys().addPassphrase("battery".toCharArray()).setCost(64, 1, 1);
                Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
            SealedFiles.seal(plain, sealed, keys);
            byte[] before = Files.readAllBytes(sealed);
            List<KeySlot> slots = SealedFiles.inspect(sealed).slots();
            KeysetInfo info = keyset.info();
            refuses(Integer.MAX_VALUE, "memory", number -> keys.setCost(number, 2, 3));
            refuses(Integer.MAX_VALUE, "passes", number -> keys.setCost(64, number, 3));
            refuses(-1, "lanes", number -> keys.setCost(64, 2, number));
            refuses(Integer.MAX_VALUE, "memoryKib", number -> keys.setMaxCost(number, 16));
            refuses(Integer.MAX_VALUE, "passes", number -> keys.setMaxCost(1 << 20, number));
            refuses(Integer.MAX_VALUE, "slots", keys::setRoom);
            refuses(-1, "slot", number -> SealedFiles.removeSlot(sealed, keys, number));
            refuses(-1, "slot", number -> SealedFiles.replaceSlot(sealed, keys, number, other));
            try (SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys)) {
                assertSays("position", () -> channel.position(-1));
                assertSays("position", () -> channel.position(Long.MIN_VALUE));
                assertThrows(NonWritableChannelException.class, () -> channel.truncate(-1));
            }
            SealingOutputStream stream = SealedStreams.newOutputStream(new ByteArrayOutputStream(), keys);
            refusesParts((offset, length) -> stream.write(before, offset, length));
            for (long id : NUMBERS) {
                String words = id < 0 || id >= 1L << 32 ? "id: a number from 0 to 4294967295 expected, " + id : "key " + id;
                if (id != info.primaryKeyId()) {
                    assertSays(words, () -> keyset.promote(id));
                    assertSays(words, () -> keyset.enable(id));
                    assertSays(words, () -> keyset.disable(id));
                    assertSays(words, () -> keyset.destroy(id));
                    assertSays(words, () -> keyset.remove(id));
                }
            }
            assertEquals(info, keyset.info());
            assertArrayEquals(before, Files.readAllBytes(sealed));
            SealedFiles.seal(plain, sealed, keys, FileOption.REPLACE_EXISTING);
            assertEquals(slots, SealedFiles.inspect(sealed).slots());
            SealedFileException none =
                    assertThrows(SealedFileException.class, () -> keys.addKeyFile(new byte[] {(byte) 0xff}));
            assertEquals("not a sivka key file: its first line is not `sivka key file, version 1`", none.getMessage());
            assertNull("text", () -> keys.addKeyFile((byte[]) null));
            assertNull("text", () -> FileKeys.keyFileId(null));
        }
        assertThrows(IllegalArgumentException.class, () -> FileKeys.generateKeyFile("a\0b"));
    }
}
