package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What short messages leave behind, and what happens when all scratches are taken. */
class ScratchTest {
    private static final byte[] TEXT = "a text that is nowhere else in memory".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONE = {};

    @Test
    void noPlaintextStays() {
        try (NativeKey key = new NativeKey(Algorithm.named("AES-256-GCM-SIV"), new byte[32])) {
            byte[] sealed = key.seal(TEXT, NONE);
            assertNoPlaintext();
            assertEquals(TEXT.length, key.open(sealed, NONE).length);
            assertNoPlaintext();
            byte[] ciphertext = key.sealWithNonce(new byte[12], TEXT, NONE);
            assertNoPlaintext();
            assertEquals(TEXT.length, key.openWithNonce(new byte[12], ciphertext, NONE).length);
            assertNoPlaintext();
            ciphertext[0] ^= 1;
            assertNull(key.openWithNonce(new byte[12], ciphertext, NONE));
            assertNoPlaintext();
            assertThrows(IllegalArgumentException.class, () -> key.sealWithNonce(new byte[11], TEXT, NONE));
            assertNoPlaintext();
            ByteBuffer out = ByteBuffer.allocate(100);
            BufferMessages.seal(key, null, ByteBuffer.wrap(TEXT), NONE, out);
            assertNoPlaintext();
            BufferMessages.open(key, null, out.flip(), NONE, ByteBuffer.allocate(100));
            assertNoPlaintext();
            Optional<byte[]> opened = Batches.open(key, List.of(sealed), NONE).get(0);
            assertEquals(TEXT.length, opened.orElseThrow().length);
            assertNoPlaintext();
        }
    }

    /** Looks at the scratches that this thread may have used. */
    private static void assertNoPlaintext() {
        Scratch first = Scratch.take(Scratch.lane());
        byte[] bytes = new byte[Scratch.CAPACITY];
        first.bytes.get(0, bytes);
        first.giveBack();
        String memory = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int i = 0; i + 8 <= TEXT.length; i++) {
            String part = new String(TEXT, i, 8, StandardCharsets.US_ASCII);
            assertEquals(-1, memory.indexOf(part));
        }
    }

    @Test
    void messagesDoWithoutAScratch() {
        List<Scratch> taken = new ArrayList<>();
        for (Scratch one = Scratch.take(Scratch.lane()); one != null; one = Scratch.take(Scratch.lane())) {
            taken.forEach(other -> assertNotSame(other, null));
            taken.add(one);
        }
        assertNotEquals(0, taken.size());
        try (NativeKey key = new NativeKey(Algorithm.named("AES-256-GCM-SIV"), new byte[32])) {
            byte[] sealed = key.seal(TEXT, NONE);
            assertEquals(TEXT.length, key.open(sealed, NONE).length);
            ByteBuffer out = ByteBuffer.allocateDirect(100);
            BufferMessages.seal(key, null, ByteBuffer.wrap(TEXT).asReadOnlyBuffer(), NONE, out);
        } finally {
            taken.forEach(Scratch::giveBack);
        }
    }
}
