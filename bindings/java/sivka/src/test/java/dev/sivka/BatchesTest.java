package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches, beside what the matrix of languages asks: longer than one loan of the arrays. */
class BatchesTest {
    @ParameterizedTest
    @ValueSource(strings = {"AES-256-GCM-SIV", "AES-SIV-512"})
    void oneArray(String name) {
        try (Key key = Keys.make(name)) {
            // More than one loan of the arrays, and one message that is longer than a loan.
            contiguous(key, 40_000, 64, 0);
            contiguous(key, 5, 300, 1_100_000);
            contiguous(key, 0, 0, 0);
        }
    }

    private static void contiguous(Key key, int count, int maxLen, int lastLen) {
        int[] offsets = new int[count + 1];
        int[] dataOffsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + (i == count - 1 ? lastLen : i % (maxLen + 1));
            dataOffsets[i + 1] = dataOffsets[i] + 1 + i % 5;
        }
        byte[] texts = Keys.paint(offsets[count] + 3, 1);
        byte[] plain = texts.clone();
        byte[] data = Keys.paint(dataOffsets[count], 2);
        byte[] nonces = new byte[count * key.nonceLength()];
        byte[] tags = new byte[count * key.tagLength()];
        for (int i = 0; i < count; i++) {
            System.arraycopy(Keys.nonce(key, i), 0, nonces, i * key.nonceLength(), key.nonceLength());
        }
        key.sealBatchInPlace(nonces, texts, offsets, data, dataOffsets, tags);
        for (int i = 0; i < count; i += 1 + count / 50) {
            byte[] expected =
                    key.sealWithNonce(Keys.nonce(key, i),
                            Arrays.copyOfRange(plain, offsets[i], offsets[i + 1]),
                            Arrays.copyOfRange(data, dataOffsets[i], dataOffsets[i + 1]));
            byte[] text = Arrays.copyOfRange(texts, offsets[i], offsets[i + 1]);
            byte[] tag = Arrays.copyOfRange(tags, i * key.tagLength(), (i + 1) * key.tagLength());
            assertArrayEquals(expected, Keys.join(key, text, tag));
        }
        boolean[] expected = new boolean[count];
        Arrays.fill(expected, true);
        if (count > 3) {
            tags[3 * key.tagLength()] ^= 1;
            expected[3] = false;
            Arrays.fill(plain, offsets[3], offsets[4], (byte) 0);
        }
        boolean[] opened =
                key.openBatchInPlace(nonces, texts, offsets, data, dataOffsets, tags);
        assertArrayEquals(expected, opened);
        assertArrayEquals(plain, texts);
    }
}
