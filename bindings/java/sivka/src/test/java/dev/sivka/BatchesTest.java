package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches and columns that are longer than one loan of the arrays. The matrix has the others. */
class BatchesTest {
    /** Where values of many lengths begin, the last of its own. */
    private static int[] offsets(int first, int count, int maxLen, int lastLen) {
        int[] offsets = new int[count + 1];
        offsets[0] = first;
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + (i == count - 1 ? lastLen : i * 7 % (maxLen + 1));
        }
        return offsets;
    }

    private static byte[] part(byte[] bytes, int[] offsets, int i) {
        return Arrays.copyOfRange(bytes, offsets[i], offsets[i + 1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AES-256-GCM-SIV", "AES-SIV-512"})
    void oneArray(String name) {
        try (Key key = Keys.make(name)) {
            // More than one loan of the arrays, and one message that is longer than a loan.
            inPlace(key, 40_000, offsets(0, 40_000, 64, 0));
            inPlace(key, 5, offsets(0, 5, 300, 1_100_000));
            inPlace(key, 0, new int[1]);
        }
    }

    private static void inPlace(Key key, int count, int[] offsets) {
        int[] dataOffsets = offsets(0, count, 5, 1);
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
                    key.sealWithNonce(Keys.nonce(key, i), part(plain, offsets, i), part(data, dataOffsets, i));
            byte[] tag = Arrays.copyOfRange(tags, i * key.tagLength(), (i + 1) * key.tagLength());
            assertArrayEquals(expected, Keys.join(key, part(texts, offsets, i), tag));
        }
        boolean[] expected = new boolean[count];
        Arrays.fill(expected, true);
        if (count > 3) {
            tags[3 * key.tagLength()] ^= 1;
            expected[3] = false;
            Arrays.fill(plain, offsets[3], offsets[4], (byte) 0);
        }
        assertArrayEquals(expected, key.openBatchInPlace(nonces, texts, offsets, data, dataOffsets, tags));
        assertArrayEquals(plain, texts);
    }

    @Test
    void columns() {
        try (AesGcmSiv key = new AesGcmSiv(AesGcmSiv.generateKey())) {
            roundTrip(key, 40_000, offsets(3, 40_000, 100, 5));
            roundTrip(key, 5, offsets(3, 5, 300, 3_000_000));
            roundTrip(key, 0, new int[] {3});
        }
    }

    /** Every seventh value is null. */
    private static void roundTrip(AesGcmSiv key, int count, int[] offsets) {
        byte[] bytes = Keys.paint(offsets[count] + 5, 1);
        byte[] validity = new byte[(count + 7) / 8];
        for (int i = 0; i < count; i++) {
            validity[i / 8] |= (byte) (i % 7 == 3 ? 0 : 1 << i % 8);
        }
        int[] dataOffsets = offsets(0, count, 3, 2);
        byte[] data = Keys.paint(dataOffsets[count], 2);
        Column sealed = key.sealColumn(new Column(bytes, offsets, validity), data, dataOffsets);
        assertEquals(sealed.bytes().length, sealed.offsets()[count]);
        OpenedColumn opened = key.openColumn(sealed, data, dataOffsets);
        assertTrue(opened.allOpened());
        for (int i = 0; i < count; i++) {
            boolean isNull = i % 7 == 3;
            byte[] row = part(sealed.bytes(), sealed.offsets(), i);
            byte[] expected = isNull ? row : part(bytes, offsets, i);
            assertEquals(isNull ? 0 : expected.length + 28, row.length);
            assertArrayEquals(expected, part(opened.values().bytes(), opened.values().offsets(), i));
            if (!isNull && i % 700 == 0) {
                assertArrayEquals(expected, key.open(row, part(data, dataOffsets, i)).orElseThrow());
            }
        }
    }

    private static void assertRefused(AesGcmSiv key, Column column, byte[] data, int[] dataOffsets) {
        assertThrows(IllegalArgumentException.class, () -> key.sealColumn(column, data, dataOffsets));
        assertThrows(IllegalArgumentException.class, () -> key.openColumn(column, data, dataOffsets));
    }

    /** A wrong number is found everywhere, also in a later loan of the arrays and at its border. */
    @Test
    void wrongOffsetsOfColumns() {
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            byte[] bytes = new byte[200_000];
            int[] right = new int[100_001];
            Arrays.setAll(right, i -> 2 * i);
            for (int at : new int[] {1, 2, 32_767, 32_768, 32_769, 100_000}) {
                for (int wrong : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, at == 100_000 ? 0 : 2 * at + 3}) {
                    int[] offsets = right.clone();
                    offsets[at] = wrong;
                    assertRefused(key, new Column(bytes, offsets), bytes, null);
                    assertRefused(key, new Column(bytes, right), bytes, offsets);
                }
            }
            Column none = new Column(new byte[4], new int[] {4});
            assertEquals(0, key.sealColumn(none, bytes, new int[] {bytes.length}).size());
            assertTrue(key.openColumn(none, bytes, null).allOpened());
            for (int wrong : new int[] {-1, 5}) {
                assertRefused(key, new Column(new byte[4], new int[] {wrong}), bytes, null);
                assertRefused(key, none, bytes, new int[] {wrong < 0 ? wrong : bytes.length + 1});
            }
            Column two = new Column(bytes, new int[] {0, 4, 10});
            int[] back = {0, 2, 1};
            Throwable named = assertThrows(IllegalArgumentException.class, () -> key.sealColumn(two, bytes, back));
            assertEquals("dataOffsets: at least 2 expected, 1 given", named.getMessage());
        }
    }
}
