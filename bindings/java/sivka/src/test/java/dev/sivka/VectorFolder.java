package dev.sivka;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The folder of vectors that all languages read. */
final class VectorFolder {
    static final Path PATH = find();
    static final String COLUMN_KEYS = "column-v1/keys.json";
    static final String KEYSETS = "keyset/tink.json";

    private VectorFolder() {}

    private static Path find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("vectors/SHA256SUMS"))) {
                return at.resolve("vectors");
            }
        }
        throw new IllegalStateException("no folder above has vectors/SHA256SUMS");
    }

    /** The files with such an ending, relative to the folder, in order. */
    static List<String> files(String ending) {
        try (Stream<Path> all = Files.walk(PATH)) {
            return all.filter(file -> file.toString().endsWith(ending))
                    .map(file -> PATH.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonObject json(String name) throws IOException {
        return JsonParser.parseString(Files.readString(PATH.resolve(name))).getAsJsonObject();
    }

    /** The text of the first key file of the column keys. */
    static byte[] columnKeyFile() throws IOException {
        return firstColumnKey(null).get("key_file").getAsString().getBytes(StandardCharsets.UTF_8);
    }

    /** The key that it gives columns under an algorithm. */
    static byte[] columnKey(String algorithm) throws IOException {
        return hex(firstColumnKey(algorithm), "column_key");
    }

    private static JsonObject firstColumnKey(String algorithm) throws IOException {
        for (JsonElement found : json(COLUMN_KEYS).getAsJsonArray("cases")) {
            JsonObject one = found.getAsJsonObject();
            if (algorithm == null || one.get("algorithm").getAsString().equals(algorithm)) {
                return one;
            }
        }
        throw new IllegalStateException("no key of a column under " + algorithm);
    }

    static byte[] hex(JsonObject from, String name) {
        return HexFormat.of().parseHex(from.get(name).getAsString());
    }
}
