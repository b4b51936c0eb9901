package dev.sivka.spark;

import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;

/** What a session may set. Spark checks a value when it is set, and shows the settings in {@code SET -v}. */
final class Settings {
    static final String BATCH_ROWS = "spark.sivka.batch.rows";

    /** A batch is bounded by its bytes too: more rows than these hardly ever fit. */
    static final int MOST_BATCH_ROWS = 65_536;

    static final int DEFAULT_BATCH_ROWS = 1024;

    static final String FOLD_TOKENS = "spark.sivka.tokens.fold";

    private Settings() {}

    /** Tells Spark of them, once in a process. */
    static synchronized void register() {
        if (!SQLConf$.MODULE$.containsConfigKey(BATCH_ROWS)) {
            SQLConf$.MODULE$.buildConf(BATCH_ROWS)
                    .doc("How many rows one call of Sivka's native library takes at most. With 1, each row is a call.")
                    .version("0.1.0")
                    .intConf()
                    .checkValue(
                            rows -> (Integer) rows >= 1 && (Integer) rows <= MOST_BATCH_ROWS,
                            "a number of rows from 1 to " + MOST_BATCH_ROWS + " expected")
                    .createWithDefault(DEFAULT_BATCH_ROWS);
            SQLConf$.MODULE$.buildConf(FOLD_TOKENS)
                    .doc("Whether the driver makes the tokens of constants when it analyses a query. Plans, event logs and"
                            + " pushed filters then have the token and not the value. The driver needs the key.")
                    .version("0.1.0")
                    .booleanConf()
                    .createWithDefault(false);
        }
    }

    static int batchRows() {
        return (Integer) value(BATCH_ROWS);
    }

    static boolean areTokensFolded() {
        return (Boolean) value(FOLD_TOKENS);
    }

    private static Object value(String key) {
        ConfigEntry<?> entry = SQLConf$.MODULE$.getConfigEntry(key);
        return SQLConf.get().getConf(entry);
    }
}
