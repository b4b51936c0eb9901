package dev.sivka.spark;

import org.apache.spark.SparkThrowable;

/**
 * A call of a Sivka function that cannot be carried out: a wrong call, a key that is not there,
 * or a value that does not open. The message names the function, the key and the column, and
 * nothing of what is in them. If a query is wrong, whoever analyses it gets an
 * {@code AnalysisException} that says the same.
 */
public final class ColumnException extends RuntimeException implements SparkThrowable {
    private static final long serialVersionUID = 1;

    private final Condition condition;
    private final String text;

    ColumnException(Condition condition, String text) {
        super(condition.message(text));
        this.condition = condition;
        this.text = text;
    }

    /** The same for who analyses a query. */
    ColumnAnalysisException ofAnalysis() {
        return new ColumnAnalysisException(condition, text);
    }

    /** The kind of error, in Spark 4. */
    public String getCondition() {
        return condition.name();
    }

    /** The kind of error, in Spark 3.5. */
    @SuppressWarnings("deprecation")
    public String getErrorClass() {
        return condition.name();
    }

    @Override
    public String getSqlState() {
        return condition.sqlState;
    }
}
