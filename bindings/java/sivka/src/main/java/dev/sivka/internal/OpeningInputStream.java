package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.util.concurrent.CancellationException;

/** The plaintext of a sealed file, or of a keyset's stream, that another stream gives, opened by a thread of its own. */
public final class OpeningInputStream extends InputStream {
    private final Pipe pipe = new Pipe();
    private final InputStream sealed;
    private boolean closed;

    public OpeningInputStream(StreamWork open, InputStream sealed) {
        this.sealed = sealed;
        Pipe opened = pipe;
        Thread thread = new Thread(() -> run(open, sealed, opened), "sivka-open");
        thread.setDaemon(true);
        thread.start();
        // The thread knows the pipe alone, so that this may be forgotten.
        Handle.whenForgotten(this, () -> opened.fail(new CancellationException("the stream was forgotten")));
    }

    private static void run(StreamWork open, InputStream sealed, Pipe pipe) {
        try {
            open.run(sealed, pipe.sink);
            pipe.end();
        } catch (Throwable e) {
            pipe.failAtEnd(e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] out, int offset, int length) throws IOException {
        checkOpen();
        // Forgotten in the middle of a call, it would be stopped.
        try {
            return pipe.source.read(out, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public int available() throws IOException {
        checkOpen();
        return pipe.source.available();
    }

    /** Stops the thread; one that waits for the other stream ends when that lets it. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        pipe.fail(new CancellationException("this stream is closed"));
        pipe.wipe();
        sealed.close();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("this stream is closed");
        }
    }
}
