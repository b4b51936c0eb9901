package dev.sivka;

import java.util.Objects;

/**
 * Byte strings, one after the other in one array, as in Apache Arrow's binary and string vectors.
 * Value i is the bytes from {@code offsets[i]} up to {@code offsets[i + 1]}. The arrays are not
 * copied.
 *
 * @param bytes all values; bytes before the first offset and after the last belong to none
 * @param offsets ascending, from any first one on: one more than values
 * @param validity bit i, from the lowest of the first byte on, is 1 if value i is there and 0 if
 *     it is null, up to the byte of the last value; null if all are there
 */
public record Column(byte[] bytes, int[] offsets, byte[] validity) {
    /**
     * Makes a column.
     *
     * @param bytes all values
     * @param offsets ascending: one more than values
     * @param validity bit i is 1 if value i is there; may be null
     * @throws IllegalArgumentException if there is no offset, or not a bit for each value
     */
    public Column {
        Objects.requireNonNull(bytes, "bytes");
        if (offsets.length == 0) {
            throw new IllegalArgumentException("offsets: one more than values expected, none given");
        }
        long len = (offsets.length + 6L) / 8;
        if (validity != null && validity.length != len) {
            throw new IllegalArgumentException("validity: " + len + " bytes expected, " + validity.length + " given");
        }
    }

    /**
     * Makes a column without nulls.
     *
     * @param bytes all values
     * @param offsets ascending: one more than values
     * @throws IllegalArgumentException if there is no offset
     */
    public Column(byte[] bytes, int[] offsets) {
        this(bytes, offsets, null);
    }

    /**
     * How many values there are, nulls among them.
     *
     * @return the number
     */
    public int size() {
        return offsets.length - 1;
    }

    /**
     * Whether a value is null.
     *
     * @param index of the value, from 0 on
     * @return whether its bit is 0
     */
    public boolean isNull(int index) {
        Objects.checkIndex(index, size());
        return validity != null && (validity[index / 8] >> index % 8 & 1) == 0;
    }
}
