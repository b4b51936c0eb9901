package dev.sivka;

/**
 * All of a key of a {@link Keyset} but the key itself and its parameters.
 *
 * @param id by which it is promoted, disabled and so on: from 0 to 2<sup>32</sup> - 1, as JSON has
 *     it. Tink for Java shows ids from 2<sup>31</sup> on as negative numbers, of which
 *     {@link Integer#toUnsignedLong} makes these
 * @param typeName the name of the type, as {@code type.googleapis.com/google.crypto.tink.AesSivKey};
 *     empty for a destroyed key
 * @param status its use
 * @param prefix the prefix of its messages
 */
public record KeysetKey(long id, String typeName, Status status, Prefix prefix) {
    /** The use of a key. */
    public enum Status {
        /** It opens, and seals if it is the primary. */
        ENABLED,
        /** It does nothing until it is enabled. */
        DISABLED,
        /** It is gone; only its id is left. */
        DESTROYED
    }

    /** The prefix of the messages of a key. It is not authenticated. */
    public enum Prefix {
        /** The byte 1 and the key's id, four bytes, the highest first. */
        TINK,
        /** The byte 0 and the key's id. */
        LEGACY,
        /** Nothing: to open what others than Tink have sealed. */
        RAW,
        /** The byte 0 and the key's id. */
        CRUNCHY
    }

    /** Id, type, status and prefix. */
    @Override
    public String toString() {
        String type = typeName.isEmpty() ? "" : typeName.substring(typeName.lastIndexOf('.') + 1) + " ";
        return id + " " + type + status + " " + prefix;
    }
}
