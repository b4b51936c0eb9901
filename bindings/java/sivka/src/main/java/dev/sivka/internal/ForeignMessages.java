package dev.sivka.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Messages into new arrays by {@code java.lang.foreign}, which Java has since version 22: it
 * lends the collector's arrays to native code at a fraction of what JNI asks.
 *
 * <p>To prepare it takes a tenth of a second, which a program that seals a few messages should
 * not spend. So the first messages go through JNI, and the preparation runs in a thread of its
 * own when there have been many. Where there is no {@code java.lang.foreign}, or it may not be
 * used, or {@code -Ddev.sivka.foreign=false} is given, JNI stays. It is found by reflection,
 * for this class is compiled for Java 17.
 *
 * <p>A text shorter than {@link #APART} is copied into the output first, and sealed or opened
 * there: Java then need not write zeros to the new array, and all that native code touches is
 * in the cache. A longer one is read where it stands.
 */
final class ForeignMessages {
    /** The length that says that JNI has to do it, and to throw. */
    static final int UNDONE = -2;

    /** The shortest text in bytes: {@link Scratch} is faster for shorter ones. */
    static final int SHORTEST = 256;

    /**
     * The longest input in bytes. While native code runs, the collector and all that waits for
     * it stand still: some ten microseconds for such a one.
     */
    static final int LONGEST = 1 << 17;

    /** The shortest text in bytes that is not copied first: from here on a copy costs more. */
    private static final int APART = 1 << 15;

    /** So many messages go through JNI before the preparation begins. */
    private static final int FIRST = 1000;

    private static final byte[] NONE = new byte[0];

    /** False: everything goes through JNI. */
    private static final String PROPERTY = "dev.sivka.foreign";

    private static final AtomicBoolean BEGUN =
            new AtomicBoolean("false".equals(System.getProperty(PROPERTY)));

    /** Threads that count at the same time may lose some: it is no matter. */
    private static int seen;

    private static volatile boolean ready;

    private ForeignMessages() {}

    /** A constant for the compiler, in a class that is initialized when it is known. */
    private static final class Prepared {
        static final MethodHandle MESSAGE = message();

        private Prepared() {}
    }

    /** Whether a message with inputs of these lengths goes this way. */
    static boolean take(int textLen, int aadLen) {
        if (!ready) {
            countTowardsReadiness();
            return false;
        }
        return SHORTEST <= textLen && textLen <= LONGEST && aadLen <= LONGEST;
    }

    private static void countTowardsReadiness() {
        if (seen < FIRST && ++seen == FIRST) {
            Thread thread = new Thread(null, ForeignMessages::prepare, "sivka-foreign", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Prepares, once; returns whether it is ready. */
    static boolean prepare() {
        if (BEGUN.compareAndSet(false, true)) {
            try {
                MethodHandles.lookup().ensureInitialized(Prepared.class);
                ready = true;
            } catch (IllegalAccessException | LinkageError | RuntimeException e) {
                // An older Java, another platform, or not allowed: JNI stays.
                ready = false;
            }
        }
        return ready;
    }

    /**
     * Seals under a nonce of the caller's into a new array of {@code sealedLen} bytes.
     *
     * @return null if it could not be done
     */
    static byte[] sealWithNonce(
            long key, byte[] nonce, byte[] aad, int aadLen, byte[] text, int textAt, int textLen,
            int sealedLen) {
        byte[] sealed;
        if (textLen < APART) {
            // Here, for the compiler leaves the zeros out only just before a copy.
            sealed = new byte[sealedLen];
            System.arraycopy(text, textAt, sealed, 0, textLen);
            text = sealed;
            textAt = 0;
        } else {
            sealed = new byte[sealedLen];
        }
        int len = call(Native.SEAL_WITH_NONCE, key, nonce, 0, nonce.length, aad, aadLen,
                text, textAt, textLen, sealed, 0, sealedLen, NONE, 0, 0);
        return done(len, sealed);
    }

    /** Seals under a random nonce, which stands before the ciphertext. */
    static byte[] seal(long key, int nonceLen, byte[] aad, byte[] text, int sealedLen) {
        int textLen = text.length;
        int textAt = 0;
        byte[] sealed;
        if (textLen < APART) {
            sealed = new byte[sealedLen];
            System.arraycopy(text, 0, sealed, nonceLen, textLen);
            text = sealed;
            textAt = nonceLen;
        } else {
            sealed = new byte[sealedLen];
        }
        int len = call(Native.SEAL, key, NONE, 0, 0, aad, aad.length,
                text, textAt, textLen, sealed, 0, sealedLen, NONE, 0, 0);
        return done(len, sealed);
    }

    private static byte[] done(int len, byte[] sealed) {
        if (len == sealed.length) {
            return sealed;
        }
        Arrays.fill(sealed, (byte) 0);
        return null;
    }

    /**
     * Opens into a new array, which was made as long as the plaintext.
     *
     * @param nonceAt where the nonce stands in {@code nonce}
     * @param textAt where the ciphertext stands in {@code sealed}, with its tag behind
     * @return the length of the plaintext, {@link Native#FORGED}, or {@link #UNDONE}
     */
    static int open(
            long key, byte[] nonce, int nonceAt, int nonceLen, byte[] aad, int aadLen,
            byte[] sealed, int textAt, byte[] plaintext, int tagLen) {
        int textLen = plaintext.length;
        byte[] text = sealed;
        int inAt = textAt;
        if (textLen < APART) {
            System.arraycopy(sealed, textAt, plaintext, 0, textLen);
            text = plaintext;
            inAt = 0;
        }
        return call(Native.OPEN_DETACHED, key, nonce, nonceAt, nonceLen, aad, aadLen,
                text, inAt, textLen, plaintext, 0, textLen, sealed, textAt + textLen, tagLen);
    }

    private static int call(
            int operation, long key, byte[] nonce, int nonceAt, int nonceLen, byte[] aad, int aadLen,
            byte[] in, int inAt, int inLen, byte[] out, int outAt, int outLen, byte[] tag, int tagAt, int tagLen) {
        try {
            return (int) Prepared.MESSAGE.invokeExact(
                    operation, key, nonce, nonceAt, nonceLen, aad, 0, aadLen, in, inAt, inLen,
                    out, outAt, outLen, tag, tagAt, tagLen);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * What in Java 22 would be {@code Linker.nativeLinker().downcallHandle(address, descriptor,
     * Linker.Option.critical(true))}, with arrays for its segments.
     */
    private static MethodHandle message() {
        try {
            Class<?> linker = Class.forName("java.lang.foreign.Linker");
            Class<?> option = Class.forName("java.lang.foreign.Linker$Option");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            Class<?> layout = Class.forName("java.lang.foreign.MemoryLayout");
            Class<?> values = Class.forName("java.lang.foreign.ValueLayout");
            Class<?> descriptor = Class.forName("java.lang.foreign.FunctionDescriptor");
            Object anInt = values.getField("JAVA_INT").get(null);
            Object aLong = values.getField("JAVA_LONG").get(null);
            Object bytes = values.getField("ADDRESS").get(null);
            // Operation, key, and five regions: an array, an index and a length each.
            Object[] arguments = {
                anInt, aLong,
                bytes, anInt, anInt, bytes, anInt, anInt, bytes, anInt, anInt,
                bytes, anInt, anInt, bytes, anInt, anInt,
            };
            Object layouts = Array.newInstance(layout, arguments.length);
            for (int i = 0; i < arguments.length; i++) {
                Array.set(layouts, i, arguments[i]);
            }
            Object function = descriptor.getMethod("of", layout, layouts.getClass())
                    .invoke(null, anInt, layouts);
            Object options = Array.newInstance(option, 1);
            Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, true));
            Object address = segment.getMethod("ofAddress", long.class)
                    .invoke(null, Native.foreignMessage());
            MethodHandle handle = (MethodHandle) linker
                    .getMethod("downcallHandle", segment, descriptor, options.getClass())
                    .invoke(linker.getMethod("nativeLinker").invoke(null), address, function, options);
            MethodHandle ofArray = MethodHandles.publicLookup().findStatic(
                    segment, "ofArray", MethodType.methodType(segment, byte[].class));
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] == bytes) {
                    handle = MethodHandles.filterArguments(handle, i, ofArray);
                }
            }
            return handle;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
