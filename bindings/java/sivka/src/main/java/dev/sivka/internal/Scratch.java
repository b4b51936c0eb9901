package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A piece of native memory for one short message during one call. Copying a short message
 * there and back costs less than lending its array to native code.
 *
 * <p>The pieces stand in a fixed table, so that any number of threads, virtual ones too, share
 * a bounded amount of memory. A thread that finds no free piece does without. What a call
 * leaves behind is ciphertext, nonces and AAD; it wipes plaintext.
 */
final class Scratch {
    /** The bytes of one piece. */
    static final int CAPACITY = 4096;

    private static final byte[] ZEROS = new byte[CAPACITY];

    /** Places from one piece to the next, so that no two stand in one cache line. */
    private static final int STRIDE = 16;

    private static final int PIECES =
            2 * Integer.highestOneBit(Math.max(8, 4 * Runtime.getRuntime().availableProcessors()));

    /** How many pieces a thread looks at. */
    private static final int TRIES = 4;

    /** Stands where a piece is taken; null stands where none was made yet. */
    private static final Scratch TAKEN = new Scratch();

    private static final AtomicReferenceArray<Scratch> TABLE =
            new AtomicReferenceArray<>(PIECES * STRIDE);

    final ByteBuffer bytes;
    final long address;
    private final int place;

    private Scratch() {
        bytes = null;
        address = 0;
        place = -1;
    }

    private Scratch(int place) {
        this.place = place;
        bytes = ByteBuffer.allocateDirect(CAPACITY);
        address = Native.address(bytes);
    }

    /** A number that differs for threads that run at the same time, mostly. */
    static int lane() {
        return (int) Thread.currentThread().getId();
    }

    /** Takes a piece; null if those that this thread may have are all taken. */
    static Scratch take(int lane) {
        for (int i = 0; i < TRIES; i++) {
            int place = ((lane + i) & (PIECES - 1)) * STRIDE;
            Scratch found = TABLE.getAndSet(place, TAKEN);
            if (found == null) {
                return make(place);
            }
            if (found != TAKEN) {
                return found;
            }
        }
        return null;
    }

    private static Scratch make(int place) {
        Scratch made = null;
        try {
            made = new Scratch(place);
            return made;
        } finally {
            if (made == null) {
                TABLE.setRelease(place, null);
            }
        }
    }

    void giveBack() {
        TABLE.setRelease(place, this);
    }

    /** Where a text begins that has AAD and nonce before it. */
    static int textAt(int aadLen, int nonceLen) {
        return aadLen + nonceLen;
    }

    byte[] copy(int at, int len) {
        byte[] out = new byte[len];
        bytes.get(at, out);
        return out;
    }

    /** {@link #copy} for plaintext, of which nothing stays here. */
    byte[] moveOut(int at, int len) {
        try {
            return copy(at, len);
        } finally {
            wipe(at, len);
        }
    }

    void wipe(int at, int len) {
        bytes.put(at, ZEROS, 0, len);
    }
}
