package dev.sivka.internal;

import dev.sivka.SealedFileException;
import java.util.Objects;

/** A key of one algorithm in native memory, for {@link Message} and {@link Batches}. */
public final class NativeKey extends NativeObject {
    /** Null for the keys of a keyset, which take no nonces. */
    final Algorithm algorithm;

    /** Makes a key, which is copied; an exception for one of a wrong length. */
    public NativeKey(Algorithm algorithm, byte[] key) {
        this(
                algorithm, Native.call(Header.sivka_key_new, algorithm.number(), Objects.requireNonNull(key, "key")),
                algorithm.name() + " key");
    }

    private NativeKey(Algorithm algorithm, long address, String name) {
        super(Header.sivka_key_free, address, name);
        this.algorithm = algorithm;
    }

    /** The keys of a keyset, for one purpose. */
    static NativeKey ofKeyset(long address) {
        return new NativeKey(null, address, "keyset");
    }

    /** The key for columns under an algorithm that the content of a key file gives. */
    public static NativeKey ofColumns(Algorithm algorithm, byte[] keyFile) throws SealedFileException {
        Objects.requireNonNull(keyFile, "keyFile");
        long made = Native.<SealedFileException>call(Header.sivka_column_key_new, algorithm.number(), keyFile);
        return new NativeKey(algorithm, made, algorithm.name() + " key");
    }

    /** A new array for the output, while the key is alive; it may be a little longer than that. */
    byte[] newOutput(boolean isSealing, boolean isDrawn, int inputLen) {
        if (algorithm != null) {
            return algorithm.newOutput(isSealing, isDrawn, inputLen);
        }
        int function = isSealing ? Header.sivka_key_seal_len : Header.sivka_key_open_len;
        return Algorithm.newArray(Native.call(function, handle.address(), inputLen));
    }

    public Algorithm algorithm() {
        return algorithm;
    }
}
