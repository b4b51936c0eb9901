package dev.sivka;

import dev.sivka.internal.NativeBlockCipher;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;

/**
 * A key of the block cipher Kuznyechik (GOST R 34.12-2015, RFC 7801). Keys have 32 bytes, blocks
 * 16.
 *
 * <p>Each block is encrypted on its own. That is a part to make a mode of, and does not protect
 * messages: {@link KuznyechikMgm} does. Many blocks in one call are several times as fast a
 * block.
 *
 * <p>Any number of threads may use one key at the same time. It is kept in native memory, and
 * does not change.
 */
public final class Kuznyechik implements AutoCloseable {
    private final NativeBlockCipher cipher;

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random: see {@link KuznyechikMgm#generateKey}. They are
     *     copied; the caller wipes its own
     * @throws IllegalArgumentException if it has another length
     */
    public Kuznyechik(byte[] key) {
        cipher = new NativeBlockCipher(key);
    }

    /**
     * Encrypts each block of an array in place.
     *
     * @param inOut whole blocks
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the array is
     *     as it was
     * @throws IllegalStateException if this key is closed
     */
    public void encryptBlocks(byte[] inOut) {
        encryptBlocks(inOut, 0, inOut.length);
    }

    /**
     * Encrypts each block of a part of an array in place.
     *
     * @param inOut whole blocks from {@code offset} on
     * @param offset where the first begins
     * @param length how many bytes they have
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the array is
     *     as it was
     * @throws IndexOutOfBoundsException if the blocks are not within the array
     * @throws IllegalStateException if this key is closed
     */
    public void encryptBlocks(byte[] inOut, int offset, int length) {
        cipher.blocks(true, Region.of(inOut, offset, length));
    }

    /**
     * Encrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the buffer is
     *     as it was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public void encryptBlocks(ByteBuffer inOut) {
        cipher.blocks(true, Region.writable(inOut));
    }

    /**
     * Decrypts each block of an array in place.
     *
     * @param inOut whole blocks
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the array is
     *     as it was
     * @throws IllegalStateException if this key is closed
     */
    public void decryptBlocks(byte[] inOut) {
        decryptBlocks(inOut, 0, inOut.length);
    }

    /**
     * Decrypts each block of a part of an array in place.
     *
     * @param inOut whole blocks from {@code offset} on
     * @param offset where the first begins
     * @param length how many bytes they have
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the array is
     *     as it was
     * @throws IndexOutOfBoundsException if the blocks are not within the array
     * @throws IllegalStateException if this key is closed
     */
    public void decryptBlocks(byte[] inOut, int offset, int length) {
        cipher.blocks(false, Region.of(inOut, offset, length));
    }

    /**
     * Decrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws IllegalArgumentException if the length is not a multiple of 16 bytes; the buffer is
     *     as it was
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     * @throws IllegalStateException if this key is closed
     */
    public void decryptBlocks(ByteBuffer inOut) {
        cipher.blocks(false, Region.writable(inOut));
    }

    /**
     * Wipes and frees the key. Calls that run in other threads end as if it were open, and the
     * last of them frees it; calls that come later throw an {@link IllegalStateException}. To
     * close a key again does nothing. A key that is forgotten is closed by the garbage
     * collector, some time.
     */
    @Override
    public void close() {
        cipher.close();
    }

    /**
     * Names the algorithm, and nothing of the key.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "Kuznyechik key";
    }
}
