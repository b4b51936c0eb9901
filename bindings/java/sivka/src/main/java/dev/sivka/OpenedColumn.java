package dev.sivka;

/**
 * The opened values of a column.
 *
 * @param values the values; a row that did not open has zeros, or no bytes if it is too short
 * @param opened for each row whether it opened; a null did
 */
public record OpenedColumn(Column values, boolean[] opened) {
    /**
     * Whether every row opened.
     *
     * @return false if there is one that did not
     */
    public boolean allOpened() {
        for (boolean one : opened) {
            if (!one) {
                return false;
            }
        }
        return true;
    }
}
