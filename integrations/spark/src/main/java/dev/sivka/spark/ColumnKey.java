package dev.sivka.spark;

import dev.sivka.AesGcmSiv;
import dev.sivka.SealedFileException;
import dev.sivka.XChaCha20Blake2bSiv;
import java.util.Optional;

/**
 * What a name stands for: the keys that a key file gives to columns, or a Tink keyset
 * ({@link KeysetKey}). A file has one key for each algorithm, so that it may serve both, and sealed
 * files beside. {@code docs/spec/column-v1.md} says how they are derived.
 */
class ColumnKey implements AutoCloseable {
    private final AesGcmSiv sealing;
    private final XChaCha20Blake2bSiv tokens;
    private volatile boolean closed;

    /**
     * Makes the keys of a key file.
     *
     * @param text its content; the caller wipes it
     * @throws SealedFileException if it is not a key file
     * @throws IllegalArgumentException if it is not UTF-8
     */
    ColumnKey(byte[] text) throws SealedFileException {
        sealing = AesGcmSiv.forColumns(text);
        tokens = XChaCha20Blake2bSiv.forColumns(text);
    }

    /** For a key that is none of a file. */
    ColumnKey() {
        sealing = null;
        tokens = null;
    }

    /** What the key is, if it is not for a function; null if it is. */
    String wrongFor(ColumnFunction function) {
        return null;
    }

    byte[] seal(ColumnFunction function, byte[] value, byte[] context) {
        return function.isOfTokens() ? tokens.seal(value, context) : sealing.seal(value, context);
    }

    /** The inverse; empty if it does not open. */
    Optional<byte[]> open(ColumnFunction function, byte[] sealed, byte[] context) {
        return function.isOfTokens() ? tokens.open(sealed, context) : sealing.open(sealed, context);
    }

    boolean isClosed() {
        return closed;
    }

    /** Wipes the keys, once no call uses them. */
    @Override
    public void close() {
        closed = true;
        wipe();
    }

    void wipe() {
        sealing.close();
        tokens.close();
    }
}
