package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A stream that native code seals or opens, in the thread that calls. What went wrong once, with it
 * or with the stream at its other end, is thrown by every later call.
 */
public final class NativeStream extends NativeObject {
    /** The most bytes of one call. Native code shares so many among all processors. */
    public static final int PIECE_LEN = 1 << 20;
    /** What a stream begins with, which may be a slow one. */
    public static final int BUFFER_LEN = 64 << 10;

    private final boolean seals;
    private volatile Throwable failure;

    public NativeStream(boolean seals, long address) {
        super(seals ? Header.sivka_sealer_free : Header.sivka_opener_free, address, "stream");
        this.seals = seals;
    }

    /** Every later call throws it, if none has failed yet. */
    public void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    public boolean hasFailed() {
        return failure != null;
    }

    /** One call of native code: gives it bytes, or its end. {@link #used} and {@link #made} tell the result. */
    public synchronized long step(byte[] in, int inAt, int inLen, byte[] out, int outAt, int outLen)
            throws IOException {
        ByteBuffer to = ByteBuffer.wrap(out, outAt, outLen);
        try {
            if (in == null) {
                return Native.<IOException>call(seals ? Header.sivka_sealer_finish : Header.sivka_opener_finish, this, to);
            }
            int update = seals ? Header.sivka_sealer_update : Header.sivka_opener_update;
            return Native.<IOException>call(update, this, ByteBuffer.wrap(in, inAt, inLen), to);
        } catch (IllegalStateException closed) {
            throw new IOException("this stream is closed", closed);
        }
    }

    public static int used(long step) {
        return (int) (step >>> Integer.SIZE);
    }

    public static int made(long step) {
        return (int) step;
    }

    public static void checkOpen(boolean closed) throws IOException {
        if (closed) {
            throw new IOException("this stream is closed");
        }
    }

    public interface Steps {
        int run() throws IOException;
    }

    /** Does them, unless something has failed. */
    public int guarded(Steps steps) throws IOException {
        if (failure != null) {
            NativeStream.<IOException>again(failure);
        }
        try {
            return steps.run();
        } catch (Throwable e) {
            fail(e);
            throw e;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void again(Throwable failure) throws E {
        throw (E) failure;
    }

    /** What fills most of a buffer gets a long one; what was in it is wiped. */
    public static byte[] longer(byte[] buffer, int filled) {
        if (filled < buffer.length / 2 || buffer.length == PIECE_LEN) {
            return buffer;
        }
        Arrays.fill(buffer, (byte) 0);
        return new byte[buffer.length == 0 ? BUFFER_LEN : PIECE_LEN];
    }

    /** At least one byte, and how many they were; -1 at the end. */
    public static int read(InputStream from, byte[] into) throws IOException {
        int len = from.read(into, 0, into.length);
        if (len == 0 || len < -1 || len > into.length) {
            throw new IOException("the input stream read " + len + " bytes of 1 to " + into.length);
        }
        return len;
    }
}
