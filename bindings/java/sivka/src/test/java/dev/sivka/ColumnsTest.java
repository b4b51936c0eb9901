package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Columns, beside what the matrix of languages asks: longer than one loan, and wrong offsets. */
class ColumnsTest {
    private static final byte[] DATA = "table.column".getBytes(StandardCharsets.UTF_8);

    private static byte[] value(Column column, int i) {
        return Arrays.copyOfRange(column.bytes(), column.offsets()[i], column.offsets()[i + 1]);
    }

    /** Values of many lengths, the last of its own; every seventh is null. */
    private static Column values(int count, int maxLen, int lastLen) {
        int[] offsets = new int[count + 1];
        offsets[0] = 3;
        byte[] validity = new byte[(count + 7) / 8];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + (i == count - 1 ? lastLen : i * 7 % (maxLen + 1));
            if (i % 7 != 3) {
                validity[i / 8] |= (byte) (1 << i % 8);
            }
        }
        return new Column(Keys.paint(offsets[count] + 5, 1), offsets, validity);
    }

    @Test
    void rows() {
        try (AesGcmSiv key = new AesGcmSiv(AesGcmSiv.generateKey())) {
            // More than one loan of the arrays, and one value that is longer than a loan.
            roundTrip(key, values(40_000, 100, 5));
            roundTrip(key, values(5, 300, 3_000_000));
            roundTrip(key, values(0, 0, 0));
        }
    }

    private static void roundTrip(AesGcmSiv key, Column values) {
        int count = values.size();
        int[] dataOffsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            dataOffsets[i + 1] = dataOffsets[i] + 1 + i % 3;
        }
        byte[] data = Keys.paint(dataOffsets[count], 2);
        Column sealed = key.sealColumn(values, data, dataOffsets);
        assertEquals(0, sealed.offsets()[0]);
        assertEquals(sealed.bytes().length, sealed.offsets()[count]);
        for (int i = 0; i < count; i += 1 + count / 60) {
            byte[] row = value(sealed, i);
            byte[] own = Arrays.copyOfRange(data, dataOffsets[i], dataOffsets[i + 1]);
            if (values.isNull(i)) {
                assertTrue(sealed.isNull(i));
                assertEquals(0, row.length);
            } else {
                assertArrayEquals(value(values, i), key.open(row, own).orElseThrow());
            }
        }
        OpenedColumn opened = key.openColumn(sealed, data, dataOffsets);
        assertTrue(opened.allOpened());
        for (int i = 0; i < count; i++) {
            byte[] expected = values.isNull(i) ? new byte[0] : value(values, i);
            assertArrayEquals(expected, value(opened.values(), i));
        }
    }

    private static int[] steps(int count, int step) {
        int[] offsets = new int[count + 1];
        Arrays.setAll(offsets, i -> i * step);
        return offsets;
    }

    @Test
    void misuse() {
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            byte[] bytes = new byte[10];
            assertThrows(IllegalArgumentException.class, () -> new Column(bytes, new int[0]));
            assertThrows(IllegalArgumentException.class, () -> new Column(bytes, new int[10], new byte[1]));
            for (int[] wrong : new int[][] {{0, 11}, {-1, 4}, {4, 3}, {0, 5, 4, 10}}) {
                Column column = new Column(bytes, wrong);
                assertThrows(IllegalArgumentException.class, () -> key.sealColumn(column, DATA, null));
                assertThrows(IllegalArgumentException.class, () -> key.openColumn(column, DATA, null));
            }
            Column two = new Column(bytes, new int[] {0, 4, 10});
            for (int[] wrong : new int[][] {{0, 12}, {0, 1, 13}, {-1, 1, 2}, {0, 2, 1}}) {
                assertThrows(IllegalArgumentException.class, () -> key.sealColumn(two, DATA, wrong));
            }
            int[] back = {0, 2, 1};
            Throwable named = assertThrows(IllegalArgumentException.class, () -> key.sealColumn(two, DATA, back));
            assertEquals("dataOffsets: at least 2 expected, 1 given", named.getMessage());
        }
    }

    /** Arrays are lent in parts: a wrong number in the last one, or at its border, is found too. */
    @Test
    void offsetsOfALaterPart() {
        int count = 100_000;
        int border = 32_768;
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            Column values = new Column(new byte[2 * count], steps(count, 2));
            for (int at : new int[] {border - 1, border, border + 1, count}) {
                for (int wrong : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, at == count ? 0 : 2 * at + 3}) {
                    int[] offsets = steps(count, 2);
                    offsets[at] = wrong;
                    Column column = new Column(values.bytes(), offsets);
                    assertThrows(IllegalArgumentException.class, () -> key.sealColumn(column, DATA, null));
                    assertThrows(IllegalArgumentException.class, () -> key.openColumn(column, DATA, null));
                    assertThrows(
                            IllegalArgumentException.class, () -> key.sealColumn(values, values.bytes(), offsets));
                    assertThrows(
                            IllegalArgumentException.class, () -> key.openColumn(values, values.bytes(), offsets));
                }
            }
        }
    }

    /** A column may be empty, and its one offset wrong. */
    @Test
    void noValues() {
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            Column none = new Column(new byte[4], new int[] {4});
            assertEquals(0, key.sealColumn(none, DATA, new int[] {DATA.length}).size());
            assertTrue(key.openColumn(none, DATA, null).allOpened());
            for (int wrong : new int[] {-1, 5}) {
                Column column = new Column(new byte[4], new int[] {wrong});
                assertThrows(IllegalArgumentException.class, () -> key.sealColumn(column, DATA, null));
                int[] dataOffsets = {wrong < 0 ? wrong : DATA.length + 1};
                assertThrows(IllegalArgumentException.class, () -> key.openColumn(none, DATA, dataOffsets));
            }
        }
    }
}
