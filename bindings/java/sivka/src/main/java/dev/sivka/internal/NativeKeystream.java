package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;

/** A keystream of Kuznyechik in native memory. Threads take turns. */
public final class NativeKeystream implements AutoCloseable {
    private final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** Makes one of CTR. */
    public NativeKeystream(byte[] key, byte[] iv) {
        this(key, iv, false, 0);
    }

    /** Makes one of CTR-ACPKM. */
    public NativeKeystream(byte[] key, byte[] iv, long sectionLen) {
        this(key, iv, true, Numbers.notNegative("sectionLength", sectionLen));
    }

    private NativeKeystream(byte[] key, byte[] iv, boolean isAcpkm, long sectionLen) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(iv, "iv");
        handle = new Handle(Native.KEYSTREAM, Native.newCtr(key, iv, isAcpkm, sectionLen), "keystream");
        cleanable = handle.freeWith(this);
    }

    public synchronized void apply(Region inOut) {
        Lane lane = handle.enter();
        try {
            Native.applyKeystream(handle.address(), inOut.array, inOut.place(), inOut.len);
        } finally {
            handle.leave(lane);
            Reference.reachabilityFence(this);
            Reference.reachabilityFence(inOut);
        }
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
