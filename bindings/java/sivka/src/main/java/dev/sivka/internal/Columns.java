package dev.sivka.internal;

import dev.sivka.Column;
import dev.sivka.OpenedColumn;

/** Columns under one key, in one call. */
public final class Columns {
    private Columns() {}

    /**
     * Seals each value to a row: nonce, ciphertext and tag.
     *
     * @param aadOffsets null: all of {@code aads} is the AAD of every value
     */
    public static Column seal(NativeKey key, Column values, byte[] aads, int[] aadOffsets) {
        return seal(key, null, values, aads, aadOffsets);
    }

    /** The same under nonces of the caller's, one for each value, one after another; null to draw them. */
    static Column seal(NativeKey key, byte[] nonces, Column values, byte[] aads, int[] aadOffsets) {
        return run(true, key, nonces, values, aads, aadOffsets).values();
    }

    /** Opens each row. */
    public static OpenedColumn open(NativeKey key, Column sealed, byte[] aads, int[] aadOffsets) {
        return run(false, key, null, sealed, aads, aadOffsets);
    }

    private static OpenedColumn run(
            boolean isSeal, NativeKey key, byte[] nonces, Column in, byte[] aads, int[] aadOffsets) {
        int[] ends = new int[in.offsets().length];
        if (aadOffsets != null && aadOffsets.length != ends.length) {
            throw new IllegalArgumentException(
                    "dataOffsets: " + ends.length + " expected, " + aadOffsets.length + " given");
        }
        // A copy, which the result has: nobody changes it between the look at it and the work.
        byte[] validity = in.validity() == null ? null : in.validity().clone();
        boolean[] opened = new boolean[in.size()];
        byte[] out = key.with(address -> Native.column(
                isSeal, address, nonces, in.bytes(), in.offsets(), validity, Region.data(aads), aadOffsets, ends,
                opened));
        return new OpenedColumn(new Column(out, ends, validity), opened);
    }
}
