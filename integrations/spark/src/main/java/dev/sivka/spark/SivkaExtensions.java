package dev.sivka.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.execution.ColumnarRule;
import scala.Tuple3;
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
            inject(function, extensions);
        }
        Settings.register();
        injectBatches(extensions);
        injectNullChecks(extensions);
        return BoxedUnit.UNIT;
    }

    // The builder takes another type for each line of Scala.
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static void inject(ColumnFunction function, SparkSessionExtensions extensions) {
        FunctionIdentifier name = new FunctionIdentifier(function.sqlName);
        extensions.injectFunction(new Tuple3(name, FunctionHelp.of(function), new ColumnFunctionBuilder(function)));
    }

    // It takes a session, of which each line of Spark has another type.
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static void injectBatches(SparkSessionExtensions extensions) {
        extensions.injectColumnar((AbstractFunction1) new AbstractFunction1<Object, ColumnarRule>() {
            @Override
            public ColumnarRule apply(Object session) {
                return new BatchRule();
            }
        });
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static void injectNullChecks(SparkSessionExtensions extensions) {
        extensions.injectOptimizerRule((AbstractFunction1) new AbstractFunction1<Object, NullCheckRule>() {
            @Override
            public NullCheckRule apply(Object session) {
                return new NullCheckRule();
            }
        });
    }
}
