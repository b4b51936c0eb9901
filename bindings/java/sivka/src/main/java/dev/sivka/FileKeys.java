package dev.sivka;

import dev.sivka.internal.Arguments;
import dev.sivka.internal.Header;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeObject;
import dev.sivka.internal.NativeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The key files, passphrases and recipients that a file is sealed for, or the key files, passphrases
 * and identities that it is to be opened with. Each of those that a file was sealed for opens it.
 *
 * <pre>{@code
 * try (FileKeys keys = new FileKeys().addKeyFile(Path.of("backup.key"))) {
 *     SealedFiles.seal(Path.of("notes.txt"), Path.of("notes.sivka"), keys);
 * }
 * }</pre>
 *
 * <p>Any number of threads may use one object, and add to it: a call works with what was there when
 * it began. Every call throws an {@link IllegalStateException} if it is closed. What is given is
 * copied; the caller wipes its own.
 */
public final class FileKeys implements AutoCloseable {
    /** What a key file has at most that a passphrase protects: a header with room for many slots. */
    private static final int MAX_PROTECTED_LEN = 1 << 16;

    final NativeObject keys = new NativeObject(
            Header.sivka_file_keys_free, Native.call(Header.sivka_file_keys_new), "set of file keys");

    /** Makes an empty set of keys. */
    public FileKeys() {}

