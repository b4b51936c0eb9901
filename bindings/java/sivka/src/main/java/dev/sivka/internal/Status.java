// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
package dev.sivka.internal;

/** What a native call answers: SIVKA_ERROR_* of {@code sivka.h}, which says more. */
final class Status {
    static final int OK = 0;
    static final int OPEN = 1;
    static final int BATCH = 2;
    static final int NULL = 16;
    static final int LENGTH = 17;
    static final int CAPACITY = 18;
    static final int TOO_LONG = 19;
    static final int OVERLAP = 20;
    static final int ALIGNMENT = 21;
    static final int ALGORITHM = 22;
    static final int NO_RANDOM_NONCE = 23;
    static final int OFFSETS = 24;
    static final int TEXT = 25;
    static final int FLAGS = 26;
    static final int SUITE = 27;
    static final int EMPTY_PASSPHRASE = 28;
    static final int COST = 29;
    static final int KEY_NAME = 30;
    static final int KEY_COUNT = 31;
    static final int USAGE_BOUND = 32;
    static final int REFUSED = 33;
    static final int SLOT = 34;
    static final int TEMPLATE = 35;
    static final int KEY_ID = 36;
    static final int KEY_STATE = 37;
    static final int PRIMITIVE = 38;
    static final int KEY_TEXT = 39;
    static final int RANDOM = 64;
    static final int SELF_CHECK = 65;
    static final int NO_MEMORY = 66;
    static final int INTERNAL = 67;
    static final int NOT_SIVKA = 96;
    static final int NEWER = 97;
    static final int DAMAGED = 98;
    static final int TRUNCATED = 99;
    static final int WRONG_KEY = 100;
    static final int COST_LIMIT = 101;
    static final int FILE_TOO_LONG = 102;
    static final int KEY_FILE = 103;
    static final int READ = 104;
    static final int WRITE = 105;
    static final int EXISTS = 106;
    static final int CANCELLED = 107;
    static final int KEYSET = 108;
    static final int KEY_TYPE = 109;
    static final int AGE_KEY = 110;

    private Status() {}

    /** The call was wrong, and will be wrong again. */
    static boolean isMisuse(int status) {
        return status >= 16 && status <= 63;
    }
}
