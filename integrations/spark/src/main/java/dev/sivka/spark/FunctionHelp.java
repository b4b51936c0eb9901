package dev.sivka.spark;

import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;

/** The text of {@code DESCRIBE FUNCTION EXTENDED}. */
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
                "\n    Examples:\n      > SELECT " + function.sqlName + "(" + function.argument
                        + ", 'customers', 'orders.email') FROM orders;\n  ",
                "",
                "misc_funcs",
                "0.1.0",
                "",
                "scala_udf");
    }

    private static String usage(ColumnFunction function) {
        String algorithm = function.isOfTokens() ? "XChaCha20-BLAKE2b-SIV without a nonce" : "AES-256-GCM-SIV under a random nonce";
        if (function.seals()) {
            return "Encrypts and authenticates with " + algorithm + (function.isOfTokens() ? ": equal values give equal tokens." : ".");
        }
        return "Decrypts what was sealed with " + algorithm + ". What does not open "
                + (function.givesNull ? "gives NULL." : "fails the query.");
    }
}
