package dev.sivka.spark;

/** The functions, as SQL names them. */
enum ColumnFunction {
    SEAL("sivka_seal", "value", false),
    OPEN("sivka_open", "sealed", false),
    TRY_OPEN("sivka_try_open", "sealed", true),
    TOKEN("sivka_token", "value", false),
    OPEN_TOKEN("sivka_open_token", "token", false),
    TRY_OPEN_TOKEN("sivka_try_open_token", "token", true);

    final String sqlName;

    /** The name of the first argument. */
    final String argument;

    /** Whether what does not open gives null. */
    final boolean givesNull;

    ColumnFunction(String sqlName, String argument, boolean givesNull) {
        this.sqlName = sqlName;
        this.argument = argument;
        this.givesNull = givesNull;
    }

    /** Whether equal arguments give equal results: all but a fresh nonce. */
    boolean isDeterministic() {
        return this != SEAL;
    }

    boolean seals() {
        return this == SEAL || this == TOKEN;
    }

    /** Whether equal values have equal results. */
    boolean isOfTokens() {
        return this == TOKEN || this == OPEN_TOKEN || this == TRY_OPEN_TOKEN;
    }

    String signature() {
        return sqlName + "(" + argument + ", key[, context])";
    }
}
