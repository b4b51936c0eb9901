package dev.sivka;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Sealed files in the matrix of languages. */
final class MatrixFiles {
    private MatrixFiles() {}

    static String answer(String[] words) throws IOException {
        if (words[0].equals("seal-file")) {
            try (FileKeys keys = secret(words[2], words[3])) {
                SealedFiles.seal(Path.of(words[4]), Path.of(words[5]), keys, FileOption.suite(words[1]));
                return "done";
            }
        }
        try (FileKeys keys = secret(words[1], words[2])) {
            return open(words[0], Path.of(words[3]), Path.of(words[words.length - 1]), keys);
        } catch (SealedFileException e) {
            return failure(e.reason());
        }
    }

    private static FileKeys secret(String kind, String value) throws IOException {
        return switch (kind) {
            case "key-file" -> new FileKeys().addKeyFile(Path.of(value));
            case "key" -> new FileKeys().addKeyFile(FileKeys.keyFileOf("vector", MatrixProgram.bytes(value)));
            case "identity" -> new FileKeys().addIdentities(value.getBytes(StandardCharsets.UTF_8));
            case "passphrase" ->
                    new FileKeys().addPassphrase(
                            new String(MatrixProgram.bytes(value), StandardCharsets.UTF_8).toCharArray());
            default -> throw new IllegalArgumentException("no secret " + kind);
        };
    }

    private static String open(String command, Path sealed, Path output, FileKeys keys) throws IOException {
        switch (command) {
            case "verify-file" -> SealedFiles.verify(sealed, keys);
            case "open-file" -> SealedFiles.open(sealed, output, keys);
            case "open-stream" -> {
                try (InputStream in = Files.newInputStream(sealed);
                        OutputStream out = Files.newOutputStream(output)) {
                    SealedStreams.open(in, out, keys);
                }
            }
            case "read-file" -> {
                try (OutputStream out = Files.newOutputStream(output);
                        SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys);
                        InputStream in = Channels.newInputStream(channel)) {
                    if (in.transferTo(out) != channel.size()) {
                        throw new IllegalStateException("a channel of another size than it says");
                    }
                }
            }
            default -> throw new IllegalArgumentException("no command " + command);
        }
        return "done";
    }

    private static String failure(SealedFileException.Reason reason) {
        return switch (reason) {
            case NOT_A_SEALED_FILE -> "not-sivka";
            case NEWER_VERSION -> "newer";
            default -> reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }
}
