package dev.sivka.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry$;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Gives the functions to each Spark session. Spark finds this class by {@code ServiceLoader}: the
 * jar on the class path is all the configuration.
 */
public final class SivkaExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
        implements SparkSessionExtensionsProvider {
    /** Called by {@code ServiceLoader}. */
    public SivkaExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (ColumnFunction function : ColumnFunction.values()) {
            register(function);
        }
        return BoxedUnit.UNIT;
    }

    /**
     * Among the built-in functions, from which each session starts. Spark takes injected functions
     * for temporary ones, and no permanent view may have them.
     */
    // The builder takes another type for each line of Scala.
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static void register(ColumnFunction function) {
        FunctionIdentifier name = new FunctionIdentifier(function.sqlName);
        FunctionRegistry registry = FunctionRegistry$.MODULE$.builtin();
        if (!registry.functionExists(name)) {
            registry.registerFunction(name, FunctionHelp.of(function), (AbstractFunction1) new ColumnFunctionBuilder(function));
        }
    }
}
