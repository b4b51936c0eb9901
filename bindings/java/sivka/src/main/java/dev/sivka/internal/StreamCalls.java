package dev.sivka.internal;

import dev.sivka.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * What native code calls while it works on a stream, from any thread: never two of one method
 * at the same time, but one of each may run. It throws nothing: what went wrong is kept.
 */
final class StreamCalls {
    private static final int BUFFER_LEN = 64 << 10;
    private static final int FAILED = -1;

    /** From here native code takes what {@link #read} has read. */
    final byte[] input;
    /** Here native code puts what {@link #write} is to write. */
    final byte[] output;

    private final InputStream in;
    private final OutputStream out;
    private final Progress progress;
    private Throwable failure;

    /** Each may be null if it is not needed. */
    StreamCalls(InputStream in, OutputStream out, Progress progress) {
        this.in = in;
        this.out = out;
        this.progress = progress;
        input = new byte[in == null ? 0 : BUFFER_LEN];
        output = new byte[out == null ? 0 : BUFFER_LEN];
    }

    boolean hasProgress() {
        return progress != null;
    }

    /** Reads at most so many bytes; how many they were: 0 at the end, less if it failed. */
    int read(int most) {
        try {
            int len = in.read(input, 0, Math.min(most, input.length));
            if (len == 0 || len < -1 || len > most) {
                throw new IOException("the input stream read " + len + " bytes of 1 to " + most);
            }
            return Math.max(0, len);
        } catch (Throwable e) {
            return failed(e);
        }
    }

    /** Writes so many bytes; less than 0 if it failed. */
    int write(int len) {
        try {
            out.write(output, 0, len);
            return 0;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    /** Tells how far it is; not 0 to stop. */
    int progress(long plaintextLen) {
        try {
            return progress.reached(plaintextLen) ? 0 : 1;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    private synchronized int failed(Throwable e) {
        if (failure == null) {
            failure = e;
        } else if (failure != e) {
            failure.addSuppressed(e);
        }
        return FAILED;
    }

    /** Throws what the caller's stream or progress threw, if native code stopped for that. */
    synchronized void rethrow() throws IOException {
        Failures.rethrow(failure);
    }

    /** Plaintext was in one of them. */
    void wipe() {
        Arrays.fill(input, (byte) 0);
        Arrays.fill(output, (byte) 0);
    }
}
