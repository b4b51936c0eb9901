package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Messages, beside what the matrix of languages asks of every algorithm and form. */
class MessagesTest {
    private static final int[] LENGTHS = {0, 1, 4096, 4097, 70_000, 2_500_000};

    static final java.util.List<String> NAMES = Keys.NAMES;

    /** A part of a buffer in place: the position stays, and what is around it. */
    @ParameterizedTest
    @FieldSource("NAMES")
    void buffersInPlace(String name) {
        byte[] data = Keys.paint(20, 5);
        try (Key key = Keys.make(name)) {
            byte[] nonce = Keys.nonce(key, 3);
            for (int len : LENGTHS) {
                byte[] text = Keys.paint(len, 2);
                inPlace(key, nonce, text, data, key.sealWithNonce(nonce, text, data));
            }
        }
    }

    private static void inPlace(Key key, byte[] nonce, byte[] text, byte[] data, byte[] sealed) {
        int textAt = key instanceof AesSiv ? key.tagLength() : 0;
        byte[] tag = new byte[key.tagLength()];
        // With bytes before and after, in an array and in native memory.
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(text.length + 9), ByteBuffer.allocateDirect(text.length + 9)}) {
            buffer.put(4, text);
            buffer.position(4).limit(4 + text.length);
            key.sealInPlace(nonce, buffer, data, tag);
            assertEquals(4, buffer.position());
            byte[] made = new byte[text.length];
            buffer.get(4, made);
            assertArrayEquals(Arrays.copyOfRange(sealed, textAt, textAt + text.length), made);
            assertTrue(key.openInPlace(nonce, buffer, data, tag));
            buffer.clear();
            byte[] whole = new byte[text.length + 9];
            buffer.get(0, whole);
            byte[] around = new byte[text.length + 9];
            System.arraycopy(text, 0, around, 4, text.length);
            assertArrayEquals(around, whole);
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void longData(String name) {
        try (Key key = Keys.make(name)) {
            byte[] nonce = Keys.nonce(key, 8);
            for (int len : new int[] {4096, 100_000, 1_200_000}) {
                byte[] data = Keys.paint(len, 4);
                byte[] sealed = key.sealWithNonce(nonce, new byte[] {1, 2, 3}, data);
                assertArrayEquals(new byte[] {1, 2, 3}, key.openWithNonce(nonce, sealed, data).orElseThrow());
                data[len - 1] ^= 1;
                assertTrue(key.openWithNonce(nonce, sealed, data).isEmpty());
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
