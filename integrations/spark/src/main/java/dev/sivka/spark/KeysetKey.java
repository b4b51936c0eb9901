package dev.sivka.spark;

import dev.sivka.Keyset;
import dev.sivka.KeysetException;
import dev.sivka.KeysetForm;
import dev.sivka.KeysetInfo;
import java.util.Optional;

/**
 * A Tink keyset as a key: one for AEAD seals and opens, one for deterministic AEAD makes tokens.
 * Values begin with the id of their key, as Tink has it.
 */
final class KeysetKey extends ColumnKey {
    /** The most bytes of a keyset that is read. */
    static final int MAX_BYTES = 16 << 10;

    /** The first field of a keyset in binary. */
    private static final byte PRIMARY_KEY_ID = 8;

    private final Keyset keyset;
    private final KeysetInfo.Purpose purpose;

    /** Whether a text is to be read as a keyset, and not as a key file. */
    static boolean isKeyset(byte[] text) {
        return text.length > 0 && (text[0] == '{' || text[0] == PRIMARY_KEY_ID);
    }

    /**
     * Reads a keyset in the clear.
     *
     * @param text in JSON or binary; the caller wipes it
     * @throws KeysetException if it is none, or has a key of a type that the library does not have
     * @throws IllegalArgumentException if it is too long
     */
    KeysetKey(byte[] text) throws KeysetException {
        if (text.length > MAX_BYTES) {
            throw new IllegalArgumentException("a keyset of at most " + MAX_BYTES + " bytes expected");
        }
        keyset = Keyset.fromInsecure(text, text[0] == '{' ? KeysetForm.JSON : KeysetForm.BINARY);
        purpose = keyset.info().purpose();
    }

    @Override
    String wrongFor(ColumnFunction function) {
        if (purpose == (function.isOfTokens() ? KeysetInfo.Purpose.DETERMINISTIC_AEAD : KeysetInfo.Purpose.AEAD)) {
            return null;
        }
        return "is a keyset that is not for " + (function.isOfTokens() ? "deterministic AEAD" : "AEAD");
    }

    @Override
    byte[] seal(ColumnFunction function, byte[] value, byte[] context) {
        return function.isOfTokens() ? keyset.sealDeterministically(value, context) : keyset.seal(value, context);
    }

    @Override
    Optional<byte[]> open(ColumnFunction function, byte[] sealed, byte[] context) {
        return function.isOfTokens() ? keyset.openDeterministically(sealed, context) : keyset.open(sealed, context);
    }

    @Override
    void wipe() {
        keyset.close();
    }
}
