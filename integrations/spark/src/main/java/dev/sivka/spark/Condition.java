package dev.sivka.spark;

/** What kinds of errors there are, each with its SQLSTATE. Spark calls a kind a condition. */
enum Condition {
    /** A number of arguments, or an argument, that no call may have. */
    SIVKA_WRONG_CALL("22023"),
    /** The application's configuration has no such key, or says wrongly where it is. */
    SIVKA_UNKNOWN_KEY("42704"),
    /** The application's configuration does not let the session's user use the key so. */
    SIVKA_KEY_NOT_ALLOWED("42501"),
    /** Where the configuration says that a key is, there is none. */
    SIVKA_KEY_NOT_FOUND("58030"),
    SIVKA_NULL_CONTEXT("22004"),
    SIVKA_DOES_NOT_OPEN("22000");

    final String sqlState;

    Condition(String sqlState) {
        this.sqlState = sqlState;
    }

    /** As Spark writes its own. */
    String message(String text) {
        return "[" + name() + "] " + text + ". SQLSTATE: " + sqlState;
    }
}
