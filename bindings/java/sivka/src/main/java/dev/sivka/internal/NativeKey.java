package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A key of one algorithm in native memory, and messages in arrays. {@link BufferMessages} has
 * those in byte buffers.
 *
 * <p>A short message is copied through {@link Scratch}; the arrays of a longer one are lent to
 * native code. Any number of threads may use one key at the same time.
 */
public final class NativeKey implements AutoCloseable {
    final Algorithm algorithm;
    final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /**
     * Makes a key.
     *
     * @param key as long as the algorithm wants it; copied
     * @throws IllegalArgumentException if it is not
     */
    public NativeKey(Algorithm algorithm, byte[] key) {
        this.algorithm = algorithm;
        Objects.requireNonNull(key, "key");
        handle = new Handle(Native.KEY, Native.newKey(algorithm.number(), key), algorithm.name() + " key");
        cleanable = handle.freeWith(this);
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** Wipes and frees the key, when the last call that uses it has returned. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** Seals under a random nonce; nonce, ciphertext and tag. */
    public byte[] seal(byte[] plaintext, byte[] aad) {
        Objects.requireNonNull(plaintext, "plaintext");
        Objects.requireNonNull(aad, "aad");
        int lane = Scratch.lane();
        long key = handle.enter(lane);
        try {
            int nonceLen = algorithm.nonceLen();
            if (ForeignMessages.take(plaintext.length, aad.length)) {
                int sealedLen = Native.sealLen(algorithm.number(), plaintext.length);
                byte[] sealed = ForeignMessages.seal(key, nonceLen, aad, plaintext, sealedLen);
                if (sealed != null) {
                    return sealed;
                }
            }
            Scratch scratch = scratch(lane, aad.length, nonceLen, plaintext.length);
            if (scratch == null) {
                byte[] sealed = new byte[sized(Native.sealLen(algorithm.number(), plaintext.length))];
                message(Native.SEAL, key, null, aad, plaintext, sealed);
                return sealed;
            }
            try {
                int textAt = Scratch.textAt(aad.length, nonceLen);
                scratch.bytes.put(0, aad);
                scratch.bytes.put(textAt, plaintext);
                int len =
                        Native.seal(
                                key, scratch.address, aad.length, textAt, nonceLen, plaintext.length);
                return scratch.copy(textAt - nonceLen, len);
            } finally {
                scratch.giveBack();
            }
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
        }
    }

    /** Opens what {@link #seal} gave; null if it does not open. */
    public byte[] open(byte[] sealed, byte[] aad) {
        Objects.requireNonNull(sealed, "sealed");
        Objects.requireNonNull(aad, "aad");
        int lane = Scratch.lane();
        long key = handle.enter(lane);
        try {
            int nonceLen = algorithm.nonceLen();
            int textLen = Native.openLen(algorithm.number(), sealed.length);
            if (ForeignMessages.take(sealed.length, aad.length) && textLen > 0) {
                byte[] plaintext = new byte[textLen];
                int len =
                        ForeignMessages.open(
                                key, sealed, 0, nonceLen, aad, aad.length, sealed, nonceLen, plaintext,
                                algorithm.tagLen());
                if (len != ForeignMessages.UNDONE) {
                    return len == Native.FORGED ? null : plaintext;
                }
            }
            Scratch scratch = scratch(lane, aad.length, nonceLen, sealed.length);
            if (scratch == null) {
                byte[] plaintext = new byte[textLen];
                int len = message(Native.OPEN, key, null, aad, sealed, plaintext);
                return len == Native.FORGED ? null : plaintext;
            }
            try {
                int textAt = Scratch.textAt(aad.length, nonceLen);
                scratch.bytes.put(0, aad);
                scratch.bytes.put(textAt - nonceLen, sealed);
                int len =
                        Native.open(
                                key, scratch.address, aad.length, textAt, nonceLen, sealed.length);
                return len == Native.FORGED ? null : scratch.moveOut(textAt, len);
            } finally {
                scratch.giveBack();
            }
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
        }
    }

    /** Seals under a nonce of the caller's; ciphertext and tag. */
    public byte[] sealWithNonce(byte[] nonce, byte[] plaintext, byte[] aad) {
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(plaintext, "plaintext");
        Objects.requireNonNull(aad, "aad");
        int lane = Scratch.lane();
        long key = handle.enter(lane);
        try {
            if (ForeignMessages.take(plaintext.length, aad.length)) {
                int sealedLen = Native.sealWithNonceLen(algorithm.number(), plaintext.length);
                byte[] sealed =
                        ForeignMessages.sealWithNonce(
                                key, nonce, aad, aad.length, plaintext, 0, plaintext.length, sealedLen);
                if (sealed != null) {
                    return sealed;
                }
            }
            Scratch scratch = scratch(lane, aad.length, nonce.length, plaintext.length);
            if (scratch == null) {
                byte[] sealed =
                        new byte[sized(Native.sealWithNonceLen(algorithm.number(), plaintext.length))];
                message(Native.SEAL_WITH_NONCE, key, nonce, aad, plaintext, sealed);
                return sealed;
            }
            try {
                int textAt = Scratch.textAt(aad.length, nonce.length);
                scratch.bytes.put(0, aad);
                scratch.bytes.put(textAt - nonce.length, nonce);
                scratch.bytes.put(textAt, plaintext);
                int len =
                        Native.sealWithNonce(
                                key, scratch.address, aad.length, textAt, nonce.length, plaintext.length);
                return scratch.copy(textAt, len);
            } finally {
                scratch.giveBack();
            }
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
        }
    }

    /** Opens what {@link #sealWithNonce} gave; null if it does not open. */
    public byte[] openWithNonce(byte[] nonce, byte[] ciphertext, byte[] aad) {
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(ciphertext, "ciphertext");
        Objects.requireNonNull(aad, "aad");
        int lane = Scratch.lane();
        long key = handle.enter(lane);
        try {
            int textLen = Native.openWithNonceLen(algorithm.number(), ciphertext.length);
            if (ForeignMessages.take(ciphertext.length, aad.length) && textLen > 0) {
                byte[] plaintext = new byte[textLen];
                int len =
                        ForeignMessages.open(
                                key, nonce, 0, nonce.length, aad, aad.length, ciphertext, 0, plaintext,
                                algorithm.tagLen());
                if (len != ForeignMessages.UNDONE) {
                    return len == Native.FORGED ? null : plaintext;
                }
            }
            Scratch scratch = scratch(lane, aad.length, nonce.length, ciphertext.length);
            if (scratch == null) {
                byte[] plaintext = new byte[textLen];
                int len = message(Native.OPEN_WITH_NONCE, key, nonce, aad, ciphertext, plaintext);
                return len == Native.FORGED ? null : plaintext;
            }
            try {
                int textAt = Scratch.textAt(aad.length, nonce.length);
                scratch.bytes.put(0, aad);
                scratch.bytes.put(textAt - nonce.length, nonce);
                scratch.bytes.put(textAt, ciphertext);
                int len =
                        Native.openWithNonce(
                                key, scratch.address, aad.length, textAt, nonce.length, ciphertext.length);
                return len == Native.FORGED ? null : scratch.moveOut(textAt, len);
            } finally {
                scratch.giveBack();
            }
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
        }
    }

    /** A scratch for a message, or null if it is too long for one or none is free. */
    Scratch scratch(int lane, int aadLen, int nonceLen, int textLen) {
        long needed = (long) aadLen + nonceLen + textLen + algorithm.tagLen();
        return needed <= Scratch.CAPACITY ? Scratch.take(lane) : null;
    }

    private static int message(
            int operation, long key, byte[] nonce, byte[] aad, byte[] in, byte[] out) {
        int nonceLen = nonce == null ? 0 : nonce.length;
        return Native.message(
                operation, key, nonce, 0, nonceLen, aad, 0, aad.length, in, 0, in.length, out, 0,
                out.length, null, 0, 0);
    }

    private static int sized(int len) {
        if (len == 0) {
            throw new IllegalArgumentException("plaintext is longer than a sealed array can be");
        }
        return len;
    }
}
