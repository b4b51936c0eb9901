package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Byte buffers of every kind, as input and as output. */
class BuffersTest {
    private static final int[] LENGTHS = {0, 1, 16, 1000, 4096, 5000, 70_000, (2 << 20) + 100};
    private static final int BEFORE = 5;
    private static final int BEHIND = 7;

    private enum Kind {
        HEAP,
        HEAP_SLICE,
        DIRECT,
        DIRECT_SLICE,
        READ_ONLY_HEAP,
        READ_ONLY_DIRECT;

        boolean isReadOnly() {
            return this == READ_ONLY_HEAP || this == READ_ONLY_DIRECT;
        }

        /** A buffer in which these bytes remain, with others before and after. */
        ByteBuffer of(byte[] bytes) {
            int capacity = BEFORE + bytes.length + BEHIND;
            ByteBuffer made =
                    switch (this) {
                        case HEAP, READ_ONLY_HEAP -> ByteBuffer.allocate(capacity);
                        case HEAP_SLICE -> ByteBuffer.allocate(capacity + 3).position(3).slice();
                        case DIRECT, READ_ONLY_DIRECT -> ByteBuffer.allocateDirect(capacity);
                        case DIRECT_SLICE -> ByteBuffer.allocateDirect(capacity + 3).position(3).slice();
                    };
            made.put(BEFORE, bytes).position(BEFORE).limit(BEFORE + bytes.length);
            return isReadOnly() ? made.asReadOnlyBuffer() : made;
        }
    }

    @Test
    void everyKindIntoEveryKind() {
        byte[] data = Keys.paint(11, 1);
        byte[] nonce = Keys.paint(12, 2);
        try (AesGcmSiv key = new AesGcmSiv(Keys.paint(32, 3))) {
            for (Kind from : Kind.values()) {
                for (Kind to : Kind.values()) {
                    for (int len : LENGTHS) {
                        if (!to.isReadOnly()) {
                            withNonce(key, nonce, data, from, to, Keys.paint(len, len));
                            withRandomNonce(key, data, from, to, Keys.paint(len, len));
                        }
                    }
                }
            }
        }
    }

    private static void withNonce(AesGcmSiv key, byte[] nonce, byte[] data, Kind from, Kind to, byte[] text) {
        byte[] expected = key.sealWithNonce(nonce, text, data);
        ByteBuffer under = from.of(nonce);
        ByteBuffer with = from.of(data);
        ByteBuffer plaintext = from.of(text);
        // One byte more than is needed, which stays.
        ByteBuffer sealed = to.of(new byte[expected.length + 1]);
        assertEquals(expected.length, key.sealWithNonce(under, plaintext, with, sealed));
        assertEquals(0, plaintext.remaining());
        assertEquals(1, sealed.remaining());
        assertAround(sealed, expected);

        ByteBuffer opened = to.of(new byte[text.length]);
        assertTrue(key.openWithNonce(under, from.of(expected), with, opened));
        assertEquals(0, opened.remaining());
        assertAround(opened, text);

        expected[expected.length / 2] ^= 1;
        ByteBuffer forged = from.of(expected);
        ByteBuffer untouched = to.of(new byte[text.length]);
        assertFalse(key.openWithNonce(under, forged, with, untouched));
        assertEquals(BEFORE, forged.position());
        assertEquals(BEFORE, untouched.position());
        assertAround(untouched, new byte[text.length]);
        assertEquals(12, under.remaining());
        assertEquals(11, with.remaining());
    }

    private static void withRandomNonce(AesGcmSiv key, byte[] data, Kind from, Kind to, byte[] text) {
        int length = text.length + 28;
        ByteBuffer sealed = to.of(new byte[length]);
        assertEquals(length, key.seal(from.of(text), from.of(data), sealed));
        byte[] bytes = copy(sealed, BEFORE, length);
        assertArrayEquals(text, key.open(bytes, data).orElseThrow());
        ByteBuffer opened = to.of(new byte[text.length]);
        assertTrue(key.open(from.of(bytes), from.of(data), opened));
        assertAround(opened, text);
    }

    /** The buffer holds these bytes, and zeros before and after. */
    private static void assertAround(ByteBuffer buffer, byte[] bytes) {
        byte[] whole = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(whole);
        byte[] expected = new byte[whole.length];
        System.arraycopy(bytes, 0, expected, BEFORE, bytes.length);
        assertArrayEquals(expected, whole);
    }

