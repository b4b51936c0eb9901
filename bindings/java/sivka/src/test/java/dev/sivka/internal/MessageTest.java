package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.KeysetInfo.Purpose;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message gives the same bytes on both ways to native code, and leaves no plaintext on either. */
class MessageTest {
    private static final byte[] AAD = {1, 2, 3};
    private static final byte[] NONE = {};
    private static final byte[] TEXT = "a text that is nowhere else in memory".getBytes(StandardCharsets.US_ASCII);

    static List<String> algorithms() {
        return Algorithm.names();
    }

    private static NativeKey key(String name) {
        Algorithm algorithm = Algorithm.named(name);
        return new NativeKey(algorithm, new byte[algorithm.keyLen()]);
    }

    /** All below 100, and both sides of each limit. */
    private static int[] lengths() {
        IntStream edges = IntStream.of(Message.LONGEST_COPIED, Lane.CAPACITY, 1 << 21)
                .flatMap(edge -> IntStream.of(edge - 70, edge - 28, edge - 12, edge, edge + 1));
        return IntStream.concat(IntStream.range(0, 100), edges).toArray();
    }

    /** All lanes that this thread may have. */
    private static List<Lane> takeAll() {
        List<Lane> taken = new ArrayList<>();
        for (Lane one = Lane.take(-1); one != Lane.NONE; one = Lane.take(-1)) {
            taken.add(one);
        }
        return taken;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void bothWaysGiveTheSameBytes(String name) {
        byte[] nonce = new byte[Algorithm.named(name).nonceLen()];
        try (NativeKey key = key(name)) {
            for (int length : lengths()) {
                byte[] text = new byte[length];
                Arrays.fill(text, (byte) length);
                byte[] sealed = Message.seal(key, nonce, text, AAD);
                // Native memory is neither copied nor lent, where there is no lane.
                ByteBuffer direct = ByteBuffer.allocateDirect(sealed.length);
                List<Lane> taken = takeAll();
                try {
                    Message.into(true, key, nonce, Region.of(AAD), Region.of(text), Region.of(direct));
                    assertArrayEquals(sealed, Region.of(direct).copy());
                    assertArrayEquals(sealed, Message.seal(key, nonce, text, AAD));
                } finally {
                    taken.forEach(Lane::giveBack);
                }
                assertArrayEquals(text, Message.open(key, nonce, sealed, AAD));
                assertArrayEquals(text, Message.intoNew(false, key, nonce, Region.of(AAD), Region.of(direct)));
                inPlace(key, nonce, text, sealed);
                sealed[length / 2] ^= 1;
                assertNull(Message.open(key, nonce, sealed, AAD));
                assertNull(Message.open(key, nonce, Arrays.copyOf(sealed, length), AAD));
                if (!name.startsWith("ChaCha20")) {
                    assertArrayEquals(text, Message.open(key, null, Message.seal(key, null, text, AAD), AAD));
                    assertNull(Message.open(key, null, Message.seal(key, null, text, AAD), new byte[] {9}));
                }
            }
            // AAD that a lane has no room for, beside a text that it has.
            for (int length : new int[] {Lane.CAPACITY - 140, Lane.CAPACITY, 100_000, (2 << 20) + 1}) {
                byte[] aad = new byte[length];
                byte[] sealed = Message.seal(key, nonce, TEXT, aad);
                assertArrayEquals(TEXT, Message.open(key, nonce, sealed, aad));
                aad[length - 1] ^= 1;
                assertNull(Message.open(key, nonce, sealed, aad));
            }
        }
    }

    private static void inPlace(NativeKey key, byte[] nonce, byte[] text, byte[] sealed) {
        byte[] inOut = new byte[text.length + 5];
        System.arraycopy(text, 0, inOut, 2, text.length);
        Region part = Region.of(inOut, 2, text.length);
        byte[] tag = new byte[sealed.length - text.length];
        Message.inPlace(true, key, nonce, part, AAD, tag);
        int textAt = key.algorithm().tagFirst() ? tag.length : 0;
        int tagAt = textAt == 0 ? text.length : 0;
        assertArrayEquals(Arrays.copyOfRange(sealed, textAt, textAt + text.length), part.copy());
        assertArrayEquals(Arrays.copyOfRange(sealed, tagAt, tagAt + tag.length), tag);
        assertTrue(Message.inPlace(false, key, nonce, part, AAD, tag));
        assertArrayEquals(text, part.copy());
        tag[0] ^= 1;
        assertFalse(Message.inPlace(false, key, nonce, part, AAD, tag));
        assertArrayEquals(new byte[inOut.length], inOut);
    }

    private static void assertRefused(String words, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }

    /** What native code refuses, it refuses on every way. */
    @Test
    void misuseIsThrown() {
        byte[] high = {-128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        try (NativeKey key = key("Kuznyechik-MGM")) {
            for (int length : new int[] {5, 5000, 3_000_000}) {
                assertRefused("nonce", () -> Message.seal(key, high, new byte[length], NONE));
            }
            assertRefused("empty", () -> Message.seal(key, null, NONE, NONE));
        }
    }

    /** Arrays that are written and read at once are found, whether the text is copied or lent. */
    @Test
    void overlapsInPlaceAreRefused() {
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        try (NativeKey key = key("AES-256-GCM-SIV")) {
            for (int length : new int[] {16, 5000}) {
                byte[] text = new byte[length];
                Region whole = Region.of(text);
                for (boolean seals : new boolean[] {true, false}) {
                    assertRefused("overlap", () -> Message.inPlace(seals, key, nonce, whole, text, tag));
                }
                assertRefused("overlap", () -> Message.inPlace(true, key, nonce, whole, tag, tag));
                assertRefused("overlap", () -> Message.inPlace(true, key, nonce, Region.of(nonce), NONE, tag));
                assertRefused("tag overlaps inOut", () -> Message.inPlace(true, key, nonce, Region.of(tag), NONE, tag));
                assertArrayEquals(new byte[length], text);
            }
        }
    }

    /** Lengths in Java are those of the library. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void lengthsAreLimited(String name) {
        Algorithm algorithm = Algorithm.named(name);
        int tagLen = algorithm.tagLen();
        int overhead = algorithm.nonceLen() + tagLen;
        assertEquals(Integer.MAX_VALUE + 1L, algorithm.outputLen(true, true, Integer.MAX_VALUE - overhead + 1));
        assertRefused("longer", () -> algorithm.newOutput(true, false, Integer.MAX_VALUE - tagLen + 1));
        assertEquals(0, algorithm.outputLen(false, true, overhead - 1));
        assertEquals(1, algorithm.outputLen(false, true, overhead + 1));
        assertEquals(0, algorithm.outputLen(false, false, 0));
    }

    /** Looks at the lanes that this thread may have used. */
    private static void assertNoPlaintext() {
        List<Lane> taken = takeAll();
        assertNotEquals(0, taken.size());
        for (Lane lane : taken) {
            byte[] bytes = new byte[Lane.CAPACITY];
            lane.memory.get(0, bytes);
            lane.giveBack();
            String memory = new String(bytes, StandardCharsets.ISO_8859_1);
            for (int i = 0; i + 8 <= TEXT.length; i++) {
                assertEquals(-1, memory.indexOf(new String(TEXT, i, 8, StandardCharsets.US_ASCII)));
            }
        }
    }

    @Test
    void noPlaintextStays() {
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        try (NativeKey key = key("AES-256-GCM-SIV")) {
            for (byte[] under : new byte[][] {null, nonce}) {
                byte[] sealed = Message.seal(key, under, TEXT, NONE);
                assertNoPlaintext();
                ByteBuffer out = ByteBuffer.allocate(100);
                Message.between(false, key, under, ByteBuffer.wrap(sealed), null, out);
                assertNoPlaintext();
                Message.between(true, key, under, out.flip(), null, ByteBuffer.allocate(100));
                assertNoPlaintext();
                assertArrayEquals(TEXT, Message.open(key, under, sealed, NONE));
                assertNoPlaintext();
                sealed[20] ^= 1;
                assertNull(Message.open(key, under, sealed, NONE));
                assertNoPlaintext();
            }
            assertRefused("nonce", () -> Message.seal(key, new byte[11], TEXT, NONE));
            assertNoPlaintext();
            byte[] inOut = TEXT.clone();
            Message.inPlace(true, key, nonce, Region.of(inOut), NONE, tag);
            assertNoPlaintext();
            byte[] forged = inOut.clone();
            assertTrue(Message.inPlace(false, key, nonce, Region.of(inOut), NONE, tag));
            assertNoPlaintext();
            tag[0] ^= 1;
            assertFalse(Message.inPlace(false, key, nonce, Region.of(forged), NONE, tag));
            assertNoPlaintext();
            assertRefused("nonce", () -> Message.inPlace(true, key, new byte[11], Region.of(inOut), NONE, tag));
            assertArrayEquals(TEXT, inOut);
            assertNoPlaintext();
        }
    }

    /** The plaintext is beside the sealed message there, not under it. */
    @Test
    void noPlaintextStaysOfKeysets() {
        for (Purpose purpose : new Purpose[] {Purpose.AEAD, Purpose.DETERMINISTIC_AEAD}) {
            String template = purpose == Purpose.AEAD ? "AES256_GCM_SIV" : "AES256_SIV_RAW";
            try (NativeKeyset keyset = new NativeKeyset(NativeKeyset.generate(template))) {
                NativeKey key = keyset.keyOfNow(purpose);
                byte[] sealed = Message.seal(key, null, TEXT, NONE);
                assertNoPlaintext();
                assertArrayEquals(TEXT, Message.open(key, null, sealed, NONE));
                assertNoPlaintext();
                sealed[sealed.length - 1] ^= 1;
                assertNull(Message.open(key, null, sealed, NONE));
                assertNoPlaintext();
            }
        }
    }
}
