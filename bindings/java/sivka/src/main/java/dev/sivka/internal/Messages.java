package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Messages in arrays, parts of arrays, and byte buffers of every kind. A nonce that is null is
 * drawn to seal, and comes before the ciphertext to open. Each is one {@link Message}.
 */
public final class Messages {
    /** The length that says that a message does not open. */
    public static final int FORGED = Native.FORGED;

    private Messages() {}

    // Into a new array; null if the message does not open.

    /** Seals an array: ciphertext and tag, and the nonce before them if it is drawn. */
    public static byte[] seal(NativeKey key, byte[] nonce, byte[] plaintext, byte[] aad) {
        Region in = Region.of(Objects.requireNonNull(plaintext, "plaintext"));
        return intoNew(true, key, nonce, Region.ofData(aad), in);
    }

    /** Opens an array. */
    public static byte[] open(NativeKey key, byte[] nonce, byte[] sealed, byte[] aad) {
        Region in = Region.of(Objects.requireNonNull(sealed, nonce == null ? "sealed" : "ciphertext"));
        return intoNew(false, key, nonce, Region.ofData(aad), in);
    }

    /** Seals or opens a region. */
    public static byte[] intoNew(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        return Message.joined(isSealing, key, nonce, aad, in).intoNew();
    }

    /** Seals or opens a region with a list of associated data; null if it does not open. */
    public static byte[] withList(boolean isSealing, NativeKey key, Region in, List<byte[]> list) {
        boolean isWhole = in.array != null && in.len == in.array.length;
        byte[] bytes = isWhole ? in.array : in.copy();
        try {
            return withList(isSealing, key, bytes, list);
        } finally {
            if (!isWhole) {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    /**
     * The same from one place to another. If the message does not open, {@code out} is as it was.
     *
     * @return the length of what was written, or {@link #FORGED}
     */
    public static int withList(boolean isSealing, NativeKey key, Region in, List<byte[]> list, Region out) {
        byte[] result = withList(isSealing, key, in, list);
        if (result == null) {
            return FORGED;
        }
        out.copyFrom(ByteBuffer.wrap(result), 0, result.length);
        Arrays.fill(result, (byte) 0);
        return result.length;
    }

    private static byte[] withList(boolean isSealing, NativeKey key, byte[] in, List<byte[]> list) {
        byte[] out = key.algorithm.newOutput(isSealing, true, in.length);
        byte[][] strings = Batches.read(list, "data");
        int[] lens = new int[strings.length];
        int sum = 0;
        for (int i = 0; i < lens.length; i++) {
            lens[i] = strings[i].length;
            sum = Batches.arrayLen((long) sum + lens[i], "data");
        }
        ByteBuffer joined = ByteBuffer.allocate(sum);
        for (byte[] string : strings) {
            joined.put(string);
        }
        int operation = isSealing ? Native.SEAL : Native.OPEN;
        int len = key.with(address -> Native.list(operation, address, joined.array(), lens, in, out));
        return len == FORGED ? null : out;
    }

    // From one place to another. The two may overlap in any way.

    /**
     * Seals or opens.
     *
     * @param out at least as long as the algorithm says; if the message does not open, it holds
     *     zeros or what it held
     * @return the length of what was written, or {@link #FORGED}
     */
    public static int into(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in, Region out) {
        return Message.joined(isSealing, key, nonce, aad, in).into(out);
    }

    /**
     * Seals what remains in one buffer into another, and moves the positions of both.
     *
     * @return how many bytes were written
     */
    public static int seal(NativeKey key, byte[] nonce, ByteBuffer plaintext, Region aad, ByteBuffer sealed) {
        return between(true, key, nonce, Objects.requireNonNull(plaintext, "plaintext"), aad, sealed);
    }

    /**
     * Opens what remains in one buffer into another, and moves the positions of both.
     *
     * @return whether the message opened; if not, both buffers are where they stood
     */
    public static boolean open(NativeKey key, byte[] nonce, ByteBuffer sealed, Region aad, ByteBuffer plaintext) {
        Objects.requireNonNull(sealed, nonce == null ? "sealed" : "ciphertext");
        return between(false, key, nonce, sealed, aad, plaintext) != FORGED;
    }

    private static int between(
            boolean isSealing, NativeKey key, byte[] nonce, ByteBuffer from, Region aad, ByteBuffer to) {
        Region in = Region.of(from);
        Region out = Region.writable(to);
        if (from == to) {
            throw new IllegalArgumentException(
                    "input and output are one buffer: give duplicates to work in place");
        }
        long needed = key.algorithm.outputLen(isSealing, nonce == null, in.len);
        if (out.len < needed) {
            throw new IllegalArgumentException(
                    "the output buffer is too small: " + needed + " bytes needed, " + out.len + " remaining");
        }
        int len = Message.joined(isSealing, key, nonce, aad, in).into(out);
        if (len != FORGED) {
            from.position(from.limit());
            to.position(to.position() + len);
        }
        return len;
    }

    // In place, the tag apart.

    /** Encrypts {@code text} in place and writes its tag. On any exception it is as it was. */
    public static void sealInPlace(NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        detached(true, key, nonce, text, aad, tag);
    }

    /**
     * Decrypts {@code text} in place.
     *
     * @return whether it opened; if not, {@code text} holds zeros
     */
    public static boolean openInPlace(NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        return detached(false, key, nonce, text, aad, tag) != FORGED;
    }

    private static int detached(boolean isSealing, NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        Objects.requireNonNull(nonce, "nonce");
        Region data = Region.ofData(aad);
        return Message.detached(isSealing, key, nonce, data, text).inPlace(Objects.requireNonNull(tag, "tag"));
    }
}
