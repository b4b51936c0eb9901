package dev.sivka.internal;

import java.lang.ref.Reference;

/**
 * Messages in parts of arrays and in native memory, under a nonce of the caller's: ciphertext
 * and tag, one after another. The output begins where the input begins, or does not overlap
 * it.
 */
public final class RegionMessages {
    /** The length that says that a message does not open. */
    public static final int FORGED = Native.FORGED;

    private RegionMessages() {}

    /** Seals into a new array. */
    public static byte[] seal(NativeKey key, byte[] nonce, Region aad, Region plaintext) {
        int lane = Scratch.lane();
        if (inArrays(aad, plaintext) && ForeignMessages.take(plaintext.len, aad.len)) {
            byte[] sealed = sealForeign(key, lane, nonce, aad, plaintext);
            if (sealed != null) {
                return sealed;
            }
        }
        Scratch scratch = scratch(key, lane, nonce, aad, plaintext);
        if (scratch == null) {
            int len = key.algorithm.sealWithNonceLen(plaintext.len);
            if (len == 0) {
                throw new IllegalArgumentException("plaintext is longer than a sealed array can be");
            }
            byte[] sealed = new byte[len];
            seal(key, nonce, aad, plaintext, Region.of(sealed, 0, len));
            return sealed;
        }
        try {
            int textAt = fill(scratch, nonce, aad, plaintext);
            return scratch.copy(textAt, seal(key, lane, scratch, textAt, nonce, aad, plaintext));
        } finally {
            scratch.giveBack();
        }
    }

    /**
     * Seals.
     *
     * @param sealed at least as long as the algorithm's {@code sealWithNonceLen}
     * @return the length of what was written
     */
    public static int seal(
            NativeKey key, byte[] nonce, Region aad, Region plaintext, Region sealed) {
        int lane = Scratch.lane();
        Scratch scratch = sealed.array == null ? null : scratch(key, lane, nonce, aad, plaintext);
        if (scratch == null) {
            return message(Native.SEAL_WITH_NONCE, key, lane, nonce, aad, plaintext, sealed);
        }
        try {
            int textAt = fill(scratch, nonce, aad, plaintext);
            int len = seal(key, lane, scratch, textAt, nonce, aad, plaintext);
            scratch.bytes.get(textAt, sealed.array, (int) sealed.at, len);
            return len;
        } finally {
            scratch.giveBack();
        }
    }

    /** Opens into a new array; null if the message does not open. */
    public static byte[] open(NativeKey key, byte[] nonce, Region aad, Region ciphertext) {
        int lane = Scratch.lane();
        int textLen = key.algorithm.openWithNonceLen(ciphertext.len);
        if (textLen > 0 && inArrays(aad, ciphertext)
                && ForeignMessages.take(ciphertext.len, aad.len)) {
            byte[] plaintext = new byte[textLen];
            int len = openForeign(key, lane, nonce, aad, ciphertext, plaintext);
            if (len != ForeignMessages.UNDONE) {
                return len == FORGED ? null : plaintext;
            }
        }
        Scratch scratch = scratch(key, lane, nonce, aad, ciphertext);
        if (scratch == null) {
            byte[] plaintext = new byte[textLen];
            Region out = Region.of(plaintext, 0, plaintext.length);
            return open(key, nonce, aad, ciphertext, out) == FORGED ? null : plaintext;
        }
        try {
            int textAt = fill(scratch, nonce, aad, ciphertext);
            int len = open(key, lane, scratch, textAt, nonce, aad, ciphertext);
            return len == FORGED ? null : scratch.moveOut(textAt, len);
        } finally {
            scratch.giveBack();
        }
    }

    /**
     * Opens.
     *
     * @param plaintext at least as long as the algorithm's {@code openWithNonceLen}; if the
     *     message does not open, it holds zeros or what it held
     * @return the length of the plaintext, or {@link #FORGED}
     */
    public static int open(
            NativeKey key, byte[] nonce, Region aad, Region ciphertext, Region plaintext) {
        int lane = Scratch.lane();
        Scratch scratch = plaintext.array == null ? null : scratch(key, lane, nonce, aad, ciphertext);
        if (scratch == null) {
            return message(Native.OPEN_WITH_NONCE, key, lane, nonce, aad, ciphertext, plaintext);
        }
        try {
            int textAt = fill(scratch, nonce, aad, ciphertext);
            int len = open(key, lane, scratch, textAt, nonce, aad, ciphertext);
            if (len != FORGED) {
                scratch.bytes.get(textAt, plaintext.array, (int) plaintext.at, len);
                scratch.wipe(textAt, len);
            }
            return len;
        } finally {
            scratch.giveBack();
        }
    }

    private static byte[] sealForeign(
            NativeKey key, int lane, byte[] nonce, Region aad, Region text) {
        int sealedLen = key.algorithm.sealWithNonceLen(text.len);
        long handle = key.handle.enter(lane);
        try {
            return ForeignMessages.sealWithNonce(
                    handle, nonce, aad.array, aad.len, text.array, (int) text.at, text.len, sealedLen);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }

    private static int openForeign(
            NativeKey key, int lane, byte[] nonce, Region aad, Region text, byte[] plaintext) {
        long handle = key.handle.enter(lane);
        try {
            return ForeignMessages.open(
                    handle, nonce, 0, nonce.length, aad.array, aad.len, text.array, (int) text.at,
                    plaintext, key.algorithm.tagLen());
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }

    private static boolean inArrays(Region aad, Region text) {
        return aad.array != null && aad.at == 0 && text.array != null;
    }

    /** A scratch for a short message in an array; null for all others. */
    private static Scratch scratch(
            NativeKey key, int lane, byte[] nonce, Region aad, Region text) {
        boolean inArrays = text.array != null && aad.array != null;
        return inArrays ? key.scratch(lane, aad.len, nonce.length, text.len) : null;
    }

    /** Puts aad, nonce and text one after another, and returns where the text begins. */
    private static int fill(Scratch scratch, byte[] nonce, Region aad, Region text) {
        int textAt = Scratch.textAt(aad.len, nonce.length);
        scratch.bytes.put(0, aad.array, (int) aad.at, aad.len);
        scratch.bytes.put(textAt - nonce.length, nonce);
        scratch.bytes.put(textAt, text.array, (int) text.at, text.len);
        return textAt;
    }

    private static int seal(
            NativeKey key,
            int lane,
            Scratch scratch,
            int textAt,
            byte[] nonce,
            Region aad,
            Region text) {
        boolean sealed = false;
        long handle = key.handle.enter(lane);
        try {
            int len =
                    Native.sealWithNonce(
                            handle, scratch.address, aad.len, textAt, nonce.length, text.len);
            sealed = true;
            return len;
        } finally {
            key.handle.leave(lane);
            if (!sealed) {
                scratch.wipe(textAt, text.len);
            }
            Reference.reachabilityFence(key);
        }
    }

    private static int open(
            NativeKey key,
            int lane,
            Scratch scratch,
            int textAt,
            byte[] nonce,
            Region aad,
            Region text) {
        long handle = key.handle.enter(lane);
        try {
            return Native.openWithNonce(
                    handle, scratch.address, aad.len, textAt, nonce.length, text.len);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }

    private static int message(
            int operation, NativeKey key, int lane, byte[] nonce, Region aad, Region in, Region out) {
        long handle = key.handle.enter(lane);
        try {
            return Native.message(
                    operation, handle, nonce, 0, nonce.length, aad.array, aad.at, aad.len, in.array,
                    in.at, in.len, out.array, out.at, out.len, null, 0, 0);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
        }
    }
}
