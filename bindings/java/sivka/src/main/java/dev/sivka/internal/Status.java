// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
package dev.sivka.internal;

/** What a native call answers: SIVKA_ERROR_* of {@code sivka.h}. */
final class Status {
    /** Everything was done. */
    static final int OK = 0;

    /** The message does not open under this key, nonce and AAD: forged, damaged, cut short or sealed otherwise; there is no saying which. */
    static final int OPEN = 1;

    /** Some messages of a batch were not done; their statuses say why. */
    static final int BATCH = 2;

    /** A pointer is NULL that may not be. */
    static final int NULL = 16;

    /** A key, nonce, tag, section or array does not have the length that it must have. */
    static final int LENGTH = 17;

    /** A buffer is too small for the result. */
    static final int CAPACITY = 18;

    /** An input is longer than the algorithm allows, or than memory can be; or there are too many. */
    static final int TOO_LONG = 19;

    /** A buffer that is written overlaps another one in a way that is not allowed. */
    static final int OVERLAP = 20;

    /** An array of numbers or pointers is not aligned. */
    static final int ALIGNMENT = 21;

    /** No algorithm has this number or name in this version, or this one does not have the call. */
    static final int ALGORITHM = 22;

    /** The algorithm's nonce is too short to be random: choose it yourself. */
    static final int NO_RANDOM_NONCE = 23;

    /** The offsets of a batch do not ascend, or go beyond their buffer. */
    static final int OFFSETS = 24;

    /** A text is not UTF-8. */
    static final int TEXT = 25;

    /** A flag is set that this version does not know. */
    static final int FLAGS = 26;

    /** No suite of the file format has this number in this version. */
    static final int SUITE = 27;

    /** The passphrase is empty. */
    static final int EMPTY_PASSPHRASE = 28;

    /** An Argon2id cost is outside the limits of the file format. */
    static final int COST = 29;

    /** A key's name is not 1 to 64 bytes, begins or ends with a space, or has a control character in it. */
    static final int KEY_NAME = 30;

    /** A file has 1 to 64 key slots, and its header space for them. */
    static final int KEY_COUNT = 31;

    /** The usage bound of the key is spent. */
    static final int USAGE_BOUND = 32;

    /** The algorithm refuses such a nonce, or a message that is empty in every part. */
    static final int REFUSED = 33;

    /** The file has no key slot with this index. */
    static final int SLOT = 34;

    /** No template of keyset keys has this name. */
    static final int TEMPLATE = 35;

    /** The keyset has no key with this id, or several. */
    static final int KEY_ID = 36;

    /** The primary key cannot be disabled, destroyed or removed. */
    static final int KEY_STATE = 37;

    /** The keyset is for another primitive, of AEAD, deterministic AEAD and streaming AEAD, than the call or the new key. */
    static final int PRIMITIVE = 38;

    /** The text of a key was given where the path of a file belongs. */
    static final int KEY_TEXT = 39;

    /** The operating system gave no random bytes. */
    static final int RANDOM = 64;

    /** The code for this CPU gave a wrong known answer and refuses to run. */
    static final int SELF_CHECK = 65;

    /** There is not enough memory. */
    static final int NO_MEMORY = 66;

    /** A defect of this library. */
    static final int INTERNAL = 67;

    /** The input is not a sealed file. */
    static final int NOT_SIVKA = 96;

    /** The file or key file needs a newer version of this library. */
    static final int NEWER = 97;

    /** The file is damaged, or somebody changed it. */
    static final int DAMAGED = 98;

    /** The end of the file is missing or damaged; nobody can tell which. */
    static final int TRUNCATED = 99;

    /** None of the given keys and passphrases opens the file. */
    static final int WRONG_KEY = 100;

    /** The file asks for more memory or time to try a passphrase than is allowed. */
    static final int COST_LIMIT = 101;

    /** The input is longer than the file format allows. */
    static final int FILE_TOO_LONG = 102;

    /** The text is not a key file, or it was damaged. */
    static final int KEY_FILE = 103;

    /** A file could not be opened or read. */
    static final int READ = 104;

    /** A file could not be created or written. */
    static final int WRITE = 105;

    /** The output exists and was not to be overwritten. */
    static final int EXISTS = 106;

    /** The caller's function that hears of the progress said to stop. */
    static final int CANCELLED = 107;

    /** The input is not a keyset in the form asked for, or breaks a rule of keysets; sivka_last_error() says where, or at which key. */
    static final int KEYSET = 108;

    /** A key of the keyset is of a type or version that this library does not have. */
    static final int KEY_TYPE = 109;

    /** The text has no recipients or identities of age's, one a line, or one that is none. */
    static final int AGE_KEY = 110;

    private Status() {}

    /** The call was wrong, and will be wrong again. */
    static boolean isMisuse(int status) {
        return status >= 16 && status <= 63;
    }
}
