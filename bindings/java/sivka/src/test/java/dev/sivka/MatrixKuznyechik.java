package dev.sivka;

import java.nio.ByteBuffer;

/** The block cipher Kuznyechik, CTR and OMAC in the matrix of languages. */
final class MatrixKuznyechik {
    private MatrixKuznyechik() {}

    static String answer(String[] words) {
        return switch (words[0]) {
            case "ctr" -> ctr(words);
            case "omac" -> omac(words);
            case "omac-verify" -> verify(words);
            default -> blocks(words);
        };
    }

    private static String blocks(String[] words) {
        byte[] blocks = MatrixProgram.bytes(words[3]);
        try (Kuznyechik key = new Kuznyechik(MatrixProgram.bytes(words[1]))) {
            for (int times = Integer.parseInt(words[2]); times > 0; times--) {
                if (words[0].equals("encrypt-blocks")) {
                    key.encryptBlocks(blocks);
                } else {
                    key.decryptBlocks(blocks);
                }
            }
        }
        return MatrixProgram.hex(blocks);
    }

    /** Every other piece in a buffer. */
    private static String ctr(String[] words) {
        byte[] key = MatrixProgram.bytes(words[1]);
        byte[] iv = MatrixProgram.bytes(words[2]);
        long section = Long.parseLong(words[3]);
        int piece = Integer.parseInt(words[4]);
        byte[] text = MatrixProgram.bytes(words[5]);
        try (KuznyechikCtr ctr = section == 0 ? new KuznyechikCtr(key, iv) : KuznyechikCtr.acpkm(key, iv, section)) {
            for (int at = 0; at < text.length; at += piece) {
                int length = Math.min(piece, text.length - at);
                if (at / piece % 2 == 0) {
                    ctr.applyKeystream(text, at, length);
                } else {
                    ctr.applyKeystream(ByteBuffer.wrap(text, at, length));
                }
            }
        }
        return MatrixProgram.hex(text);
    }

    private static String omac(String[] words) {
        byte[] message = MatrixProgram.bytes(words[4]);
        int piece = Integer.parseInt(words[3]);
        try (KuznyechikOmac omac =
                new KuznyechikOmac(MatrixProgram.bytes(words[1]), Integer.parseInt(words[2]))) {
            if (piece == 0) {
                return MatrixProgram.hex(omac.tag(message));
            }
            update(omac, message, piece);
            return MatrixProgram.hex(omac.finish());
        }
    }

    private static String verify(String[] words) {
        byte[] message = MatrixProgram.bytes(words[3]);
        byte[] tag = MatrixProgram.bytes(words[4]);
        int piece = Integer.parseInt(words[2]);
        try (KuznyechikOmac omac = new KuznyechikOmac(MatrixProgram.bytes(words[1]), tag.length)) {
            if (piece > 0) {
                update(omac, message, piece);
            }
            return (piece == 0 ? omac.verify(message, tag) : omac.finishAndVerify(tag)) ? "verified" : "forged";
        }
    }

    /** Every other piece in a buffer. */
    private static void update(KuznyechikOmac omac, byte[] message, int piece) {
        for (int at = 0; at < message.length; at += piece) {
            int length = Math.min(piece, message.length - at);
            if (at / piece % 2 == 0) {
                omac.update(message, at, length);
            } else {
                omac.update(ByteBuffer.wrap(message, at, length));
            }
        }
    }
}
