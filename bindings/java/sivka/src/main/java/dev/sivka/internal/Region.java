package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Some bytes of the caller's, in an array or a buffer, whatever happens to the buffer's position
 * meanwhile. Who works in the memory of a direct buffer keeps the region reachable.
 */
public final class Region {
    private static final byte[] NONE = {};

    /** Null for a buffer that is direct, or does not show its array. */
    final byte[] array;
    /** Null for an array. */
    private final ByteBuffer buffer;
    /** An index of either. */
    final int at;
    final int len;
    /** Of the first byte of a direct buffer; 0 until it is asked for. */
    private long address;

    private Region(byte[] array, ByteBuffer buffer, int at, int len) {
        this.array = array;
        this.buffer = buffer;
        this.at = at;
        this.len = len;
    }

    /** All of an array. */
    public static Region of(byte[] array) {
        return new Region(array, null, 0, array.length);
    }

    /** All of an array of associated data; null is empty. */
    static Region ofData(byte[] given) {
        return of(given == null ? NONE : given);
    }

    /** The remaining bytes of a buffer of associated data; null is empty. */
    static Region ofData(ByteBuffer given) {
        Region region = given == null ? of(NONE) : of(given);
        return region.isHidden() ? of(region.copy()) : region;
    }

    /** A part of an array, or an exception. */
    public static Region of(byte[] array, int at, int len) {
        return new Region(array, null, Objects.checkFromIndexSize(at, len, array.length), len);
    }

    /** What remains in a buffer. */
    public static Region of(ByteBuffer buffer) {
        // Each is read once: another thread may move them, and must not lead us outside.
        int at = buffer.position();
        int limit = buffer.limit();
        int len = limit - Objects.checkFromToIndex(at, limit, buffer.capacity());
        return buffer.hasArray()
                ? of(buffer.array(), buffer.arrayOffset() + at, len)
                : new Region(null, buffer, at, len);
    }

    /** What remains in a buffer that is to be written. */
    public static Region writable(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return of(buffer);
    }

    /** So many bytes from its beginning on. */
    Region first(int count) {
        return new Region(array, buffer, at, count);
    }

    /** Whether Java shows neither array nor address, as of a read-only heap buffer. */
    boolean isHidden() {
        return buffer != null && !buffer.isDirect();
    }

    /** An index of the array, or an address; an exception if it {@link #isHidden}. */
    public long place() {
        if (array != null) {
            return at;
        }
        if (isHidden()) {
            throw new IllegalArgumentException("a buffer without an accessible array");
        }
        if (address == 0) {
            address = Native.address(buffer) + at;
        }
        return address;
    }

    /** Copies all bytes to native memory, from an index of that on. */
    void copyTo(ByteBuffer memory, int memoryAt) {
        if (len == 0) {
            return;
        }
        if (array != null) {
            memory.put(memoryAt, array, at, len);
        } else {
            memory.put(memoryAt, buffer, at, len);
        }
    }

    /** Overwrites the first bytes with some of native memory. */
    void copyFrom(ByteBuffer memory, int memoryAt, int count) {
        Objects.checkFromIndexSize(0, count, len);
        if (array != null) {
            memory.get(memoryAt, array, at, count);
        } else {
            buffer.put(at, memory, memoryAt, count);
        }
    }

    /** A copy, which the caller wipes if it is secret. */
    public byte[] copy() {
        if (array != null) {
            return Arrays.copyOfRange(array, at, at + len);
        }
        byte[] copy = new byte[len];
        buffer.get(at, copy);
        return copy;
    }

    /** Whether this, which is not hidden, shares a byte with a part of an array, or memory at an address. */
    boolean overlaps(byte[] otherArray, long otherAt, int otherLen) {
        return array == otherArray && place() < otherAt + otherLen && otherAt < place() + len;
    }
}
