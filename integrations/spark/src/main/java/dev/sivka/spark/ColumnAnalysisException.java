package dev.sivka.spark;

import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/** A wrong call, found when its query is analysed. */
final class ColumnAnalysisException extends AnalysisException {
    private static final long serialVersionUID = 1;

    private final Condition condition;

    ColumnAnalysisException(Condition condition, String text) {
        this(condition, condition.message(text), Option.empty(), Option.empty(), Option.empty(), Map$.MODULE$.empty(), new QueryContext[0]);
    }

    private ColumnAnalysisException(
            Condition condition, String message, Option<Object> line, Option<Object> startPosition,
            Option<Throwable> cause, Map<String, String> parameters, QueryContext[] context) {
        super(message, line, startPosition, cause, Option.apply(condition.name()), parameters, context);
        this.condition = condition;
    }

    /** Spark's own knows the states of its own conditions alone. */
    @Override
    public String getSqlState() {
        return condition.sqlState;
    }

    /** With the place in the query, which Spark adds. */
    @Override
    public AnalysisException copy(
            String message, Option<Object> line, Option<Object> startPosition, Option<Throwable> cause,
            Option<String> errorClass, Map<String, String> parameters, QueryContext[] context) {
        return new ColumnAnalysisException(condition, message, line, startPosition, cause, parameters, context);
    }
}
