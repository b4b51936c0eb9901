package dev.sivka.internal;

import dev.sivka.Column;
import dev.sivka.OpenedColumn;
import dev.sivka.internal.Header.sivka_column;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Many messages under one key in one call. */
public final class Batches {
    private Batches() {}

    /** Seals each value of a column to a row, or opens each row; nonces that are null are drawn to seal. */
    public static OpenedColumn column(
            boolean isSeal, NativeKey key, byte[] nonces, Column in, byte[] aads, int[] aadOffsets) {
        int count = in.size();
        if (aadOffsets != null && aadOffsets.length != count + 1) {
            throw new IllegalArgumentException(
                    "dataOffsets: " + (count + 1) + " expected, " + aadOffsets.length + " given");
        }
        // A copy, which the result has: nobody changes it between the look at it and the work.
        byte[] validity = in.validity() == null ? null : in.validity().clone();
        try (Memory memory = new Memory()) {
            ByteBuffer column = memory.zeros(1, sivka_column.SIZE)
                    .putLong(sivka_column.bytes, Memory.address(memory.copy(in.bytes())))
                    .putLong(sivka_column.bytes_len, in.bytes().length)
                    .putLong(sivka_column.offsets, Memory.address(memory.copy(in.offsets(), false)))
                    .putLong(sivka_column.validity, Memory.address(memory.copy(validity)))
                    .putInt(sivka_column.offset_bits, Integer.SIZE);
            int measure = isSeal ? Header.sivka_sealed_column_len : Header.sivka_opened_column_len;
            ByteBuffer out = memory.zeros(arrayLen(Native.call(measure, key, count, column), "the results"), 1);
            ByteBuffer ends = memory.zeros(count + 1, Integer.BYTES);
            ByteBuffer statuses = memory.zeros(count, Integer.BYTES);
            ByteBuffer data = memory.copy(Arguments.data(aads));
            ByteBuffer dataEnds = memory.copy(aadOffsets, true);
            if (isSeal) {
                Native.call(
                        Header.sivka_seal_column, key, count, column, data, dataEnds, memory.copy(nonces), out, ends,
                        Integer.SIZE);
            } else {
                Native.call(
                        Header.sivka_open_column, key, count, column, data, dataEnds, out, ends, Integer.SIZE, statuses);
            }
            byte[] bytes = new byte[out.capacity()];
            out.get(0, bytes);
            int[] offsets = new int[count + 1];
            ends.asIntBuffer().get(0, offsets);
            boolean[] opened = new boolean[count];
            for (int i = 0; i < count; i++) {
                opened[i] = statuses.getInt(i * Integer.BYTES) == Header.OK;
            }
            return new OpenedColumn(new Column(bytes, offsets, validity), opened);
        }
    }

    // Lists are columns, whose rows have the nonces before them.

    /** Seals each under its nonce, or, if there are none, under a drawn one, which comes before it. */
    public static List<byte[]> seal(NativeKey key, List<byte[]> nonces, List<byte[]> plaintexts, byte[] aad) {
        byte[][] messages = read(plaintexts, "plaintexts");
        byte[] given = nonces == null ? null : joined(key, nonces, messages.length);
        Column texts = column(messages, "plaintexts", null, 0);
        try {
            Column rows = column(true, key, given, texts, aad, null).values();
            int before = nonces == null ? 0 : key.algorithm.nonceLen();
            List<byte[]> sealed = new ArrayList<>(messages.length);
            for (int i = 0; i < messages.length; i++) {
                sealed.add(Arrays.copyOfRange(rows.bytes(), rows.offsets()[i] + before, rows.offsets()[i + 1]));
            }
            return sealed;
        } finally {
            Arrays.fill(texts.bytes(), (byte) 0);
        }
    }

    /** Opens each under its nonce, or, if there are none, with its nonce before it. */
    public static List<Optional<byte[]>> open(NativeKey key, List<byte[]> nonces, List<byte[]> sealed, byte[] aad) {
        String name = nonces == null ? "sealed" : "ciphertexts";
        byte[][] messages = read(sealed, name);
        byte[] given = nonces == null ? null : joined(key, nonces, messages.length);
        Column rows = column(messages, name, given, nonces == null ? 0 : key.algorithm.nonceLen());
        OpenedColumn opened = column(false, key, null, rows, aad, null);
        byte[] bytes = opened.values().bytes();
        int[] offsets = opened.values().offsets();
        List<Optional<byte[]>> plaintexts = new ArrayList<>(messages.length);
        try {
            for (int i = 0; i < messages.length; i++) {
                byte[] text = opened.opened()[i] ? Arrays.copyOfRange(bytes, offsets[i], offsets[i + 1]) : null;
                plaintexts.add(Optional.ofNullable(text));
            }
            return plaintexts;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** The arrays of a list, each read once: the list may give another the next time, or keep theirs. */
    static byte[][] read(List<byte[]> list, String name) {
        byte[][] arrays = Objects.requireNonNull(list, name).toArray(new byte[0][]).clone();
        for (int i = 0; i < arrays.length; i++) {
            if (arrays[i] == null) {
                throw new NullPointerException(name + ": number " + i);
            }
        }
        return arrays;
    }

    /** The length of one array for all of a list; an exception if none is so long. */
    static int arrayLen(long len, String name) {
        if (len > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " together are longer than an array can be");
        }
        return (int) len;
    }

    /** The messages one after another, each after its nonce if there are any. */
    private static Column column(byte[][] messages, String name, byte[] nonces, int nonceLen) {
        int[] offsets = new int[messages.length + 1];
        for (int i = 0; i < messages.length; i++) {
            offsets[i + 1] = arrayLen((long) offsets[i] + nonceLen + messages[i].length, name);
        }
        byte[] bytes = new byte[offsets[messages.length]];
        for (int i = 0; i < messages.length; i++) {
            if (nonceLen > 0) {
                System.arraycopy(nonces, i * nonceLen, bytes, offsets[i], nonceLen);
            }
            System.arraycopy(messages[i], 0, bytes, offsets[i] + nonceLen, messages[i].length);
        }
        return new Column(bytes, offsets);
    }

    private static byte[] joined(NativeKey key, List<byte[]> list, int count) {
        int nonceLen = key.algorithm.nonceLen();
        byte[][] nonces = read(list, "nonces");
        if (nonces.length != count) {
            throw new IllegalArgumentException("nonces: " + count + " expected, " + nonces.length + " given");
        }
        byte[] joined = new byte[arrayLen((long) nonceLen * count, "nonces")];
        for (int i = 0; i < count; i++) {
            if (nonces[i].length != nonceLen) {
                throw new IllegalArgumentException(
                        "nonce " + i + ": " + nonceLen + " bytes expected, " + nonces[i].length + " given");
            }
            System.arraycopy(nonces[i], 0, joined, i * nonceLen, nonceLen);
        }
        return joined;
    }
}
