package dev.sivka.spark;

import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;

/** What {@code DESCRIBE FUNCTION EXTENDED} says. */
final class FunctionHelp {
    private FunctionHelp() {}

    static ExpressionInfo of(ColumnFunction function) {
        return new ExpressionInfo(
                ColumnExpression.class.getName(),
                null,
                function.sqlName,
                "_FUNC_" + function.signature().substring(function.sqlName.length()) + " - " + usage(function),
                "\n    Arguments:\n"
                        + "      * " + function.argument + " - BINARY or STRING\n"
                        + "      * key - the name of a key, a constant: " + KeyLocation.SETTING + "NAME says where it is\n"
                        + "      * context - BINARY or STRING that is authenticated and not stored, such as the names"
                        + " of table and column; empty if left out\n  ",
                "\n    Examples:\n      > SELECT " + example(function) + ";\n  ",
                "",
                "misc_funcs",
                "0.1.0",
                "",
                "scala_udf");
    }

    private static String usage(ColumnFunction function) {
        switch (function) {
            case SEAL:
                return "Encrypts and authenticates with AES-256-GCM-SIV under a random nonce: nonce, ciphertext and tag,"
                        + " 28 bytes more than the value.";
            case OPEN:
                return "Decrypts what sivka_seal made. A value that does not open fails the query.";
            case TRY_OPEN:
                return "Decrypts what sivka_seal made. A value that does not open gives NULL.";
            case TOKEN:
                return "Encrypts and authenticates with XChaCha20-BLAKE2b-SIV, deterministic and committing: equal values"
                        + " of one key and context give equal tokens, 32 bytes more than the value.";
            case OPEN_TOKEN:
                return "Decrypts what sivka_token made. A token that does not open fails the query.";
            case TRY_OPEN_TOKEN:
                return "Decrypts what sivka_token made. A token that does not open gives NULL.";
            default:
                throw new AssertionError(function);
        }
    }

    private static String example(ColumnFunction function) {
        return function.sqlName + "(" + function.argument + ", 'customers', 'orders.email') FROM orders";
    }
}
