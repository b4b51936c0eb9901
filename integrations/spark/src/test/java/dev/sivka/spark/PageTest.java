package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The statements of the README run, in the order in which it has them. */
class PageTest extends SparkTest {
    static List<String> blocks(String language) throws IOException {
        Pattern block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
        Matcher found = block.matcher(Files.readString(Path.of("..", "README.md")));
        return found.results().map(match -> match.group(1)).collect(Collectors.toList());
    }

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) {
        String key = folder.resolve("example.key").toString();
        return builder.config("spark.sivka.keys.customers", key).config("spark.sivka.keys.customers-2026", key)
                .config("spark.sql.legacy.createHiveTableByDefault", "false"); // Tables of the page have no USING.
    }

    /** The first value of a block's last statement. */
    private Object last(String block) {
        List<org.apache.spark.sql.Row> rows = List.of();
        for (String statement : block.strip().split(";")) {
            rows = rows(statement);
        }
        return rows.isEmpty() ? null : rows.get(0).get(0);
    }

    @Test
    void statements() throws IOException {
        List<String> blocks = blocks("sql");
        assertEquals(3, blocks.size()); // TablesTest runs the third, which needs a format that has MERGE.
        spark.sql("CREATE TABLE people USING parquet AS SELECT 1 AS id, 'alice@example.com' AS email, 'Riga' AS address");
        assertEquals("Riga", last(blocks.get(0)));
        String query = blocks("java").get(0).split("\"")[1];
        assertEquals(1, spark.sql(query, Map.of("email", "alice@example.com")).count());

        spark.sql("DROP TABLE people");
        spark.sql("CREATE TABLE people USING parquet AS SELECT id, address FROM sealed");
        spark.sql("CREATE TABLE people_2027 (id INT, address BINARY) USING parquet");
        // The old key is the new one here, so the row of the page's last statement opens.
        assertEquals(1L, last(blocks.get(1)));
    }
}
