package dev.sivka.internal;

import dev.sivka.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * A stream that is sealed or opened, in the thread that calls. What went wrong once, with it or with
 * the stream at its other end, is thrown by every later call.
 */
public final class NativeStream extends NativeObject {
    /** The most bytes of one call. Native code shares so many among all processors. */
    private static final int PIECE_LEN = 1 << 20;
    /** What a stream begins with, which may be a slow one. */
    private static final int BUFFER_LEN = 64 << 10;

    private final boolean seals;
    private byte[] output = new byte[BUFFER_LEN];
    /** What {@link #read} has of the stream that it opens. */
    private byte[] input = {};
    private int at;
    private int end;
    private boolean hasEnded;
    private volatile Throwable failure;

    NativeStream(boolean seals, long address) {
        super(seals ? Native.SEALER : Native.OPENER, address, "stream");
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

    /** Takes bytes, and writes what comes of them. */
    public void put(byte[] bytes, int offset, int length, OutputStream to) throws IOException {
        guarded(() -> pass(bytes, offset, length, to));
    }

    /** Writes what is left. */
    public void end(OutputStream to) throws IOException {
        guarded(() -> {
            long written = pass(null, 0, 0, to);
            to.flush();
            return written;
        });
    }

    /** Opens what a stream gives, as it comes; -1 at the end. */
    public int read(InputStream from, byte[] out, int offset, int length) throws IOException {
        return (int) guarded(() -> {
            while (true) {
                byte[] given = hasEnded ? null : input;
                long step = step(given, at, end - at, out, offset, Math.min(length, PIECE_LEN));
                at += used(step);
                if (made(step) > 0 || hasEnded) {
                    return made(step) > 0 ? made(step) : -1;
                }
                if (at == end) {
                    fill(from);
                }
            }
        });
    }

    private void fill(InputStream from) throws IOException {
        input = longer(input, end);
        at = 0;
        end = read(from, input);
        hasEnded = end < 0;
        end = Math.max(end, 0);
    }

    /** Takes all that a stream gives; a progress of null hears nothing. */
    public void copy(InputStream from, OutputStream to, Progress progress) throws IOException {
        byte[] buffer = {};
        int len = 0;
        long done = 0;
        try {
            do {
                buffer = longer(buffer, len);
                len = read(from, buffer);
                long plaintext = pass(len < 0 ? null : buffer, 0, Math.max(len, 0), to);
                done += plaintext;
                if (progress != null && plaintext > 0 && !progress.reached(done)) {
                    throw new CancellationException("stopped by the caller");
                }
            } while (len >= 0);
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    /** Whoever fills a buffer gets a long one; what was in it is wiped. */
    private static byte[] longer(byte[] buffer, int filled) {
        if (filled < buffer.length || buffer.length == PIECE_LEN) {
            return buffer;
        }
        Arrays.fill(buffer, (byte) 0);
        return new byte[buffer.length == 0 ? BUFFER_LEN : PIECE_LEN];
    }

    /** At least one byte, and how many they were; -1 at the end. */
    private static int read(InputStream from, byte[] into) throws IOException {
        int len = from.read(into, 0, into.length);
        if (len == 0 || len < -1 || len > into.length) {
            throw new IOException("the input stream read " + len + " bytes of 1 to " + into.length);
        }
        return len;
    }

    /** Takes all of some bytes, or the end, and writes what comes of it; how much plaintext that was. */
    private long pass(byte[] bytes, int offset, int length, OutputStream to) throws IOException {
        if (length >= output.length) {
            output = new byte[Math.min(length, PIECE_LEN) + BUFFER_LEN];
        }
        byte[] out = output;
        int done = 0;
        long written = 0;
        int made;
        do {
            long step = step(bytes, offset + done, Math.min(length - done, PIECE_LEN), out, 0, out.length);
            done += used(step);
            made = made(step);
            if (made > 0) {
                give(out, made, to);
            }
            written += made;
        } while (bytes == null ? made > 0 : done < length || made == out.length);
        return seals ? done : written;
    }

    private void give(byte[] out, int length, OutputStream to) throws IOException {
        try {
            to.write(out, 0, length);
        } finally {
            if (!seals) {
                Arrays.fill(out, 0, length, (byte) 0);
            }
        }
    }

    private static int used(long step) {
        return (int) (step >>> Integer.SIZE);
    }

    private static int made(long step) {
        return (int) step;
    }

    /** One call of native code, where one thread at a time may use a stream. */
    private synchronized long step(byte[] in, int inAt, int inLen, byte[] out, int outAt, int outLen)
            throws IOException {
        try {
            return with(stream -> Native.step(seals, stream, in, inAt, inLen, out, outAt, outLen));
        } catch (IllegalStateException closed) {
            throw new IOException("this stream is closed", closed);
        }
    }

    private interface Work {
        long run() throws IOException;
    }

    private long guarded(Work work) throws IOException {
        Failures.rethrow(failure);
        try {
            return work.run();
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }
}
