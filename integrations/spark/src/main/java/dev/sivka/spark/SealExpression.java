package dev.sivka.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Nondeterministic;

/**
 * A call that draws nonces. Spark evaluates it once for each row, and before it groups or orders
 * by it, as it does with {@code rand()}.
 */
public final class SealExpression extends ColumnExpression implements Nondeterministic {
    private static final long serialVersionUID = 1;

    private transient boolean initialized;

    /** Spark copies an expression with what {@link #productElement} gives: public for that. */
    public SealExpression(Expression value, Expression context, Operation operation) {
        super(value, context, operation);
    }

    @Override
    ColumnExpression with(Expression value, Expression context) {
        return new SealExpression(value, context, operation());
    }

    // Nondeterministic's, which is a trait of Scala with a field.

    @Override
    public void initializeInternal(int partitionIndex) {}

    @Override
    public Object evalInternal(InternalRow row) {
        return eval(row);
    }

    @Override
    public boolean org$apache$spark$sql$catalyst$expressions$Nondeterministic$$initialized() {
        return initialized;
    }

    @Override
    public void org$apache$spark$sql$catalyst$expressions$Nondeterministic$$initialized_$eq(boolean is) {
        initialized = is;
    }
}
