package dev.sivka.internal;

import dev.sivka.Column;
import dev.sivka.OpenedColumn;
import java.lang.ref.Reference;
import java.util.Arrays;

/** Columns under one key, in one call. */
public final class Columns {
    private Columns() {}

    /**
     * Seals each value to a row: nonce, ciphertext and tag.
     *
     * @param aadOffsets null: all of {@code aads} is the AAD of every value
     */
    public static Column seal(NativeKey key, Column values, byte[] aads, int[] aadOffsets) {
        return run(true, key, values, aads, aadOffsets).values();
    }

    /** Opens each row. */
    public static OpenedColumn open(NativeKey key, Column sealed, byte[] aads, int[] aadOffsets) {
        return run(false, key, sealed, aads, aadOffsets);
    }

    private static OpenedColumn run(boolean isSeal, NativeKey key, Column in, byte[] aads, int[] aadOffsets) {
        // Copies, which nobody changes between the look at them and the work.
        int[] offsets = in.offsets().clone();
        byte[] validity = in.validity() == null ? null : in.validity().clone();
        if (aadOffsets != null && aadOffsets.length != offsets.length) {
            throw new IllegalArgumentException(
                    "data offsets: " + offsets.length + " expected, " + aadOffsets.length + " given");
        }
        int aadsLen = aads.length;
        if (aadOffsets != null && aadOffsets[aadOffsets.length - 1] > aadsLen) {
            throw new IllegalArgumentException("data offsets: the last is beyond the data");
        }
        Lane lane = key.handle.enter();
        try {
            long address = key.handle.address();
            long len = Native.columnLen(isSeal, address, in.bytes(), offsets, validity);
            if (len > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("column: " + len + " bytes, more than an array can have");
            }
            Column out = new Column(new byte[(int) len], new int[offsets.length], validity);
            boolean[] opened = new boolean[in.size()];
            try {
                Native.column(
                        isSeal, address, in.bytes(), offsets, validity, aads, aadOffsets, out.bytes(),
                        out.offsets(), opened);
            } catch (Throwable e) {
                Arrays.fill(out.bytes(), (byte) 0);
                throw e;
            }
            return new OpenedColumn(out, opened);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }
}
