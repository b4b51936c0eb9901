package dev.sivka.spark;

import dev.sivka.AesGcmSiv;
import dev.sivka.SealedFileException;
import dev.sivka.XChaCha20Blake2bSiv;

/**
 * The keys that one key file gives to columns: one for each algorithm, so that a file may serve
 * both, and sealed files beside. {@code docs/spec/column-v1.md} says how they are derived.
 */
final class ColumnKey implements AutoCloseable {
    final AesGcmSiv sealing;
    final XChaCha20Blake2bSiv tokens;
    private volatile boolean closed;

    /**
     * Makes the keys.
     *
     * @param text the content of a key file; the caller wipes it
     * @throws SealedFileException if it is not a key file
     * @throws IllegalArgumentException if it is not UTF-8
     */
    ColumnKey(byte[] text) throws SealedFileException {
        sealing = AesGcmSiv.forColumns(text);
        tokens = XChaCha20Blake2bSiv.forColumns(text);
    }

    boolean isClosed() {
        return closed;
    }

    /** Wipes the keys, once no call uses them. */
    @Override
    public void close() {
        closed = true;
        sealing.close();
        tokens.close();
    }
}
