package dev.sivka.internal.jce;

import java.nio.ByteBuffer;
import java.security.ProviderException;
import java.util.Arrays;

/** Bytes that come in pieces. Those that are no longer needed are overwritten with zeros. */
final class SecretBuffer {
    private static final byte[] NONE = new byte[0];

    /** As long as an array can be in every virtual machine. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    /** A longer array is given to the collector when its message is done. */
    static final int KEPT = 1 << 16;

    private byte[] bytes = NONE;
    private int len;

    byte[] bytes() {
        return bytes;
    }

    int len() {
        return len;
    }

    void append(byte[] from, int at, int count) {
        makeRoom(count);
        System.arraycopy(from, at, bytes, len, count);
        len += count;
    }

    /** Appends what remains in a buffer, and moves its position there. */
    void append(ByteBuffer from) {
        int count = from.remaining();
        makeRoom(count);
        from.get(bytes, len, count);
        len += count;
    }

    /** How many bytes there is room for when so many more have come. */
    int capacityWith(int count) {
        if (count > MOST - len) {
            throw new ProviderException("a message is longer than an array can be");
        }
        int twice = (int) Math.min(MOST, 2L * bytes.length);
        return count > bytes.length - len ? Math.max(twice, len + count) : bytes.length;
    }

    private void makeRoom(int count) {
        int capacity = capacityWith(count);
        if (capacity > bytes.length) {
            byte[] longer = new byte[capacity];
            System.arraycopy(bytes, 0, longer, 0, len);
            Arrays.fill(bytes, 0, len, (byte) 0);
            bytes = longer;
        }
    }

    /** Forgets all bytes. */
    void clear() {
        // Threads that share a cipher, against its rules, may leave the length of another array.
        Arrays.fill(bytes, 0, Math.min(len, bytes.length), (byte) 0);
        len = 0;
        if (bytes.length > KEPT) {
            bytes = NONE;
        }
    }
}
