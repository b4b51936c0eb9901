package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** One message of every algorithm, on every way that it may take to native code. */
class MessagesTest {
    /** Around the longest message that is copied, and the longest that is lent. */
    private static final int[] LENGTHS = {
        0, 1, 15, 16, 17, 255, 1000, 3900, 4000, 4064, 4096, 4097, 70_000, 1 << 20, (1 << 20) + 1, 2_500_000
    };

    static final java.util.List<String> NAMES = Keys.NAMES;

    @ParameterizedTest
    @FieldSource("NAMES")
    void everyFormGivesTheSameBytes(String name) {
        byte[] data = Keys.paint(20, 5);
        try (Key key = Keys.make(name)) {
            byte[] nonce = Keys.nonce(key, 3);
            for (int len : LENGTHS) {
                byte[] text = Keys.paint(len, 2);
                byte[] sealed = Keys.seal(key, nonce, text, data);
                assertEquals(len + key.tagLength(), sealed.length);
                assertArrayEquals(text, Keys.open(key, nonce, sealed, data).orElseThrow());
                inPlace(key, nonce, text, data, sealed);
                forged(key, nonce, sealed, data);
            }
        }
    }

    private static void inPlace(Key key, byte[] nonce, byte[] text, byte[] data, byte[] sealed) {
        int textAt = key instanceof AesSiv ? key.tagLength() : 0;
        byte[] expected = Arrays.copyOfRange(sealed, textAt, textAt + text.length);
        byte[] inOut = text.clone();
        byte[] tag = new byte[key.tagLength()];
        Keys.sealInPlace(key, nonce, inOut, data, tag);
        assertArrayEquals(expected, inOut);
        assertArrayEquals(sealed, Keys.join(key, expected, tag));
        assertTrue(Keys.openInPlace(key, nonce, inOut, data, tag));
        assertArrayEquals(text, inOut);
        tag[3] ^= 4;
        assertFalse(Keys.openInPlace(key, nonce, expected, data, tag));
        assertArrayEquals(new byte[text.length], expected);

        // With bytes before and after, in an array and in native memory.
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(text.length + 9), ByteBuffer.allocateDirect(text.length + 9)}) {
            buffer.put(4, text);
            buffer.position(4).limit(4 + text.length);
            if (key instanceof NonceKey with) {
                with.sealInPlace(nonce, buffer, data, tag);
            } else {
                ((DeterministicKey) key).sealInPlace(buffer, data, tag);
            }
            assertEquals(4, buffer.position());
            byte[] made = new byte[text.length];
            buffer.get(4, made);
            assertArrayEquals(Arrays.copyOfRange(sealed, textAt, textAt + text.length), made);
            boolean opened =
                    key instanceof NonceKey with
                            ? with.openInPlace(nonce, buffer, data, tag)
                            : ((DeterministicKey) key).openInPlace(buffer, data, tag);
            assertTrue(opened);
            buffer.clear();
            byte[] whole = new byte[text.length + 9];
            buffer.get(0, whole);
            byte[] around = new byte[text.length + 9];
            System.arraycopy(text, 0, around, 4, text.length);
            assertArrayEquals(around, whole);
        }
    }

    private static void forged(Key key, byte[] nonce, byte[] sealed, byte[] data) {
        for (int at : new int[] {0, sealed.length / 2, sealed.length - 1}) {
            sealed[at] ^= 0x10;
            assertTrue(Keys.open(key, nonce, sealed, data).isEmpty());
            sealed[at] ^= 0x10;
        }
        byte[] otherData = data.clone();
        otherData[0] ^= 1;
        assertTrue(Keys.open(key, nonce, sealed, otherData).isEmpty());
        if (nonce.length > 0) {
            byte[] otherNonce = nonce.clone();
            otherNonce[nonce.length - 1] ^= 1;
            assertTrue(Keys.open(key, otherNonce, sealed, data).isEmpty());
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void shortCiphertextsAreEmpty(String name) {
        try (Key key = Keys.make(name)) {
            byte[] data = {1};
            for (int len = 0; len < key.tagLength(); len++) {
                assertTrue(Keys.open(key, Keys.nonce(key, 1), new byte[len], data).isEmpty());
            }
            if (key instanceof RandomNonceKey random) {
                for (int len = 0; len < key.nonceLength() + key.tagLength(); len++) {
                    assertTrue(random.open(new byte[len], data).isEmpty());
                    ByteBuffer sealed = ByteBuffer.allocate(len);
                    assertFalse(random.open(sealed, data, ByteBuffer.allocate(0)));
                    assertEquals(0, sealed.position());
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void randomNoncesDifferAndStandBeforeTheCiphertext(String name) {
        try (Key key = Keys.make(name)) {
            if (!(key instanceof RandomNonceKey random)) {
                return;
            }
            byte[] data = Keys.paint(7, 7);
            for (int len : LENGTHS) {
                byte[] text = Keys.paint(len, 9);
                byte[] sealed = random.seal(text, data);
                assertEquals(key.nonceLength() + len + key.tagLength(), sealed.length);
                assertArrayEquals(text, random.open(sealed, data).orElseThrow());
                byte[] nonce = Arrays.copyOf(sealed, key.nonceLength());
                byte[] rest = Arrays.copyOfRange(sealed, key.nonceLength(), sealed.length);
                assertArrayEquals(rest, random.seal(nonce, text, data));
                assertFalse(Arrays.equals(nonce, Arrays.copyOf(random.seal(text, data), nonce.length)));
                sealed[0] ^= 1;
                assertTrue(random.open(sealed, data).isEmpty());
            }
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void longData(String name) {
        try (Key key = Keys.make(name)) {
            byte[] nonce = Keys.nonce(key, 8);
            for (int len : new int[] {4096, 100_000, 1_200_000}) {
                byte[] data = Keys.paint(len, 4);
                byte[] sealed = Keys.seal(key, nonce, new byte[] {1, 2, 3}, data);
                assertArrayEquals(new byte[] {1, 2, 3}, Keys.open(key, nonce, sealed, data).orElseThrow());
                data[len - 1] ^= 1;
                assertTrue(Keys.open(key, nonce, sealed, data).isEmpty());
            }
        }
    }

    @Test
    void kuznyechikBlocksOfEveryCount() {
        try (Kuznyechik key = new Kuznyechik(Keys.paint(32, 6))) {
            byte[] one = Keys.paint(16, 1);
            key.encryptBlocks(one);
            for (int count : new int[] {0, 1, 2, 5, 100, 4095, 4096, 4097, 9000}) {
                byte[] blocks = new byte[count * 16];
                for (int i = 0; i < count; i++) {
                    System.arraycopy(Keys.paint(16, 1), 0, blocks, i * 16, 16);
                }
                ByteBuffer direct = ByteBuffer.allocateDirect(count * 16).put(blocks).flip();
                byte[] within = new byte[count * 16 + 5];
                System.arraycopy(blocks, 0, within, 3, blocks.length);
                byte[] plain = blocks.clone();
                key.encryptBlocks(blocks);
                key.encryptBlocks(direct);
                key.encryptBlocks(within, 3, plain.length);
                for (int i = 0; i < count; i++) {
                    assertArrayEquals(one, Arrays.copyOfRange(blocks, i * 16, i * 16 + 16));
                }
                assertEquals(ByteBuffer.wrap(blocks), direct);
                assertEquals(ByteBuffer.wrap(blocks), ByteBuffer.wrap(within, 3, plain.length));
                assertEquals(0, within[2] | within[within.length - 2]);
                key.decryptBlocks(direct);
                key.decryptBlocks(blocks);
                assertArrayEquals(plain, blocks);
                assertEquals(ByteBuffer.wrap(plain), direct);
            }
            assertThrows(IllegalArgumentException.class, () -> key.encryptBlocks(new byte[17]));
        }
    }
}
