package dev.sivka.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.StringType;
import scala.collection.Seq;
import scala.collection.immutable.Map;
import scala.runtime.AbstractPartialFunction;

/**
 * A projection that gathers rows, and calls the native library once for each column of them. It
 * gives the rows that it stands for one by one, in their order; a value that does not open fails
 * the query when its row is asked for, so that a limit does not meet what is after it.
 */
public final class BatchExec extends SparkPlan {
    private static final long serialVersionUID = 1;

    private final Seq<NamedExpression> outputs;
    private final Seq<ColumnExpression> calls;
    private final Seq<Attribute> values;
    private final Seq<Expression> contexts;
    private final Seq<Attribute> results;
    private final SparkPlan child;
    private final int batchRows;

    /** Of this operator and no copy of it; made when they are asked for. */
    private transient Map<String, SQLMetric> metrics;

    /**
     * Spark copies a plan with what {@link #productElement} gives: public for that.
     *
     * @param outputs what is given, in which {@code results} are in the place of calls
     * @param calls the calls; their arguments are not evaluated
     * @param values the attribute of the child that each call is given
     * @param contexts the literal that is the context of each call, or an attribute of the child
     * @param results the attribute of each call's result
     * @param batchRows how many rows are gathered at most
     */
    public BatchExec(
            Seq<NamedExpression> outputs,
            Seq<ColumnExpression> calls,
            Seq<Attribute> values,
            Seq<Expression> contexts,
            Seq<Attribute> results,
            SparkPlan child,
            int batchRows) {
        this.outputs = outputs;
        this.calls = calls;
        this.values = values;
        this.contexts = contexts;
        this.results = results;
        this.child = child;
        this.batchRows = batchRows;
    }

    @Override
    public scala.collection.immutable.Seq<SparkPlan> children() {
        return Lists.toScala(List.of(child));
    }

    // TreeNode's, in one of Scala's two lines: each has another IndexedSeq.

    public SparkPlan withNewChildrenInternal(scala.collection.immutable.IndexedSeq<SparkPlan> children) {
        return new BatchExec(outputs, calls, values, contexts, results, children.apply(0), batchRows);
    }

    public SparkPlan withNewChildrenInternal(scala.collection.IndexedSeq<SparkPlan> children) {
        return new BatchExec(outputs, calls, values, contexts, results, children.apply(0), batchRows);
    }

    @Override
    public scala.collection.immutable.Seq<Attribute> output() {
        List<Attribute> attributes = new ArrayList<>();
        Lists.<NamedExpression>ofScala(outputs).forEach(output -> attributes.add(output.toAttribute()));
        return Lists.toScala(attributes);
    }

    @Override
    public AttributeSet producedAttributes() {
        return AttributeSet$.MODULE$.apply(expressionsOf(results));
    }

    /** Those of the projection that it stands for. */
    @Override
    public Partitioning outputPartitioning() {
        return projection().outputPartitioning();
    }

    @Override
    public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
        return Lists.toScala(Lists.<SortOrder>ofScala(projection().outputOrdering()));
    }

    private ProjectExec projection() {
        return new ProjectExec(Lists.toScala(Lists.<NamedExpression>ofScala(outputs)), child);
    }

    /**
     * That of the projection that it stands for: Spark finds by it that two exchanges are the same,
     * and the ids of {@code results} are others each time.
     */
    @Override
    public SparkPlan doCanonicalize() {
        List<NamedExpression> projected = new ArrayList<>();
        for (NamedExpression output : Lists.ofScala(outputs)) {
            projected.add((NamedExpression) ((Expression) output).transformUp(new CallOfResult()));
        }
        return new ProjectExec(Lists.toScala(projected), child).canonicalized();
    }

    /** Puts a call in the place of the attribute of its result. */
    private final class CallOfResult extends AbstractPartialFunction<Expression, Expression> {
        @Override
        public boolean isDefinedAt(Expression expression) {
            return results.contains(expression);
        }

        @Override
        public Expression apply(Expression result) {
            int i = results.indexOf(result);
            return calls.apply(i).with(values.apply(i), contexts.apply(i));
        }
    }

    @Override
    public RDD<InternalRow> doExecute() {
        List<Attribute> columns = Lists.ofScala(child.output());
        List<BatchIterator.Call> bound = new ArrayList<>();
        for (int i = 0; i < calls.length(); i++) {
            BatchIterator.Place value = place(values.apply(i), columns);
            Expression context = contexts.apply(i);
            bound.add(context instanceof Literal
                    ? new BatchIterator.Call(
                            calls.apply(i).operation(), value, ColumnExpression.bytes(((Literal) context).value()), null)
                    : new BatchIterator.Call(calls.apply(i).operation(), value, null, place((Attribute) context, columns)));
        }
        BatchIterator.Shape shape = shape(columns);
        int rows = batchRows;
        BatchIterator.Metrics counted = new BatchIterator.Metrics(
                metrics().apply("numOutputRows"), metrics().apply("dataSize"), metrics().apply("notOpened"), metrics().apply("peakMemory"));
        return child.execute().toJavaRDD()
                .<InternalRow>mapPartitions(in -> new BatchIterator(in, bound, shape, rows, counted))
                .rdd();
    }

    /** Of the child's columns those are kept that an output is made of. */
    private BatchIterator.Shape shape(List<Attribute> columns) {
        List<Attribute> kept = new ArrayList<>();
        for (Attribute column : columns) {
            boolean isUsed = Lists.<NamedExpression>ofScala(outputs).stream()
                    .anyMatch(output -> ((Expression) output).references().contains(column));
            if (isUsed) {
                kept.add(column);
            }
        }
        List<Attribute> schema = new ArrayList<>(kept);
        schema.addAll(Lists.<Attribute>ofScala(results));
        return new BatchIterator.Shape(
                Lists.toScala(columns), Lists.toScala(kept), Lists.toScala(schema), Lists.toScala(Lists.ofScala(expressionsOf(outputs))));
    }

    /** By the id: what a column is known to be, such as never null, may have changed since. */
    private static BatchIterator.Place place(Attribute wanted, List<Attribute> columns) {
        for (int at = 0; at < columns.size(); at++) {
            if (columns.get(at).exprId().equals(wanted.exprId())) {
                return new BatchIterator.Place(at, columns.get(at).dataType() instanceof StringType);
            }
        }
        throw new IllegalStateException(wanted + " is no column of " + columns);
    }

    @SuppressWarnings("unchecked")
    private static Seq<Expression> expressionsOf(Seq<?> named) {
        return (Seq<Expression>) named;
    }

    // In plans.

    @Override
    public synchronized Map<String, SQLMetric> metrics() {
        if (metrics == null) {
            metrics = new Map.Map4<>(
                    "numOutputRows", SQLMetrics.createMetric(sparkContext(), "number of output rows"),
                    "dataSize", SQLMetrics.createSizeMetric(sparkContext(), "data size", 0),
                    "notOpened", SQLMetrics.createMetric(sparkContext(), "values that did not open"),
                    "peakMemory", SQLMetrics.createSizeMetric(sparkContext(), "peak memory", 0));
        }
        return metrics;
    }

    @Override
    public String nodeName() {
        return "SivkaBatch";
    }

    private Object[] elements() {
        return new Object[] {outputs, calls, values, contexts, results, child, batchRows};
    }

    @Override
    public int productArity() {
        return elements().length;
    }

    @Override
    public Object productElement(int n) {
        return elements()[n];
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof BatchExec;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BatchExec && Arrays.equals(elements(), ((BatchExec) other).elements());
    }

    @Override
    public int hashCode() {
        return Objects.hash(elements());
    }
}
