package dev.sivka;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/**
 * A channel that seals what is written to it. Only {@link #finish} ends the sealed file; for the
 * rest, it does what {@link SealingOutputStream} does.
 */
public final class SealingChannel implements WritableByteChannel {
    private final SealingOutputStream stream;
    private final WritableByteChannel channel;

    SealingChannel(SealingOutputStream stream) {
        this.stream = stream;
        channel = Channels.newChannel(stream);
    }

    /**
     * Seals all bytes that remain in a buffer.
     *
     * @throws IOException if the other channel cannot be written, or this one is finished or closed
     */
    @Override
    public int write(ByteBuffer plaintext) throws IOException {
        return channel.write(plaintext);
    }

    /**
     * Seals the rest, and ends the sealed file. The other channel stays open.
     *
     * @throws IOException as {@link SealingOutputStream#finish}
     * @throws java.util.concurrent.CancellationException after {@link #cancel}
     */
    public void finish() throws IOException {
        stream.finish();
    }

    /** Gives the sealed file up, as {@link SealingOutputStream#cancel} does. */
    public void cancel() {
        stream.cancel();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    /**
     * Closes the other channel. Again, it does nothing.
     *
     * @throws IOException as {@link SealingOutputStream#close}: also if nobody called
     *     {@link #finish}; the sealed file has no end then
     */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
