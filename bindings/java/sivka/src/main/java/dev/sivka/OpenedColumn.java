package dev.sivka;

/**
 * The opened values of a column.
 *
 * @param values the values; a row that did not open has zeros, or no bytes if it is too short
 * @param opened for each row whether it opened; a null did
 */
public record OpenedColumn(Column values, boolean[] opened) {}
