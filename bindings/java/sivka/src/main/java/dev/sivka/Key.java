package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Batches;
import dev.sivka.internal.Message;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeKey;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A key of one algorithm. The calls here take nonces of the caller's: one for each message, which
 * may never be sealed under twice with one key unless the algorithm says so. The nonce of an
 * algorithm without one is empty. {@link Aead} has calls without a nonce, which are what most
 * programs want.
 *
 * <p>Ciphertext and tag come in this order, but for {@link AesSiv}, whose tag comes first.
 * Associated data is authenticated and not encrypted; null is the same as empty.
 *
 * <p>What does not open is forged, damaged or too short, or was sealed with another key, nonce or
 * data: there is no saying which. An {@link IllegalArgumentException} means a key, nonce or tag of
 * a wrong length, a message over the algorithm's limit, or a result that no array can hold. The
 * bytes of a key are copied; the caller wipes its own.
 *
 * <p>Any number of threads may use one key at the same time. It is kept in native memory, and does
 * not change. Every call throws an {@link IllegalStateException} if the key is closed.
 */
public abstract sealed class Key implements AutoCloseable permits Aead, ChaCha20Blake2b {
    final NativeKey key;

    Key(Algorithm algorithm, byte[] key) {
        this.key = new NativeKey(algorithm, key);
    }

    Key(NativeKey key) {
        this.key = key;
    }

    static Algorithm algorithm(String name, TagLength tagLength) {
        return Algorithm.named(name + Objects.requireNonNull(tagLength, "tagLength").suffix);
    }

