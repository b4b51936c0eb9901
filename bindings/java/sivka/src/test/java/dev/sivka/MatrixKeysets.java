package dev.sivka;

import java.util.Locale;
import java.util.Optional;

/** Tink keysets in the matrix of languages. */
final class MatrixKeysets {
    private MatrixKeysets() {}

    static String answer(String[] words) throws KeysetException {
        switch (words[0]) {
            case "keyset-new":
                try (Keyset keyset = Keyset.generate(words[1])) {
                    return json(keyset);
                }
            case "keyset-from-binary":
                try (Keyset keyset = Keyset.fromInsecure(MatrixProgram.bytes(words[1]), KeysetForm.BINARY)) {
                    return json(keyset);
                }
            case "keyset-rotate":
                try (Keyset keyset = keyset(words[2])) {
                    keyset.rotate(words[1]);
                    return json(keyset);
                }
            case "keyset-enable":
                try (Keyset keyset = keyset(words[2])) {
                    keyset.enable(Long.parseLong(words[1]));
                    return json(keyset);
                }
            case "keyset-decrypt-with":
                KeysetForm form = words[3].equals("json") ? KeysetForm.JSON : KeysetForm.BINARY;
                try (Key master = Keys.make(words[1], MatrixProgram.bytes(words[2]))) {
                    return decrypted(words[5], form, (KeysetMaster) master, MatrixProgram.bytes(words[4]));
                }
            default:
                try (Keyset keyset = keyset(words[1])) {
                    return under(keyset, words);
                }
        }
    }

    private static String under(Keyset keyset, String[] words) throws KeysetException {
        byte[] data = words.length > 2 ? MatrixProgram.bytes(words[2]) : null;
        switch (words[0]) {
            case "keyset-to-binary":
                return MatrixProgram.hex(keyset.toInsecure(KeysetForm.BINARY));
            case "keyset-to-json":
                return json(keyset);
            case "keyset-primitive":
                String purpose = keyset.info().purpose().name();
                String said = purpose.replace('_', ' ').toLowerCase(Locale.ROOT).replace("aead", "AEAD");
                return purpose.equals("OTHER") ? "none" : said;
            case "keyset-encrypt":
                try (Keyset inner = keyset(words[3])) {
                    return MatrixProgram.hex(inner.encrypt(KeysetForm.JSON, keyset, data));
                }
            case "keyset-decrypt":
                return decrypted(words[3], KeysetForm.JSON, keyset, data);
            case "keyset-seal":
                return MatrixProgram.hex(Keys.seal(keyset, MatrixProgram.bytes(words[3]), data));
            case "keyset-open":
                return MatrixProgram.opened(Keys.open(keyset, MatrixProgram.bytes(words[3]), data));
            default:
                throw new IllegalArgumentException("no command " + words[0]);
        }
    }

    private static String decrypted(String word, KeysetForm form, KeysetMaster master, byte[] data)
            throws KeysetException {
        Optional<Keyset> found = Keyset.decrypt(MatrixProgram.bytes(word), form, master, data);
        if (found.isEmpty()) {
            return "forged";
        }
        try (Keyset keyset = found.get()) {
            return json(keyset);
        }
    }

    private static Keyset keyset(String word) throws KeysetException {
        return Keyset.fromInsecure(MatrixProgram.bytes(word), KeysetForm.JSON);
    }

    private static String json(Keyset keyset) {
        return MatrixProgram.hex(keyset.toInsecure(KeysetForm.JSON));
    }
}
