package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A place for one call at a time: it shows which {@link Handle} the call uses, and has native
 * memory for one short message. To copy that there and back costs less than to lend its arrays
 * to native code.
 *
 * <p>The lanes are in a fixed table, so that any number of threads, virtual ones too, share a
 * bounded amount of memory. What a call leaves in that memory is ciphertext, nonces and AAD; it
 * wipes plaintext.
 */
final class Lane {
    /** The bytes of one lane's memory. */
    static final int CAPACITY = 4096;

    /** Of calls that found no lane. It has no memory, and shows nothing. */
    static final Lane NONE = new Lane(-1, null, 0);

    private static final byte[] ZEROS = new byte[CAPACITY];

    private static final int COUNT =
            2 * Integer.highestOneBit(Math.max(8, 4 * Runtime.getRuntime().availableProcessors()));

    /** Numbers from one lane to the next: two cache lines. */
    private static final int STRIDE = 16;

    /** How many lanes a thread looks at. */
    private static final int TRIES = 4;

    /** For each lane the number of the handle that is used there; 0 for none. */
    private static final AtomicLongArray USERS = new AtomicLongArray(COUNT * STRIDE);

    /** Null where a lane was not needed yet. Only a lane's user reads or writes its element. */
    private static final Lane[] LANES = new Lane[COUNT];

    private final int place;
    final ByteBuffer memory;
    final long address;

    private Lane(int place, ByteBuffer memory, long address) {
        this.place = place;
        this.memory = memory;
        this.address = address;
    }

    /** Takes a lane for a handle; {@link #NONE} if those that this thread may have are taken. */
    static Lane take(long user) {
        // Differs for threads that run at the same time, mostly.
        int first = (int) Thread.currentThread().getId();
        for (int i = 0; i < TRIES; i++) {
            int place = (first + i) & (COUNT - 1);
            if (USERS.compareAndSet(place * STRIDE, 0, user)) {
                Lane lane = LANES[place];
                return lane == null ? make(place) : lane;
            }
        }
        return NONE;
    }

    private static Lane make(int place) {
        Lane made = null;
        try {
            ByteBuffer memory = ByteBuffer.allocateDirect(CAPACITY);
            made = new Lane(place, memory, Native.address(memory));
            LANES[place] = made;
            return made;
        } finally {
            if (made == null) {
                USERS.set(place * STRIDE, 0);
            }
        }
    }

    void giveBack() {
        USERS.set(place * STRIDE, 0);
    }

    /** Whether a handle is used in some lane. */
    static boolean isUser(long handle) {
        for (int i = 0; i < USERS.length(); i += STRIDE) {
            if (USERS.get(i) == handle) {
                return true;
            }
        }
        return false;
    }

    boolean hasRoom(long len) {
        return memory != null && len <= CAPACITY;
    }

    void wipe(int at, int len) {
        memory.put(at, ZEROS, 0, len);
    }
}
