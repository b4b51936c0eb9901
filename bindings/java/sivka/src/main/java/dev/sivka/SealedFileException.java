package dev.sivka;

import java.io.IOException;
import java.util.Objects;

/**
 * A sealed file, or a key file, that cannot be used. Trouble with the file system is an {@link
 * IOException} of another class.
 */
public final class SealedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why a file cannot be used. */
    public enum Reason {
        /** The input is not a sealed file. */
        NOT_A_SEALED_FILE,
        /** The file or key file needs a newer version of this library. */
        NEWER_VERSION,
        /** The file was damaged, or somebody changed it. */
        DAMAGED,
        /** The end of the file is missing or damaged; nobody can tell which. */
        TRUNCATED,
        /** None of the given keys and passphrases opens the file. */
        WRONG_KEY,
        /** The file asks for more memory or time to try a passphrase than is allowed. */
        COST_LIMIT,
        /** The input is longer than the file format allows. */
        TOO_LONG,
        /** The text is not a key file, or it was damaged. */
        NOT_A_KEY_FILE,
        /** The text has no recipients or identities of age, or one that is none. */
        NOT_AN_AGE_KEY
    }

    /** Why. */
    private final Reason reason;

    /**
     * Makes an exception.
     *
     * @param reason why the file cannot be used
     * @param message the same for people, with what was found
     */
    public SealedFileException(Reason reason, String message) {
        super(message);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /**
     * Why the file cannot be used.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
