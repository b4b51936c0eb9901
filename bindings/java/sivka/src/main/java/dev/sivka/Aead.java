package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Batches;
import dev.sivka.internal.Message;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A key that seals messages without a nonce of the caller's. It draws a random nonce for each
 * message, or its algorithm has none. {@link AesSiv} and {@link XChaCha20Blake2bSiv} have none: the
 * same message gives the same bytes every time. If a nonce is drawn, and the operating system gives
 * no random bytes, sealing throws a {@link java.security.ProviderException}.
 *
 * <p>A sealed message is nonce, ciphertext and tag, one after another; {@link AesSiv} puts the tag
 * first.
 */
public abstract sealed class Aead extends Key implements KeysetMaster
        permits AesGcmSiv, AesSiv, KuznyechikMgm, XChaCha20Blake2b, XChaCha20Blake2bSiv {
    Aead(Algorithm algorithm, byte[] key) {
        super(algorithm, key);
    }

    Aead(NativeKey key) {
        super(key);
    }

    /**
     * Seals a message without associated data.
     *
     * @param plaintext the message, which may be empty
     * @return nonce, ciphertext and tag
     */
    public byte[] seal(byte[] plaintext) {
        return seal(plaintext, null);
    }

    /**
     * Seals a message.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data
     * @return nonce, ciphertext and tag
     */
    public byte[] seal(byte[] plaintext, byte[] data) {
        return Message.seal(key, null, plaintext, data);
    }

    /**
     * Opens what {@link #seal(byte[])} returned.
     *
     * @param sealed nonce, ciphertext and tag
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> open(byte[] sealed) {
        return open(sealed, null);
    }

    /**
     * Opens what {@link #seal(byte[], byte[])} returned.
     *
     * @param sealed nonce, ciphertext and tag
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(Message.open(key, null, sealed, data));
    }

    /**
     * Seals the remaining bytes of a buffer. Buffers, and exceptions, are as for {@link
     * #sealWithNonce(ByteBuffer, ByteBuffer, ByteBuffer, ByteBuffer)}.
     *
     * @param plaintext its remaining bytes are sealed
     * @param data its remaining bytes are associated data
     * @param sealed gets nonce, ciphertext and tag
     * @return how many bytes were written to {@code sealed}
     */
    public int seal(ByteBuffer plaintext, ByteBuffer data, ByteBuffer sealed) {
        return Message.between(true, key, null, plaintext, data, sealed);
    }

    /**
     * Opens the remaining bytes of a buffer. Buffers are as for sealing.
     *
     * @param sealed nonce, ciphertext and tag remain in it
     * @param data the associated data that the message was sealed with
     * @param plaintext gets the plaintext
     * @return whether the message opened. If not, no position has moved, and the bytes where the
     *     plaintext belongs are zeros or as they were
     */
    public boolean open(ByteBuffer sealed, ByteBuffer data, ByteBuffer plaintext) {
        return Message.between(false, key, null, sealed, data, plaintext) != Native.FORGED;
    }

    /**
     * Seals many messages with one call, each as {@link #seal(byte[], byte[])} would; short
     * messages share the CPU and take a fraction of the time.
     *
     * @param plaintexts the messages
     * @param data associated data of every message
     * @return nonce, ciphertext and tag of each message
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     */
    public List<byte[]> sealBatch(List<byte[]> plaintexts, byte[] data) {
        return Batches.seal(key, null, plaintexts, data);
    }

    /**
     * Opens many messages with one call, each as {@link #open(byte[], byte[])} would.
     *
     * @param sealed nonce, ciphertext and tag of each message
     * @param data associated data of every message
     * @return the plaintext of each message, or empty where one does not open
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     */
    public List<Optional<byte[]>> openBatch(List<byte[]> sealed, byte[] data) {
        return Batches.open(key, null, sealed, data);
    }

    /**
     * Seals every value of a column to a row that is ready to store: the very bytes that
     * {@link #seal(byte[], byte[])} returns. A null stays null.
     *
     * @param values the values
     * @param data associated data: of every value, if {@code dataOffsets} is null
     * @param dataOffsets where in {@code data} that of each value is: ascending, one more than
     *     values; may be null
     * @return the rows, with the validity of the values
     * @throws IllegalArgumentException if the arrays do not belong together so, or the rows
     *     together are longer than an array can be
     */
    public Column sealColumn(Column values, byte[] data, int[] dataOffsets) {
        return Batches.column(true, key, null, values, data, dataOffsets).values();
    }

    /**
     * Opens every row of a column, as {@link #sealColumn sealColumn} wrote it.
     *
     * @param sealed the rows
     * @param data associated data, as for sealing
     * @param dataOffsets as for sealing; may be null
     * @return the values, and for each row whether it opened
     * @throws IllegalArgumentException if the arrays do not belong together so
     */
    public OpenedColumn openColumn(Column sealed, byte[] data, int[] dataOffsets) {
        return Batches.column(false, key, null, sealed, data, dataOffsets);
    }
}
