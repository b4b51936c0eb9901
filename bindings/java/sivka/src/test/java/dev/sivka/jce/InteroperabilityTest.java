package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * AES-GCM-SIV of Conscrypt, BouncyCastle and codahale beside ours: the same bytes, opened in
 * both directions, and the same forgeries refused. {@link TinkTest} has Tink.
 */
class InteroperabilityTest {
    /** More than the widest stride of any implementation. */
    private static final int LENGTHS = 600;

    private final Random random = new Random(1);

    static Stream<Peer> others() {
        return Peer.others().stream();
    }

    @ParameterizedTest
    @MethodSource("others")
    void agreesAtEveryLength(Peer other) throws Exception {
        for (int length = 0; length <= LENGTHS; length++) {
            for (int keyLength : new int[] {16, 32}) {
                agree(other, keyLength, length, 0);
                agree(other, keyLength, length, (length * 7 + keyLength) % 100);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("others")
    void agreesOnLongMessages(Peer other) throws Exception {
        for (int length : new int[] {8191, 8192, 65_537, (3 << 20) + 5}) {
            agree(other, 16, length, 33);
            agree(other, 32, length, 0);
        }
        agree(other, 32, 100, (1 << 20) + 1);
    }

    @Test
    void bothOfOursRefuseWhatIsNotWhole() throws Exception {
        byte[] key = bytes(32);
        byte[] nonce = bytes(12);
        byte[] aad = bytes(20);
        for (Peer ours : Peer.ours()) {
            byte[] sealed = ours.seal(key, nonce, bytes(33), aad);
            for (int bit = 0; bit < sealed.length * 8; bit++) {
                assertRefused(ours, key, nonce, flipped(sealed, bit), aad);
            }
            for (int length = 0; length < sealed.length; length++) {
                assertRefused(ours, key, nonce, java.util.Arrays.copyOf(sealed, length), aad);
            }
            for (int bit = 0; bit < aad.length * 8; bit++) {
                assertRefused(ours, key, nonce, sealed, flipped(aad, bit));
            }
        }
    }

    private void agree(Peer other, int keyLength, int length, int aadLength) throws Exception {
        byte[] key = bytes(keyLength);
        byte[] nonce = bytes(12);
        byte[] text = bytes(length);
        byte[] aad = bytes(aadLength);
        byte[] theirs = other.seal(key, nonce, text, aad);
        for (Peer ours : Peer.ours()) {
            String which = ours + " and " + other + ", " + length + " and " + aadLength + " bytes";
            byte[] sealed = ours.seal(key, nonce, text, aad);
            assertArrayEquals(theirs, sealed, which);
            assertArrayEquals(text, ours.open(key, nonce, theirs, aad).orElseThrow(), which);
            assertArrayEquals(text, other.open(key, nonce, sealed, aad).orElseThrow(), which);
            byte[] forged = flipped(sealed, random.nextInt(sealed.length * 8));
            assertRefused(ours, key, nonce, forged, aad);
            assertRefused(other, key, nonce, forged, aad);
        }
    }

    private static void assertRefused(Peer peer, byte[] key, byte[] nonce, byte[] sealed, byte[] aad)
            throws Exception {
        assertTrue(peer.open(key, nonce, sealed, aad).isEmpty(), peer::toString);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << (bit % 8));
        return flipped;
    }
}
