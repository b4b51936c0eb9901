package dev.sivka;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The calls of keys that draw their nonces or have none. A sealed message is nonce, ciphertext and
 * tag, one after another. The keys of {@link DeterministicKey} have no nonce, and {@link AesSiv}
 * puts the tag first.
 *
 * <p>The two classes say each method again, because reflection may not call what is inherited from
 * an interface that is not public. They inherit its documentation.
 */
sealed interface NoncelessCalls permits DeterministicKey, RandomNonceKey {
    /**
     * Seals a message. If the algorithm has nonces, a random one is drawn here.
     *
     * @param plaintext the message, which may be empty
     * @param data associated data, which is authenticated and not encrypted; may be empty
     * @return nonce, ciphertext and tag
     * @throws IllegalArgumentException if the message is longer than the algorithm allows, or
     *     the result longer than an array can be
     * @throws IllegalStateException if this key is closed
     * @throws java.security.ProviderException if a nonce is drawn, and the operating system gives
     *     no random bytes
     */
    byte[] seal(byte[] plaintext, byte[] data);

    /**
     * Opens what {@link #seal(byte[], byte[])} returned.
     *
     * @param sealed nonce, ciphertext and tag
     * @param data the associated data that the message was sealed with
     * @return the plaintext; empty if the message is forged, damaged or too short, or was sealed
     *     with another key or data: there is no saying which
     * @throws IllegalStateException if this key is closed
     */
    Optional<byte[]> open(byte[] sealed, byte[] data);

    /**
     * Seals what remains in a buffer, as {@link #seal(byte[], byte[])} does. Buffers may be direct
     * or not, and what is read may be read-only. Input and output may overlap in any way.
     * Afterwards the position of each is after what was read or written; on an exception both are
     * where they were, and {@code sealed} holds no plaintext that was not there.
     *
     * @param plaintext what remains is sealed
     * @param data associated data
     * @param sealed gets nonce, ciphertext and tag
     * @return how many bytes were written to {@code sealed}
     * @throws IllegalArgumentException if too little remains in {@code sealed}, both buffers are
     *     one object, or the message is too long
     * @throws java.nio.ReadOnlyBufferException if {@code sealed} is read-only
     * @throws IllegalStateException if this key is closed
     */
    int seal(ByteBuffer plaintext, byte[] data, ByteBuffer sealed);

    /**
     * Opens what remains in a buffer. Buffers are as for sealing.
     *
     * @param sealed nonce, ciphertext and tag remain in it
     * @param data the associated data that the message was sealed with
     * @param plaintext gets the plaintext
     * @return whether the message opened. If not, both positions are where they were, and the
     *     bytes where the plaintext belongs are zeros or what they were
     * @throws IllegalArgumentException if too little remains in {@code plaintext}, or both
     *     buffers are one object
     * @throws java.nio.ReadOnlyBufferException if {@code plaintext} is read-only
     * @throws IllegalStateException if this key is closed
     */
    boolean open(ByteBuffer sealed, byte[] data, ByteBuffer plaintext);

    /**
     * Seals many messages with one call, each as {@link #seal(byte[], byte[])} would; short
     * messages share the CPU and take a fraction of the time.
     *
     * @param plaintexts the messages
     * @param data associated data of every message
     * @return nonce, ciphertext and tag of each message
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    List<byte[]> sealBatch(List<byte[]> plaintexts, byte[] data);

    /**
     * Opens many messages with one call, each as {@link #open(byte[], byte[])} would.
     *
     * @param sealed nonce, ciphertext and tag of each message
     * @param data associated data of every message
     * @return the plaintext of each message, or empty where one does not open
     * @throws IllegalArgumentException if the messages together are longer than an array can be
     * @throws IllegalStateException if this key is closed
     */
    List<Optional<byte[]>> openBatch(List<byte[]> sealed, byte[] data);

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
     * @throws IllegalStateException if this key is closed
     */
    Column sealColumn(Column values, byte[] data, int[] dataOffsets);

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
    OpenedColumn openColumn(Column sealed, byte[] data, int[] dataOffsets);
}
