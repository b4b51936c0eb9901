package dev.sivka;

import dev.sivka.internal.SealingThread;
import dev.sivka.internal.StreamWork;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.Reference;

/**
 * Seals what is written to it, and writes the sealed file, or the stream that a {@link Keyset}
 * seals, to another stream. A thread of its own writes there, for a sealed file with all processors
 * at work, so the last bytes may be on their way until {@link #finish} returns.
 *
 * <p>Only {@link #finish} ends the sealed file. {@link #close} without it closes the other stream,
 * and what was written has no end and does not open: so a source that throws in the middle of a
 * {@code try} never leaves a file that looks whole. Whoever writes through another stream, such as
 * a {@code Writer}, flushes that one before {@link #finish}.
 *
 * <p>After a failure, every call throws it. One thread at a time may write.
 */
public final class SealingOutputStream extends OutputStream {
    private final SealingThread thread;

    SealingOutputStream(OutputStream sealed, StreamWork seal) {
        thread = new SealingThread(seal, sealed);
        thread.stopWith(this);
    }

    /**
     * Seals one byte.
     *
     * @throws IOException as for many
     */
    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /**
     * Seals some bytes, which are copied. Waits while many are on their way.
     *
     * @throws IOException if the other stream cannot be written, this one is closed, or the thread
     *     is interrupted
     * @throws IllegalArgumentException if there are not 1 to 64 keys
     */
    @Override
    public void write(byte[] plaintext, int offset, int length) throws IOException {
        // Forgotten in the middle of a call, it would be stopped.
        try {
            thread.write(plaintext, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Does nothing: a chunk or segment is sealed when it is full, or at the end. */
    @Override
    public void flush() {}

    /**
     * Seals the rest, ends the sealed file, and flushes the other stream, which stays open. Again,
     * it does nothing. Nothing can be written after it.
     *
     * @throws IOException if the other stream cannot be written, this one is closed, or the thread
     *     is interrupted; the sealed file has no end then
     * @throws IllegalArgumentException if there are not 1 to 64 keys
     * @throws java.util.concurrent.CancellationException after {@link #cancel}
     */
    public void finish() throws IOException {
        try {
            thread.finish();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Gives the sealed file up: it has no end, and does not open. {@link #close} closes the other
     * stream, and does not complain that the end is missing.
     */
    public void cancel() {
        thread.cancel();
    }

    /**
     * Closes the other stream. Again, it does nothing.
     *
     * @throws IOException if neither {@link #finish} nor {@link #cancel} was called, and nothing
     *     that was thrown has said why; the sealed file has no end then. Also if the other stream
     *     cannot be closed, or the thread is interrupted
     * @throws IllegalArgumentException if there are not 1 to 64 keys, and no call has said so
     */
    @Override
    public void close() throws IOException {
        try {
            thread.close();
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
