package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Batches;
import dev.sivka.internal.Messages;
import dev.sivka.internal.NativeKey;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A key whose messages are sealed under nonces. */
abstract sealed class NonceKey extends Key permits RandomNonceKey, ChaCha20Blake2b {
    NonceKey(Algorithm algorithm, byte[] key) {
        super(algorithm, key);
    }

    NonceKey(NativeKey key) {
        super(key);
    }

    /**
     * Seals a message under a nonce of the caller's. No other message may be sealed under this
     * key with the same nonce; what it costs if it happens is said above.
     *
     * @param nonce {@link #nonceLength} bytes, not secret
     * @param plaintext the message, which may be empty
     * @param data associated data, which is authenticated and not encrypted; may be empty
     * @return ciphertext and tag: {@link #tagLength} bytes more than the plaintext
     * @throws IllegalArgumentException if the nonce has another length or is none of the
     *     algorithm's; if the message is longer than the algorithm allows; or if the result is
     *     longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public byte[] seal(byte[] nonce, byte[] plaintext, byte[] data) {
        return Messages.seal(key, Objects.requireNonNull(nonce, "nonce"), plaintext, data);
    }

    /**
     * Opens what {@link #seal(byte[], byte[], byte[])} returned.
     *
     * @param nonce the nonce that the message was sealed under
     * @param ciphertext ciphertext and tag
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message is forged, damaged or too short, or was sealed
     *     with another key, nonce or data: there is no saying which
     * @throws IllegalArgumentException if the nonce has another length
     * @throws IllegalStateException if this key is closed
     */
    public Optional<byte[]> open(byte[] nonce, byte[] ciphertext, byte[] data) {
        return Optional.ofNullable(Messages.open(key, Objects.requireNonNull(nonce, "nonce"), ciphertext, data));
    }

    /**
     * Seals what remains in a buffer, as {@link #seal(byte[], byte[], byte[])} does. Buffers may
     * be direct or not, and what is read may be read-only. Input and output may overlap in any
     * way. Afterwards the position of each is after what was read or written; on an exception
     * both are where they were, and {@code ciphertext} holds no plaintext that was not there.
     *
     * @param nonce {@link #nonceLength} bytes
     * @param plaintext what remains is sealed
     * @param data associated data
     * @param ciphertext gets ciphertext and tag
     * @return how many bytes were written to {@code ciphertext}
     * @throws IllegalArgumentException if too little remains in {@code ciphertext}, both buffers
     *     are one object, the nonce has another length, or the message is too long
     * @throws java.nio.ReadOnlyBufferException if {@code ciphertext} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public int seal(byte[] nonce, ByteBuffer plaintext, byte[] data, ByteBuffer ciphertext) {
        Objects.requireNonNull(nonce, "nonce");
        return Messages.seal(key, nonce, plaintext, data, ciphertext);
    }

    /**
     * Opens what remains in a buffer, as {@link #open(byte[], byte[], byte[])} does. Buffers are
     * as for sealing.
     *
     * @param nonce the nonce that the message was sealed under
     * @param ciphertext ciphertext and tag remain in it
     * @param data the associated data that the message was sealed with
     * @param plaintext gets the plaintext
     * @return whether the message opened. If not, both positions are where they were, and the
     *     bytes where the plaintext belongs are zeros or what they were
     * @throws IllegalArgumentException if too little remains in {@code plaintext}, both buffers
     *     are one object, or the nonce has another length
     * @throws java.nio.ReadOnlyBufferException if {@code plaintext} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public boolean open(byte[] nonce, ByteBuffer ciphertext, byte[] data, ByteBuffer plaintext) {
        Objects.requireNonNull(nonce, "nonce");
        return Messages.open(key, nonce, ciphertext, data, plaintext);
    }

    /**
     * Encrypts a part of an array in place, and gives the tag apart.
     *
     * @param nonce {@link #nonceLength} bytes
     * @param inOut holds the plaintext, and then the ciphertext
     * @param offset where the message begins
     * @param length how many bytes it has
     * @param data associated data
     * @param tag {@link #tagLength} bytes, which are written; no part of {@code inOut}
     * @throws IllegalArgumentException if nonce or tag has another length, or the tag overlaps
     *     the message; the message is as it was
     * @throws IndexOutOfBoundsException if the message is not within the array
     * @throws IllegalStateException if this key is closed
     */
    public void sealInPlace(
            byte[] nonce, byte[] inOut, int offset, int length, byte[] data, byte[] tag) {
        Messages.sealInPlace(key, nonce, Region.of(inOut, offset, length), data, tag);
    }

