package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sealed files of {@code vectors/file-v1}. */
class FileVectorsTest {
    /** What the errors of the format's specification, section 9, are called here. */
    private static final Map<String, Reason> REASONS =
            Map.ofEntries(
                    Map.entry("not-sivka", Reason.NOT_A_SEALED_FILE),
                    Map.entry("unknown-version", Reason.NEWER_VERSION),
                    Map.entry("unknown-suite", Reason.NEWER_VERSION),
                    Map.entry("unknown-slot", Reason.NEWER_VERSION),
                    Map.entry("header-damaged", Reason.DAMAGED),
                    Map.entry("payload-mismatch", Reason.DAMAGED),
                    Map.entry("damaged", Reason.DAMAGED),
                    Map.entry("damaged-end", Reason.DAMAGED),
                    Map.entry("truncated", Reason.TRUNCATED),
                    Map.entry("no-slot-opens", Reason.WRONG_KEY),
                    Map.entry("cost-too-high", Reason.COST_LIMIT));

    @TempDir Path folder;

    @Test
    void everyFile() throws Exception {
        int opened = 0;
        int refused = 0;
        List<String> names = VectorFolder.files(".vec");
        for (String name : names) {
            if (check(name)) {
                opened++;
            } else {
                refused++;
            }
        }
        assertEquals(15, opened);
        assertEquals(85, refused);
    }

    /** Whether the file opened, as it said that it would. */
    private boolean check(String name) throws Exception {
        byte[] vector = Files.readAllBytes(VectorFolder.PATH.resolve(name));
        Map<String, String> head = new HashMap<>();
        int at = 0;
        for (int end = at; vector[at] != '\n'; at = end + 1) {
            for (end = at; vector[end] != '\n'; end++) {}
            String[] line = new String(vector, at, end - at, StandardCharsets.UTF_8).split(": ", 2);
            head.put(line[0], line[1]);
        }
        Path sealed = folder.resolve("sealed");
        Path output = folder.resolve("opened");
        Files.write(sealed, Arrays.copyOfRange(vector, at + 1, vector.length));
        try (FileKeys keys = new FileKeys()) {
            if (head.containsKey("key")) {
                keys.addKeyFile(FileKeys.keyFileOf("vector", HexFormat.of().parseHex(head.get("key"))));
            } else {
                keys.addPassphrase(head.get("passphrase").toCharArray());
            }
            String expected = head.get("expect");
            if (expected.equals("success")) {
                SealedFiles.verify(sealed, keys);
                SealedFiles.open(sealed, output, keys);
                byte[] plaintext = Files.readAllBytes(output);
                Files.delete(output);
                assertEquals(head.get("payload"), sha256(plaintext), name);
                assertArrayEquals(plaintext, read(sealed, keys), name);
                return true;
            }
            Reason reason = REASONS.get(expected);
            SealedFileException toFile =
                    assertThrows(SealedFileException.class, () -> SealedFiles.open(sealed, output, keys), name);
            assertEquals(reason, toFile.reason(), name + ": " + toFile.getMessage());
            assertFalse(Files.exists(output), name);
            SealedFileException nowhere =
                    assertThrows(SealedFileException.class, () -> SealedFiles.verify(sealed, keys), name);
            assertEquals(reason, nowhere.reason(), name);
            // The end is looked at first, so that the reason may be another one.
            assertThrows(SealedFileException.class, () -> read(sealed, keys), name);
            return false;
        }
    }

    private static byte[] read(Path sealed, FileKeys keys) throws IOException {
        try (SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys);
                InputStream in = Channels.newInputStream(channel)) {
            byte[] plaintext = in.readAllBytes();
            assertEquals(channel.size(), plaintext.length);
            return plaintext;
        }
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
