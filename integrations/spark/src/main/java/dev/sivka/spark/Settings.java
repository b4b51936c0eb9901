package dev.sivka.spark;

import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;

/** What a session may set. Spark checks a value when it is set, and shows the settings in {@code SET -v}. */
final class Settings {
    static final String FOLD_TOKENS = "spark.sivka.tokens.fold";

    private Settings() {}

    /** Tells Spark of them, once in a process. */
    static synchronized void register() {
        if (!SQLConf$.MODULE$.containsConfigKey(FOLD_TOKENS)) {
            SQLConf$.MODULE$.buildConf(FOLD_TOKENS)
                    .doc("Whether the driver makes the tokens of constants when it analyses a query. Plans, event logs and"
                            + " pushed filters then have the token and not the value. The driver needs the key.")
                    .version("0.1.0")
                    .booleanConf()
                    .createWithDefault(false);
        }
    }

    static boolean areTokensFolded() {
        ConfigEntry<?> entry = SQLConf$.MODULE$.getConfigEntry(FOLD_TOKENS);
        return (Boolean) SQLConf.get().getConf(entry);
    }
}
