package dev.sivka.internal;

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
            NativeKey key,
            byte[] nonces,
            byte[] texts,
            int[] textOffsets,
            byte[] aads,
            int[] aadOffsets,
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
            NativeKey key,
            byte[] nonces,
            byte[] texts,
            int[] textOffsets,
            byte[] aads,
            int[] aadOffsets,
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
            boolean isSeal,
            NativeKey key,
            byte[] nonces,
            byte[] aads,
            int[] aadOffsets,
            byte[] texts,
            int[] textOffsets,
            byte[] tags) {
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

    /** Seals each under a random nonce, which comes before it. */
    public static List<byte[]> seal(NativeKey key, List<byte[]> plaintexts, byte[] aad) {
        byte[][] messages = read(plaintexts, "plaintexts");
        byte[] nonces = new byte[arrayLen((long) key.algorithm.nonceLen() * messages.length, "nonces")];
        key.algorithm.drawNonces(nonces);
        return seal(key, nonces, messages, aad, true);
    }

    /** Seals each under its nonce of the caller's. */
    public static List<byte[]> sealWithNonces(
            NativeKey key, List<byte[]> nonces, List<byte[]> plaintexts, byte[] aad) {
        byte[][] messages = read(plaintexts, "plaintexts");
        return seal(key, joined(key, nonces, messages.length), messages, aad, false);
    }

    private static List<byte[]> seal(
            NativeKey key, byte[] nonces, byte[][] plaintexts, byte[] aad, boolean noncesBefore) {
        Algorithm algorithm = key.algorithm;
        int nonceLen = algorithm.nonceLen();
        int tagLen = algorithm.tagLen();
        int count = plaintexts.length;
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = arrayLen((long) offsets[i] + plaintexts[i].length, "plaintexts");
        }
        byte[] texts = new byte[offsets[count]];
        for (int i = 0; i < count; i++) {
            System.arraycopy(plaintexts[i], 0, texts, offsets[i], offsets[i + 1] - offsets[i]);
        }
        byte[] tags = new byte[arrayLen((long) tagLen * count, "tags")];
        try {
            sealInPlace(key, nonces, texts, offsets, aad, null, tags);
        } catch (Throwable e) {
            Arrays.fill(texts, (byte) 0);
            throw e;
        }
        int before = noncesBefore ? nonceLen : 0;
        boolean tagFirst = algorithm.tagFirst();
        List<byte[]> sealed = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int textLen = offsets[i + 1] - offsets[i];
            byte[] one = algorithm.newOutput(true, noncesBefore, textLen);
            System.arraycopy(nonces, i * nonceLen, one, 0, before);
            System.arraycopy(texts, offsets[i], one, tagFirst ? before + tagLen : before, textLen);
            System.arraycopy(tags, i * tagLen, one, tagFirst ? before : before + textLen, tagLen);
            sealed.add(one);
        }
        return sealed;
    }

    /** Opens each, with its nonce before it. */
    public static List<Optional<byte[]>> open(NativeKey key, List<byte[]> sealed, byte[] aad) {
        return open(key, null, read(sealed, "sealed"), aad);
    }

    /** Opens each under its nonce. */
    public static List<Optional<byte[]>> openWithNonces(
            NativeKey key, List<byte[]> nonces, List<byte[]> ciphertexts, byte[] aad) {
        byte[][] messages = read(ciphertexts, "ciphertexts");
        return open(key, joined(key, nonces, messages.length), messages, aad);
    }

    private static List<Optional<byte[]>> open(
            NativeKey key, byte[] givenNonces, byte[][] messages, byte[] aad) {
        Algorithm algorithm = key.algorithm;
        int nonceLen = algorithm.nonceLen();
        int tagLen = algorithm.tagLen();
        int before = givenNonces == null ? nonceLen : 0;
        boolean tagFirst = algorithm.tagFirst();
        long shortest = algorithm.outputLen(true, givenNonces == null, 0);
        int count = messages.length;
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            // A message that is too short goes as an empty one, and is not asked about.
            long textLen = algorithm.outputLen(false, givenNonces == null, messages[i].length);
            offsets[i + 1] = arrayLen(offsets[i] + textLen, givenNonces == null ? "sealed" : "ciphertexts");
        }
        byte[] texts = new byte[offsets[count]];
        byte[] nonces = givenNonces == null ? new byte[arrayLen((long) nonceLen * count, "nonces")] : givenNonces;
        byte[] tags = new byte[arrayLen((long) tagLen * count, "tags")];
        for (int i = 0; i < count; i++) {
            if (messages[i].length >= shortest) {
                int textLen = offsets[i + 1] - offsets[i];
                System.arraycopy(messages[i], 0, nonces, i * nonceLen, before);
                System.arraycopy(messages[i], tagFirst ? before + tagLen : before, texts, offsets[i], textLen);
                System.arraycopy(messages[i], tagFirst ? before : before + textLen, tags, i * tagLen, tagLen);
            }
        }
        try {
            boolean[] opened = openInPlace(key, nonces, texts, offsets, aad, null, tags);
            List<Optional<byte[]>> plaintexts = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                boolean isOpen = opened[i] && messages[i].length >= shortest;
                plaintexts.add(
                        isOpen
                                ? Optional.of(Arrays.copyOfRange(texts, offsets[i], offsets[i + 1]))
                                : Optional.empty());
            }
            return plaintexts;
        } finally {
            Arrays.fill(texts, (byte) 0);
        }
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
