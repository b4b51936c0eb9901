package dev.sivka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Seals and opens what other programs ask for: each line of the standard input is a question, and
 * is answered with a line. The test that seals in each language and opens in each other runs it.
 */
public final class MatrixProgram {
    private MatrixProgram() {}

    /** Answers until the input ends. */
    public static void main(String[] args) throws IOException, KeysetException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(line.split(" ")));
        }
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
                    return words[0].endsWith("-batch") ? batch(key, words) : message(key, words);
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

    private static String batch(Key key, String[] words) {
        byte[] data = bytes(words[3]);
        List<byte[]> nonces = new ArrayList<>();
        List<byte[]> texts = new ArrayList<>();
        for (String message : Arrays.asList(words).subList(4, words.length)) {
            String[] parts = message.split(":");
            nonces.add(bytes(parts[0]));
            texts.add(bytes(parts[1]));
        }
        StringJoiner answer = new StringJoiner(" ");
        if (words[0].equals("seal-batch")) {
            List<byte[]> sealed =
                    key instanceof NonceKey with
                            ? with.sealBatch(nonces, texts, data)
                            : ((DeterministicKey) key).sealBatch(texts, data);
            sealed.forEach(one -> answer.add(hex(one)));
        } else {
            List<Optional<byte[]>> plaintexts =
                    key instanceof NonceKey with
                            ? with.openBatch(nonces, texts, data)
                            : ((DeterministicKey) key).openBatch(texts, data);
            plaintexts.forEach(one -> answer.add(opened(one)));
        }
        return answer.toString();
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
