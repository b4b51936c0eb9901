package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/** A native object, which is freed when this is closed or forgotten, and the last call that uses it has returned. */
public class NativeObject implements AutoCloseable {
    final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** Of one of the kinds of {@link Native}, by the name that the user has for it. */
    public NativeObject(int kind, long address, String name) {
        handle = new Handle(kind, address, name);
        cleanable = handle.freeWith(this);
    }

    /** What is done with the native object while it is alive. */
    public interface Work<T, E extends Exception> {
        T with(long address) throws E;
    }

    /** The same without a result. */
    public interface Use<E extends Exception> {
        void with(long address) throws E;
    }

    public final <T, E extends Exception> T with(Work<T, E> work) throws E {
        Lane lane = handle.enter();
        try {
            return work.with(handle.address());
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
        }
    }

    public final <E extends Exception> void use(Use<E> use) throws E {
        this.<Void, E>with(address -> {
            use.with(address);
            return null;
        });
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
