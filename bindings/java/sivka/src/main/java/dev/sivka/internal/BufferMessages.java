package dev.sivka.internal;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Messages in byte buffers of every kind, and in place. A nonce that is null is drawn, or stands
 * before the ciphertext.
 */
public final class BufferMessages {
    private BufferMessages() {}

    /**
     * Seals what remains in one buffer into another.
     *
     * @return how many bytes were written
     */
    public static int seal(
            NativeKey key, byte[] nonce, ByteBuffer plaintext, byte[] aad, ByteBuffer sealed) {
        Objects.requireNonNull(plaintext, "plaintext");
        int number = key.algorithm.number();
        int needed =
                nonce == null
                        ? Native.sealLen(number, plaintext.remaining())
                        : Native.sealWithNonceLen(number, plaintext.remaining());
        if (needed == 0) {
            throw new IllegalArgumentException("plaintext is longer than a sealed buffer can be");
        }
        checkOutput(plaintext, sealed, needed);
        int len = run(nonce == null ? Native.SEAL : Native.SEAL_WITH_NONCE, key, nonce, plaintext, aad, sealed);
        plaintext.position(plaintext.limit());
        return len;
    }

    /**
     * Opens what remains in one buffer into another.
     *
     * @return whether the message opened; if not, both buffers stand where they stood
     */
    public static boolean open(
            NativeKey key, byte[] nonce, ByteBuffer sealed, byte[] aad, ByteBuffer plaintext) {
        Objects.requireNonNull(sealed, "sealed");
        int number = key.algorithm.number();
        int needed =
                nonce == null
                        ? Native.openLen(number, sealed.remaining())
                        : Native.openWithNonceLen(number, sealed.remaining());
        checkOutput(sealed, plaintext, needed);
        int len = run(nonce == null ? Native.OPEN : Native.OPEN_WITH_NONCE, key, nonce, sealed, aad, plaintext);
        if (len == Native.FORGED) {
            return false;
        }
        sealed.position(sealed.limit());
        return true;
    }

    private static void checkOutput(ByteBuffer in, ByteBuffer out, int needed) {
        if (out.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (in == out) {
            throw new IllegalArgumentException(
                    "input and output are one buffer: give duplicates to work in place");
        }
        if (out.remaining() < needed) {
            throw new IllegalArgumentException(
                    "the output buffer is too small: " + needed + " bytes needed, " + out.remaining()
                            + " remaining");
        }
    }

    /** Runs an operation, and moves the output's position behind what was written. */
    private static int run(
            int operation, NativeKey key, byte[] nonce, ByteBuffer in, byte[] aad, ByteBuffer out) {
        Objects.requireNonNull(aad, "data");
        int lane = Scratch.lane();
        long handle = key.handle.enter(lane);
        try {
            int nonceLen = nonce == null ? key.algorithm.nonceLen() : nonce.length;
            Scratch scratch = key.scratch(lane, aad.length, nonceLen, in.remaining());
            int len;
            if (scratch == null) {
                len = lent(operation, handle, nonce, in, aad, out);
            } else {
                try {
                    len = copied(operation, handle, scratch, nonce, nonceLen, in, aad, out);
                } finally {
                    scratch.giveBack();
                }
            }
            if (len != Native.FORGED) {
                out.position(out.position() + len);
            }
            return len;
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
        }
    }

    private static int copied(
            int operation,
            long handle,
            Scratch scratch,
            byte[] nonce,
            int nonceLen,
            ByteBuffer in,
            byte[] aad,
            ByteBuffer out) {
        int textAt = Scratch.textAt(aad.length, nonceLen);
        int inAt = operation == Native.OPEN ? textAt - nonceLen : textAt;
        int outAt = operation == Native.SEAL ? textAt - nonceLen : textAt;
        int inLen = in.remaining();
        scratch.bytes.put(0, aad);
        if (nonce != null) {
            scratch.bytes.put(textAt - nonceLen, nonce);
        }
        scratch.bytes.put(inAt, in, in.position(), inLen);
        int len = Native.inScratch(operation, handle, scratch.address, aad.length, textAt, nonceLen, inLen);
        if (len != Native.FORGED) {
            out.put(out.position(), scratch.bytes, outAt, len);
            if (operation == Native.OPEN || operation == Native.OPEN_WITH_NONCE) {
                scratch.wipe(outAt, len);
            }
        }
        return len;
    }

    private static int lent(
            int operation, long handle, byte[] nonce, ByteBuffer in, byte[] aad, ByteBuffer out) {
        Region target = Region.of(out);
        byte[] copy = null;
        Region source;
        if (in.isDirect() || in.hasArray()) {
            source = Region.of(in);
            if (source.overlaps(target)) {
                copy = source.copy();
            }
        } else {
            // A read-only buffer on the heap does not show its array.
            copy = new byte[in.remaining()];
            in.get(in.position(), copy);
            source = null;
        }
        if (copy != null) {
            source = Region.of(copy, 0, copy.length);
        }
        try {
            return Native.message(
                    operation, handle, nonce, 0, nonce == null ? 0 : nonce.length, aad, 0, aad.length,
                    source.array, source.at, source.len, target.array, target.at, target.len, null, 0, 0);
        } finally {
            if (copy != null) {
                Arrays.fill(copy, (byte) 0);
            }
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
        }
    }

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
        return detached(Native.OPEN_DETACHED, key, nonce, text, aad, tag) != Native.FORGED;
    }

    private static int detached(
            int operation, NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(aad, "data");
        Objects.requireNonNull(tag, "tag");
        int lane = Scratch.lane();
        long handle = key.handle.enter(lane);
        try {
            // Found here, because a JVM may lend copies, which overlap nothing.
            if (text.overlaps(Region.of(tag, 0, tag.length))) {
                throw new IllegalArgumentException("tag overlaps the text");
            }
            return Native.message(
                    operation, handle, nonce, 0, nonce.length, aad, 0, aad.length, text.array, text.at,
                    text.len, text.array, text.at, text.len, tag, 0, tag.length);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
            Reference.reachabilityFence(text);
        }
    }
}
