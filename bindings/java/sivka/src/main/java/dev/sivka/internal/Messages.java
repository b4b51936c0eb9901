package dev.sivka.internal;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Messages in arrays, parts of arrays, and byte buffers of every kind. A nonce that is null is
 * drawn to seal, and comes before the ciphertext to open. Each is one {@link Crossing}.
 */
public final class Messages {
    /** The length that says that a message does not open. */
    public static final int FORGED = Native.FORGED;

    private Messages() {}

    // Into a new array.

    /** Seals an array: ciphertext and tag, and the nonce before them if it is drawn. */
    public static byte[] seal(NativeKey key, byte[] nonce, byte[] plaintext, byte[] aad) {
        Objects.requireNonNull(plaintext, "plaintext");
        Objects.requireNonNull(aad, "data");
        return seal(key, nonce, Region.of(aad), Region.of(plaintext));
    }

    /** Seals a region. */
    public static byte[] seal(NativeKey key, byte[] nonce, Region aad, Region plaintext) {
        return sealing(key, nonce, aad, plaintext).intoNew(sealedLen(key, nonce, plaintext, "array"));
    }

    /** Opens an array; null if the message does not open. */
    public static byte[] open(NativeKey key, byte[] nonce, byte[] sealed, byte[] aad) {
        Objects.requireNonNull(sealed, nonce == null ? "sealed" : "ciphertext");
        Objects.requireNonNull(aad, "data");
        return open(key, nonce, Region.of(aad), Region.of(sealed));
    }

    /** Opens a region; null if the message does not open. */
    public static byte[] open(NativeKey key, byte[] nonce, Region aad, Region sealed) {
        return opening(key, nonce, aad, sealed).intoNew(openedLen(key, nonce, sealed));
    }

    // With a list of associated data.

    /** Seals an array with a list of associated data. */
    public static byte[] sealWithList(NativeKey key, byte[] plaintext, List<byte[]> list) {
        Region in = Region.of(Objects.requireNonNull(plaintext, "plaintext"));
        byte[] out = new byte[sealedLen(key, null, in, "array")];
        withList(Native.SEAL, key, plaintext, list, out);
        return out;
    }

    /** Opens an array with a list of associated data; null if the message does not open. */
    public static byte[] openWithList(NativeKey key, byte[] sealed, List<byte[]> list) {
        byte[] out = new byte[openedLen(key, null, Region.of(Objects.requireNonNull(sealed, "sealed")))];
        return withList(Native.OPEN, key, sealed, list, out) == FORGED ? null : out;
    }

