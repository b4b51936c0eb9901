package dev.sivka.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CancellationException;

/** Seals what others write to a pipe. */
public final class SealingThread {
    private final Pipe pipe = new Pipe();
    private final Thread thread;
    private final OutputStream sealed;
    private boolean closed;
    private boolean isTold;
    private volatile Throwable failure;

    public SealingThread(NativeFileKeys keys, OutputStream sealed, String suite) {
        this.sealed = sealed;
        thread = new Thread(() -> run(keys, suite), "sivka-seal");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(NativeFileKeys keys, String suite) {
        try {
            keys.sealStream(pipe.source, sealed, suite, null);
            sealed.flush();
        } catch (Throwable e) {
            failure = e;
            pipe.fail(e);
        } finally {
            pipe.wipe();
        }
    }

    public void write(byte[] plaintext, int offset, int length) throws IOException {
        try {
            pipe.sink.write(plaintext, offset, length);
        } catch (IOException | RuntimeException | Error e) {
            isTold = e == failure;
            throw e;
        }
    }

    public void cancel() {
        pipe.fail(new CancellationException("stopped by the caller"));
    }

    /** Ends the plaintext, waits until all is written, and closes the other stream. */
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        pipe.end();
        try (sealed) {
            thread.join();
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the end of the sealed file was written");
        }
        // One that was thrown already would be thrown while it is handled.
        if (!isTold && !(failure instanceof CancellationException)) {
            Failures.rethrow(failure);
        }
    }
}
