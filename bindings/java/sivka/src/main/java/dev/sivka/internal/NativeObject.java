package dev.sivka.internal;

import java.lang.ref.Cleaner;

/** A native object, which is freed when this is closed or forgotten, and the last call that uses it has returned. */
public class NativeObject implements AutoCloseable {
    final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** What a function of {@link Header} frees, by the name that the user has for it. */
    public NativeObject(int free, long address, String name) {
        handle = new Handle(free, address, name);
        cleanable = handle.freeWith(this);
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
