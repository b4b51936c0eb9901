package dev.sivka;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Seals and opens what other programs ask for: each line of the standard input is a question, and
 * is answered with a line. The test that seals in each language and opens in each other runs it.
 */
public final class MatrixProgram {
    private MatrixProgram() {}

    /** Answers until the input ends. */
    public static void main(String[] args) throws IOException, KeysetException {
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String[] words = line.split(" ");
            if (words[0].endsWith("-list") || words[0].endsWith("-contiguous") || words[0].endsWith("-column")) {
                byte[][] given = new byte[words.length - 4][];
                for (int i = 0; i < given.length; i++) {
                    given[i] = in.readNBytes(Integer.parseInt(words[i + 4]));
                }
                byte[][] parts = many(words, given);
                String lengths = Stream.of(parts).map(part -> part.length + "").collect(Collectors.joining(" "));
                out.write((lengths + "\n").getBytes(StandardCharsets.UTF_8));
                for (byte[] part : parts) {
                    out.write(part);
                }
            } else {
                out.write(answer(words).getBytes(StandardCharsets.UTF_8));
            }
            out.write('\n');
            out.flush();
        }
    }

    /** A line without its end; empty at the end of the input. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
            line.write(one);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    static String answer(String[] words) throws IOException, KeysetException {
        switch (words[0]) {
            case "seal-file":
                try (FileKeys keys = new FileKeys().addKeyFile(Path.of(words[2]))) {
                    SealedFiles.seal(Path.of(words[3]), Path.of(words[4]), keys, words[1]);
                    return "done";
                }
            case "open-file":
                try (FileKeys keys = new FileKeys().addKeyFile(Path.of(words[1]))) {
                    SealedFiles.open(Path.of(words[2]), Path.of(words[3]), keys);
                    return "done";
                } catch (SealedFileException e) {
                    return "forged";
                }
            case "keyset-new":
                try (Keyset keyset = Keyset.generate(words[1])) {
                    return json(keyset);
                }
            case "keyset-from-binary":
                try (Keyset keyset = Keyset.fromInsecure(bytes(words[1]), KeysetForm.BINARY)) {
                    return json(keyset);
                }
            case "keyset-rotate":
                try (Keyset keyset = keyset(words[2])) {
                    keyset.rotate(words[1]);
                    return json(keyset);
                }
            case "keyset-to-binary":
            case "keyset-encrypt":
            case "keyset-decrypt":
            case "keyset-seal":
            case "keyset-open":
                try (Keyset keyset = keyset(words[1])) {
                    return underKeyset(keyset, words);
                }
            default:
                try (Key key = Keys.make(words[1], bytes(words[2]))) {
                    return message(key, words);
                }
        }
    }

    private static String underKeyset(Keyset keyset, String[] words) throws KeysetException {
        if (words[0].equals("keyset-to-binary")) {
            return hex(keyset.toInsecure(KeysetForm.BINARY));
        }
        byte[] data = bytes(words[2]);
        switch (words[0]) {
            case "keyset-encrypt":
                try (Keyset inner = keyset(words[3])) {
                    return hex(inner.encrypt(KeysetForm.JSON, keyset, data));
                }
            case "keyset-decrypt":
                Optional<Keyset> found = Keyset.decrypt(bytes(words[3]), KeysetForm.JSON, keyset, data);
                if (found.isEmpty()) {
                    return "forged";
                }
                try (Keyset inner = found.get()) {
                    return json(inner);
                }
            case "keyset-seal":
                return hex(Keys.seal(keyset, bytes(words[3]), data));
            default:
                return opened(Keys.open(keyset, bytes(words[3]), data));
        }
    }

    private static Keyset keyset(String word) throws KeysetException {
        return Keyset.fromInsecure(bytes(word), KeysetForm.JSON);
    }

    private static String json(Keyset keyset) {
        return hex(keyset.toInsecure(KeysetForm.JSON));
    }

    private static String message(Key key, String[] words) {
        byte[] data = bytes(words[4]);
        byte[] text = bytes(words[5]);
        if (words[3].equals("auto") && key instanceof RandomNonceKey random) {
            return words[0].equals("seal") ? hex(random.seal(text, data)) : opened(random.open(text, data));
        }
        // Where there is no nonce, none is drawn.
        byte[] nonce = words[3].equals("auto") ? new byte[0] : bytes(words[3]);
        return words[0].equals("seal")
                ? hex(Keys.seal(key, nonce, text, data))
                : opened(Keys.open(key, nonce, text, data));
    }

    /** What many messages seal or open to; the parts are those that the test names. */
    private static byte[][] many(String[] words, byte[][] parts) {
        byte[] nonces = parts[1];
        byte[] data = parts[2];
        int[] dataOffsets = parts[3].length == 0 ? null : ints(parts[3]);
        byte[] texts = parts[4];
        int[] offsets = ints(parts[5]);
        byte[] more = parts[6];
        try (Key key = Keys.make(words[1], parts[0])) {
            switch (words[0]) {
                case "seal-list":
                    List<byte[]> plaintexts = split(texts, offsets);
                    return new byte[][] {
                        join(
                                key instanceof NonceKey with
                                        ? with.sealBatch(split(nonces, plaintexts.size()), plaintexts, data)
                                        : ((DeterministicKey) key).sealBatch(plaintexts, data))
                    };
                case "open-list":
                    List<byte[]> sealed = split(texts, offsets);
                    List<Optional<byte[]>> found =
                            key instanceof NonceKey with
                                    ? with.openBatch(split(nonces, sealed.size()), sealed, data)
                                    : ((DeterministicKey) key).openBatch(sealed, data);
                    byte[] present = new byte[found.size()];
                    for (int i = 0; i < present.length; i++) {
                        present[i] = (byte) (found.get(i).isPresent() ? 1 : 0);
                    }
                    return new byte[][] {join(found.stream().flatMap(Optional::stream).toList()), present};
                case "seal-contiguous":
                    byte[] tags = new byte[(offsets.length - 1) * key.tagLength()];
                    if (key instanceof NonceKey with) {
                        with.sealBatchInPlace(nonces, texts, offsets, data, dataOffsets, tags);
                    } else {
                        ((DeterministicKey) key).sealBatchInPlace(texts, offsets, data, dataOffsets, tags);
                    }
                    return new byte[][] {texts, tags};
                case "open-contiguous":
                    boolean[] opened =
                            key instanceof NonceKey with
                                    ? with.openBatchInPlace(nonces, texts, offsets, data, dataOffsets, more)
                                    : ((DeterministicKey) key)
                                            .openBatchInPlace(texts, offsets, data, dataOffsets, more);
                    return new byte[][] {texts, bytes(opened)};
                case "seal-column":
                    Column values = new Column(texts, offsets, more.length == 0 ? null : more);
                    Column rows =
                            key instanceof RandomNonceKey random
                                    ? random.sealColumn(values, data, dataOffsets)
                                    : ((DeterministicKey) key).sealColumn(values, data, dataOffsets);
                    return new byte[][] {rows.bytes(), bytes(rows.offsets())};
                default:
                    Column stored = new Column(texts, offsets, more.length == 0 ? null : more);
                    OpenedColumn column =
                            key instanceof RandomNonceKey random
                                    ? random.openColumn(stored, data, dataOffsets)
                                    : ((DeterministicKey) key).openColumn(stored, data, dataOffsets);
                    Column got = column.values();
                    return new byte[][] {got.bytes(), bytes(got.offsets()), bytes(column.opened())};
            }
        }
    }

    private static int[] ints(byte[] bytes) {
        int[] ints = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ints);
        return ints;
    }

    private static byte[] bytes(int[] ints) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * ints.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(ints);
        return bytes.array();
    }

    private static byte[] bytes(boolean[] opened) {
        byte[] bytes = new byte[opened.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (opened[i] ? 1 : 0);
        }
        return bytes;
    }

    private static List<byte[]> split(byte[] bytes, int[] offsets) {
        return IntStream.range(1, offsets.length)
                .mapToObj(i -> Arrays.copyOfRange(bytes, offsets[i - 1], offsets[i]))
                .toList();
    }

    private static List<byte[]> split(byte[] bytes, int count) {
        return split(bytes, IntStream.rangeClosed(0, count).map(i -> i * (bytes.length / Math.max(count, 1))).toArray());
    }

    private static byte[] join(List<byte[]> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static String opened(Optional<byte[]> plaintext) {
        return plaintext.map(MatrixProgram::hex).orElse("forged");
    }

    private static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String word) {
        return word.equals("-") ? new byte[0] : HexFormat.of().parseHex(word);
    }
}
