package dev.sivka.internal.jce;

import java.util.Arrays;
import java.util.function.Consumer;

/** Nonces that are drawn at once and given one by one: entering native code takes as long as sealing. */
final class NoncesAhead {
    static final int COUNT = 16;

    /** Those that were not given, after zeros. */
    private byte[] nonces = new byte[0];
    private int at;

    /**
     * The next nonce, which is erased here.
     *
     * @param draw overwrites an array with nonces; what it throws comes out, and none was drawn then
     */
    byte[] next(int len, Consumer<byte[]> draw) {
        if (at == nonces.length) {
            byte[] drawn = new byte[len * COUNT];
            draw.accept(drawn);
            nonces = drawn;
            at = 0;
        }
        int from = at;
        // Whatever happens from here on, this one is not given again.
        at += len;
        byte[] nonce = Arrays.copyOfRange(nonces, from, at);
        Arrays.fill(nonces, from, at, (byte) 0);
        return nonce;
    }
}
