package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Native memory for one call, which is wiped and freed when this is closed. */
final class Memory implements AutoCloseable {
    /** What little buffers share, in bytes. */
    private static final int SHARED = 8192;

    private record Block(long address, long len) {}

    private final List<Block> blocks = new ArrayList<>();
    private final ByteBuffer shared = allocate(SHARED);

    private ByteBuffer allocate(int len) {
        Block block = new Block(Native.allocate(len), len);
        blocks.add(block);
        return Native.structure(block.address, len);
    }

    /** A buffer of zeros for some things of a length, which begins where any number may. */
    ByteBuffer zeros(int count, int each) {
        int len = Batches.arrayLen((long) count * each, "the offsets");
        int at = shared.position();
        if (len > shared.remaining()) {
            return allocate(len);
        }
        shared.position(Math.min(SHARED, (at + len + 7) / 8 * 8));
        return shared.slice(at, len).order(shared.order());
    }

    /** A copy; null for null. */
    ByteBuffer copy(byte[] bytes) {
        return bytes == null ? null : zeros(bytes.length, 1).put(0, bytes);
    }

    /** Offsets as they are, or those of the data in 64 bits; null for null. */
    ByteBuffer copy(int[] offsets, boolean isLong) {
        if (offsets == null) {
            return null;
        }
        ByteBuffer copy = zeros(offsets.length, isLong ? Long.BYTES : Integer.BYTES);
        if (isLong) {
            for (int i = 0; i < offsets.length; i++) {
                int offset = offsets[i];
                if (offset < 0) {
                    throw new IllegalArgumentException("dataOffsets: 0 or more expected, " + offset + " given");
                }
                copy.putLong(i * Long.BYTES, offset);
            }
        } else {
            copy.asIntBuffer().put(0, offsets);
        }
        return copy;
    }

    /** Where a buffer is; NULL for null. */
    static long address(ByteBuffer buffer) {
        return buffer == null ? 0 : Native.address(buffer);
    }

    @Override
    public void close() {
        blocks.forEach(block -> Native.release(block.address, block.len));
    }
}
