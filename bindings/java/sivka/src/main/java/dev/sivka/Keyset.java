package dev.sivka;

import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.internal.NativeKeyset;
import dev.sivka.internal.OpeningInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.Optional;

/**
 * A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys open. This
 * class and Tink, in Java, C++, Go, Python and Objective-C, read each other's keysets and open each
 * other's messages.
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
 * XChaCha20-Poly1305 and XAES-256-GCM, for {@link #seal} and {@link #open}; AES-SIV with 64 bytes
 * of key, for {@link #sealDeterministically} and {@link #openDeterministically}; AES-GCM-HKDF and
 * AES-CTR-HMAC for streams, for {@link #newOutputStream} and {@link #newInputStream}. An enabled key
 * of another type is refused by its name. None of these commits to its key: anyone who may choose
 * keys of a keyset can make a message that opens under two of them.
 *
 * <p>If several programs share a keyset, {@link #add} a key and give everyone the keyset, so that
 * all can open its messages. {@link #promote} it, and give everyone the keyset again. When no
 * message of the old key is left, {@link #disable} it and, if nobody misses it, {@link #remove} it.
 *
 * <p>Ids of keys are numbers from 0 to 2<sup>32</sup> - 1, as JSON has them. Tink for Java shows
 * those from 2<sup>31</sup> on as negative numbers of type {@code int}: give {@link
 * Integer#toUnsignedLong} of these.
 *
 * <p>Any number of threads may use one keyset, also while one of them changes it: a call works with
 * the keys from before or from after the change. A change that is refused leaves the keyset as it
 * was. The keys are in native memory; what is in arrays of Java, the caller wipes.
 */
public final class Keyset implements KeysetMaster, AutoCloseable {
    private final NativeKeyset keyset;

    private Keyset(NativeKeyset keyset) {
        this.keyset = keyset;
    }

