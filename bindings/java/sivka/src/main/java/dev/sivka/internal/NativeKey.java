package dev.sivka.internal;

import dev.sivka.SealedFileException;
import java.util.Objects;

/**
 * A key of one algorithm in native memory, for {@link Messages} and {@link Batches}. Any number
 * of threads may use one at the same time.
 */
public final class NativeKey extends NativeObject {
    final Algorithm algorithm;

    /**
     * Makes a key.
     *
     * @param key as long as the algorithm wants it; copied
     * @throws IllegalArgumentException if it is not
     */
    public NativeKey(Algorithm algorithm, byte[] key) {
        this(algorithm, Native.newKey(algorithm.number(), Objects.requireNonNull(key, "key")));
    }

    private NativeKey(Algorithm algorithm, long address) {
        super(Native.KEY, address, algorithm.name() + " key");
        this.algorithm = algorithm;
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
}
