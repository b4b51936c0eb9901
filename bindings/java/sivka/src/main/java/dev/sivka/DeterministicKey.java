package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Batches;
import dev.sivka.internal.Columns;
import dev.sivka.internal.Messages;
import dev.sivka.internal.NativeKey;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A key of an algorithm that has no nonce: a message gives the same bytes every time. Where
 * ciphertext and tag are named together, the tag comes after, but for {@link AesSiv}, whose tag
 * comes before the ciphertext.
 */
public abstract sealed class DeterministicKey extends Key implements KeysetMaster
        permits AesSiv, XChaCha20Blake2bSiv {
    private static final byte[] NO_NONCE = {};

    DeterministicKey(Algorithm algorithm, byte[] key) {
        super(algorithm, key);
    }

    DeterministicKey(NativeKey key) {
        super(key);
    }

    /**
     * Seals a message.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data, which is authenticated and not encrypted; may be empty
     * @return ciphertext and tag: {@link #tagLength} bytes more than the plaintext
     * @throws IllegalArgumentException if the message is longer than the algorithm allows, or
     *     the result longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public byte[] seal(byte[] plaintext, byte[] data) {
        return Messages.seal(key, null, plaintext, data);
    }

    /**
     * Opens what {@link #seal(byte[], byte[])} returned.
     *
     * @param sealed ciphertext and tag
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message is forged, damaged or too short, or was sealed
     *     with another key or data: there is no saying which
     * @throws IllegalStateException if this key is closed
     */
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(Messages.open(key, null, sealed, data));
    }

    /**
     * Seals what remains in a buffer. Buffers may be direct or not, and what is read may be
     * read-only. Input and output may overlap in any way. Afterwards the position of each is
     * after what was read or written; on an exception both are where they were, and
     * {@code sealed} holds no plaintext that was not there.
     *
     * @param plaintext what remains is sealed
     * @param data associated data
     * @param sealed gets ciphertext and tag
     * @return how many bytes were written to {@code sealed}
     * @throws IllegalArgumentException if too little remains in {@code sealed}, both buffers are
     *     one object, or the message is too long
     * @throws java.nio.ReadOnlyBufferException if {@code sealed} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public int seal(ByteBuffer plaintext, byte[] data, ByteBuffer sealed) {
        return Messages.seal(key, null, plaintext, data, sealed);
    }

    /**
     * Opens what remains in a buffer. Buffers are as for sealing.
     *
     * @param sealed ciphertext and tag remain in it
     * @param data the associated data that the message was sealed with
     * @param plaintext gets the plaintext
     * @return whether the message opened. If not, both positions are where they were, and the
     *     bytes where the plaintext belongs are zeros or what they were
     * @throws IllegalArgumentException if too little remains in {@code plaintext}, or both
     *     buffers are one object
     * @throws java.nio.ReadOnlyBufferException if {@code plaintext} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public boolean open(ByteBuffer sealed, byte[] data, ByteBuffer plaintext) {
        return Messages.open(key, null, sealed, data, plaintext);
    }

    /**
     * Encrypts a part of an array in place, and gives the tag apart.
     *
     * @param inOut holds the plaintext, and then the ciphertext
     * @param offset where the message begins
     * @param length how many bytes it has
     * @param data associated data
     * @param tag {@link #tagLength} bytes, which are written; no part of {@code inOut}
     * @throws IllegalArgumentException if the tag has another length or overlaps the message;
     *     the message is as it was
     * @throws IndexOutOfBoundsException if the message is not within the array
     * @throws IllegalStateException if this key is closed
     */
    public void sealInPlace(byte[] inOut, int offset, int length, byte[] data, byte[] tag) {
        Messages.sealInPlace(key, NO_NONCE, Region.of(inOut, offset, length), data, tag);
    }

    /**
     * Encrypts what remains in a buffer in place, as the form for arrays does. The position does
     * not move.
     *
     * @param inOut what remains is encrypted; direct, or with an array
     * @param data associated data
     * @param tag {@link #tagLength} bytes, which are written
     * @throws IllegalArgumentException if the tag has another length or overlaps the message;
     *     the message is as it was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public void sealInPlace(ByteBuffer inOut, byte[] data, byte[] tag) {
        Messages.sealInPlace(key, NO_NONCE, Region.writable(inOut), data, tag);
    }

    /**
     * Decrypts a part of an array in place, with the tag apart.
     *
     * @param inOut holds the ciphertext, and then the plaintext
     * @param offset where the message begins
     * @param length how many bytes it has
     * @param data the associated data that the message was sealed with
     * @param tag {@link #tagLength} bytes
     * @return whether the message opened; if not, it holds zeros
     * @throws IllegalArgumentException if the tag has another length; the message is as it was
     * @throws IndexOutOfBoundsException if the message is not within the array
     * @throws IllegalStateException if this key is closed
     */
    public boolean openInPlace(byte[] inOut, int offset, int length, byte[] data, byte[] tag) {
        return Messages.openInPlace(key, NO_NONCE, Region.of(inOut, offset, length), data, tag);
    }

    /**
     * Decrypts what remains in a buffer in place, as the form for arrays does. The position does
     * not move.
     *
     * @param inOut what remains is decrypted; direct, or with an array
     * @param data the associated data that the message was sealed with
     * @param tag {@link #tagLength} bytes
     * @return whether the message opened; if not, it holds zeros
     * @throws IllegalArgumentException if the tag has another length; the message is as it was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public boolean openInPlace(ByteBuffer inOut, byte[] data, byte[] tag) {
        return Messages.openInPlace(key, NO_NONCE, Region.writable(inOut), data, tag);
    }

    /**
     * Seals many messages with one call, each as {@link #seal(byte[], byte[])} would: the same
     * bytes, but short messages share the CPU and take a fraction of the time.
     *
     * @param plaintexts the messages
     * @param data associated data of every message
     * @return ciphertext and tag of each message
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public List<byte[]> sealBatch(List<byte[]> plaintexts, byte[] data) {
        return Batches.seal(key, plaintexts, data);
    }

    /**
     * Opens many messages with one call, each as {@link #open(byte[], byte[])} would.
     *
     * @param sealed ciphertext and tag of each message
     * @param data associated data of every message
     * @return the plaintext of each message, or empty where one does not open
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public List<Optional<byte[]>> openBatch(List<byte[]> sealed, byte[] data) {
        return Batches.open(key, sealed, data);
    }

    /**
     * Encrypts many messages in place that are in one array: message i is the bytes from
     * {@code offsets[i]} up to {@code offsets[i + 1]}. No array is allocated for them.
     *
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
            byte[] texts, int[] offsets, byte[] data, int[] dataOffsets, byte[] tags) {
        Batches.sealInPlace(key, NO_NONCE, texts, offsets, data, dataOffsets, tags);
    }

    /**
     * Decrypts many messages in place that are in one array, as
     * {@link #sealBatchInPlace sealBatchInPlace} encrypts them.
     *
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
            byte[] texts, int[] offsets, byte[] data, int[] dataOffsets, byte[] tags) {
        return Batches.openInPlace(key, NO_NONCE, texts, offsets, data, dataOffsets, tags);
    }

    /**
     * Seals every value of a column to a row that is ready to store: the very bytes that
     * {@link #seal(byte[], byte[])} returns, ciphertext and tag, one after the other. A null stays null.
     *
     * @param values the values
     * @param data associated data: of every value, if {@code dataOffsets} is null
     * @param dataOffsets where in {@code data} that of each value is: ascending, one more than
     *     values; may be null
     * @return the rows, with the validity of the values
     * @throws IllegalArgumentException if the arrays do not belong together so, or the rows
     *     together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    public Column sealColumn(Column values, byte[] data, int[] dataOffsets) {
        return Columns.seal(key, values, data, dataOffsets);
    }

    /**
     * Opens every row of a column, as {@link #sealColumn sealColumn} wrote it.
     *
     * @param sealed the rows
     * @param data associated data: of every row, if {@code dataOffsets} is null
     * @param dataOffsets where in {@code data} that of each row is: ascending, one more than
     *     rows; may be null
     * @return the values, and for each row whether it opened
     * @throws IllegalArgumentException if the arrays do not belong together so
     * @throws IllegalStateException if this key is closed
     */
    public OpenedColumn openColumn(Column sealed, byte[] data, int[] dataOffsets) {
        return Columns.open(key, sealed, data, dataOffsets);
    }
}