    /** The one of some algorithms whose keys have a length. */
    static Algorithm algorithm(Algorithm[] all, String lengths, int keyLength) {
        for (Algorithm algorithm : all) {
            if (algorithm.keyLen() == keyLength) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException("key: " + lengths + " bytes expected, " + keyLength + " given");
    }

    /**
     * The name of this key's algorithm, for example {@code AES-256-GCM-SIV}.
     *
     * @return the name
     */
    public String algorithm() {
        return key.algorithm().name();
    }

    /**
     * The length of a nonce.
     *
     * @return the length in bytes; 0 for an algorithm without a nonce
     */
    public int nonceLength() {
        return key.algorithm().nonceLen();
    }

    /**
     * The length of a tag.
     *
     * @return the length in bytes
     */
    public int tagLength() {
        return key.algorithm().tagLen();
    }

    /**
     * Seals a message under a nonce of the caller's.
     *
     * @param nonce {@link #nonceLength} bytes, not secret
     * @param plaintext the message, which may be empty
     * @param data associated data
     * @return ciphertext and tag: {@link #tagLength} bytes more than the plaintext
     */
    public byte[] sealWithNonce(byte[] nonce, byte[] plaintext, byte[] data) {
        return Message.seal(key, Objects.requireNonNull(nonce, "nonce"), plaintext, data);
    }

    /**
     * Opens what {@link #sealWithNonce(byte[], byte[], byte[])} returned.
     *
     * @param nonce the nonce that the message was sealed under
     * @param ciphertext ciphertext and tag
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> openWithNonce(byte[] nonce, byte[] ciphertext, byte[] data) {
        return Optional.ofNullable(Message.open(key, Objects.requireNonNull(nonce, "nonce"), ciphertext, data));
    }

    /**
     * Seals the remaining bytes of a buffer. Buffers may be direct or not, and those that are read
     * may be read-only. Input and output may overlap in any way. Afterwards the positions of
     * {@code plaintext} and {@code ciphertext} are after the bytes that were read or written; those
     * of {@code nonce} and {@code data} do not move. On an exception no position has moved, and
     * {@code ciphertext} holds no plaintext that was not there.
     *
     * @param nonce {@link #nonceLength} bytes remain
     * @param plaintext its remaining bytes are sealed
     * @param data its remaining bytes are associated data
     * @param ciphertext gets ciphertext and tag
     * @return how many bytes were written to {@code ciphertext}
     * @throws IllegalArgumentException if too little remains in {@code ciphertext}, or input and
     *     output are one object
     * @throws java.nio.ReadOnlyBufferException if {@code ciphertext} is read-only
     */
    public int sealWithNonce(ByteBuffer nonce, ByteBuffer plaintext, ByteBuffer data, ByteBuffer ciphertext) {
        return Message.between(true, key, Region.of(nonce).copy(), plaintext, data, ciphertext);
    }

    /**
     * Opens the remaining bytes of a buffer. Buffers are as for sealing.
     *
     * @param nonce the nonce that the message was sealed under
     * @param ciphertext ciphertext and tag remain in it
     * @param data the associated data that the message was sealed with
     * @param plaintext gets the plaintext
     * @return whether the message opened. If not, no position has moved, and the bytes where the
     *     plaintext belongs are zeros or as they were
     * @throws IllegalArgumentException if too little remains in {@code plaintext}, or input and
     *     output are one object
     * @throws java.nio.ReadOnlyBufferException if {@code plaintext} is read-only
     */
    public boolean openWithNonce(ByteBuffer nonce, ByteBuffer ciphertext, ByteBuffer data, ByteBuffer plaintext) {
        byte[] given = Region.of(nonce).copy();
        return Message.between(false, key, given, ciphertext, data, plaintext) != Native.FORGED;
    }

    /**
     * Encrypts the remaining bytes of a buffer in place, and gives the tag apart. The position does not
     * move. On an exception the bytes are as they were. {@link ByteBuffer#wrap(byte[], int, int)} makes
     * a buffer of a part of an array.
     *
     * @param nonce {@link #nonceLength} bytes
     * @param inOut its remaining bytes are encrypted; direct, or with an array
     * @param data associated data
     * @param tag {@link #tagLength} bytes, which are written; no part of {@code inOut}
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public void sealInPlace(byte[] nonce, ByteBuffer inOut, byte[] data, byte[] tag) {
        Message.inPlace(true, key, nonce, Region.writable(inOut), data, tag);
    }

    /**
     * Decrypts the remaining bytes of a buffer in place, with the tag apart. Buffers are as for sealing.
     *
     * @param nonce the nonce that the message was sealed under
     * @param inOut its remaining bytes are decrypted
     * @param data the associated data that the message was sealed with
     * @param tag {@link #tagLength} bytes
     * @return whether the message opened; if not, the bytes are zeros
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public boolean openInPlace(byte[] nonce, ByteBuffer inOut, byte[] data, byte[] tag) {
        return Message.inPlace(false, key, nonce, Region.writable(inOut), data, tag);
    }

    /**
     * Seals many messages with one call, each as {@link #sealWithNonce(byte[], byte[], byte[])}
     * would: the same bytes, but short messages share the CPU and take a fraction of the time.
     *
     * @param nonces one for each message
     * @param plaintexts the messages
     * @param data associated data of every message
     * @return ciphertext and tag of each message
     * @throws IllegalArgumentException if there are more or fewer nonces than messages, or the
     *     messages together are longer than an array can be
     */
    public List<byte[]> sealBatchWithNonces(List<byte[]> nonces, List<byte[]> plaintexts, byte[] data) {
        return Batches.seal(key, Objects.requireNonNull(nonces, "nonces"), plaintexts, data);
    }

    /**
     * Opens many messages with one call, each as {@link #openWithNonce(byte[], byte[], byte[])}
     * would.
     *
     * @param nonces one for each message
     * @param ciphertexts ciphertext and tag of each message
     * @param data associated data of every message
     * @return the plaintext of each message, or empty where one does not open
     * @throws IllegalArgumentException as for sealing
     */
    public List<Optional<byte[]>> openBatchWithNonces(
            List<byte[]> nonces, List<byte[]> ciphertexts, byte[] data) {
        return Batches.open(key, Objects.requireNonNull(nonces, "nonces"), ciphertexts, data);
    }

    /**
     * Wipes and frees the key. Calls that run in other threads end as if it were open, and the last
     * of them frees it. To close a key again does nothing. A key that is forgotten is closed by the
     * garbage collector, some time.
     */
    @Override
    public void close() {
        key.close();
    }

    /** Names the algorithm, and nothing of the key. */
    @Override
    public String toString() {
        return algorithm() + " key";
    }
}
