package dev.sivka;

import java.security.GeneralSecurityException;
import java.util.Objects;

/**
 * A keyset that cannot be read. The message says at which byte or which key, and quotes no byte
 * of a key.
 */
public final class KeysetException extends GeneralSecurityException {
    private static final long serialVersionUID = 1L;

    /** Why a keyset cannot be read. */
    public enum Reason {
        /** It is no keyset in the form that was asked for, or breaks a rule of keysets. */
        NOT_A_KEYSET,
        /** An enabled key is of a type or version that this library does not have. */
        UNKNOWN_KEY_TYPE
    }

    /** Why. */
    private final Reason reason;

    /**
     * Makes an exception.
     *
     * @param reason why the keyset cannot be read
     * @param message the same for people, with the place
     */
    public KeysetException(Reason reason, String message) {
        super(message);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /**
     * Why the keyset cannot be read.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
