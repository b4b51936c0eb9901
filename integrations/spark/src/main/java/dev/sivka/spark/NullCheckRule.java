package dev.sivka.spark;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractPartialFunction;

/**
 * Asks of a value whether it is null, and not of its token, which is null if the value is. Spark
 * asks that before each join, and would make every token twice.
 */
final class NullCheckRule extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return plan.transformAllExpressions(new Replacement());
    }

    private static final class Replacement extends AbstractPartialFunction<Expression, Expression> {
        @Override
        public boolean isDefinedAt(Expression check) {
            return (check instanceof IsNull || check instanceof IsNotNull)
                    && check.children().apply(0) instanceof ColumnExpression
                    && ((ColumnExpression) check.children().apply(0)).isNullIfItsValueIs();
        }

        @Override
        public Expression apply(Expression check) {
            Expression value = ((ColumnExpression) check.children().apply(0)).value();
            return check instanceof IsNull ? new IsNull(value) : new IsNotNull(value);
        }
    }
}
