package dev.sivka.spark;

import java.io.Serializable;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.List$;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;

/**
 * A call of a function in a plan: an {@link Operation} over a value and a context. Null values
 * give null.
 *
 * <p>It extends Expression itself: what Spark has for one, two and three children are Scala
 * traits with final methods, which Java's compiler does not see as what they implement.
 */
public class ColumnExpression extends Expression implements Serializable {
    private static final long serialVersionUID = 1;

    private final Expression value;
    private final Expression context;
    private final Operation operation;

    /** Spark copies an expression with what {@link #productElement} gives: public for that. */
    public ColumnExpression(Expression value, Expression context, Operation operation) {
        this.value = value;
        this.context = context;
        this.operation = operation;
    }

    /** The same call with other arguments. */
    ColumnExpression with(Expression value, Expression context) {
        return new ColumnExpression(value, context, operation);
    }

    @Override
    public Seq<Expression> children() {
        return Nil$.MODULE$.<Expression>$colon$colon(context).$colon$colon(value);
    }

    Expression value() {
        return value;
    }

    Operation operation() {
        return operation;
    }

    /** Associated data: a literal, if it is the same for all rows. */
    Expression context() {
        return context;
    }

    // TreeNode's, in one of Scala's two lines: each has another IndexedSeq.

    public Expression withNewChildrenInternal(scala.collection.immutable.IndexedSeq<Expression> children) {
        return with(children.apply(0), children.apply(1));
    }

    public Expression withNewChildrenInternal(scala.collection.IndexedSeq<Expression> children) {
        return with(children.apply(0), children.apply(1));
    }

    @Override
    public DataType dataType() {
        return DataTypes.BinaryType;
    }

    @Override
    public boolean nullable() {
        return operation.function.givesNull || value.nullable();
    }

    /** Whether a null argument gives null, in Spark 4. A null context fails the query instead. */
    public boolean nullIntolerant() {
        return !context.nullable();
    }

    @Override
    public boolean deterministic() {
        return operation.function.isDeterministic() && value.deterministic() && context.deterministic();
    }

    /**
     * Never: a constant that was opened would be in plans, and {@link ColumnFunctionBuilder} folds
     * tokens before any plan shows what they are made of.
     */
    @Override
    public boolean foldable() {
        return false;
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        String wrong = wrongType(operation.function.argument, value);
        if (wrong == null) {
            wrong = wrongType("context", context);
        }
        return wrong == null
                ? TypeCheckResult.TypeCheckSuccess$.MODULE$
                : new TypeCheckResult.TypeCheckFailure(operation.function.signature() + ": " + wrong);
    }

    private static String wrongType(String argument, Expression given) {
        DataType type = given.dataType();
        return type instanceof BinaryType || type instanceof StringType
                ? null
                : argument + ": BINARY or STRING expected, " + type.sql() + " given";
    }

    // Evaluation.

    @Override
    public Object eval(InternalRow row) {
        Object input = value.eval(row);
        return input == null ? null : operation.apply(bytes(input), bytes(context.eval(row)));
    }

    static byte[] bytes(Object value) {
        return value instanceof UTF8String ? ((UTF8String) value).getBytes() : (byte[]) value;
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode input = value.genCode(ctx);
        ExprCode bound = context.genCode(ctx);
        String call = ctx.addReferenceObj("operation", operation, Operation.class.getName()) + ".apply";
        String code =
                input.code() + "\n"
                        + "boolean " + ev.isNull() + " = " + input.isNull() + ";\n"
                        + "byte[] " + ev.value() + " = null;\n"
                        + "if (!" + ev.isNull() + ") {\n"
                        + bound.code() + "\n"
                        + ev.value() + " = " + call + "(" + bytes(value, input) + ", "
                        + bound.isNull() + " ? (byte[]) null : " + bytes(context, bound) + ");\n"
                        + ev.isNull() + " = " + ev.value() + " == null;\n"
                        + "}\n";
        Block block = new CodeBlock(Nil$.MODULE$.<String>$colon$colon(code), List$.MODULE$.<JavaCode>empty());
        return ev.copy(block, ev.isNull(), ev.value());
    }

    private static String bytes(Expression child, ExprCode variable) {
        return variable.value() + (child.dataType() instanceof StringType ? ".getBytes()" : "");
    }

    // In plans.

    @Override
    public String prettyName() {
        return operation.function.sqlName;
    }

    @Override
    public String sql() {
        return prettyName() + "(" + value.sql() + ", '" + operation.keyName + "', " + context.sql() + ")";
    }

    @Override
    public int productArity() {
        return 3;
    }

    @Override
    public Object productElement(int n) {
        switch (n) {
            case 0:
                return value;
            case 1:
                return context;
            case 2:
                return operation;
            default:
                throw new IndexOutOfBoundsException(n);
        }
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof ColumnExpression;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnExpression
                && value.equals(((ColumnExpression) other).value)
                && context.equals(((ColumnExpression) other).context)
                && operation.equals(((ColumnExpression) other).operation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(value, context, operation);
    }
}
