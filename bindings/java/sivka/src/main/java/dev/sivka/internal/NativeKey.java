package dev.sivka.internal;

import dev.sivka.SealedFileException;
import java.lang.ref.Cleaner;
import java.util.Objects;

/**
 * A key of one algorithm in native memory, for {@link Messages} and {@link Batches}. Any number
 * of threads may use one at the same time.
 */
public final class NativeKey implements AutoCloseable {
    final Algorithm algorithm;
    final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /**
     * Makes a key.
     *
     * @param key as long as the algorithm wants it; copied
     * @throws IllegalArgumentException if it is not
     */
    public NativeKey(Algorithm algorithm, byte[] key) {
        this.algorithm = algorithm;
        Objects.requireNonNull(key, "key");
        handle = new Handle(Native.KEY, Native.newKey(algorithm.number(), key), algorithm.name() + " key");
        cleanable = handle.freeWith(this);
    }

    private NativeKey(Algorithm algorithm, long address) {
        this.algorithm = algorithm;
        handle = new Handle(Native.KEY, address, algorithm.name() + " key");
        cleanable = handle.freeWith(this);
    }

    /**
     * Makes the key for columns under an algorithm from a key file.
     *
     * @param keyFile its content; copied
     * @throws SealedFileException if it is not a key file, or one of a newer version
     */
    public static NativeKey ofColumns(Algorithm algorithm, byte[] keyFile) throws SealedFileException {
        Objects.requireNonNull(keyFile, "keyFile");
        return new NativeKey(algorithm, Native.newColumnKey(algorithm.number(), keyFile));
    }

    /** A new array for the output; it may be a little longer than that. */
    byte[] newOutput(boolean isSealing, boolean isDrawn, int inputLen) {
        return algorithm.newOutput(isSealing, isDrawn, inputLen);
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** Wipes and frees the key, when the last call that uses it has returned. */
    @Override
    public void close() {
        cleanable.clean();
    }
}
