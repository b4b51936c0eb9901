package dev.sivka.spark;

/**
 * A call of a Sivka function that cannot be carried out: a wrong call, a key that is not there,
 * or a value that does not open. The message names the function, the key and the column, and
 * nothing of what is in them.
 */
public final class ColumnException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ColumnException(String message) {
        super(message);
    }
}
