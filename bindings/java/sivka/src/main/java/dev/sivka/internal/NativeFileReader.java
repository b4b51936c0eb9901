package dev.sivka.internal;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/** The plaintext of a sealed file as a channel. */
public final class NativeFileReader implements SeekableByteChannel {
    private final Handle handle;
    private final Cleaner.Cleanable cleanable;
    private final long size;
    private long position;
    private volatile boolean open = true;

    /** Opens a sealed file. */
    public NativeFileReader(NativeFileKeys keys, Path input) throws IOException {
        handle = new Handle(Native.FILE_READER, keys.newReader(input), "channel");
        cleanable = handle.freeWith(this);
        size = Native.fileLen(handle.address());
    }

    @Override
    public synchronized int read(ByteBuffer out) throws IOException {
        if (out.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        Lane lane = enter();
        try {
            if (position >= size) {
                return -1;
            }
            Region region = Region.of(out);
            int len = Native.readFile(handle.address(), position, region.array, region.place(), region.len);
            out.position(out.position() + len);
            position += len;
            return len;
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
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
        position = Numbers.notNegative("position", newPosition);
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
        cleanable.clean();
    }

    private Lane enter() throws ClosedChannelException {
        checkOpen();
        try {
            return handle.enter();
        } catch (IllegalStateException closedMeanwhile) {
            throw new ClosedChannelException();
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }
}
