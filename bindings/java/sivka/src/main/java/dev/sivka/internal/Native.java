package dev.sivka.internal;

import java.nio.ByteBuffer;

/**
 * The functions of the native library. They check nothing that Java can check: every offset
 * and length lies within its array, and every handle is alive, or memory is corrupted.
 *
 * <p>A length that is returned is -1 for a message that does not open. Every other failure is
 * thrown by the native side, as {@link Failures} makes it: the words for it are kept in the
 * operating system's thread, which a virtual thread may leave between two calls.
 */
final class Native {
    /** The length that says that a message does not open. */
    static final int FORGED = -1;

    // What `message` is to do.
    static final int SEAL = 0;
    static final int OPEN = 1;
    static final int SEAL_WITH_NONCE = 2;
    static final int OPEN_WITH_NONCE = 3;
    static final int SEAL_DETACHED = 4;
    static final int OPEN_DETACHED = 5;

    // What `free` is to free.
    static final int KEY = 0;
    static final int KUZNYECHIK = 1;
    static final int FILE_KEYS = 2;
    static final int FILE_READER = 3;

    static {
        Library.load();
    }

    private Native() {}

    // Names and lengths.

    /** The number of an algorithm; {@code name} ends with a zero. */
    static native int algorithm(byte[] name);

    static native int keyLen(int algorithm);

    static native int nonceLen(int algorithm);

    static native int tagLen(int algorithm);

    static native boolean randomNoncesAllowed(int algorithm);

    /** The room for nonce, ciphertext and tag; 0 if no array is so long. */
    static native int sealLen(int algorithm, int plaintextLen);

    static native int openLen(int algorithm, int sealedLen);

    /** The room for ciphertext and tag; 0 if no array is so long. */
    static native int sealWithNonceLen(int algorithm, int plaintextLen);

    static native int openWithNonceLen(int algorithm, int ciphertextLen);

    static native String version();

    static native String tier();

    /** Where the bytes of a direct buffer stand: its first, not that at its position. */
    static native long address(ByteBuffer direct);

    // Keys.

    static native void generateKey(int algorithm, byte[] key);

    static native void randomNonces(int algorithm, byte[] nonces);

    static native long newKey(int algorithm, byte[] key);

    static native void free(int kind, long handle);

    // Messages in native memory: aad, nonce and text stand there one after another, with room
    // for the tag behind. Lengths in bytes; the result is a length or FORGED.

    /** Draws the nonce into its room and returns the length of nonce, ciphertext and tag. */
    static native int seal(long key, long memory, int aadLen, int nonceLen, int textLen);

    /** Nonce, ciphertext and tag stand behind the aad. */
    static native int open(long key, long memory, int aadLen, int nonceLen, int sealedLen);

    static native int sealWithNonce(long key, long memory, int aadLen, int nonceLen, int textLen);

    static native int openWithNonce(long key, long memory, int aadLen, int nonceLen, int textLen);

    /**
     * One message in arrays, or, where an array is null, in memory at an address.
     *
     * @return the length of what was written to {@code out}, or FORGED
     */
    static native int message(
            int operation,
            long key,
            byte[] nonce,
            long nonceAt,
            int nonceLen,
            byte[] aad,
            long aadAt,
            int aadLen,
            byte[] in,
            long inAt,
            int inLen,
            byte[] out,
            long outAt,
            int outLen,
            byte[] tag,
            long tagAt,
            int tagLen);
}
