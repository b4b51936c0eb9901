package dev.sivka;

import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.internal.Arguments;
import dev.sivka.internal.Header;
import dev.sivka.internal.Message;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeKeyset;
import dev.sivka.internal.NativeStream;
import dev.sivka.internal.OpeningInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys open. This
 * class and Tink, in Java, C++, Go and Python, read each other's keysets and open each other's
 * messages.
 *
 * <pre>{@code
 * try (Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
 *     byte[] sealed = keyset.seal(plaintext, data);
 *     keyset.promote(keyset.add("AES256_GCM_SIV")); // seals from now on
 *     Optional<byte[]> opened = keyset.open(sealed, data);
 * }
 * }</pre>
 *
 * <p>Types of keys: AES-GCM-SIV, AES-GCM, AES-EAX, AES-CTR-HMAC, ChaCha20-Poly1305,
 * XChaCha20-Poly1305 and XAES-256-GCM, for {@link #seal} and {@link #open}. AES-SIV with 64 bytes
 * of key, for {@link #sealDeterministically} and {@link #openDeterministically}. AES-GCM-HKDF and
 * AES-CTR-HMAC for streams, for {@link #newOutputStream} and {@link #newInputStream}. An enabled key
 * of another type is refused by its name. None of these commits to its key: who may choose keys of a
 * keyset can make a message that opens under two of them.
 *
 * <p>If several programs share a keyset, {@link #add} a key and give everyone the keyset, so that
 * all can open its messages. {@link #promote} it, and give everyone the keyset again. When no
 * message of the old key is left, {@link #disable} it and, if nobody misses it, {@link #remove} it.
 *
 * <p>Ids of keys are numbers from 0 to 2<sup>32</sup> - 1, as JSON has them. Tink for Java shows
 * those from 2<sup>31</sup> on as negative numbers of type {@code int}: give {@link
 * Integer#toUnsignedLong} of these. An id that no key has, or several have, is an {@link
 * IllegalArgumentException}.
 *
 * <p>Any number of threads may use one keyset, also while one of them changes it: a call works with
 * the keys from before or from after the change. A change that is refused leaves the keyset as it
 * was. The keys are in native memory; what is in arrays of Java, the caller wipes.
 *
 * <p>A message that does not open is forged, damaged or too short, or was sealed with other data or
 * a key that is not enabled here. Nobody can say which. Associated data is authenticated and
 * not encrypted; null is the same as empty. A keyset or master that is closed, or for another
 * purpose than the call, is an {@link IllegalStateException}. A {@link
 * java.security.ProviderException} says that the operating system gives no random bytes.
 */
public final class Keyset implements KeysetMaster, AutoCloseable {
    private final NativeKeyset keyset;

    private Keyset(long address) {
        keyset = new NativeKeyset(address);
    }

    /**
     * Makes a keyset with one new key, which is its primary.
     *
     * @param template Tink's name for it, in upper or lower case. Take {@code AES256_GCM_SIV},
     *     unless equal values must show as equal. The others are {@code AES256_SIV}, {@code
     *     AES128_GCM_SIV}, {@code AES256_GCM}, {@code AES128_GCM}, {@code CHACHA20_POLY1305},
     *     {@code XCHACHA20_POLY1305}, {@code XAES_256_GCM_192_BIT_NONCE}, {@code
     *     XAES_256_GCM_160_BIT_NONCE}. With {@code _RAW} after it, messages have no prefix.
     *     For streams: {@code AES256_GCM_HKDF_1MB}, {@code AES256_CTR_HMAC_SHA256_1MB}, both also
     *     with {@code AES128} and with segments of {@code 4KB}
     * @return the keyset
     * @throws IllegalArgumentException if no template has this name
     */
    public static Keyset generate(String template) {
        return new Keyset(NativeKeyset.generate(template));
    }

    /**
     * Reads a keyset in the clear. Insecure where others can read the bytes, or change them.
     *
     * @param bytes the keyset, at most 1 MiB and 1000 keys; copied, and the caller wipes its own
     * @param form how it is written
     * @param options exceptions from the rules
     * @return the keyset
     * @throws KeysetException if it is no keyset in this form, breaks a rule, or has an enabled key
     *     of a type or version that this library does not have
     */
    public static Keyset fromInsecure(byte[] bytes, KeysetForm form, KeysetOption... options)
            throws KeysetException {
        return fromInsecure(bytes, flags(form, options));
    }

    private static Keyset fromInsecure(byte[] bytes, int flags) throws KeysetException {
        Objects.requireNonNull(bytes, "bytes");
        return new Keyset(Native.<KeysetException>call(Header.sivka_keyset_from_insecure, bytes, flags));
    }

    /**
     * Writes the keyset in the clear: it holds the keys. Keep it where only its owner reads, or
     * {@link #encrypt encrypt} it.
     *
     * @param form how to write it. JSON of one keyset differs from writer to writer: neither compare
     *     nor sign it
     * @return the keyset, which the caller wipes
     * @throws IllegalArgumentException if several keys have one id, or it has more than 1 MiB
     */
    public byte[] toInsecure(KeysetForm form) {
        int flags = flags(form);
        return write(Header.sivka_keyset_to_insecure, keyset, flags);
    }

    private byte[] write(int function, Object... arguments) {
        return keyset.alone(() -> Native.<KeysetException>bytes(Header.KEYSET_MAX_LEN, function, arguments));
    }

    /**
     * Decrypts a keyset. What is beside it, as its info in JSON, is not authenticated, and not
     * used.
     *
     * @param bytes the encrypted keyset, at most 1 MiB
     * @param form how it is written
     * @param master the key or keyset that encrypted it
     * @param data the associated data that it was encrypted with; Tink's older calls and tinkey
     *     have none, which is an empty array
     * @param options exceptions from the rules
     * @return the keyset; empty if it is forged or damaged, or was encrypted by another master or
     *     with other data, for whatever reason
     * @throws KeysetException if it is no encrypted keyset in this form, if its content breaks a
     *     rule, or if an enabled key has an unknown type or version
     */
    public static Optional<Keyset> decrypt(
            byte[] bytes, KeysetForm form, KeysetMaster master, byte[] data, KeysetOption... options)
            throws KeysetException {
        int flags = flags(form, options);
        Objects.requireNonNull(bytes, "bytes");
        byte[] aad = Arguments.data(data);
        try {
            // A KeysetException passes.
            return Optional.of(new Keyset(Keyset.<Long, IOException>under(
                    master, key -> Native.<IOException>call(Header.sivka_keyset_decrypt, key, aad, bytes, flags))));
        } catch (IOException doesNotOpen) {
            return Optional.empty();
        }
    }

    /** What is done with the key of a master. */
    private static <T, E extends Exception> T under(KeysetMaster master, NativeKeyset.KeyWork<T, E> work) throws E {
        return Objects.requireNonNull(master, "master") instanceof Keyset by
                ? by.keyset.withKey(Purpose.AEAD, work)
                : work.with(((Key) master).key);
    }

    /**
     * Decrypts a keyset by a key-management service.
     *
     * @param bytes the encrypted keyset, at most 1 MiB
     * @param form how it is written
     * @param service the service that encrypted it
     * @param data the associated data that it was encrypted with
     * @param options exceptions from the rules
     * @param <E> the exception of the service
     * @return the keyset; empty if the service says that it does not open
     * @throws KeysetException as by a master
     * @throws E if the service does
     */
    public static <E extends Exception> Optional<Keyset> decrypt(
            byte[] bytes, KeysetForm form, KeyManagement<E> service, byte[] data, KeysetOption... options)
            throws KeysetException, E {
        int flags = flags(form, options);
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(bytes, "bytes");
        byte[] encrypted = Native.<KeysetException>bytes(
                Header.KEYSET_MAX_LEN, Header.sivka_encrypted_keyset_ciphertext, bytes, flags & Header.KEYSET_JSON);
        Optional<byte[]> clear = service.decrypt(encrypted, Arguments.data(data));
        if (Objects.requireNonNull(clear, "the keyset").isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(fromInsecure(clear.get(), flags & ~Header.KEYSET_JSON));
        } finally {
            Arrays.fill(clear.get(), (byte) 0);
        }
    }

    /**
     * Encrypts the keyset.
     *
     * @param form how to write it. Binary says nothing of the keys; JSON says their ids, types and
     *     statuses in the clear, as Tink has it
     * @param master a keyset for {@link #seal}, whose primary encrypts, or a key
     * @param data associated data, which is not in what is written: who decrypts must know it
     * @return the encrypted keyset
     * @throws IllegalArgumentException as by {@link #toInsecure}
     */
    public byte[] encrypt(KeysetForm form, KeysetMaster master, byte[] data) {
        int flags = flags(form);
        byte[] aad = Arguments.data(data);
        return under(master, key -> write(Header.sivka_keyset_encrypt, keyset, key, aad, flags));
    }

    /**
     * Encrypts the keyset by a key-management service.
     *
     * @param form how to write it, as for a master
     * @param service encrypts it
     * @param data associated data, which the service is given
     * @param <E> the exception of the service
     * @return the encrypted keyset
     * @throws E if the service does
     */
    public <E extends Exception> byte[] encrypt(KeysetForm form, KeyManagement<E> service, byte[] data) throws E {
        int flags = flags(form);
        Objects.requireNonNull(service, "service");
        byte[] clear = toInsecure(KeysetForm.BINARY);
        // A copy, for the keyset may change while the service is asked.
        try (Keyset now = fromInsecure(clear, 0)) {
            byte[] encrypted = service.encrypt(clear, Arguments.data(data));
            Objects.requireNonNull(encrypted, "the encrypted keyset");
            return now.write(Header.sivka_encrypted_keyset_of, now.keyset, encrypted, flags);
        } catch (KeysetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } finally {
            Arrays.fill(clear, (byte) 0);
        }
    }

    private static int flags(KeysetForm form, KeysetOption... options) {
        int flags = Objects.requireNonNull(form, "form") == KeysetForm.JSON ? Header.KEYSET_JSON : 0;
        for (KeysetOption option : options) {
            // The only one.
            Objects.requireNonNull(option, "option");
            flags |= Header.KEYSET_DUPLICATE_IDS;
        }
        return flags;
    }

    /**
     * All of the keyset but its keys.
     *
     * @return as it is now; later changes do not show
     */
    public KeysetInfo info() {
        return keyset.info();
    }

    // Messages.

    /**
     * Seals a message with the primary key, under a nonce that is drawn.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data
     * @return prefix, nonce, ciphertext and tag, one after another
     */
    public byte[] seal(byte[] plaintext, byte[] data) {
        return seal(Purpose.AEAD, plaintext, data);
    }

    /**
     * Opens a message of an enabled key: tries those with the message's prefix, then those
     * without any.
     *
     * @param sealed a message of {@link #seal}, or of any Tink
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return open(Purpose.AEAD, sealed, data);
    }

    /**
     * Seals a message of a deterministic keyset: equal messages with equal data are sealed to equal
     * bytes, for look-ups and joins, and everybody sees that they are equal. After another key was
     * promoted they are sealed to other bytes than before.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data, as the names of table and column
     * @return prefix, tag and ciphertext, one after another
     */
    public byte[] sealDeterministically(byte[] plaintext, byte[] data) {
        return seal(Purpose.DETERMINISTIC_AEAD, plaintext, data);
    }

    /**
     * Opens a message of an enabled key of a deterministic keyset.
     *
     * @param sealed a message of {@link #sealDeterministically}, or of any Tink
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> openDeterministically(byte[] sealed, byte[] data) {
        return open(Purpose.DETERMINISTIC_AEAD, sealed, data);
    }

    private byte[] seal(Purpose purpose, byte[] plaintext, byte[] data) {
        return keyset.withKey(purpose, key -> Message.seal(key, null, plaintext, data));
    }

    private Optional<byte[]> open(Purpose purpose, byte[] sealed, byte[] data) {
        return Optional.ofNullable(keyset.withKey(purpose, key -> Message.open(key, null, sealed, data)));
    }

    // Streams.

    /**
     * A stream that seals the bytes that are written to it with the primary key, as Tink's {@code
     * StreamingAead}. Only {@link SealingOutputStream#finish} ends it: without that, it does not
     * open to its end.
     *
     * <pre>{@code
     * try (SealingOutputStream out = keyset.newOutputStream(Files.newOutputStream(sealed), data)) {
     *     Files.copy(plaintext, out);
     *     out.finish();
     * }
     * }</pre>
     *
     * @param sealed gets what is sealed, and is closed with the new stream
     * @param data associated data
     * @return the caller finishes it and closes it; the keyset may be changed or closed before
     */
    public SealingOutputStream newOutputStream(OutputStream sealed, byte[] data) {
        Objects.requireNonNull(sealed, "sealed");
        return new SealingOutputStream(sealed, stream(true, data));
    }

    /**
     * A stream that opens a stream of an enabled key, sealed here or by any Tink. A read gives
     * authenticated bytes. The read that reaches a part that does not open throws an {@link
     * java.io.IOException} whose cause is a {@link javax.crypto.AEADBadTagException}. Only the end of
     * the stream shows that it was all.
     *
     * @param sealed is closed with the new stream
     * @param data the associated data that the stream was sealed with; copied
     * @return the caller closes it, at any time; the keyset may be changed or closed before
     */
    public InputStream newInputStream(InputStream sealed, byte[] data) {
        Objects.requireNonNull(sealed, "sealed");
        return new OpeningInputStream(stream(false, data), sealed);
    }

    private NativeStream stream(boolean seals, byte[] data) {
        byte[] aad = Arguments.data(data);
        int function = seals ? Header.sivka_keyset_sealer_new : Header.sivka_keyset_opener_new;
        return new NativeStream(seals, keyset.alone(() -> Native.<KeysetException>call(function, keyset, aad)));
    }

    // Rotation.

    /**
     * Adds a new key, enabled. It seals only when it is promoted.
     *
     * @param template a name as for {@link #generate}
     * @return the id of the key
     * @throws IllegalArgumentException if no template has this name, or there are 1000 keys already
     * @throws IllegalStateException if the keys are for another purpose than the template
     */
    public long add(String template) {
        return keyset.add(template, false);
    }

    /**
     * Adds a new key and makes it the primary at once, for a keyset that nobody else has.
     *
     * @param template a name as for {@link #generate}
     * @return the id of the key
     */
    public long rotate(String template) {
        return keyset.add(template, true);
    }

    /**
     * Makes an enabled key the primary, which seals from now on.
     *
     * @param id of the key
     * @throws IllegalStateException if the key is not enabled
     */
    public void promote(long id) {
        keyset.change(Header.KEYSET_PROMOTE, id);
    }

    /**
     * Lets a disabled key open again.
     *
     * @param id of the key
     * @throws IllegalStateException if the key is destroyed or this library cannot use it
     */
    public void enable(long id) {
        keyset.change(Header.KEYSET_ENABLE, id);
    }

    /**
     * Keeps a key from opening, until it is enabled.
     *
     * @param id of the key
     * @throws IllegalStateException if the key is the primary or destroyed
     */
    public void disable(long id) {
        keyset.change(Header.KEYSET_DISABLE, id);
    }

    /**
     * Wipes a key for good; its id and status stay. Tink for Go does not read such a keyset: {@link
     * #remove} does the same and leaves nothing to stumble over.
     *
     * @param id of the key
     * @throws IllegalStateException if the key is the primary
     */
    public void destroy(long id) {
        keyset.change(Header.KEYSET_DESTROY, id);
    }

    /**
     * Wipes a key and its entry; every one with this id, if there are several.
     *
     * @param id of the key
     * @throws IllegalStateException if the key is the primary
     */
    public void remove(long id) {
        keyset.change(Header.KEYSET_REMOVE, id);
    }

    /** Wipes and frees the keys, as {@link Key#close} does. */
    @Override
    public void close() {
        keyset.close();
    }

    /** Ids, types, statuses and prefixes of the keys, without any key. */
    @Override
    public String toString() {
        try {
            return "keyset, " + info();
        } catch (IllegalStateException closed) {
            return "closed keyset";
        }
    }
}
