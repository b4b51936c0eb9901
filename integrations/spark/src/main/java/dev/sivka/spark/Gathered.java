package dev.sivka.spark;

import dev.sivka.Column;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Values of some rows, one after the other. */
final class Gathered {
    /** What a long value has taken is not kept for the next rows. */
    private static final int KEPT_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 1 << 10;

    /** Told of bytes before they are allocated, and of fewer after they are dropped. */
    private final LongConsumer memory;

    private final int[] offsets;
    private final byte[] validity;
    private byte[] bytes;
    private int count;
    private boolean hasNulls;

    /** Room for so many. */
    Gathered(int most, LongConsumer memory) {
        this.memory = memory;
        memory.accept(4L * (most + 1) + (most + 7) / 8 + FIRST_BYTES);
        bytes = new byte[FIRST_BYTES];
        offsets = new int[most + 1];
        validity = new byte[(most + 7) / 8];
    }

    void clear() {
        count = 0;
        hasNulls = false;
        Arrays.fill(validity, (byte) 0);
        if (bytes.length > KEPT_BYTES) {
            int dropped = bytes.length;
            bytes = new byte[FIRST_BYTES];
            memory.accept(FIRST_BYTES - dropped);
        }
    }

    /** Adds the value of a row at some place, where text or bytes are, and gives its length. */
    int add(InternalRow row, int at, boolean isText) {
        if (isText || row instanceof UnsafeRow) {
            // Text and bytes lie in such a row alike, and from there need no array of their own.
            UTF8String value = row.getUTF8String(at);
            int start = room(value.numBytes());
            value.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + start);
            return value.numBytes();
        }
        byte[] value = row.getBinary(at);
        int start = room(value.length);
        System.arraycopy(value, 0, bytes, start, value.length);
        return value.length;
    }

    void addNull() {
        offsets[count + 1] = offsets[count];
        count++;
        hasNulls = true;
    }

    /** Room for the next value: where it begins. */
    private int room(int len) {
        int start = offsets[count];
        int end = Math.addExact(start, len);
        if (end > bytes.length) {
            int before = bytes.length;
            int after = (int) Math.max(end, Math.min(2L * before, KEPT_BYTES));
            memory.accept(after);
            bytes = Arrays.copyOf(bytes, after);
            memory.accept(-before);
        }
        validity[count / 8] |= (byte) (1 << count % 8);
        offsets[++count] = end;
        return start;
    }

    /** How many bytes the values have. */
    int size() {
        return offsets[count];
    }

    boolean isNull(int i) {
        return (validity[i / 8] >> i % 8 & 1) == 0;
    }

    /** The values as the library takes them, until others are gathered. */
    Column column() {
        return new Column(bytes, offsets(), hasNulls ? validity : null);
    }

    byte[] bytes() {
        return bytes;
    }

    int[] offsets() {
        return count + 1 == offsets.length ? offsets : Arrays.copyOf(offsets, count + 1);
    }
}
