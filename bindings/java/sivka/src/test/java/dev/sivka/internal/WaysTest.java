package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message gives the same bytes on every way to native code, on both sides of each limit. */
class WaysTest {
    private static final byte[] AAD = {1, 2, 3};

    private static List<Integer> lengths() {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lengths.add(i);
        }
        for (int edge : new int[] {Message.LONGEST_COPIED, Lane.CAPACITY, 1 << 21}) {
            lengths.addAll(List.of(edge - 70, edge - 28, edge - 12, edge, edge + 1));
        }
        return lengths;
    }

    static List<String> algorithms() {
        return Algorithm.names();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void everyWayGivesTheSameBytes(String name) {
        Algorithm algorithm = Algorithm.named(name);
        byte[] nonce = new byte[algorithm.nonceLen()];
        try (NativeKey key = new NativeKey(algorithm, new byte[algorithm.keyLen()])) {
            for (int length : lengths()) {
                byte[] text = new byte[length];
                Arrays.fill(text, (byte) length);
                byte[] sealed = Messages.seal(key, nonce, text, AAD);
                // Native memory is neither copied nor lent, where there is no lane.
                ByteBuffer direct = ByteBuffer.allocateDirect(sealed.length);
                List<Lane> taken = takeAll();
                try {
                    Messages.into(true, key, nonce, Region.of(AAD), Region.of(text), Region.of(direct));
                    assertArrayEquals(sealed, Region.of(direct).copy());
                    assertArrayEquals(sealed, Messages.seal(key, nonce, text, AAD));
                } finally {
                    taken.forEach(Lane::giveBack);
                }
                assertArrayEquals(text, Messages.open(key, nonce, sealed, AAD));
                assertArrayEquals(text, Messages.intoNew(false, key, nonce, Region.of(AAD), Region.of(direct)));
                inPlace(key, nonce, text, sealed);
                sealed[length / 2] ^= 1;
                assertNull(Messages.open(key, nonce, sealed, AAD));
                assertNull(Messages.open(key, nonce, Arrays.copyOf(sealed, length), AAD));
                if (!name.startsWith("ChaCha20")) {
                    assertArrayEquals(text, Messages.open(key, null, Messages.seal(key, null, text, AAD), AAD));
                    assertNull(Messages.open(key, null, Messages.seal(key, null, text, AAD), new byte[] {9}));
                }
            }
        }
    }

    private static List<Lane> takeAll() {
        List<Lane> taken = new ArrayList<>();
        for (Lane one = Lane.take(-1); one != Lane.NONE; one = Lane.take(-1)) {
            taken.add(one);
        }
        return taken;
    }

    private static void inPlace(NativeKey key, byte[] nonce, byte[] text, byte[] sealed) {
        byte[] inOut = new byte[text.length + 5];
        System.arraycopy(text, 0, inOut, 2, text.length);
        Region part = Region.of(inOut, 2, text.length);
        byte[] tag = new byte[sealed.length - text.length];
        Messages.sealInPlace(key, nonce, part, AAD, tag);
        int textAt = key.algorithm().tagFirst() ? tag.length : 0;
        int tagAt = textAt == 0 ? text.length : 0;
        assertArrayEquals(Arrays.copyOfRange(sealed, textAt, textAt + text.length), part.copy());
        assertArrayEquals(Arrays.copyOfRange(sealed, tagAt, tagAt + tag.length), tag);
        assertTrue(Messages.openInPlace(key, nonce, part, AAD, tag));
        assertArrayEquals(text, part.copy());
        tag[0] ^= 1;
        assertFalse(Messages.openInPlace(key, nonce, part, AAD, tag));
        assertArrayEquals(new byte[inOut.length], inOut);
    }

    /** AAD that a lane has no room for, beside a text that it has. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void longData(String name) {
        Algorithm algorithm = Algorithm.named(name);
        byte[] nonce = new byte[algorithm.nonceLen()];
        byte[] text = {1, 2, 3};
        try (NativeKey key = new NativeKey(algorithm, new byte[algorithm.keyLen()])) {
            for (int length : new int[] {Lane.CAPACITY - 140, Lane.CAPACITY, 100_000, (2 << 20) + 1}) {
                byte[] aad = new byte[length];
                byte[] sealed = Messages.seal(key, nonce, text, aad);
                assertArrayEquals(text, Messages.open(key, nonce, sealed, aad));
                aad[length - 1] ^= 1;
                assertNull(Messages.open(key, nonce, sealed, aad));
            }
        }
    }

    /** What native code refuses, it refuses on every way. */
    @Test
    void misuseIsThrown() {
        Algorithm mgm = Algorithm.named("Kuznyechik-MGM");
        byte[] none = {};
        byte[] high = new byte[mgm.nonceLen()];
        high[0] = (byte) 0x80;
        try (NativeKey key = new NativeKey(mgm, new byte[mgm.keyLen()])) {
            for (int length : new int[] {5, 5000, 3_000_000}) {
                byte[] text = new byte[length];
                assertRefused("nonce", () -> Messages.seal(key, high, text, none));
                assertRefused("nonce: 16 expected, 3 given", () -> Messages.seal(key, new byte[3], text, none));
                assertRefused("nonce: 16 expected, 3 given", () -> Messages.open(key, new byte[3], new byte[99], none));
            }
            assertRefused("empty", () -> Messages.seal(key, new byte[mgm.nonceLen()], none, none));
            assertRefused("empty", () -> Messages.seal(key, null, none, none));
        }
    }

    /** Arrays that are written and read at once are found, whether the text is copied or lent. */
    @Test
    void overlapsInPlaceAreRefused() {
        Algorithm gcm = Algorithm.named("AES-256-GCM-SIV");
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        byte[] none = {};
        try (NativeKey key = new NativeKey(gcm, new byte[32])) {
            for (int length : new int[] {16, 5000}) {
                byte[] text = new byte[length];
                Region whole = Region.of(text);
                assertRefused("overlap", () -> Messages.sealInPlace(key, nonce, whole, text, tag));
                assertRefused("overlap", () -> Messages.openInPlace(key, nonce, whole, text, tag));
                assertRefused("overlap", () -> Messages.sealInPlace(key, nonce, whole, tag, tag));
                assertRefused("overlap", () -> Messages.sealInPlace(key, nonce, Region.of(nonce), none, tag));
                assertRefused("tag overlaps inOut", () -> Messages.sealInPlace(key, nonce, Region.of(tag), none, tag));
                assertArrayEquals(new byte[length], text);
            }
        }
    }

    private static void assertRefused(String words, org.junit.jupiter.api.function.Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }

    /** Lengths in Java are those of the library. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void lengthsAreLimited(String name) {
        Algorithm algorithm = Algorithm.named(name);
        int tagLen = algorithm.tagLen();
        int overhead = algorithm.nonceLen() + tagLen;
        assertEquals(overhead, algorithm.outputLen(true, true, 0));
        assertEquals(tagLen, algorithm.outputLen(true, false, 0));
        assertEquals(Integer.MAX_VALUE + 1L, algorithm.outputLen(true, true, Integer.MAX_VALUE - overhead + 1));
        assertRefused("longer", () -> algorithm.newOutput(true, false, Integer.MAX_VALUE - tagLen + 1));
        assertEquals(0, algorithm.outputLen(false, true, overhead - 1));
        assertEquals(1, algorithm.outputLen(false, true, overhead + 1));
        assertEquals(0, algorithm.outputLen(false, false, 0));
        assertEquals(7, algorithm.outputLen(false, false, tagLen + 7));
    }
}
