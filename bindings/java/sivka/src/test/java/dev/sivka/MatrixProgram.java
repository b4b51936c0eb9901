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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
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
            if (words[0].endsWith("-list") || words[0].endsWith("-column")) {
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
                String answer;
                try {
                    answer = answer(words);
                } catch (RuntimeException e) {
                    answer = e.toString();
                }
                out.write(answer.getBytes(StandardCharsets.UTF_8));
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

    private static String answer(String[] words) throws IOException, KeysetException {
        if (words[0].startsWith("keyset-")) {
            return MatrixKeysets.answer(words);
        }
        switch (words[0]) {
            case "seal", "open":
                try (Key key = key(words[2], words[3])) {
                    return message(key, words);
                }
            case "seal-strings", "open-strings":
                try (AesSiv key = new AesSiv(bytes(words[1]))) {
                    List<byte[]> data = Stream.of(words).skip(3).map(MatrixProgram::bytes).toList();
                    return words[0].equals("seal-strings")
                            ? hex(key.sealWithList(bytes(words[2]), data))
                            : opened(key.openWithList(bytes(words[2]), data));
                }
            case "encrypt-blocks", "decrypt-blocks":
                return blocks(words);
            case "handles":
                return MatrixHandles.answer(words);
            default:
                return MatrixFiles.answer(words);
        }
    }

    private static String blocks(String[] words) {
        byte[] blocks = bytes(words[3]);
        try (Kuznyechik key = new Kuznyechik(bytes(words[1]))) {
            for (int times = Integer.parseInt(words[2]); times > 0; times--) {
                if (words[0].equals("encrypt-blocks")) {
                    key.encryptBlocks(ByteBuffer.wrap(blocks));
                } else {
                    key.decryptBlocks(ByteBuffer.wrap(blocks));
                }
            }
        }
        return hex(blocks);
    }

    private static Key key(String algorithm, String word) throws SealedFileException {
        if (!word.startsWith("column:")) {
            return Keys.make(algorithm, bytes(word));
        }
        byte[] file = bytes(word.substring("column:".length()));
        return switch (algorithm) {
            case "AES-256-GCM-SIV" -> AesGcmSiv.forColumns(file);
            case "XChaCha20-BLAKE2b-SIV" -> XChaCha20Blake2bSiv.forColumns(file);
            default -> throw new IllegalArgumentException("no key of columns for " + algorithm);
        };
    }

    private static String message(Key key, String[] words) {
        boolean seals = words[0].equals("seal");
        byte[] nonce = bytes(words[4]);
        byte[] data = bytes(words[5]);
        byte[] given = bytes(words[6]);
        int less = words.length > 7 ? Integer.parseInt(words[7]) : 0;
        int tagLength = words.length > 7 ? Integer.parseInt(words[8]) : key.tagLength();
        switch (words[1]) {
            case "drawn":
                Aead aead = (Aead) key;
                return seals ? hex(aead.seal(given, data)) : opened(aead.open(given, data));
            case "joined":
                return seals ? hex(key.sealWithNonce(nonce, given, data)) : opened(key.openWithNonce(nonce, given, data));
            case "into":
                return into(key, seals, nonce, data, ByteBuffer.wrap(given), less, ByteBuffer::allocate);
            case "into-direct":
                ByteBuffer outside = ByteBuffer.allocateDirect(given.length).put(given).flip();
                return into(key, seals, nonce, data, outside, less, ByteBuffer::allocateDirect);
            case "in-place":
                return inPlace(key, seals, nonce, data, given, tagLength);
            default:
                throw new IllegalArgumentException("no form " + words[1]);
        }
    }

    private static String into(
            Key key, boolean seals, byte[] nonce, byte[] data, ByteBuffer given, int less, IntFunction<ByteBuffer> room) {
        int length = Math.max(given.remaining() + (seals ? key.tagLength() : -key.tagLength()), 0) - less;
        // Zeros, as which it must be left.
        ByteBuffer out = room.apply(length);
        ByteBuffer under = ByteBuffer.wrap(nonce);
        ByteBuffer with = ByteBuffer.wrap(data);
        boolean done = seals
                ? key.sealWithNonce(under, given, with, out) == length
                : key.openWithNonce(under, given, with, out);
        byte[] made = new byte[length];
        out.clear().get(made);
        return (done ? "" : "forged ") + hex(made);
    }

    private static String inPlace(Key key, boolean seals, byte[] nonce, byte[] data, byte[] given, int tagLength) {
        if (seals) {
            byte[] tag = new byte[tagLength];
            key.sealInPlace(nonce, ByteBuffer.wrap(given), data, tag);
            return hex(Keys.join(key, given, tag));
        }
        int textLength = given.length - key.tagLength();
        int textAt = key instanceof AesSiv ? key.tagLength() : 0;
        int tagAt = key instanceof AesSiv ? 0 : textLength;
        byte[] text = Arrays.copyOfRange(given, textAt, textAt + textLength);
        byte[] tag = Arrays.copyOfRange(given, tagAt, tagAt + tagLength);
        boolean done = key.openInPlace(nonce, ByteBuffer.wrap(text), data, tag);
        return (done ? "" : "forged ") + hex(text);
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
                    List<byte[]> made = key.nonceLength() == 0
                            ? ((Aead) key).sealBatch(plaintexts, data)
                            : key.sealBatchWithNonces(split(nonces, plaintexts.size()), plaintexts, data);
                    return new byte[][] {join(made)};
                case "open-list":
                    List<byte[]> sealed = split(texts, offsets);
                    List<Optional<byte[]>> found = key.nonceLength() == 0
                            ? ((Aead) key).openBatch(sealed, data)
                            : key.openBatchWithNonces(split(nonces, sealed.size()), sealed, data);
                    ByteBuffer present = ByteBuffer.allocate(found.size());
                    found.forEach(one -> present.put((byte) (one.isPresent() ? 1 : 0)));
                    return new byte[][] {join(found.stream().flatMap(Optional::stream).toList()), present.array()};
                case "seal-column":
                    Column values = new Column(texts, offsets, more.length == 0 ? null : more);
                    Column rows = ((Aead) key).sealColumn(values, data, dataOffsets);
                    return new byte[][] {rows.bytes(), bytes(rows.offsets())};
                default:
                    Column stored = new Column(texts, offsets, more.length == 0 ? null : more);
                    OpenedColumn column = ((Aead) key).openColumn(stored, data, dataOffsets);
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

    static String opened(Optional<byte[]> plaintext) {
        return plaintext.map(MatrixProgram::hex).orElse("forged");
    }

    static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    static byte[] bytes(String word) {
        return word.equals("-") ? new byte[0] : HexFormat.of().parseHex(word);
    }
}
