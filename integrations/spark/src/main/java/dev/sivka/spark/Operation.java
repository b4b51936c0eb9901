package dev.sivka.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkRuntimeException;

/**
 * The work of one call of a function on each row. It goes to the executors within the plan, so
 * it has the name of its key and not the key, which each executor takes from {@link Keys}.
 */
public final class Operation implements Serializable {
    private static final long serialVersionUID = 1;

    final ColumnFunction function;
    final String keyName;

    /** The column, for messages; it makes no two operations different. */
    private final String column;

    /** The key that seals, and then others that open. */
    private transient volatile List<ColumnKey> keys;

    Operation(ColumnFunction function, String keyName, String column) {
        this.function = function;
        this.keyName = keyName;
        this.column = column;
    }

    /**
     * Seals or opens one value. Generated code calls this.
     *
     * @param value plaintext, ciphertext or token
     * @param context associated data; null is refused, as a null result would lose the value
     * @return the result; null if the value does not open and the function is one that tries
     * @throws SparkRuntimeException if the context is null, the value does not open, or the key is not
     *     there
     */
    public byte[] apply(byte[] value, byte[] context) {
        if (context == null) {
            throw new ColumnException("context", "the context of a value of " + column + " is NULL").ofRow(function);
        }
        return function.seals() ? keys().get(0).seal(function, value, context) : open(value, context);
    }

    private byte[] open(byte[] sealed, byte[] context) {
        for (ColumnKey key : keys()) {
            Optional<byte[]> opened = key.open(function, sealed, context);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        if (function.givesNull) {
            return null;
        }
        throw new ColumnException(
                function.argument,
                "a value of " + column + " does not open with key '" + keyName
                        + "' and this context: it is forged, damaged, or was sealed with others").ofRow(function);
    }

    private List<ColumnKey> keys() {
        List<ColumnKey> found = keys;
        if (found == null || found.get(0).isClosed()) {
            try {
                found = Keys.ofThisProcess(keyName);
                for (ColumnKey key : found) {
                    String wrong = key.wrongFor(function);
                    if (wrong != null) {
                        throw new ColumnException("key", "key '" + keyName + "' " + wrong);
                    }
                }
            } catch (ColumnException e) {
                throw e.ofRow(function);
            }
            keys = found;
        }
        return found;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Operation
                && function == ((Operation) other).function
                && keyName.equals(((Operation) other).keyName);
    }

    @Override
    public int hashCode() {
        return 31 * function.sqlName.hashCode() + keyName.hashCode();
    }

    /** How plans show it. */
    @Override
    public String toString() {
        return "key '" + keyName + "'";
    }
}
