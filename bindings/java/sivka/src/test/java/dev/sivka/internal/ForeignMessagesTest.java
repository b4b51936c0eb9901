package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code java.lang.foreign} does is what JNI does, and it is used where there is one. */
class ForeignMessagesTest {
    private static final boolean HAS_FOREIGN = Runtime.version().feature() >= 22;

    /** Lengths on both sides of where a message goes another way. */
    private static List<Integer> lengths() {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lengths.add(i);
            lengths.add(ForeignMessages.SHORTEST - 50 + i);
        }
        for (int edge : new int[] {Scratch.CAPACITY, ForeignMessages.LONGEST, 1 << 21}) {
            lengths.addAll(List.of(edge - 70, edge - 12, edge, edge + 1));
        }
        return lengths;
    }

    static List<String> algorithms() {
        return Algorithm.names();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void isWhatJniDoes(String name) {
        Algorithm algorithm = Algorithm.named(name);
        byte[] nonce = new byte[algorithm.nonceLen()];
        byte[] aad = {1, 2, 3};
        try (NativeKey key = new NativeKey(algorithm, new byte[algorithm.keyLen()])) {
            assertEquals(HAS_FOREIGN, prepared());
            for (int length : lengths()) {
                byte[] text = new byte[length];
                Arrays.fill(text, (byte) length);
                byte[] sealed = key.sealWithNonce(nonce, text, aad);
                // In parts of arrays, and so through JNI.
                byte[] expected = new byte[sealed.length + 1];
                Region whole = Region.of(aad, 0, aad.length);
                RegionMessages.seal(
                        key, nonce, whole, Region.of(text, 0, length), Region.of(expected, 1, sealed.length));
                assertArrayEquals(Arrays.copyOfRange(expected, 1, expected.length), sealed);
                assertArrayEquals(
                        sealed, RegionMessages.seal(key, nonce, whole, Region.of(text, 0, length)));
                assertArrayEquals(text, key.openWithNonce(nonce, sealed, aad));
                assertArrayEquals(
                        text, RegionMessages.open(key, nonce, whole, Region.of(expected, 1, sealed.length)));
                sealed[length / 2] ^= 1;
                assertNull(key.openWithNonce(nonce, sealed, aad));
                assertNull(key.openWithNonce(nonce, Arrays.copyOf(sealed, length), aad));
                if (algorithm.randomNoncesAllowed()) {
                    assertArrayEquals(text, key.open(key.seal(text, aad), aad));
                    assertNull(key.open(key.seal(text, new byte[] {9}), aad));
                }
            }
        }
    }

    /** What native code refuses is thrown as through JNI. */
    @Test
    void misuseIsThrown() {
        prepared();
        Algorithm mgm = Algorithm.named("Kuznyechik-MGM");
        try (NativeKey key = new NativeKey(mgm, new byte[mgm.keyLen()])) {
            byte[] none = new byte[0];
            byte[] high = new byte[mgm.nonceLen()];
            high[0] = (byte) 0x80;
            assertThrows(IllegalArgumentException.class, () -> key.sealWithNonce(high, new byte[5], none));
            assertThrows(IllegalArgumentException.class,
                    () -> key.sealWithNonce(new byte[mgm.nonceLen()], none, none));
            assertThrows(IllegalArgumentException.class,
                    () -> key.sealWithNonce(new byte[3], new byte[5], none));
            assertThrows(IllegalArgumentException.class,
                    () -> key.openWithNonce(new byte[3], new byte[99], none));
            assertThrows(IllegalArgumentException.class, () -> key.seal(none, none));
        }
    }

    /** A program that seals much gets there by itself. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void isPreparedByUse() throws InterruptedException {
        if (!HAS_FOREIGN) {
            assertFalse(prepared());
            assertFalse(ForeignMessages.take(ForeignMessages.SHORTEST, 1));
            return;
        }
        while (!ForeignMessages.take(ForeignMessages.SHORTEST, 1)) {
            Thread.onSpinWait();
        }
        assertTrue(ForeignMessages.take(ForeignMessages.LONGEST, 0));
        assertFalse(ForeignMessages.take(ForeignMessages.LONGEST + 1, 0));
        assertFalse(ForeignMessages.take(ForeignMessages.SHORTEST - 1, 1));
        assertFalse(ForeignMessages.take(ForeignMessages.LONGEST, ForeignMessages.LONGEST + 1));
    }

    /** Prepares, or waits for the thread that does. */
    private static boolean prepared() {
        boolean ready = ForeignMessages.prepare();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (HAS_FOREIGN && !ready && System.nanoTime() < end) {
            ready = ForeignMessages.prepare();
        }
        return ready;
    }
}