    /**
     * Encrypts what remains in a buffer in place, as the form for arrays does. The position does
     * not move.
     *
     * @param nonce {@link #nonceLength} bytes
     * @param inOut what remains is encrypted; direct, or with an array
     * @param data associated data
     * @param tag {@link #tagLength} bytes, which are written
     * @throws IllegalArgumentException if nonce or tag has another length, or the tag overlaps
     *     the message; the message is as it was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public void sealInPlace(byte[] nonce, ByteBuffer inOut, byte[] data, byte[] tag) {
        Messages.sealInPlace(key, nonce, Region.writable(inOut), data, tag);
    }

    /**
     * Decrypts a part of an array in place, with the tag apart.
     *
     * @param nonce the nonce that the message was sealed under
     * @param inOut holds the ciphertext, and then the plaintext
     * @param offset where the message begins
     * @param length how many bytes it has
     * @param data the associated data that the message was sealed with
     * @param tag {@link #tagLength} bytes
     * @return whether the message opened; if not, it holds zeros
     * @throws IllegalArgumentException if nonce or tag has another length; the message is as it
     *     was
     * @throws IndexOutOfBoundsException if the message is not within the array
     * @throws IllegalStateException if this key is closed
     */
    public boolean openInPlace(
            byte[] nonce, byte[] inOut, int offset, int length, byte[] data, byte[] tag) {
        return Messages.openInPlace(key, nonce, Region.of(inOut, offset, length), data, tag);
    }

    /**
     * Decrypts what remains in a buffer in place, as the form for arrays does. The position does
     * not move.
     *
     * @param nonce the nonce that the message was sealed under
     * @param inOut what remains is decrypted; direct, or with an array
     * @param data the associated data that the message was sealed with
     * @param tag {@link #tagLength} bytes
     * @return whether the message opened; if not, it holds zeros
     * @throws IllegalArgumentException if nonce or tag has another length; the message is as it
     *     was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public boolean openInPlace(byte[] nonce, ByteBuffer inOut, byte[] data, byte[] tag) {
        return Messages.openInPlace(key, nonce, Region.writable(inOut), data, tag);
    }

    /**
     * Seals many messages with one call, each as {@link #seal(byte[], byte[], byte[])} would:
     * the same bytes, but short messages share the CPU and take a fraction of the time.
     *
     * @param nonces one for each message
     * @param plaintexts the messages
     * @param data associated data of every message
     * @return ciphertext and tag of each message
     * @throws IllegalArgumentException if there are more or fewer nonces than messages, one of
     *     them has another length, or the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public List<byte[]> sealBatch(List<byte[]> nonces, List<byte[]> plaintexts, byte[] data) {
        return Batches.sealWithNonces(key, nonces, plaintexts, data);
    }

    /**
     * Opens many messages with one call, each as {@link #open(byte[], byte[], byte[])} would.
     *
     * @param nonces one for each message
     * @param ciphertexts ciphertext and tag of each message
     * @param data associated data of every message
     * @return the plaintext of each message, or empty where one does not open
     * @throws IllegalArgumentException if there are more or fewer nonces than messages, one of
     *     them has another length, or the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public List<Optional<byte[]>> openBatch(
            List<byte[]> nonces, List<byte[]> ciphertexts, byte[] data) {
        return Batches.openWithNonces(key, nonces, ciphertexts, data);
    }

    /**
     * Encrypts many messages in place that are in one array: message i is the bytes from
     * {@code offsets[i]} up to {@code offsets[i + 1]}. No array is allocated for them.
     *
     * @param nonces a nonce for each message, one after another
     * @param texts holds the plaintexts, and then the ciphertexts
     * @param offsets ascending; one more than messages
     * @param data associated data: of every message, if {@code dataOffsets} is null
     * @param dataOffsets where in {@code data} that of each message is, as {@code offsets};
     *     may be null
     * @param tags a tag for each message, one after another, which are written
     * @throws IllegalArgumentException if the arrays do not belong together so, and nothing was
     *     encrypted; or if single messages cannot be sealed, and all others were
     * @throws IllegalStateException if this key is closed
     */
    public void sealBatchInPlace(
            byte[] nonces, byte[] texts, int[] offsets, byte[] data, int[] dataOffsets, byte[] tags) {
        Batches.sealInPlace(key, nonces, texts, offsets, data, dataOffsets, tags);
    }

    /**
     * Decrypts many messages in place that are in one array, as
     * {@link #sealBatchInPlace sealBatchInPlace} encrypts them.
     *
     * @param nonces a nonce for each message, one after another
     * @param texts holds the ciphertexts, and then the plaintexts; zeros where a message does
     *     not open
     * @param offsets ascending; one more than messages
     * @param data associated data: of every message, if {@code dataOffsets} is null
     * @param dataOffsets where in {@code data} that of each message is, as {@code offsets};
     *     may be null
     * @param tags a tag for each message, one after another
     * @return for each message whether it opened
     * @throws IllegalArgumentException if the arrays do not belong together so; nothing was
     *     decrypted
     * @throws IllegalStateException if this key is closed
     */
    public boolean[] openBatchInPlace(
            byte[] nonces, byte[] texts, int[] offsets, byte[] data, int[] dataOffsets, byte[] tags) {
        return Batches.openInPlace(key, nonces, texts, offsets, data, dataOffsets, tags);
    }
}
