package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A native object that is freed once: after {@link #run} was called, when the last call that
 * uses it has returned.
 *
 * <p>A call shows its use in a {@link Lane} before it looks whether the handle is closed, and
 * closing marks the handle before it looks at the lanes. So either the call sees the mark and
 * backs out, or the one that closes sees the use and leaves the freeing to that call. Threads
 * that use one key have lanes of their own, and do not wait for one another's cache lines.
 */
final class Handle implements Runnable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    /** Never used again, as an address would be. */
    private final long number = LAST_NUMBER.incrementAndGet();

    private final int free;
    private final long address;
    private final String name;
    /** Uses that no lane shows. */
    private final AtomicInteger withoutLane = new AtomicInteger();
    private final AtomicBoolean freed = new AtomicBoolean();
    private volatile boolean closed;

    /** What a function of {@link Header} frees, by the name that the user has for it. */
    Handle(int free, long address, String name) {
        this.free = free;
        this.address = address;
        this.name = name;
    }

    /** Frees this handle when {@code owner} is forgotten. The result closes it now. */
    Cleaner.Cleanable freeWith(Object owner) {
        return CLEANER.register(owner, this);
    }

    /** What the native side knows this by; to be used from {@link #enter} to {@link #leave}. */
    long address() {
        return address;
    }

    /** Begins a use, which {@link #leave} ends; an exception if this handle is closed. */
    Lane enter() {
        Lane lane = Lane.take(number);
        if (lane == Lane.NONE) {
            withoutLane.getAndIncrement();
        }
        if (closed) {
            leave(lane);
            throw new IllegalStateException("this " + name + " is closed");
        }
        return lane;
    }

    void leave(Lane lane) {
        if (lane == Lane.NONE) {
            withoutLane.getAndDecrement();
        } else {
            lane.giveBack();
        }
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
        // A lane without this after `closed` was set stays so, but for calls that back out.
        if (!Lane.isUser(number) && withoutLane.get() == 0 && freed.compareAndSet(false, true)) {
            Native.call(free, address);
        }
    }
}
