package dev.sivka.internal;

/** The statuses of {@code sivka.h} that this package tells apart. A test compares the two. */
final class Status {
    static final int OK = 0;
    static final int OPEN = 1;
    static final int KEY_STATE = 37;
    static final int PRIMITIVE = 38;
    static final int NO_MEMORY = 66;
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

    private Status() {}

    /** The call was wrong, and will be wrong again. */
    static boolean isMisuse(int status) {
        return status >= 16 && status < 64;
    }
}
