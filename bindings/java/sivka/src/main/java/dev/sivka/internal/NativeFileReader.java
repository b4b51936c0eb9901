package dev.sivka.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/** The plaintext of a sealed file as a channel. */
public final class NativeFileReader extends NativeObject implements SeekableByteChannel {
    private final long size;
    private long position;
    private volatile boolean open = true;

    /** Opens a sealed file. */
    public NativeFileReader(NativeObject keys, Path input) throws IOException {
        super(
                Header.sivka_file_reader_free,
                Native.<IOException>call(Header.sivka_file_reader_new, Arguments.path(input), keys), "channel");
        size = Native.call(Header.sivka_file_reader_len, this);
    }

    @Override
    public synchronized int read(ByteBuffer out) throws IOException {
        if (out.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        checkOpen();
        if (position >= size) {
            return -1;
        }
        try {
            ByteBuffer part = out.slice(out.position(), Math.min(out.remaining(), NativeStream.PIECE_LEN));
            int len = (int) Native.<IOException>call(Header.sivka_file_reader_read, this, position, part);
            out.position(out.position() + len);
            position += len;
            return len;
        } catch (IllegalStateException closedMeanwhile) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int write(ByteBuffer in) throws IOException {
        checkOpen();
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) throws IOException {
        checkOpen();
        throw new NonWritableChannelException();
    }

    @Override
    public synchronized long position() throws IOException {
        checkOpen();
        return position;
    }

    @Override
    public synchronized SeekableByteChannel position(long newPosition) throws IOException {
        checkOpen();
        if (newPosition < 0) {
            throw new IllegalArgumentException("position: 0 or more expected, " + newPosition + " given");
        }
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return size;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        super.close();
    }

    private void checkOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }
}
