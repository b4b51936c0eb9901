package dev.sivka;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Does what it is asked with keys, as evidence/leaks/src/zeroization/hold.rs does, in Java.
 *
 * <p>Keys are read into memory outside the heap, and are in an array for as long as a
 * constructor needs it: a collection that moves the array leaves its bytes where it was. In
 * this package, whose keys with a nonce have a class of their own.
 */
final class Hold {
    private static final int WORDS_LEN = 96;
    private static final byte[] AAD =
            "associated data of 33 bytes, long".getBytes(StandardCharsets.US_ASCII);

    private static NonceKey kept;

    public static void main(String[] args) throws IOException, KeysetException {
        FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
        ByteBuffer request = ByteBuffer.allocateDirect(WORDS_LEN + 64);
        ByteBuffer goOn = ByteBuffer.allocateDirect(1);
        while (filled(in, request)) {
            byte[] text = new byte[WORDS_LEN];
            request.get(0, text);
            String[] words = new String(text, StandardCharsets.US_ASCII).trim().split(" ");
            int length = Integer.parseInt(words[2]);
            // Leaves room for all that follows: what a collection moves is Java's to say.
            System.gc();
            byte[] key = new byte[Integer.parseInt(words[3])];
            request.get(WORDS_LEN, key);
            request.put(WORDS_LEN, new byte[64]);
            if (words[0].startsWith("file:")) {
                file(words[0].substring("file:".length()), words[1], length, key);
            } else if (words[0].startsWith("keyset:")) {
                Arrays.fill(key, (byte) 0);
                keyset(words[1].equals("keyset-refused"), length);
            } else if (words[1].equals("refused")) {
                refused(words[0], key);
            } else if (words[1].equals("kept")) {
                kept = made(words[0], key);
                use(kept, "open", length);
            } else if (isDeterministic(words[0])) {
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
            Arrays.fill(key, (byte) 0);
            System.out.println("freed 0 0");
            filled(in, goOn);
        }
    }

    private static boolean isDeterministic(String name) {
        return name.contains("-SIV-") || name.endsWith("b-SIV");
    }

    /** Tries to make a key of a byte too few. */
    private static void refused(String name, byte[] key) {
        byte[] shorter = Arrays.copyOfRange(key, 1, key.length);
        try {
            if (isDeterministic(name)) {
                deterministic(name, shorter).close();
            } else {
                made(name, shorter).close();
            }
        } catch (IllegalArgumentException e) {
            return;
        } finally {
            Arrays.fill(shorter, (byte) 0);
        }
        throw new IllegalStateException("a key of a wrong length");
    }

    /**
     * A file for a key file or for a passphrase. Who searches has written the key files, and reads
     * what is sealed. One is read by this program, the other by the package.
     */
    private static void file(String suite, String act, int length, byte[] key) throws IOException {
        Path place = Path.of(System.getenv("SIVKA_SEALED_FILE"));
        Path plain = Path.of(place + ".plain");
        try (RandomAccessFile file = new RandomAccessFile(plain.toFile(), "rw")) {
            file.setLength(0);
            file.setLength(length);
        }
        boolean passphrase = act.startsWith("passphrase");
        boolean refused = act.endsWith("refused");
        boolean forged = act.endsWith("forged");
        boolean wrong = act.endsWith("wrong");
        try (FileKeys right = new FileKeys(); FileKeys other = new FileKeys()) {
            if (passphrase) {
                char[] letters = new char[key.length];
                for (int i = 0; i < key.length; i++) {
                    letters[i] = (char) ('?' + (key[i] & 63));
                }
                add(right, letters, refused);
                for (int i = 0; i < key.length; i++) {
                    letters[i] ^= 1;
                }
                add(other, letters, refused);
                Arrays.fill(letters, '\0');
                right.setCost(64, 1, 1);
            } else {
                byte[] text = content(Path.of(place + ".key"));
                check(added(() -> right.addKeyFile(text)), !refused);
                Arrays.fill(text, (byte) 0);
                check(added(() -> other.addKeyFile(Path.of(place + ".wrong"))), !refused);
            }
            Arrays.fill(key, (byte) 0);
            if (refused) {
                return;
            }
            SealedFiles.seal(plain, place, right, suite, StandardCopyOption.REPLACE_EXISTING);
            if (forged) {
                changeLast(place);
            }
            boolean opened = added(() -> SealedFiles.open(
                    place, plain, wrong ? other : right, StandardCopyOption.REPLACE_EXISTING));
            check(opened, !(forged || wrong));
        }
    }

    private static void add(FileKeys keys, char[] letters, boolean refused) throws IOException {
        char last = letters[letters.length - 1];
        if (refused) {
            letters[letters.length - 1] = '\ud800'; // Half a surrogate pair.
        }
        check(added(() -> keys.addPassphrase(letters)), !refused);
        letters[letters.length - 1] = last;
    }

    private interface Call {
        void make() throws IOException, KeysetException;
    }

    /** Whether a call succeeded, and was not refused. */
    private static boolean added(Call call) throws IOException {
        try {
            call.make();
            return true;
        } catch (SealedFileException | KeysetException | IllegalArgumentException e) {
            return false;
        }
    }

    /** A file, read without a buffer of its own. */
    private static byte[] content(Path path) throws IOException {
        try (FileChannel in = FileChannel.open(path)) {
            ByteBuffer read = ByteBuffer.allocateDirect((int) in.size());
            filled(in, read);
            byte[] text = new byte[read.capacity()];
            read.get(0, text);
            read.put(0, new byte[text.length]);
            return text;
        }
    }

    /**
     * Reads the keyset that who searches has written in both forms, and uses it; cut off, if it is
     * to be refused. What it seals goes after its length.
     */
    private static void keyset(boolean refused, int length) throws IOException, KeysetException {
        String place = System.getenv("SIVKA_SEALED_FILE");
        try (OutputStream out = Files.newOutputStream(Path.of(place))) {
            for (KeysetForm form : KeysetForm.values()) {
                byte[] text = content(Path.of(place + "." + form.name().toLowerCase(Locale.ROOT)));
                if (refused) {
                    byte[] cutOff = Arrays.copyOf(text, text.length - 2);
                    check(added(() -> Keyset.fromInsecure(cutOff, form).close()), false);
                    Arrays.fill(cutOff, (byte) 0);
                } else {
                    try (Keyset read = Keyset.fromInsecure(text, form);
                            Keyset again = again(read, form);
                            Keyset decrypted = decrypted(read, form)) {
                        for (Keyset each : List.of(read, again, decrypted)) {
                            messages(each, length, out);
                        }
                    }
                }
                Arrays.fill(text, (byte) 0);
            }
        }
    }

    /** Written in the clear and read. */
    private static Keyset again(Keyset keyset, KeysetForm form) throws KeysetException {
        byte[] text = keyset.toInsecure(form);
        try {
            return Keyset.fromInsecure(text, form);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** Encrypted and decrypted, after it was refused for another key and other data. */
    private static Keyset decrypted(Keyset keyset, KeysetForm form) throws KeysetException {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 7);
        try (AesGcmSiv master = new AesGcmSiv(bytes); AesGcmSiv other = new AesGcmSiv(new byte[32])) {
            byte[] encrypted = keyset.encrypt(form, master, AAD);
            check(Keyset.decrypt(encrypted, form, other, AAD).isPresent(), false);
            check(Keyset.decrypt(encrypted, form, master, new byte[0]).isPresent(), false);
            return Keyset.decrypt(encrypted, form, master, AAD).orElseThrow();
        }
    }

    /** Seals with a keyset, unless it is for streams, and opens that and forgeries. */
    private static void messages(Keyset keyset, int length, OutputStream out) throws IOException {
        KeysetInfo.Purpose purpose = keyset.info().purpose();
        if (purpose == KeysetInfo.Purpose.OTHER) {
            return;
        }
        boolean siv = purpose == KeysetInfo.Purpose.DETERMINISTIC_AEAD;
        byte[] text = new byte[length];
        byte[] sealed = siv ? keyset.sealDeterministically(text, AAD) : keyset.seal(text, AAD);
        ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        out.write(size.putInt(sealed.length).array());
        out.write(sealed);
        BiFunction<byte[], byte[], Optional<byte[]>> open =
                siv ? keyset::openDeterministically : keyset::open;
        check(open.apply(sealed, AAD).isPresent(), true);
        check(open.apply(sealed, new byte[0]).isPresent(), false);
        sealed[sealed.length - 1] ^= 1;
        check(open.apply(sealed, AAD).isPresent(), false);
    }

    private static void changeLast(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            file.read(last, file.size() - 1);
            last.put(0, (byte) (last.get(0) ^ 1)).rewind();
            file.write(last, file.size() - 1);
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
        if (name.startsWith("ChaCha20-BLAKE2b")) {
            return new ChaCha20Blake2b(key, tag(name));
        }
        if (name.startsWith("XChaCha20-BLAKE2b")) {
            return new XChaCha20Blake2b(key, tag(name));
        }
        throw new IllegalArgumentException("no key is made for " + name);
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
