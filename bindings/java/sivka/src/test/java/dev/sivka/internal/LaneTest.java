package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.KeysetInfo.Purpose;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What short messages leave behind, and what happens when all lanes are taken. */
class LaneTest {
    private static final byte[] TEXT = "a text that is nowhere else in memory".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONCE = new byte[12];
    private static final byte[] NONE = {};

    /** The number of no handle. */
    private static final long NOBODY = -1;

    @Test
    void noPlaintextStays() {
        try (NativeKey key = new NativeKey(Algorithm.named("AES-256-GCM-SIV"), new byte[32])) {
            byte[] sealed = Messages.seal(key, null, TEXT, NONE);
            assertNoPlaintext();
            assertEquals(TEXT.length, Messages.open(key, null, sealed, NONE).length);
            assertNoPlaintext();
            byte[] ciphertext = Messages.seal(key, NONCE, TEXT, NONE);
            assertNoPlaintext();
            assertEquals(TEXT.length, Messages.open(key, NONCE, ciphertext, NONE).length);
            assertNoPlaintext();
            ciphertext[0] ^= 1;
            assertNull(Messages.open(key, NONCE, ciphertext, NONE));
            assertNoPlaintext();
            assertThrows(IllegalArgumentException.class, () -> Messages.seal(key, new byte[11], TEXT, NONE));
            assertNoPlaintext();
            ByteBuffer out = ByteBuffer.allocate(100);
            Messages.seal(key, null, ByteBuffer.wrap(TEXT), Region.of(NONE), out);
            assertNoPlaintext();
            Messages.open(key, null, out.flip(), Region.of(NONE), ByteBuffer.allocate(100));
            assertNoPlaintext();
            Optional<byte[]> opened = Batches.open(key, List.of(sealed), NONE).get(0);
            assertEquals(TEXT.length, opened.orElseThrow().length);
            assertNoPlaintext();
        }
    }

    @Test
    void noPlaintextStaysOfTextsInPlace() {
        try (NativeKey key = new NativeKey(Algorithm.named("AES-256-GCM-SIV"), new byte[32])) {
            byte[] inOut = TEXT.clone();
            byte[] tag = new byte[16];
            Messages.sealInPlace(key, NONCE, Region.of(inOut), NONE, tag);
            assertNoPlaintext();
            byte[] forged = inOut.clone();
            assertTrue(Messages.openInPlace(key, NONCE, Region.of(inOut), NONE, tag));
            assertArrayEquals(TEXT, inOut);
            assertNoPlaintext();
            tag[0] ^= 1;
            assertFalse(Messages.openInPlace(key, NONCE, Region.of(forged), NONE, tag));
            assertArrayEquals(new byte[TEXT.length], forged);
            assertNoPlaintext();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Messages.sealInPlace(key, new byte[11], Region.of(inOut), NONE, tag));
            assertArrayEquals(TEXT, inOut);
            assertNoPlaintext();
        }
    }

    /** The plaintext is beside the sealed message there, not under it. */
    @Test
    void noPlaintextStaysOfKeysets() {
        try (NativeKeyset keyset = NativeKeyset.generate("AES256_GCM_SIV");
                NativeKeyset other = NativeKeyset.generate("AES256_SIV_RAW")) {
            byte[] sealed = keyset.seal(Purpose.AEAD, TEXT, NONE);
            assertNoPlaintext();
            assertArrayEquals(TEXT, keyset.open(Purpose.AEAD, sealed, NONE));
            assertNoPlaintext();
            sealed[sealed.length - 1] ^= 1;
            assertNull(keyset.open(Purpose.AEAD, sealed, NONE));
            assertNoPlaintext();
            assertThrows(IllegalStateException.class, () -> other.seal(Purpose.AEAD, TEXT, NONE));
            assertNoPlaintext();
            sealed = other.seal(Purpose.DETERMINISTIC_AEAD, TEXT, NONE);
            assertNoPlaintext();
            assertArrayEquals(TEXT, other.open(Purpose.DETERMINISTIC_AEAD, sealed, NONE));
            assertNoPlaintext();
        }
    }

    /** Looks at the lanes that this thread may have used. */
    private static void assertNoPlaintext() {
        for (Lane lane : takeAll()) {
            byte[] bytes = new byte[Lane.CAPACITY];
            lane.memory.get(0, bytes);
            lane.giveBack();
            String memory = new String(bytes, StandardCharsets.ISO_8859_1);
            for (int i = 0; i + 8 <= TEXT.length; i++) {
                String part = new String(TEXT, i, 8, StandardCharsets.US_ASCII);
                assertEquals(-1, memory.indexOf(part));
            }
        }
    }

    private static List<Lane> takeAll() {
        List<Lane> taken = new ArrayList<>();
        for (Lane one = Lane.take(NOBODY); one != Lane.NONE; one = Lane.take(NOBODY)) {
            taken.add(one);
        }
        assertNotEquals(0, taken.size());
        return taken;
    }
}