    /**
     * Adds the key of a key file, which a passphrase may protect, as {@code sivka keygen --protect}
     * makes it. Trying the passphrase takes as long, and as much memory, as the file says.
     *
     * @param file the key file
     * @param passphrase as for {@link #addPassphrase}, or none; not looked at if the key file is in the
     *     clear
     * @return this object
     * @throws SealedFileException if it is not a key file, is damaged or of a newer version. Also if
     *     the passphrase does not open it ({@link SealedFileException.Reason#WRONG_KEY}), or a try
     *     costs more than {@link #setMaxCost} allows
     * @throws IllegalArgumentException if the path is the text of a key, which no message quotes; if the
     *     passphrase has half a surrogate pair, or there is none and it is needed
     * @throws IOException if it cannot be read
     */
    public FileKeys addKeyFile(Path file, char... passphrase) throws IOException {
        // Before an exception of the system quotes it.
        Native.call(Header.sivka_check_key_path, file.toString().getBytes(StandardCharsets.UTF_8));
        // A buffer of its own: into an array, a channel reads through one that keeps what was in it.
        ByteBuffer read = ByteBuffer.allocateDirect(MAX_PROTECTED_LEN + 1);
        byte[] text = {};
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            while (read.hasRemaining() && in.read(read) >= 0) {
                // Until the end, or until there is more than any key file has.
            }
            text = new byte[read.position()];
            read.get(0, text);
            return addKeyFile(text, passphrase);
        } catch (SealedFileException e) {
            throw new SealedFileException(e.reason(), file + ": " + e.getMessage());
        } finally {
            Arrays.fill(text, (byte) 0);
            read.put(0, new byte[read.position()]);
        }
    }

    /**
     * Adds the key of a key file that was read already.
     *
     * @param text the content of the key file
     * @param passphrase as for {@link #addKeyFile(Path, char...)}
     * @return this object
     * @throws SealedFileException as for {@link #addKeyFile(Path, char...)}
     */
    public FileKeys addKeyFile(byte[] text, char... passphrase) throws SealedFileException {
        Objects.requireNonNull(text, "text");
        byte[] bytes = Arguments.passphrase(passphrase);
        try {
            Native.<SealedFileException>call(
                    Header.sivka_file_keys_add_key_file, keys, text, bytes.length == 0 ? null : bytes);
            return this;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Adds a passphrase.
     *
     * @param passphrase in Unicode's form C; opening also tries it as given
     * @return this object
     * @throws IllegalArgumentException if it is empty, or half a surrogate pair is in it
     */
    public FileKeys addPassphrase(char[] passphrase) {
        byte[] bytes = Arguments.passphrase(passphrase);
        try {
            Native.call(Header.sivka_file_keys_add_passphrase, keys, bytes);
            return this;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Adds recipients, for whom files are sealed from now on: public keys of age. A future quantum
     * computer may open files for an {@code age1...} recipient, not for an {@code age1pq1...}
     * recipient. Recipients open nothing.
     *
     * @param text one recipient a line; empty lines, and lines that begin with {@code #}, are left out
     * @return this object
     * @throws SealedFileException if there is none, or one that is no recipient
     */
    public FileKeys addRecipients(String text) throws SealedFileException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Native.<SealedFileException>call(Header.sivka_file_keys_add_recipients, keys, bytes);
        return this;
    }

    /**
     * Adds identities of age, which open files for their recipients. Sealing with identities seals
     * for their recipients.
     *
     * @param text the content of a file of age's, {@code AGE-SECRET-KEY-1...} or
     *     {@code AGE-SECRET-KEY-PQ-1...} one a line
     * @return this object
     * @throws SealedFileException if there is none, or one that is no identity
     */
    public FileKeys addIdentities(byte[] text) throws SealedFileException {
        Objects.requireNonNull(text, "text");
        Native.<SealedFileException>call(Header.sivka_file_keys_add_identities, keys, text);
        return this;
    }

    /**
     * Sets how many more key slots later files reserve space for, so that
     * {@link SealedFiles#addSlot} need not move the content. Without this call it is 0.
     *
     * @param slots up to 64 with those of the file, or 54 of post-quantum recipients
     * @return this object
     * @throws IllegalArgumentException if it is negative
     */
    public FileKeys setSpareSlots(int slots) {
        Native.call(Header.sivka_file_keys_set_spare_slots, keys, slots);
        return this;
    }

    /**
     * Sets the cost of one try of a passphrase in files that are sealed from now on. Without
     * this call it is 262144 KiB, 3 passes and 4 lanes.
     *
     * @param memoryKib memory for Argon2id (RFC 9106) in KiB
     * @param passes passes over it
     * @param lanes how many threads may work at it
     * @return this object
     * @throws IllegalArgumentException if the file format does not allow such a cost, or a number
     *     is negative
     */
    public FileKeys setCost(int memoryKib, int passes, int lanes) {
        Native.call(Header.sivka_file_keys_set_cost, keys, memoryKib, passes, lanes);
        return this;
    }

    /**
     * Sets what trying a passphrase may cost at most when a file is opened, whose maker chose
     * the cost. Without this call it is 1048576 KiB and 16 passes.
     *
     * @param memoryKib memory for Argon2id in KiB
     * @param passes passes over it
     * @return this object
     * @throws IllegalArgumentException if a number is negative
     */
    public FileKeys setMaxCost(int memoryKib, int passes) {
        Native.call(Header.sivka_file_keys_set_max_cost, keys, memoryKib, passes);
        return this;
    }

    /** What seals a stream under the keys of now, or opens one with them. */
    NativeStream stream(boolean seals, int suite) {
        return new NativeStream(seals, seals
                ? Native.call(Header.sivka_sealer_new, keys, suite)
                : Native.call(Header.sivka_opener_new, keys));
    }

    /**
     * Makes a new random key, and the content of its key file.
     *
     * @param name a name for people: 1 to 64 bytes in UTF-8, without control characters, with no
     *     space at either end
     * @return a secret text in UTF-8: keep it where only its owner reads, and wipe it
     * @throws IllegalArgumentException for another name
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public static byte[] generateKeyFile(String name) {
        return Native.bytes(Header.MAX_KEY_FILE_LEN, Header.sivka_generate_key_file, Arguments.text("name", name));
    }

    /**
     * The content of the key file of a key that is there already.
     *
     * @param name as for {@link #generateKeyFile}
     * @param key 32 bytes, uniformly random
     * @return a secret text in UTF-8
     * @throws IllegalArgumentException for another name, or if the key has another length
     */
    public static byte[] keyFileOf(String name, byte[] key) {
        Objects.requireNonNull(key, "key");
        return Native.bytes(Header.MAX_KEY_FILE_LEN, Header.sivka_key_file_from_bytes, key, Arguments.text("name", name));
    }

    /**
     * The id of the key in a key file, which is in the slots of the files that it opens: a
     * hint, not a secret.
     *
     * @param text the content of the key file
     * @return 16 hexadecimal digits
     * @throws SealedFileException if it is not a key file, or one of a newer version
     */
    public static String keyFileId(byte[] text) throws SealedFileException {
        byte[] id = new byte[Header.KEY_ID_LEN];
        Native.<SealedFileException>call(Header.sivka_key_file_id, Objects.requireNonNull(text, "text"), id);
        return HexFormat.of().formatHex(id);
    }

    /** Wipes and frees the keys, when the last call that uses them has returned. */
    @Override
    public void close() {
        keys.close();
    }
}
