package dev.sivka;

/** How a {@link Keyset} is written. */
public enum KeysetForm {
    /** In binary, a message of protocol buffers. */
    BINARY,
    /** In JSON, UTF-8. */
    JSON
}
