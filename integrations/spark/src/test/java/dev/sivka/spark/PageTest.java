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
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        for (String setting : String.join("", blocks("properties")).split("\n")) {
            String[] words = setting.split(" +", 2);
            String value = words[1].replaceAll("/etc/sivka/[^,]*", folder.resolve("example.key").toString());
            builder.config(words[0], value.replace("alice", System.getProperty("user.name")));
        }
        return builder.config("spark.sql.legacy.createHiveTableByDefault", "false"); // Tables of the page have no USING.
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
        assertEquals("Riga", last(blocks.get(0)));
        assertEquals(1, rows("SELECT sivka_seal('v', 'test')").size());
        String query = blocks("java").get(0).split("\"")[1];
        assertEquals(1, spark.sql(query, Map.of("email", "alice@example.com")).count());

        spark.sql("CREATE TABLE people USING parquet AS SELECT id, address FROM sealed");
        spark.sql("CREATE TABLE people_2027 (id INT, address BINARY) USING parquet");
        assertEquals(1L, last(blocks.get(1)));
    }
}
