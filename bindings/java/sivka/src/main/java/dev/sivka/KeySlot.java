package dev.sivka;

/**
 * A key slot of a sealed file, as anybody sees it without a key. None of it is authenticated. A
 * number that is greater than an int is given as the greatest int.
 *
 * @param kind the kind of key that opens it
 * @param keyId of a key file: a hint which one, 16 hexadecimal digits, as
 *     {@link FileKeys#keyFileId} gives them; otherwise empty
 * @param memoryKib of a passphrase: the memory of one try in KiB; otherwise 0
 * @param passes of a passphrase: the passes of one try; otherwise 0
 * @param lanes of a passphrase: the lanes of one try; otherwise 0
 */
public record KeySlot(Kind kind, String keyId, int memoryKib, int passes, int lanes) {
    /** The kind of key that opens a slot. */
    public enum Kind {
        /** The key of a key file. */
        KEY_FILE,
        /** A passphrase. */
        PASSPHRASE,
        /** The identity of an {@code age1...} recipient, which a future quantum computer could open. */
        X25519,
        /** The identity of an {@code age1pq1...} recipient, which is post-quantum. */
        MLKEM768_X25519,
        /** Something that a later version knows. */
        OTHER
    }
}
