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

    /**
     * Seals messages that are in one array, in place.
     *
     * @param aadOffsets null: all of {@code aads} is the AAD of every message
     */
    public static void sealInPlace(
            NativeKey key, byte[] nonces, byte[] texts, int[] textOffsets, byte[] aads, int[] aadOffsets,
            byte[] tags) {
        int[] statuses = run(true, key, nonces, aads, aadOffsets, texts, textOffsets, tags);
        for (int i = 0; i < statuses.length; i++) {
            if (statuses[i] != Status.OK) {
                throw Failures.ofMessage(statuses[i], i);
            }
        }
    }

    /** Opens messages that are in one array, in place; says for each whether it opened. */
    public static boolean[] openInPlace(
            NativeKey key, byte[] nonces, byte[] texts, int[] textOffsets, byte[] aads, int[] aadOffsets,
            byte[] tags) {
        int[] statuses = run(false, key, nonces, aads, aadOffsets, texts, textOffsets, tags);
        boolean[] opened = new boolean[statuses.length];
        for (int i = 0; i < opened.length; i++) {
            if (statuses[i] != Status.OK && statuses[i] != Status.OPEN) {
                throw Failures.ofMessage(statuses[i], i);
            }
            opened[i] = statuses[i] == Status.OK;
        }
        return opened;
    }

    private static int[] run(
            boolean isSeal, NativeKey key, byte[] nonces, byte[] aads, int[] aadOffsets, byte[] texts,
            int[] textOffsets, byte[] tags) {
        if (Objects.requireNonNull(textOffsets, "offsets").length == 0) {
            throw new IllegalArgumentException("offsets: one more than messages expected, none given");
        }
        int count = textOffsets.length - 1;
        checkLen("nonces", nonces, count, key.algorithm.nonceLen());
        checkLen("tags", tags, count, key.algorithm.tagLen());
        if (aadOffsets != null && aadOffsets.length != textOffsets.length) {
            throw new IllegalArgumentException(
                    "dataOffsets: " + textOffsets.length + " expected, " + aadOffsets.length + " given");
        }
        byte[] data = Region.data(aads);
        int[] ends = checked("offsets", textOffsets, Objects.requireNonNull(texts, "texts").length);
        int[] aadEnds = aadOffsets == null ? null : checked("dataOffsets", aadOffsets, data.length);
        int[] statuses = new int[count];
        key.use(address -> Native.batch(isSeal, address, nonces, data, aadEnds, texts, ends, tags, statuses));
        return statuses;
    }

    private static void checkLen(String name, byte[] array, int count, int each) {
        long expected = (long) count * each;
        if (Objects.requireNonNull(array, name).length != expected) {
            throw new IllegalArgumentException(name + ": " + expected + " expected, " + array.length + " given");
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

    /**
     * The arrays of a list, each read once: the list may give another one the next time. Only this
     * class has the array that they are in.
     *
     * @param name the list's, as the caller knows it
     */
    static byte[][] read(List<byte[]> list, String name) {
        byte[][] arrays = Objects.requireNonNull(list, name).toArray(new byte[0][]).clone();
        for (int i = 0; i < arrays.length; i++) {
            if (arrays[i] == null) {
                throw new NullPointerException(name + ": number " + i);
            }
        }
        return arrays;
    }

    /**
     * The length of one array for all of a list.
     *
     * @throws IllegalArgumentException if no array is so long
     */
    static int arrayLen(long len, String name) {
        if (len > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " together are longer than an array can be");
        }
        return (int) len;
    }

    // Lists are columns, whose rows have the nonces before them.

    /** Seals each under a random nonce, which comes before it. */
    public static List<byte[]> seal(NativeKey key, List<byte[]> plaintexts, byte[] aad) {
        return seal(key, null, read(plaintexts, "plaintexts"), aad);
    }

    /** Seals each under its nonce of the caller's. */
    public static List<byte[]> sealWithNonces(
            NativeKey key, List<byte[]> nonces, List<byte[]> plaintexts, byte[] aad) {
        byte[][] messages = read(plaintexts, "plaintexts");
        return seal(key, joined(key, nonces, messages.length), messages, aad);
    }

    private static List<byte[]> seal(NativeKey key, byte[] nonces, byte[][] plaintexts, byte[] aad) {
        Column texts = column(plaintexts, "plaintexts", null, 0);
        try {
            Column rows = Columns.seal(key, nonces, texts, aad, null);
            int before = nonces == null ? 0 : key.algorithm.nonceLen();
            List<byte[]> sealed = new ArrayList<>(plaintexts.length);
            for (int i = 0; i < plaintexts.length; i++) {
                sealed.add(Arrays.copyOfRange(rows.bytes(), rows.offsets()[i] + before, rows.offsets()[i + 1]));
            }
            return sealed;
        } finally {
            Arrays.fill(texts.bytes(), (byte) 0);
        }
    }

    /** Opens each, with its nonce before it. */
    public static List<Optional<byte[]>> open(NativeKey key, List<byte[]> sealed, byte[] aad) {
        return open(key, column(read(sealed, "sealed"), "sealed", null, 0), aad);
    }

    /** Opens each under its nonce. */
    public static List<Optional<byte[]>> openWithNonces(
            NativeKey key, List<byte[]> nonces, List<byte[]> ciphertexts, byte[] aad) {
        byte[][] messages = read(ciphertexts, "ciphertexts");
        byte[] all = joined(key, nonces, messages.length);
        return open(key, column(messages, "ciphertexts", all, key.algorithm.nonceLen()), aad);
    }

    private static List<Optional<byte[]>> open(NativeKey key, Column rows, byte[] aad) {
        OpenedColumn opened = Columns.open(key, rows, aad, null);
        byte[] bytes = opened.values().bytes();
        int[] offsets = opened.values().offsets();
        try {
            List<Optional<byte[]>> plaintexts = new ArrayList<>(rows.size());
            for (int i = 0; i < rows.size(); i++) {
                plaintexts.add(
                        opened.opened()[i]
                                ? Optional.of(Arrays.copyOfRange(bytes, offsets[i], offsets[i + 1]))
                                : Optional.empty());
            }
            return plaintexts;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
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
            byte[] nonce = nonces[i];
            if (nonce.length != nonceLen) {
                throw new IllegalArgumentException(
                        "nonce " + i + ": " + nonceLen + " bytes expected, " + nonce.length + " given");
            }
            System.arraycopy(nonce, 0, joined, i * nonceLen, nonceLen);
        }
        return joined;
    }
}
