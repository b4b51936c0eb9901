package dev.sivka.spark;

import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.trees.Origin;
import scala.collection.immutable.Map;

/** A user who may not use a key: SQLSTATE 42501, for which Spark has no condition of its own. */
final class PermissionException extends AnalysisException {
    private static final long serialVersionUID = 1;

    /** Python and Connect look a condition up among Spark's own. */
    private static final String CONDITION = "FORBIDDEN_OPERATION";

    private static final String SQLSTATE = "42501";

    private final String text;

    PermissionException(ColumnFunction function, String text) {
        super(CONDITION, new Map.Map3<>("statement", "`" + function.sqlName + "`", "objectType", "key", "objectName", text));
        this.text = "[" + CONDITION + "] `" + function.sqlName + "`: " + text + ". SQLSTATE: " + SQLSTATE;
    }

    @Override
    public String getSqlState() {
        return SQLSTATE;
    }

    @Override
    public String getMessage() {
        return text;
    }

    /** Spark copies an exception to add where in the query it is; the copy would be of its own class. */
    @Override
    public AnalysisException withPosition(Origin origin) {
        return this;
    }
}
