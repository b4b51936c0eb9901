package dev.sivka.spark;

import dev.sivka.Column;
import dev.sivka.Keyset;
import dev.sivka.KeysetException;
import dev.sivka.KeysetForm;
import dev.sivka.KeysetInfo;
import dev.sivka.OpenedColumn;
import java.util.Arrays;
import java.util.Optional;

/**
 * A Tink keyset as a key: one for AEAD seals and opens, one for deterministic AEAD makes tokens.
 * Values begin with the id of their key, as Tink has it. A keyset has no columns: its values are
 * sealed and opened one by one.
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
    Column sealAll(ColumnFunction function, Column values, byte[] context, int[] offsets) {
        byte[][] results = new byte[values.size()][];
        for (int i = 0; i < results.length; i++) {
            if (!values.isNull(i)) {
                results[i] = seal(function, part(values.bytes(), values.offsets(), i), part(context, offsets, i));
            }
        }
        return joined(results, values.validity());
    }

    @Override
    OpenedColumn openAll(ColumnFunction function, Column sealed, byte[] context, int[] offsets) {
        byte[][] results = new byte[sealed.size()][];
        boolean[] opened = new boolean[results.length];
        for (int i = 0; i < results.length; i++) {
            if (sealed.isNull(i)) {
                opened[i] = true;
                continue;
            }
            byte[] row = part(sealed.bytes(), sealed.offsets(), i);
            results[i] = open(function, row, part(context, offsets, i)).orElse(null);
            opened[i] = results[i] != null;
        }
        return new OpenedColumn(joined(results, sealed.validity()), opened);
    }

    /** The bytes of one value, or all if there are no offsets. */
    private static byte[] part(byte[] bytes, int[] offsets, int index) {
        return offsets == null ? bytes : Arrays.copyOfRange(bytes, offsets[index], offsets[index + 1]);
    }

    /** A column of these; of null no bytes. */
    private static Column joined(byte[][] values, byte[] validity) {
        int[] offsets = new int[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            offsets[i + 1] = Math.addExact(offsets[i], values[i] == null ? 0 : values[i].length);
        }
        byte[] bytes = new byte[offsets[values.length]];
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                System.arraycopy(values[i], 0, bytes, offsets[i], values[i].length);
            }
        }
        return new Column(bytes, offsets, validity);
    }

    @Override
    void wipe() {
        keyset.close();
    }
}
