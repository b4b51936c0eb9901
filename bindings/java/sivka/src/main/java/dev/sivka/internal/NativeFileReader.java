package dev.sivka.internal;

import java.io.IOException;
import java.lang.ref.Reference;
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
        super(Native.FILE_READER, keys.with(address -> Native.newFileReader(Arguments.path(input), address)), "channel");
        size = with(Native::fileLen);
    }

    @Override
    public synchronized int read(ByteBuffer out) throws IOException {
        if (out.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        checkOpen();
        Region region = Region.of(out);
        try {
            if (position >= size) {
                return -1;
            }
            int len = with(reader -> Native.readFile(reader, position, region.array, region.place(), region.len));
            out.position(out.position() + len);
            position += len;
            return len;
        } catch (IllegalStateException closedMeanwhile) {
            throw new ClosedChannelException();
        } finally {
            Reference.reachabilityFence(out);
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
        Arguments.notNegative("position", newPosition);
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
