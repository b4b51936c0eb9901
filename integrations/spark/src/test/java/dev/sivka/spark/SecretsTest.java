package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** That no key is where people look: plans, logs, the event log, the UI and exceptions. */
class SecretsTest extends SparkTest {
    private static final String FILE_KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        return builder.config("spark.ui.enabled", "true")
                // Where executors get it, and where it is written down unless Spark redacts it.
                .config("spark.executorEnv.SIVKA_TEST_SECRET", TestKeys.TEXT)
                .config("spark.sivka.keys.variable", "env:SIVKA_TEST_SECRET")
                .config("spark.ui.port", "0")
                .config("spark.eventLog.enabled", "true")
                .config("spark.eventLog.compress", "false")
                .config("spark.eventLog.dir", Files.createDirectory(folder.resolve("events")).toUri().toString());
    }

    /** Fails if a text has a key in any of the ways in which one is written. */
    private static void search(String where, byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        assertFalse(text.isEmpty(), where);
        for (String hex : List.of(FILE_KEY, TestKeys.SEALING, TestKeys.TOKENS)) {
            byte[] key = HexFormat.of().parseHex(hex);
            assertFalse(text.toLowerCase(Locale.ROOT).contains(hex.substring(0, 16)), where + ": hexadecimal");
            assertFalse(text.contains(Base64.getEncoder().encodeToString(key).substring(0, 12)), where + ": base64");
            assertFalse(text.contains(new String(key, 0, 12, StandardCharsets.ISO_8859_1)), where + ": bytes");
        }
    }

    private static void search(String where, String content) {
        search(where, content.getBytes(StandardCharsets.UTF_8));
    }

    private Dataset<Row> query() {
        // One with a context of each row, and one with none.
        return spark.sql("SELECT v, sivka_open(s, 'example', 'c' || v) AS o, sivka_open_token(t, 'variable') AS p FROM"
                + " (SELECT id || '' AS v, sivka_seal(id || '', 'example', 'c' || id) AS s,"
                + " sivka_token(id || '', 'example') AS t FROM range(0, 1000, 1, 3))");
    }

    @Test
    void theSearchFindsAKey() {
        assertThrows(AssertionError.class, () -> search("text", TestKeys.TEXT));
        assertThrows(AssertionError.class, () -> search("text", "x" + TestKeys.TOKENS.toUpperCase(Locale.ROOT)));
        assertThrows(AssertionError.class, () -> search("bytes", HexFormat.of().parseHex(FILE_KEY)));
    }

    @Test
    void plansAndExplain() {
        Dataset<Row> query = query();
        query.collect();
        query.createOrReplaceTempView("q");
        for (String mode : List.of("EXTENDED", "CODEGEN", "COST", "FORMATTED")) {
            String explained = one("EXPLAIN " + mode + " SELECT o, p FROM q");
            assertTrue(explained.contains("sivka_open"), explained);
            search(mode, explained);
        }
        search("tree as JSON", query.queryExecution().analyzed().toJSON());
    }

    @Test
    void exceptions() {
        Exception thrown = assertThrows(
                Exception.class, () -> rows("SELECT sivka_open(id || '', 'example') FROM range(10)"));
        java.io.StringWriter trace = new java.io.StringWriter();
        thrown.printStackTrace(new java.io.PrintWriter(trace));
        search("stack trace", trace.toString());
    }

    @Test
    void pagesOfTheUi() throws Exception {
        query().collect();
        String address = spark.sparkContext().uiWebUrl().get();
        for (String page : List.of("/environment/", "/SQL/", "/SQL/execution/?id=0", "/jobs/", "/stages/", "/executors/",
                "/api/v1/applications/" + spark.sparkContext().applicationId() + "/environment",
                "/api/v1/applications/" + spark.sparkContext().applicationId() + "/sql?details=true")) {
            HttpResponse<byte[]> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(address + page)).build(), HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(200, response.statusCode(), page);
            search(page, response.body());
        }
    }

    /** When all has run: what is written until an application ends. */
    @AfterAll
    void logsAndEvents() throws IOException {
        spark.stop();
        search("log", Files.readAllBytes(Path.of("target/spark.log")));
        try (Stream<Path> files = Files.walk(folder.resolve("events"))) {
            List<Path> logs = files.filter(Files::isRegularFile).toList();
            assertFalse(logs.isEmpty());
            boolean found = false;
            for (Path log : logs) {
                byte[] content = Files.readAllBytes(log);
                found |= new String(content, StandardCharsets.UTF_8).contains("sivka_open");
                if (content.length > 0) {
                    search(log.toString(), content);
                }
            }
            assertTrue(found, "the event log has the queries");
        }
    }
}
