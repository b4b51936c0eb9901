package dev.sivka;

/**
 * The length of a tag of {@link ChaCha20Blake2b}, {@link XChaCha20Blake2b} and {@link
 * XChaCha20Blake2bSiv}. A key seals and opens with one of them; a message that was sealed with
 * another does not open.
 *
 * <p>A longer tag commits to the key, nonce and data more strongly: it takes about 2<sup>4n</sup>
 * hashes to find two that give one tag of n bytes.
 */
public enum TagLength {
    /** 32 bytes, the default: commitment of 128 bits. */
    BYTES_32(""),
    /** 48 bytes: commitment of 192 bits. */
    BYTES_48("-Tag48"),
    /** 64 bytes: commitment of 256 bits. */
    BYTES_64("-Tag64");

    /** What an algorithm's name ends with. */
    final String suffix;

    TagLength(String suffix) {
        this.suffix = suffix;
    }
}