    private static int withList(int operation, NativeKey key, byte[] in, List<byte[]> list, byte[] out) {
        byte[][] strings = Batches.read(list);
        int[] lens = new int[strings.length];
        int sum = 0;
        for (int i = 0; i < lens.length; i++) {
            lens[i] = strings[i].length;
            sum = Math.addExact(sum, lens[i]);
        }
        ByteBuffer joined = ByteBuffer.allocate(sum);
        for (byte[] string : strings) {
            joined.put(string);
        }
        Lane lane = key.handle.enter();
        try {
            return Native.list(operation, key.handle.address(), joined.array(), lens, in, out);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }

    // From one place to another. The two may overlap in any way.

    /**
     * Seals.
     *
     * @param sealed at least as long as the algorithm says
     * @return the length of what was written
     */
    public static int seal(NativeKey key, byte[] nonce, Region aad, Region plaintext, Region sealed) {
        return sealing(key, nonce, aad, plaintext).into(sealed);
    }

    /**
     * Opens.
     *
     * @param plaintext at least as long as the algorithm says; if the message does not open, it
     *     holds zeros or what it held
     * @return the length of the plaintext, or {@link #FORGED}
     */
    public static int open(NativeKey key, byte[] nonce, Region aad, Region sealed, Region plaintext) {
        return opening(key, nonce, aad, sealed).into(plaintext);
    }

    /**
     * Seals what remains in one buffer into another, and moves the positions of both.
     *
     * @return how many bytes were written
     */
    public static int seal(NativeKey key, byte[] nonce, ByteBuffer plaintext, byte[] aad, ByteBuffer sealed) {
        Region in = Region.of(Objects.requireNonNull(plaintext, "plaintext"));
        Region out = output(plaintext, sealed, sealedLen(key, nonce, in, "buffer"));
        int len = seal(key, nonce, Region.of(Objects.requireNonNull(aad, "data")), in, out);
        plaintext.position(plaintext.limit());
        sealed.position(sealed.position() + len);
        return len;
    }

    /**
     * Opens what remains in one buffer into another, and moves the positions of both.
     *
     * @return whether the message opened; if not, both buffers are where they stood
     */
    public static boolean open(NativeKey key, byte[] nonce, ByteBuffer sealed, byte[] aad, ByteBuffer plaintext) {
        Region in = Region.of(Objects.requireNonNull(sealed, "sealed"));
        Region out = output(sealed, plaintext, openedLen(key, nonce, in));
        int len = open(key, nonce, Region.of(Objects.requireNonNull(aad, "data")), in, out);
        if (len == FORGED) {
            return false;
        }
        sealed.position(sealed.limit());
        plaintext.position(plaintext.position() + len);
        return true;
    }

    private static Region output(ByteBuffer in, ByteBuffer out, int needed) {
        Region region = Region.writable(out);
        if (in == out) {
            throw new IllegalArgumentException(
                    "input and output are one buffer: give duplicates to work in place");
        }
        if (region.len < needed) {
            throw new IllegalArgumentException(
                    "the output buffer is too small: " + needed + " bytes needed, " + region.len
                            + " remaining");
        }
        return region;
    }

    private static int sealedLen(NativeKey key, byte[] nonce, Region plaintext, String output) {
        Algorithm algorithm = key.algorithm;
        int len = nonce == null ? algorithm.sealLen(plaintext.len) : algorithm.sealWithNonceLen(plaintext.len);
        if (len == 0) {
            throw new IllegalArgumentException("plaintext is longer than a sealed " + output + " can be");
        }
        return len;
    }

    private static int openedLen(NativeKey key, byte[] nonce, Region sealed) {
        Algorithm algorithm = key.algorithm;
        return nonce == null ? algorithm.openLen(sealed.len) : algorithm.openWithNonceLen(sealed.len);
    }

    // In place, the tag apart.

    /** Encrypts {@code text} in place and writes its tag. On any exception it is as it was. */
    public static void sealInPlace(NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        detached(Native.SEAL_DETACHED, key, nonce, text, aad, tag);
    }

    /**
     * Decrypts {@code text} in place.
     *
     * @return whether it opened; if not, {@code text} holds zeros
     */
    public static boolean openInPlace(NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        return detached(Native.OPEN_DETACHED, key, nonce, text, aad, tag) != FORGED;
    }

    private static int detached(int operation, NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        Objects.requireNonNull(nonce, "nonce");
        Region data = Region.of(Objects.requireNonNull(aad, "data"));
        return new Crossing(operation, key, nonce, data, text).inPlace(Objects.requireNonNull(tag, "tag"));
    }

    private static Crossing sealing(NativeKey key, byte[] nonce, Region aad, Region plaintext) {
        return isGiven(key, nonce)
                ? new Crossing(Native.SEAL_WITH_NONCE, key, nonce, aad, plaintext)
                : new Crossing(Native.SEAL, key, null, aad, plaintext);
    }

    private static Crossing opening(NativeKey key, byte[] nonce, Region aad, Region sealed) {
        return isGiven(key, nonce)
                ? new Crossing(Native.OPEN_WITH_NONCE, key, nonce, aad, sealed)
                : new Crossing(Native.OPEN, key, null, aad, sealed);
    }

    /** Whether there is a nonce to be given: that of an algorithm without nonces is empty. */
    private static boolean isGiven(NativeKey key, byte[] nonce) {
        return nonce != null && (nonce.length > 0 || key.algorithm.nonceLen() > 0);
    }
}
