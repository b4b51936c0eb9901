package dev.sivka.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.Metadata;
import scala.runtime.AbstractPartialFunction;

/**
 * Replaces a projection that calls functions by one that gathers rows for them, {@link BatchExec}.
 *
 * <p>It takes the calls that are evaluated for every row: a call within CASE or in a filter stays
 * where it is.
 */
final class BatchRule extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
        return new Rule<>() {
            @Override
            public SparkPlan apply(SparkPlan plan) {
                return Settings.batchRows() > 1 ? plan.transformUp(new Replacement()) : plan;
            }
        };
    }

    private static final class Replacement extends AbstractPartialFunction<SparkPlan, SparkPlan> {
        @Override
        public boolean isDefinedAt(SparkPlan plan) {
            return plan instanceof ProjectExec;
        }

        @Override
        public SparkPlan apply(SparkPlan plan) {
            return gathered((ProjectExec) plan);
        }
    }

    private static SparkPlan gathered(ProjectExec project) {
        Calls calls = new Calls(project);
        return calls.found.isEmpty() ? project : calls.gathered();
    }

    /** The calls of a projection, each with the attributes of its value, its context and its result. */
    private static final class Calls {
        private final ProjectExec project;
        final List<ColumnExpression> found = new ArrayList<>();
        private final List<NamedExpression> outputs = new ArrayList<>();
        private final List<NamedExpression> inputs = new ArrayList<>();
        private final List<Attribute> values = new ArrayList<>();
        private final List<Expression> contexts = new ArrayList<>();
        private final List<Attribute> results = new ArrayList<>();

        Calls(ProjectExec project) {
            this.project = project;
            inputs.addAll(Lists.ofScala(project.child().output()));
            for (NamedExpression output : Lists.ofScala(project.projectList())) {
                outputs.add((NamedExpression) replaced((Expression) output));
            }
        }

        private Expression replaced(Expression expression) {
            if (expression instanceof ColumnExpression) {
                ColumnExpression call = (ColumnExpression) expression;
                found.add(call);
                values.add(value(call.value()));
                contexts.add(isOne(call.context()) ? call.context() : value(call.context()));
                Attribute result = new AttributeReference(
                        call.prettyName(), call.dataType(), true, Metadata.empty(),
                        NamedExpression$.MODULE$.newExprId(), Lists.toScala(List.<String>of()));
                results.add(result);
                return result;
            }
            if (expression instanceof Alias || expression instanceof Cast) {
                Expression child = expression.children().apply(0);
                Expression other = replaced(child);
                return other == child ? expression : expression.withNewChildren(Lists.toScala(List.of(other)));
            }
            return expression;
        }

        private static boolean isOne(Expression context) {
            return context instanceof Literal && ((Literal) context).value() != null;
        }

        /** What is more than a column is computed by a projection below: compiled, or calls again. */
        private Attribute value(Expression value) {
            if (value instanceof Attribute) {
                return (Attribute) value;
            }
            Alias named = new Alias(
                    value, "value", NamedExpression$.MODULE$.newExprId(), Lists.toScala(List.<String>of()),
                    scala.Option.<Metadata>empty(), Lists.toScala(List.<String>of()));
            inputs.add(named);
            return named.toAttribute();
        }

        SparkPlan gathered() {
            SparkPlan child = project.child();
            if (inputs.size() > child.output().length()) {
                child = BatchRule.gathered(new ProjectExec(Lists.toScala(inputs), child));
            }
            return new BatchExec(
                    Lists.toScala(outputs), Lists.toScala(found), Lists.toScala(values), Lists.toScala(contexts),
                    Lists.toScala(results), child, Settings.batchRows());
        }
    }
}
