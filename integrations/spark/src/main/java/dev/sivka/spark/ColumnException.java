package dev.sivka.spark;

import org.apache.spark.QueryContext;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.AnalysisException;
import scala.collection.immutable.Map;

/**
 * The error in an argument of a call, until the function is known. The text names the
 * key and the column, and nothing of what is in them.
 */
final class ColumnException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * That of {@code aes_decrypt}, with the SQLSTATE 22023. Python and Connect look a condition up
     * among Spark's own, so it cannot be one of ours.
     */
    static final String CONDITION = "INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR";

    private final String parameter;
    private final boolean isDenied;

    ColumnException(String parameter, String text) {
        this(parameter, text, false);
    }

    private ColumnException(String parameter, String text, boolean isDenied) {
        super(text);
        this.parameter = parameter;
        this.isDenied = isDenied;
    }

    /** The user lacks a right, and nothing is wrong with the call. */
    static ColumnException denied(String text) {
        return new ColumnException("key", text, true);
    }

    /** For the analysis of a query. */
    AnalysisException ofAnalysis(ColumnFunction function) {
        return isDenied
                ? new AnalysisException("FORBIDDEN_OPERATION", new Map.Map3<>(
                        "statement", "`" + function.sqlName + "`", "objectType", "key", "objectName", getMessage()))
                : new AnalysisException(CONDITION, parameters(function));
    }

    /** For the execution of a row. */
    SparkRuntimeException ofRow(ColumnFunction function) {
        return new SparkRuntimeException(CONDITION, parameters(function), null, new QueryContext[0], "");
    }

    private Map<String, String> parameters(ColumnFunction function) {
        return new Map.Map3<>(
                "parameter", "`" + parameter + "`", "functionName", "`" + function.sqlName + "`", "detailMessage", getMessage() + ".");
    }
}
