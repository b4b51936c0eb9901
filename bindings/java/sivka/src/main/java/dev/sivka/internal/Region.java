package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/**
 * Some bytes of the caller's: a part of an array, or native memory under a direct buffer,
 * whatever happens to the buffer's position meanwhile. Who works in the memory keeps the
 * region reachable.
 */
public final class Region {
    /** Null for native memory. */
    final byte[] array;
    /** An index of the array, or an address. */
    final long at;
    final int len;
    /** Keeps native memory alive; null for an array. */
    private final ByteBuffer buffer;

    private Region(byte[] array, long at, int len, ByteBuffer buffer) {
        this.array = array;
        this.at = at;
        this.len = len;
        this.buffer = buffer;
    }

    /**
     * A part of an array.
     *
     * @throws IndexOutOfBoundsException if it is not within the array
     */
    public static Region of(byte[] array, int at, int len) {
        return new Region(array, Objects.checkFromIndexSize(at, len, array.length), len, null);
    }

    /**
     * What remains in a buffer.
     *
     * @throws IllegalArgumentException if Java shows neither its array nor its address, as with
     *     a read-only buffer on the heap
     */
    public static Region of(ByteBuffer buffer) {
        // Each is read once: another thread may move them, and must not lead us outside.
        int at = buffer.position();
        int limit = buffer.limit();
        int len = limit - Objects.checkFromToIndex(at, limit, buffer.capacity());
        if (buffer.isDirect()) {
            return new Region(null, Native.address(buffer) + at, len, buffer);
        }
        if (!buffer.hasArray()) {
            throw new IllegalArgumentException("a buffer without an accessible array");
        }
        return of(buffer.array(), buffer.arrayOffset() + at, len);
    }

    /**
     * {@link #of(ByteBuffer)} for a buffer that is to be written.
     *
     * @throws ReadOnlyBufferException if it may not be
     */
    public static Region writable(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return of(buffer);
    }

    public int len() {
        return len;
    }

    /** A copy, which the caller wipes. A buffer's position has not moved yet. */
    public byte[] copy() {
        byte[] copy = new byte[len];
        if (array == null) {
            buffer.duplicate().get(copy);
        } else {
            System.arraycopy(array, (int) at, copy, 0, len);
        }
        return copy;
    }

    /** Whether some byte belongs to both. */
    public boolean overlaps(Region other) {
        return array == other.array && at < other.at + other.len && other.at < at + len;
    }

    /** Whether both begin with the same byte. */
    public boolean beginsWith(Region other) {
        return array == other.array && at == other.at;
    }
}