    private static byte[] copy(ByteBuffer buffer, int at, int len) {
        byte[] bytes = new byte[len];
        buffer.get(at, bytes);
        return bytes;
    }

    /** Those of {@code javax.crypto} overlap in its scenarios. Here the nonce is drawn. */
    @Test
    void inputAndOutputMayOverlap() {
        try (AesGcmSiv key = new AesGcmSiv(Keys.paint(16, 3))) {
            for (int len : new int[] {16, 1000, 5000, 70_000}) {
                byte[] text = Keys.paint(len, 1);
                for (int shift : new int[] {-12, -1, 0, 1, 12, 40}) {
                    for (boolean direct : new boolean[] {false, true}) {
                        ByteBuffer memory = direct ? ByteBuffer.allocateDirect(len + 200) : ByteBuffer.allocate(len + 200);
                        ByteBuffer in = memory.duplicate().put(50, text).position(50).limit(50 + len);
                        key.seal(in, null, memory.duplicate().position(50 + shift));
                        assertArrayEquals(text, key.open(copy(memory, 50 + shift, len + 28)).orElseThrow());
                        in = memory.duplicate().position(50 + shift).limit(78 + shift + len);
                        assertTrue(key.open(in, null, memory.duplicate().position(50)));
                        assertArrayEquals(text, copy(memory, 50, len));
                    }
                }
            }
        }
    }

    /** A part of a buffer in place: the position stays, and what is around it. */
    @Test
    void inPlace() {
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        try (AesGcmSiv key = new AesGcmSiv(Keys.paint(32, 3))) {
            for (int len : LENGTHS) {
                byte[] text = Keys.paint(len, 2);
                byte[] sealed = key.sealWithNonce(nonce, text, null);
                for (Kind kind : List.of(Kind.HEAP_SLICE, Kind.DIRECT_SLICE)) {
                    ByteBuffer buffer = kind.of(text);
                    key.sealInPlace(nonce, buffer, null, tag);
                    assertEquals(BEFORE, buffer.position());
                    assertAround(buffer, Arrays.copyOf(sealed, len));
                    assertTrue(key.openInPlace(nonce, buffer, null, tag));
                    assertAround(buffer, text);
                }
            }
        }
    }

    /** The matrix knows what they are encrypted to. */
    @Test
    void blocksOfKuznyechik() {
        try (Kuznyechik key = new Kuznyechik(Keys.paint(32, 6))) {
            for (int count : new int[] {0, 1, 5, 4096, 9000}) {
                byte[] plain = Keys.paint(count * 16, 1);
                byte[] expected = plain.clone();
                key.encryptBlocks(ByteBuffer.wrap(expected));
                ByteBuffer direct = Kind.DIRECT_SLICE.of(plain);
                ByteBuffer within = Kind.HEAP_SLICE.of(plain);
                key.encryptBlocks(direct);
                assertAround(direct, expected);
                key.encryptBlocks(within);
                assertAround(within, expected);
                key.decryptBlocks(direct);
                assertAround(direct, plain);
            }
        }
    }

    @Test
    void misuse() {
        ByteBuffer nonce = ByteBuffer.wrap(new byte[12]);
        ByteBuffer text = ByteBuffer.allocate(100);
        ByteBuffer small = ByteBuffer.allocate(115);
        ByteBuffer readOnly = ByteBuffer.allocate(200).asReadOnlyBuffer();
        try (AesGcmSiv key = new AesGcmSiv(new byte[16])) {
            Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
            String said = assertThrows(illegal, () -> key.sealWithNonce(nonce, text, null, small)).getMessage();
            assertTrue(said.contains("116 bytes needed, 115 remaining"), said);
            assertThrows(illegal, () -> key.seal(text, null, ByteBuffer.allocate(127)));
            assertThrows(illegal, () -> key.open(text, null, ByteBuffer.allocate(71)));
            assertThrows(illegal, () -> key.sealWithNonce(nonce, text, null, text));
            assertThrows(illegal, () -> key.sealWithNonce(small, text, null, ByteBuffer.allocate(200)));
            assertThrows(ReadOnlyBufferException.class, () -> key.sealWithNonce(nonce, text, null, readOnly));
            assertThrows(
                    ReadOnlyBufferException.class,
                    () -> key.sealInPlace(new byte[12], readOnly, null, new byte[16]));
            assertEquals(0, text.position());
            assertEquals(0, small.position());
            assertArrayEquals(new byte[115], small.array());
        }
    }
}
