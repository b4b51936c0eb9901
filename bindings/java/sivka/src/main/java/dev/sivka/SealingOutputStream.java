package dev.sivka;

import dev.sivka.internal.NativeStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.CancellationException;

/**
 * Seals the bytes that are written to it, and writes the sealed file, or the stream that a {@link
 * Keyset} seals, to another stream. It seals in the thread that writes, for a sealed file with all
 * processors at work, some MiB at a time: the last bytes come out when {@link #finish} returns.
 *
 * <p>Only {@link #finish} ends the sealed file. {@link #close} without it closes the other stream,
 * and the output has no end and does not open. So a source that throws in the middle of a {@code
 * try} never leaves a file that looks whole. If you write through another stream, such as a
 * {@code Writer}, flush that one before {@link #finish}.
 *
 * <p>After a failure, every call throws it. One thread at a time may write.
 */
public final class SealingOutputStream extends OutputStream {
    private final NativeStream stream;
    private final OutputStream sealed;
    private byte[] output = {};
    private boolean finished;
    private boolean closed;

    SealingOutputStream(OutputStream sealed, NativeStream sealer) {
        this.sealed = sealed;
        stream = sealer;
    }

    /** Seals one byte. */
    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Seals some bytes, unless this stream is finished or closed. */
    @Override
    public void write(byte[] plaintext, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, plaintext.length);
        NativeStream.checkOpen(closed);
        if (finished) {
            throw new IOException("nothing can be written after finish()");
        }
        stream.guarded(() -> pass(plaintext, offset, length));
    }

    /** Takes all of some bytes, or the end, and writes what comes of it. */
    private int pass(byte[] bytes, int offset, int length) throws IOException {
        if (length >= output.length) {
            output = new byte[Math.min(length, NativeStream.PIECE_LEN) + NativeStream.BUFFER_LEN];
        }
        int done = 0;
        int made;
        do {
            int given = Math.min(length - done, NativeStream.PIECE_LEN);
            long step = stream.step(bytes, offset + done, given, output, 0, output.length);
            done += NativeStream.used(step);
            made = NativeStream.made(step);
            if (made > 0) {
                sealed.write(output, 0, made);
            }
        } while (bytes == null ? made > 0 : done < length || made == output.length);
        return done;
    }

    /** Does nothing: a chunk or segment is sealed when it is full, or at the end. */
    @Override
    public void flush() {}

    /**
     * Seals the rest, ends the sealed file, and flushes the other stream, which stays open. Again,
     * it does nothing. Nothing can be written after it.
     *
     * @throws IOException if the other stream cannot be written, or this one is closed; the sealed
     *     file has no end then
     * @throws CancellationException after {@link #cancel}
     */
    public void finish() throws IOException {
        NativeStream.checkOpen(closed);
        if (!finished) {
            stream.guarded(() -> {
                int done = pass(null, 0, 0);
                sealed.flush();
                return done;
            });
            finished = true;
        }
    }

    /**
     * Gives the sealed file up: it has no end, and does not open. {@link #close} closes the other
     * stream, and does not complain that the end is missing.
     */
    public void cancel() {
        stream.fail(new CancellationException("stopped by the caller"));
    }

    /**
     * Closes the other stream. Again, it does nothing.
     *
     * @throws IOException if neither {@link #finish} nor {@link #cancel} was called, and no call
     *     has failed; the sealed file has no end then. Also if the other stream cannot be closed
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        stream.close();
        sealed.close();
        if (!finished && !stream.hasFailed()) {
            throw new IOException("closed before finish(): the sealed file has no end and does not open");
        }
    }
}