    /**
     * Makes a keyset with one new key, which is its primary.
     *
     * @param template a name that Tink has for it, in upper or lower case: {@code AES256_GCM_SIV}
     *     (the one to take, unless equal values must show as equal), {@code AES256_SIV}, {@code
     *     AES128_GCM_SIV}, {@code AES256_GCM}, {@code AES128_GCM}, {@code CHACHA20_POLY1305},
     *     {@code XCHACHA20_POLY1305}, {@code XAES_256_GCM_192_BIT_NONCE}, {@code
     *     XAES_256_GCM_160_BIT_NONCE}. With {@code _RAW} after it, messages have no prefix.
     *     For streams: {@code AES256_GCM_HKDF_1MB}, {@code AES256_CTR_HMAC_SHA256_1MB}, both also
     *     with {@code AES128} and with segments of {@code 4KB}
     * @return the keyset
     * @throws IllegalArgumentException if no template has this name
     * @throws java.security.ProviderException if the operating system gives no random bytes
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
        return new Keyset(NativeKeyset.fromInsecure(bytes, flags(form, options)));
    }

    /**
     * Writes the keyset in the clear: it holds the keys. Keep it where only its owner reads, or
     * {@link #encrypt encrypt} it.
     *
     * @param form how to write it. JSON of one keyset differs from writer to writer: neither compare
     *     nor sign it
     * @return the keyset, which the caller wipes
     * @throws IllegalArgumentException if several keys have one id, or it has more than 1 MiB
     * @throws IllegalStateException if this keyset is closed
     */
    public byte[] toInsecure(KeysetForm form) {
        return keyset.toInsecure(flags(form));
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
     * @throws KeysetException if it is no encrypted keyset in this form; if what it holds breaks a
     *     rule; or if an enabled key is of a type or version that this library does not have
     * @throws IllegalStateException if the master is closed, or a keyset that is not for {@link #seal}
     */
    public static Optional<Keyset> decrypt(
            byte[] bytes, KeysetForm form, KeysetMaster master, byte[] data, KeysetOption... options)
            throws KeysetException {
        int flags = flags(form, options);
        Objects.requireNonNull(master, "master");
        NativeKeyset found = master instanceof Keyset by
                ? NativeKeyset.decrypt(bytes, flags, by.keyset, data)
                : NativeKeyset.decrypt(bytes, flags, ((Key) master).key, data);
        return Optional.ofNullable(found).map(Keyset::new);
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
        return Optional.ofNullable(NativeKeyset.decrypt(bytes, flags, service, data)).map(Keyset::new);
    }

    /**
     * Encrypts the keyset.
     *
     * @param form how to write it. Binary says nothing of the keys; JSON says their ids, types and
     *     statuses in the clear, as Tink has it
     * @param master a keyset for {@link #seal}, whose primary encrypts, or a key
     * @param data associated data, which is not in what is written: who decrypts must know it; may
     *     be empty
     * @return the encrypted keyset
     * @throws IllegalArgumentException if several keys have one id, or it has more than 1 MiB
     * @throws IllegalStateException if this keyset or the master is closed, or the master is a
     *     keyset that is not for {@link #seal}
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public byte[] encrypt(KeysetForm form, KeysetMaster master, byte[] data) {
        int flags = flags(form);
        Objects.requireNonNull(master, "master");
        return master instanceof Keyset by
                ? keyset.encrypt(flags, by.keyset, data)
                : keyset.encrypt(flags, ((Key) master).key, data);
    }

    /**
     * Encrypts the keyset by a key-management service.
     *
     * @param form how to write it, as for a master
     * @param service encrypts it
     * @param data associated data, which the service is given
     * @param <E> the exception of the service
     * @return the encrypted keyset
     * @throws IllegalArgumentException if several keys have one id, or it has more than 1 MiB
     * @throws IllegalStateException if this keyset is closed
     * @throws E if the service does
     */
    public <E extends Exception> byte[] encrypt(KeysetForm form, KeyManagement<E> service, byte[] data) throws E {
        int flags = flags(form);
        Objects.requireNonNull(service, "service");
        return keyset.encrypt(flags, service, data);
    }

    private static int flags(KeysetForm form, KeysetOption... options) {
        int flags = Objects.requireNonNull(form, "form") == KeysetForm.JSON ? NativeKeyset.JSON : 0;
        for (KeysetOption option : options) {
            // The only one.
            Objects.requireNonNull(option, "option");
            flags |= NativeKeyset.DUPLICATE_IDS;
        }
        return flags;
    }

    /**
     * All of the keyset but its keys.
     *
     * @return as it is now; later changes do not show
     * @throws IllegalStateException if this keyset is closed
     */
    public KeysetInfo info() {
        return keyset.info();
    }

    // Messages.

    /**
     * Seals a message with the primary key, under a nonce that is drawn.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data, which is authenticated and not encrypted; may be empty
     * @return prefix, nonce, ciphertext and tag, one after another
     * @throws IllegalArgumentException if the message is longer than the algorithm allows, or the
     *     result longer than an array can be
     * @throws IllegalStateException if this keyset is for another purpose, or closed
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public byte[] seal(byte[] plaintext, byte[] data) {
        return keyset.seal(Purpose.AEAD, plaintext, data);
    }

    /**
     * Opens a message of an enabled key: tries those with the message's prefix, then those
     * without any.
     *
     * @param sealed a message of {@link #seal}, or of any Tink
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message is forged, damaged or too short, or was sealed
     *     with other data or a key that is not enabled here, for whatever reason
     * @throws IllegalStateException if this keyset is for another purpose, or closed
     */
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(keyset.open(Purpose.AEAD, sealed, data));
    }

    /**
     * Seals a message of a deterministic keyset: equal messages with equal data are sealed to equal
     * bytes, for look-ups and joins, and everybody sees that they are equal. After another key was
     * promoted they are sealed to other bytes than before.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data, which is authenticated and not encrypted, as the names of table
     *     and column; may be empty
     * @return prefix, tag and ciphertext, one after another
     * @throws IllegalArgumentException if the result is longer than an array can be
     * @throws IllegalStateException if this keyset is for another purpose, or closed
     */
    public byte[] sealDeterministically(byte[] plaintext, byte[] data) {
        return keyset.seal(Purpose.DETERMINISTIC_AEAD, plaintext, data);
    }

    /**
     * Opens a message of an enabled key of a deterministic keyset.
     *
     * @param sealed a message of {@link #sealDeterministically}, or of any Tink
     * @param data the associated data that the message was sealed with
     * @return the plaintext, or empty, as {@link #open} returns it
     * @throws IllegalStateException if this keyset is for another purpose, or closed
     */
    public Optional<byte[]> openDeterministically(byte[] sealed, byte[] data) {
        return Optional.ofNullable(keyset.open(Purpose.DETERMINISTIC_AEAD, sealed, data));
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
     * @param sealed gets the sealed stream, and is closed with the new stream
     * @param data associated data, which is authenticated and not in what is sealed; copied; may be
     *     empty
     * @return the caller finishes it and closes it; the keyset may be changed or closed before
     * @throws IllegalStateException if this keyset is not for streams, or closed
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public SealingOutputStream newOutputStream(OutputStream sealed, byte[] data) {
        Objects.requireNonNull(sealed, "sealed");
        return new SealingOutputStream(sealed, keyset.stream(true, data));
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
     * @throws IllegalStateException if this keyset is not for streams, or closed
     */
    public InputStream newInputStream(InputStream sealed, byte[] data) {
        Objects.requireNonNull(sealed, "sealed");
        return new OpeningInputStream(keyset.stream(false, data), sealed);
    }

    // Rotation.

    /**
     * Adds a new key, enabled. It seals only when it is promoted.
     *
     * @param template a name as for {@link #generate}
     * @return the id of the key
     * @throws IllegalArgumentException if no template has this name, or there are 1000 keys already
     * @throws IllegalStateException if the keys are for another purpose than the template, or this
     *     keyset is closed
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public long add(String template) {
        return keyset.add(template, false);
    }

    /**
     * Adds a new key and makes it the primary at once, for a keyset that nobody else has.
     *
     * @param template a name as for {@link #generate}
     * @return the id of the key
     * @throws IllegalArgumentException as {@link #add}
     * @throws IllegalStateException as {@link #add}
     * @throws java.security.ProviderException as {@link #add}
     */
    public long rotate(String template) {
        return keyset.add(template, true);
    }

    /**
     * Makes an enabled key the primary, which seals from now on.
     *
     * @param id of the key
     * @throws IllegalArgumentException if no key has this id, or several have
     * @throws IllegalStateException if the key is not enabled, or this keyset is closed
     */
    public void promote(long id) {
        keyset.change(NativeKeyset.PROMOTE, id);
    }

    /**
     * Lets a disabled key open again.
     *
     * @param id of the key
     * @throws IllegalArgumentException if no key has this id, or several have
     * @throws IllegalStateException if the key is destroyed or this library cannot use it, or this
     *     keyset is closed
     */
    public void enable(long id) {
        keyset.change(NativeKeyset.ENABLE, id);
    }

    /**
     * Keeps a key from opening, until it is enabled.
     *
     * @param id of the key
     * @throws IllegalArgumentException if no key has this id, or several have
     * @throws IllegalStateException if the key is the primary or destroyed, or this keyset is closed
     */
    public void disable(long id) {
        keyset.change(NativeKeyset.DISABLE, id);
    }

    /**
     * Wipes a key for good; its id and status stay. Tink for Go does not read such a keyset: {@link
     * #remove} does the same and leaves nothing to stumble over.
     *
     * @param id of the key
     * @throws IllegalArgumentException if no key has this id, or several have
     * @throws IllegalStateException if the key is the primary, or this keyset is closed
     */
    public void destroy(long id) {
        keyset.change(NativeKeyset.DESTROY, id);
    }

    /**
     * Wipes a key and its entry; every one with this id, if there are several.
     *
     * @param id of the key
     * @throws IllegalArgumentException if no key has this id
     * @throws IllegalStateException if the key is the primary, or this keyset is closed
     */
    public void remove(long id) {
        keyset.change(NativeKeyset.REMOVE, id);
    }

    /**
     * Wipes and frees the keys. Calls that run in other threads end as if the keyset were open, and
     * the last of them frees it; calls that come later throw an {@link IllegalStateException}. To
     * close a keyset again does nothing. One that is forgotten is closed by the garbage collector,
     * some time.
     */
    @Override
    public void close() {
        keyset.close();
    }

    /**
     * Ids, types, statuses and prefixes of the keys.
     *
     * @return a line without any key
     */
    @Override
    public String toString() {
        try {
            return "keyset, " + info();
        } catch (IllegalStateException closed) {
            return "closed keyset";
        }
    }
}
