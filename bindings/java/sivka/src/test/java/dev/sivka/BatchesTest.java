package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches, beside what the matrix of languages asks: longer than one loan of the arrays. */
class BatchesTest {
    /** Under nonces that are drawn. */
    @Test
    void lists() {
        byte[] data = Keys.paint(9, 1);
        try (AesGcmSiv key = new AesGcmSiv(AesGcmSiv.generateKey())) {
            List<byte[]> texts = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                texts.add(Keys.paint(i * i % 301, i));
            }
            List<byte[]> drawn = key.sealBatch(texts, data);
            assertArrayEquals(texts.get(50), key.open(drawn.get(50), data).orElseThrow());
            drawn.get(7)[0] ^= 1;
            drawn.set(8, new byte[key.nonceLength() + key.tagLength() - 1]);
            drawn.set(9, new byte[0]);
            assertOpened(texts, key.openBatch(drawn, data));
            assertEquals(List.of(), key.sealBatch(List.of(), data));
        }
    }

    /** All but numbers 7, 8 and 9 are open. */
    private static void assertOpened(List<byte[]> texts, List<Optional<byte[]>> opened) {
        assertEquals(texts.size(), opened.size());
        for (int i = 0; i < texts.size(); i++) {
            if (i >= 7 && i <= 9) {
                assertTrue(opened.get(i).isEmpty());
            } else {
                assertArrayEquals(texts.get(i), opened.get(i).orElseThrow());
            }
        }
    }

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
