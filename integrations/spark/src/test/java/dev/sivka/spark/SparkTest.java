package dev.sivka.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A session of two threads in this process, for each class of tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SparkTest {
    Path folder;

    SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        this.folder = folder;
        spark = configured(
                        SparkSession.builder()
                                .master("local[2]")
                                .appName(getClass().getSimpleName())
                                .config("spark.ui.enabled", "false")
                                .config("spark.sql.shuffle.partitions", "3")
                                .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
                                .config("spark.sivka.keys.example", TestKeys.file(folder).toString()))
                .getOrCreate();
    }

    /** What the session of a class has beside. */
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder;
    }

    @AfterAll
    void stop() {
        spark.stop();
    }

    List<Row> rows(String sql) {
        return spark.sql(sql).collectAsList();
    }

    /** The first column of the first row. */
    <T> T one(String sql) {
        return rows(sql).get(0).getAs(0);
    }

    /** All messages of an exception and its causes. */
    static String messages(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            text.append(t).append('\n');
        }
        return text.toString();
    }
}
