package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A native object that is freed once: after {@link #close} was called, when the last call that
 * uses it has returned.
 *
 * <p>A call counts itself in before it looks whether the handle is closed, and closing marks
 * the handle before it looks at the counts. So either the call sees the mark and backs out, or
 * the one that closes sees the count and leaves the freeing to that call. The counts stand
 * apart, so that threads that use one key do not wait for one another's cache lines.
 */
final class Handle implements Runnable {
    /** Integers from one count to the next: two cache lines. */
    private static final int STRIDE = 32;

    private static final int COUNTS =
            Integer.highestOneBit(Math.min(16, Runtime.getRuntime().availableProcessors()));

    private static final Cleaner CLEANER = Cleaner.create();

    private final int kind;
    private final long address;
    private final String name;
    private final AtomicIntegerArray uses = new AtomicIntegerArray(COUNTS * STRIDE);
    private final AtomicBoolean freed = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * @param kind one of the constants of {@link Native}
     * @param name what the user calls it
     */
    Handle(int kind, long address, String name) {
        this.kind = kind;
        this.address = address;
        this.name = name;
    }

    /** Frees this handle when {@code owner} is forgotten. The result closes it now. */
    Cleaner.Cleanable freeWith(Object owner) {
        return CLEANER.register(owner, this);
    }

    /**
     * Begins a use, which {@link #leave} ends, called with the same {@code lane}.
     *
     * @param lane any number; threads that give different ones do not disturb one another
     * @return the address, which stays valid until then
     * @throws IllegalStateException if this handle is closed
     */
    long enter(int lane) {
        uses.getAndIncrement(index(lane));
        if (closed) {
            leave(lane);
            throw new IllegalStateException("this " + name + " is closed");
        }
        return address;
    }

    void leave(int lane) {
        uses.getAndDecrement(index(lane));
        if (closed) {
            freeIfUnused();
        }
    }

    /** Closes this handle. Calls that run now end as if it were open. */
    @Override
    public void run() {
        closed = true;
        freeIfUnused();
    }

    boolean isFreed() {
        return freed.get();
    }

    private void freeIfUnused() {
        // A count that is zero after `closed` was set stays so, but for calls that back out.
        for (int i = 0; i < uses.length(); i += STRIDE) {
            if (uses.get(i) != 0) {
                return;
            }
        }
        if (freed.compareAndSet(false, true)) {
            Native.free(kind, address);
        }
    }

    private static int index(int lane) {
        return (lane & (COUNTS - 1)) * STRIDE;
    }
}
