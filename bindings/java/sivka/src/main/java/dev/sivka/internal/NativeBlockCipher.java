package dev.sivka.internal;

import java.lang.ref.Reference;
import java.util.Objects;

/** A key of Kuznyechik in native memory. */
public final class NativeBlockCipher extends NativeObject {
    /** Makes a key of 32 bytes, which are copied. */
    public NativeBlockCipher(byte[] key) {
        super(Native.KUZNYECHIK, Native.newKuznyechik(Objects.requireNonNull(key, "key")), "Kuznyechik key");
    }

    /** Encrypts or decrypts each block in place. */
    public void blocks(boolean isEncrypt, Region inOut) {
        try {
            use(key -> Native.blocks(isEncrypt, key, inOut.array, inOut.place(), inOut.len));
        } finally {
            Reference.reachabilityFence(inOut);
        }
    }
}
