package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The statements of the README run, in the order in which it has them. */
class PageTest extends SparkTest {
    private final List<String> blocks = blocks("sql");

    static List<String> blocks(String language) {
        try {
            String page = Files.readString(Path.of("..", "README.md"));
            Pattern block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
            return block.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) {
        String key = folder.resolve("example.key").toString();
        return builder.config("spark.sivka.keys.customers", key)
                .config("spark.sivka.keys.customers-2026", key)
                // Tables of the page have no USING.
                .config("spark.sql.legacy.createHiveTableByDefault", "false");
    }

    /** What the last statement of a block gives. */
    private Object last(String block) {
        Object first = null;
        for (String statement : block.split(";")) {
            if (!statement.isBlank()) {
                List<org.apache.spark.sql.Row> rows = rows(statement);
                first = rows.isEmpty() ? null : rows.get(0).get(0);
            }
        }
        return first;
    }

    @Test
    void statements() {
        assertEquals(3, blocks.size());
        spark.sql("CREATE TABLE people USING parquet AS SELECT 1 AS id, 'alice@example.com' AS email, 'Riga' AS address");
        assertEquals("Riga", last(blocks.get(0)));
        String query = blocks("java").get(0).split("\"")[1];
        assertEquals(1, spark.sql(query, Map.of("email", "alice@example.com")).count());

        spark.sql("DROP TABLE people");
        spark.sql("CREATE TABLE people USING parquet AS SELECT id, address FROM sealed");
        spark.sql("CREATE TABLE people_2027 (id INT, address BINARY) USING parquet");
        // The old key is the new one here, so the row of the page's last statement opens.
        assertEquals(1L, last(blocks.get(1)));
        // TablesTest runs the third, which needs a format that has MERGE.
    }
}
