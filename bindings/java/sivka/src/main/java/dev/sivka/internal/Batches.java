package dev.sivka.internal;

import dev.sivka.Column;
import dev.sivka.OpenedColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Many messages under one key in one call. */
public final class Batches {
    private Batches() {}

    /** Seals or opens messages in place that are in one array; says for each whether it was done. */
    public static boolean[] inPlace(
            boolean isSeal, NativeKey key, byte[] nonces, byte[] texts, int[] textOffsets, byte[] aads,
            int[] aadOffsets, byte[] tags) {
        if (Objects.requireNonNull(textOffsets, "offsets").length == 0) {
            throw new IllegalArgumentException("offsets: one more than messages expected, none given");
        }
        int count = textOffsets.length - 1;
        checkLen("nonces", nonces, count, key.algorithm.nonceLen());
        checkLen("tags", tags, count, key.algorithm.tagLen());
        checkCount(aadOffsets, textOffsets.length);
        byte[] data = Arguments.data(aads);
        int[] ends = checked("offsets", textOffsets, Objects.requireNonNull(texts, "texts").length);
        int[] aadEnds = aadOffsets == null ? null : checked("dataOffsets", aadOffsets, data.length);
        int[] statuses = new int[count];
        key.use(address -> Native.batch(isSeal, address, nonces, data, aadEnds, texts, ends, tags, statuses));
        boolean[] done = new boolean[count];
        for (int i = 0; i < count; i++) {
            done[i] = statuses[i] == Status.OK;
            if (!done[i] && (isSeal || statuses[i] != Status.OPEN)) {
                throw Failures.ofMessage(statuses[i], i);
            }
        }
        return done;
    }

    private static void checkLen(String name, byte[] array, int count, int each) {
        long expected = (long) count * each;
        if (Objects.requireNonNull(array, name).length != expected) {
            throw new IllegalArgumentException(name + ": " + expected + " expected, " + array.length + " given");
        }
    }

    private static void checkCount(int[] aadOffsets, int expected) {
        if (aadOffsets != null && aadOffsets.length != expected) {
            throw new IllegalArgumentException(
                    "dataOffsets: " + expected + " expected, " + aadOffsets.length + " given");
        }
    }

    /** A copy that nobody else changes, which ascends and stays within so many bytes. */
    private static int[] checked(String name, int[] given, int within) {
        int[] offsets = given.clone();
        int last = 0;
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] < last || offsets[i] > within) {
                throw new IllegalArgumentException(
                        name + ": number " + i + " is " + offsets[i] + ": at least " + last + " and at most " + within
                                + " expected");
            }
            last = offsets[i];
        }
        return offsets;
    }

    /** Seals each value of a column to a row, or opens each row; nonces that are null are drawn to seal. */
    public static OpenedColumn column(
            boolean isSeal, NativeKey key, byte[] nonces, Column in, byte[] aads, int[] aadOffsets) {
        int[] ends = new int[in.offsets().length];
        checkCount(aadOffsets, ends.length);
        // A copy, which the result has: nobody changes it between the look at it and the work.
        byte[] validity = in.validity() == null ? null : in.validity().clone();
        byte[] data = Arguments.data(aads);
        boolean[] opened = new boolean[in.size()];
        byte[] out = key.with(address -> Native.column(
                isSeal, address, nonces, in.bytes(), in.offsets(), validity, data, aadOffsets, ends, opened));
        return new OpenedColumn(new Column(out, ends, validity), opened);
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
