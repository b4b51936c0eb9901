package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;

/** A key of Kuznyechik in native memory. */
public final class NativeBlockCipher implements AutoCloseable {
    private final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** Makes a key of 32 bytes, which are copied. */
    public NativeBlockCipher(byte[] key) {
        Objects.requireNonNull(key, "key");
        handle = new Handle(Native.KUZNYECHIK, Native.newKuznyechik(key), "Kuznyechik key");
        cleanable = handle.freeWith(this);
    }

    /** Encrypts or decrypts each block in place. */
    public void blocks(boolean isEncrypt, Region inOut) {
        Lane lane = handle.enter();
        try {
            Native.blocks(isEncrypt, handle.address(), inOut.array, inOut.place(), inOut.len);
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
