package dev.sivka.spark;

import dev.sivka.AesGcmSiv;
import dev.sivka.Keyset;
import dev.sivka.KeysetException;
import dev.sivka.KeysetForm;
import dev.sivka.KeysetInfo;
import dev.sivka.SealedFileException;
import dev.sivka.XChaCha20Blake2bSiv;
import java.util.Optional;

/**
 * The keys of a name, from a key file or a Tink keyset. A key file gives columns a key for each
 * algorithm, so it may serve both; {@code docs/spec/column-v1.md} says how they are derived. A keyset
 * for AEAD seals and opens, one for deterministic AEAD makes tokens.
 */
final class ColumnKey implements AutoCloseable {
    /** The most bytes of a keyset that is read. */
    static final int MAX_KEYSET_BYTES = 16 << 10;

    /** The first field of a keyset in binary. */
    private static final byte PRIMARY_KEY_ID = 8;

    private final AesGcmSiv sealing;
    private final XChaCha20Blake2bSiv tokens;
    /** Null for a key file; the others are null for a keyset. */
    private final Keyset keyset;
    private volatile boolean closed;

    /**
     * Makes the keys of a text.
     *
     * @param text the content of a key file, or a keyset in JSON or binary; the caller wipes it
     * @throws SealedFileException if it is no key file
     * @throws KeysetException if it is no keyset, or has a key of a type that the library does not have
     * @throws IllegalArgumentException if it is not UTF-8, or too long
     */
    ColumnKey(byte[] text) throws SealedFileException, KeysetException {
        boolean isKeyset = isKeyset(text);
        if (isKeyset && text.length > MAX_KEYSET_BYTES) {
            throw new IllegalArgumentException("a keyset of at most " + MAX_KEYSET_BYTES + " bytes expected");
        }
        keyset = isKeyset ? Keyset.fromInsecure(text, text[0] == '{' ? KeysetForm.JSON : KeysetForm.BINARY) : null;
        sealing = isKeyset ? null : AesGcmSiv.forColumns(text);
        tokens = isKeyset ? null : XChaCha20Blake2bSiv.forColumns(text);
    }

    /** Whether a text is to be read as a keyset, and not as a key file. */
    static boolean isKeyset(byte[] text) {
        return text.length > 0 && (text[0] == '{' || text[0] == PRIMARY_KEY_ID);
    }

    /** The kind of the key, if it is not for a function; null if it is. */
    String wrongFor(ColumnFunction function) {
        KeysetInfo.Purpose wanted =
                function.isOfTokens() ? KeysetInfo.Purpose.DETERMINISTIC_AEAD : KeysetInfo.Purpose.AEAD;
        if (keyset == null || keyset.info().purpose() == wanted) {
            return null;
        }
        return "is a keyset that is not for " + (function.isOfTokens() ? "deterministic AEAD" : "AEAD");
    }

    byte[] seal(ColumnFunction function, byte[] value, byte[] context) {
        if (keyset == null) {
            return function.isOfTokens() ? tokens.seal(value, context) : sealing.seal(value, context);
        }
        return function.isOfTokens() ? keyset.sealDeterministically(value, context) : keyset.seal(value, context);
    }

    /** The inverse; empty if it does not open. */
    Optional<byte[]> open(ColumnFunction function, byte[] sealed, byte[] context) {
        if (keyset == null) {
            return function.isOfTokens() ? tokens.open(sealed, context) : sealing.open(sealed, context);
        }
        return function.isOfTokens() ? keyset.openDeterministically(sealed, context) : keyset.open(sealed, context);
    }

    boolean isClosed() {
        return closed;
    }

    /** Wipes the keys, once no call uses them. */
    @Override
    public void close() {
        closed = true;
        if (keyset == null) {
            sealing.close();
            tokens.close();
        } else {
            keyset.close();
        }
    }
}
