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
public abstract sealed class DeterministicKey extends Key implements KeysetMaster, NoncelessCalls
        permits AesSiv, XChaCha20Blake2bSiv {
    private static final byte[] NO_NONCE = {};

    DeterministicKey(Algorithm algorithm, byte[] key) {
        super(algorithm, key);
    }

    DeterministicKey(NativeKey key) {
        super(key);
    }

    @Override
    public byte[] seal(byte[] plaintext, byte[] data) {
        return Messages.seal(key, null, plaintext, data);
    }

    @Override
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(Messages.open(key, null, sealed, data));
    }

    @Override
    public int seal(ByteBuffer plaintext, byte[] data, ByteBuffer sealed) {
        return Messages.seal(key, null, plaintext, data, sealed);
    }

    @Override
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

    @Override
    public List<byte[]> sealBatch(List<byte[]> plaintexts, byte[] data) {
        return Batches.seal(key, plaintexts, data);
    }

    @Override
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

    @Override
    public Column sealColumn(Column values, byte[] data, int[] dataOffsets) {
        return Columns.seal(key, values, data, dataOffsets);
    }

    @Override
    public OpenedColumn openColumn(Column sealed, byte[] data, int[] dataOffsets) {
        return Columns.open(key, sealed, data, dataOffsets);
    }
}
