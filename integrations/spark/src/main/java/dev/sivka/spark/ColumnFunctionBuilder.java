package dev.sivka.spark;

import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import scala.collection.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Makes the expression of a call, on the driver, when a query is analysed. What it is applied to
 * is a {@code Seq<Expression>}, of which Scala 2.12 and 2.13 have different ones.
 */
final class ColumnFunctionBuilder extends AbstractFunction1<Object, Expression> {
    private final ColumnFunction function;

    ColumnFunctionBuilder(ColumnFunction function) {
        this.function = function;
    }

    /**
     * Checks a call, and finds its key in the application's configuration.
     *
     * @param given value, key and, if it is there, context
     * @throws AnalysisException for a wrong number of arguments, a key that is no constant, or the
     *     name of a key that the configuration does not have
     */
    @Override
    public Expression apply(Object given) {
        try {
            return checked(given);
        } catch (ColumnException e) {
            throw ColumnFunctionBuilder.<RuntimeException>unchecked(e.ofAnalysis(function));
        }
    }

    /** Scala, which calls this, knows no checked exceptions. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> E unchecked(Exception e) throws E {
        throw (E) e;
    }

    private Expression checked(Object given) {
        @SuppressWarnings("unchecked")
        Seq<Expression> arguments = (Seq<Expression>) given;
        int count = arguments.length();
        if (count < 2 || count > 3) {
            throw new ColumnException("arguments", function.signature() + ": 2 or 3 arguments expected, " + count + " given");
        }
        Expression value = arguments.apply(0);
        if (value.dataType() instanceof NullType) {
            value = Literal.create(null, DataTypes.BinaryType);
        }
        String keyName = keyName(arguments.apply(1));
        Expression context = count == 3 ? context(arguments.apply(2)) : Literal.create(new byte[0], DataTypes.BinaryType);
        String column = value instanceof NamedExpression ? "column '" + ((NamedExpression) value).name() + "'" : "an expression";
        Operation operation = new Operation(function, keyName, column);
        ColumnExpression call = function.isDeterministic()
                ? new ColumnExpression(value, context, operation)
                : new SealExpression(value, context, operation);
        return isFolded(call) ? Literal.create(call.eval(null), DataTypes.BinaryType) : call;
    }

    /** A token of constants, if the driver has the key: it is made before there is a plan to show them. */
    private boolean isFolded(ColumnExpression call) {
        return function == ColumnFunction.TOKEN
                && call.value().foldable()
                && call.context().foldable()
                && call.checkInputDataTypes().isSuccess()
                && Keys.areInThisProcess(call.operation().keyName);
    }

    private String keyName(Expression key) {
        if (!key.foldable() || !(key.dataType() instanceof StringType)) {
            throw new ColumnException("key", function.signature() + ": key: the name of a key expected, as a constant string");
        }
        Object name = key.eval(null);
        if (name == null) {
            throw new ColumnException("key", function.signature() + ": key: the name of a key expected, NULL given");
        }
        KeyLocation.of(name.toString(), SparkEnv.get().conf());
        KeyRights.check(function, name.toString(), SparkEnv.get().conf());
        return name.toString();
    }

    private Expression context(Expression context) {
        if (context.dataType() instanceof NullType) {
            throw new ColumnException("context", function.signature() + ": context: BINARY or STRING expected, NULL given");
        }
        return context;
    }
}
