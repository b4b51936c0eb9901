package dev.sivka;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Does what it is asked with keys, as leaks/src/remains/hold.rs does, in Java.
 *
 * <p>Keys are read into memory outside the heap, and are in an array for as long as a
 * constructor needs it: a collection that moves the array leaves its bytes where it was. In
 * this package, whose keys with a nonce have a class of their own.
 */
final class Hold {
    private static final int WORDS_LEN = 96;
    private static final byte[] AAD =
            "associated data of 33 bytes, long".getBytes(StandardCharsets.US_ASCII);

    public static void main(String[] args) throws IOException {
        FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
        ByteBuffer request = ByteBuffer.allocateDirect(WORDS_LEN + 64);
        ByteBuffer goOn = ByteBuffer.allocateDirect(1);
        while (filled(in, request)) {
            byte[] text = new byte[WORDS_LEN];
            request.get(0, text);
            String[] words = new String(text, StandardCharsets.US_ASCII).trim().split(" ");
            int length = Integer.parseInt(words[2]);
            byte[] key = new byte[Integer.parseInt(words[3])];
            request.get(WORDS_LEN, key);
            request.put(WORDS_LEN, new byte[64]);
            if (words[0].contains("-SIV-") || words[0].endsWith("b-SIV")) {
                try (DeterministicKey made = deterministic(words[0], key)) {
                    Arrays.fill(key, (byte) 0);
                    use(made, words[1], length);
                }
            } else {
                try (NonceKey made = made(words[0], key)) {
                    Arrays.fill(key, (byte) 0);
                    use(made, words[1], length);
                }
            }
            System.out.println("freed 0 0");
            filled(in, goOn);
        }
    }

    private static boolean filled(FileChannel in, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (in.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    private static TagLength tag(String name) {
        return name.endsWith("-Tag48")
                ? TagLength.BYTES_48
                : name.endsWith("-Tag64") ? TagLength.BYTES_64 : TagLength.BYTES_32;
    }

    private static DeterministicKey deterministic(String name, byte[] key) {
        return name.startsWith("AES") ? new AesSiv(key) : new XChaCha20Blake2bSiv(key, tag(name));
    }

    private static NonceKey made(String name, byte[] key) {
        if (name.startsWith("AES")) {
            return new AesGcmSiv(key);
        }
        if (name.startsWith("Kuznyechik")) {
            return new KuznyechikMgm(key);
        }
        return name.startsWith("X")
                ? new XChaCha20Blake2b(key, tag(name))
                : new ChaCha20Blake2b(key, tag(name));
    }

    private static byte[] nonce(NonceKey key, int message) {
        byte[] nonce = new byte[key.nonceLength()];
        Arrays.fill(nonce, (byte) (message + 1));
        return nonce;
    }

    private static List<byte[]> texts(int length) {
        List<byte[]> texts = new ArrayList<>();
        for (int i = 0; i < (length <= 64 ? 17 : 19); i++) {
            texts.add(new byte[length <= 64 ? length : (int) ((long) length * (i + 1) / 19)]);
        }
        return texts;
    }

    private static void use(NonceKey key, String act, int length) {
        if (act.startsWith("batch")) {
            List<byte[]> nonces = new ArrayList<>();
            List<byte[]> texts = texts(length);
            for (int i = 0; i < texts.size(); i++) {
                nonces.add(nonce(key, i));
            }
            List<byte[]> sealed = new ArrayList<>(key.sealBatch(nonces, texts, AAD));
            sealed.get(0)[0] ^= (byte) (act.equals("batch-forged") ? 1 : 0);
            check(key.openBatch(nonces, sealed, AAD).get(0).isPresent(), !act.equals("batch-forged"));
        } else if (!act.equals("set-up")) {
            byte[] sealed = key.seal(nonce(key, 0), new byte[length], AAD);
            sealed[0] ^= (byte) (act.equals("forged") ? 1 : 0);
            if (!act.equals("seal")) {
                check(key.open(nonce(key, 0), sealed, AAD).isPresent(), act.equals("open"));
            }
        }
    }

    private static void use(DeterministicKey key, String act, int length) {
        if (act.startsWith("batch")) {
            List<byte[]> sealed = new ArrayList<>(key.sealBatch(texts(length), AAD));
            sealed.get(0)[0] ^= (byte) (act.equals("batch-forged") ? 1 : 0);
            check(key.openBatch(sealed, AAD).get(0).isPresent(), !act.equals("batch-forged"));
        } else if (!act.equals("set-up")) {
            byte[] sealed = key.seal(new byte[length], AAD);
            sealed[0] ^= (byte) (act.equals("forged") ? 1 : 0);
            if (!act.equals("seal")) {
                check(key.open(sealed, AAD).isPresent(), act.equals("open"));
            }
        }
    }

    private static void check(boolean opened, boolean expected) {
        if (opened != expected) {
            throw new IllegalStateException("not opened as it should");
        }
    }
}
