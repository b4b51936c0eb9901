package dev.sivka;

/** Exceptions from the rules of keysets, for reading a {@link Keyset}. */
public enum KeysetOption {
    /**
     * Several keys may have one id, unless it is the primary's. All of them are tried on a message
     * with that prefix. Such a keyset cannot be written: remove these keys first.
     */
    DUPLICATE_IDS
}
