package dev.sivka.internal;

import dev.sivka.Progress;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The native library. It checks nothing that Java can check: every offset and length lies within
 * its array, and every handle is alive, or memory is corrupted.
 *
 * <p>A failure is thrown by the native side, as {@link Failures} makes it: the words for it are
 * kept in the operating system's thread, which a virtual thread may leave between two calls.
 */
public final class Native {
    /** The length that says that a message does not open. */
    public static final int FORGED = -1;

    // What is to be done with a message.
    static final int SEAL = 0;
    static final int OPEN = 1;
    static final int SEAL_WITH_NONCE = 2;
    static final int SEAL_DETACHED = 4;
    static final int OPEN_DETACHED = 5;

    static {
        Library.load();
    }

    private Native() {}

    /**
     * Calls a function of {@code sivka.h}. It is given numbers, {@link NativeObject}s, which are in
     * use until it returns, arrays and buffers, and a {@link Progress}; null is NULL. The lengths of
     * buffers and what C writes through pointers to numbers and handles are left out. Arrays are
     * copied, with a zero after them, and those that C may write are copied back. Negative and
     * oversized numbers are refused.
     *
     * @param function its place, as {@link Header} has it
     * @return what C wrote so; the first of two in the upper half. Else what the function returns
     */
    public static <E extends Exception> long call(int function, Object... arguments) throws E {
        Object[] objects = new Object[arguments.length];
        long[] numbers = new long[2 * arguments.length];
        Lane[] lanes = new Lane[arguments.length];
        try {
            for (int i = 0; i < arguments.length; i++) {
                Object given = arguments[i];
                if (given instanceof Number number) {
                    numbers[2 * i] = number.longValue();
                } else if (given instanceof NativeObject object) {
                    lanes[i] = object.handle.enter();
                    numbers[2 * i] = object.handle.address();
                } else if (given instanceof Progress) {
                    objects[i] = given;
                } else if (given != null) {
                    Region bytes = given instanceof byte[] array ? Region.of(array) : Region.of((ByteBuffer) given);
                    objects[i] = bytes.array;
                    numbers[2 * i] = bytes.place();
                    numbers[2 * i + 1] = bytes.len;
                }
            }
            return Native.<E>run(function, objects, numbers);
        } finally {
            for (int i = 0; i < lanes.length; i++) {
                if (lanes[i] != null) {
                    ((NativeObject) arguments[i]).handle.leave(lanes[i]);
                }
            }
            Reference.reachabilityFence(arguments);
        }
    }

    private static native <E extends Exception> long run(int function, Object[] objects, long[] numbers) throws E;

    /** What a function wrote to its last buffer, which has room for so many bytes. */
    public static <E extends Exception> byte[] bytes(int capacity, int function, Object... arguments) throws E {
        byte[] room = new byte[capacity];
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = room;
        try {
            return Arrays.copyOf(room, (int) Native.<E>call(function, all));
        } finally {
            Arrays.fill(room, (byte) 0);
        }
    }

    /** A structure, or several, at an address. */
    public static ByteBuffer structure(long address, int len) {
        return memory(address, len).order(ByteOrder.nativeOrder());
    }

    /** A string of C; empty for NULL. */
    public static String text(long address) {
        return address == 0 ? "" : new String(string(address), StandardCharsets.UTF_8);
    }

    // Memory.

    /** Of the first byte of a direct buffer, not that at its position. */
    static native long address(ByteBuffer direct);

    static native ByteBuffer memory(long address, int len);

    static native byte[] string(long address);

    /** Zeros. */
    static native long allocate(long len);

    /** Wipes and frees them. */
    static native void release(long address, long len);

    // Messages. The result is the length of what was written, or FORGED.

    /**
     * One message in a lane's memory, which has AAD, nonce and detached tag from its beginning on.
     * Nothing is left there of a plaintext that was sealed.
     *
     * @param inAt an index of the memory, as {@code outAt}: text at text, or one after the other
     */
    static native int inLane(
            int operation, long key, long memory, int aadLen, int nonceLen, int tagLen, int inAt, int inLen,
            int outAt, int outLen);

    /**
     * One message in arrays, or, where an array is null, in memory at an address.
     *
     * @param aadLens if not null, those of the strings that are one after the other in the AAD
     */
    static native int message(
            int operation, long key, byte[] nonce, long nonceAt, int nonceLen, byte[] aad, long aadAt,
            int aadLen, byte[] in, long inAt, int inLen, byte[] out, long outAt, int outLen, byte[] tag,
            long tagAt, int tagLen, int[] aadLens);

    /** Encrypts or decrypts blocks of Kuznyechik in place. */
    public static void blocks(boolean isEncrypt, NativeObject key, Region inOut) {
        Lane lane = key.handle.enter();
        try {
            blocks(isEncrypt, key.handle.address(), inOut.array, inOut.place(), inOut.len);
        } finally {
            key.handle.leave(lane);
            Reference.reachabilityFence(key);
            Reference.reachabilityFence(inOut);
        }
    }

    private static native void blocks(boolean isEncrypt, long key, byte[] inOut, long at, int len);
}
