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
    private boolean finished;
    private boolean closed;
    /** Whether the caller knows why there is no end. */
    private boolean isTold;
    private volatile Throwable failure;

    public SealingThread(StreamWork seal, OutputStream sealed) {
        this.sealed = sealed;
        thread = new Thread(() -> run(seal), "sivka-seal");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(StreamWork seal) {
        try {
            seal.run(pipe.source, sealed);
            sealed.flush();
        } catch (Throwable e) {
            failure = e;
            pipe.fail(e);
        } finally {
            pipe.wipe();
        }
    }

    public void write(byte[] plaintext, int offset, int length) throws IOException {
        checkOpen();
        try {
            pipe.sink.write(plaintext, offset, length);
        } catch (IOException | RuntimeException | Error e) {
            isTold |= e == failure;
            throw e;
        }
    }

    public void cancel() {
        isTold = true;
        stop();
    }

    /** Ends the thread when the stream that writes to it is forgotten. */
    public void stopWith(Object owner) {
        Handle.whenForgotten(owner, this::stop);
    }

    private void stop() {
        pipe.fail(new CancellationException("stopped by the caller"));
    }

    /** Ends the plaintext, and waits until all is written. */
    public void finish() throws IOException {
        checkOpen();
        pipe.end();
        await();
        isTold = true;
        Failures.rethrow(failure);
        finished = true;
    }

    /** Closes the other stream, which has no end of a sealed file unless it was finished. */
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        try (sealed) {
            await();
        }
        if (finished || isTold) {
            return;
        }
        // One that was thrown already would be thrown while it is handled.
        if (!(failure instanceof CancellationException)) {
            Failures.rethrow(failure);
        }
        throw new IOException("closed before finish(): the sealed file has no end and does not open");
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("this stream is closed");
        }
    }

    private void await() throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the end of the sealed file was written");
        }
    }
}
