package dev.sivka;

import dev.sivka.internal.Native;
import dev.sivka.internal.NativeObject;
import dev.sivka.internal.Region;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A key of the block cipher Kuznyechik (GOST R 34.12-2015, RFC 7801). Keys have 32 bytes, blocks
 * 16.
 *
 * <p>Each block is encrypted on its own. That is a part to make a mode of, and does not protect
 * messages: {@link KuznyechikMgm} does. Many blocks in one call are several times as fast a
 * block.
 *
 * <p>What is not whole blocks is an {@link IllegalArgumentException}, and stays as it was. Every call
 * throws an {@link IllegalStateException} if the key is closed. Any number of threads may use one
 * key at the same time. It is kept in native memory, and does not change.
 */
public final class Kuznyechik implements AutoCloseable {
    private final NativeObject cipher;

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random: see {@link KuznyechikMgm#generateKey}. They are
     *     copied; the caller wipes its own
     * @throws IllegalArgumentException if it has another length
     */
    public Kuznyechik(byte[] key) {
        long address = Native.newKuznyechik(Objects.requireNonNull(key, "key"));
        cipher = new NativeObject(Native.KUZNYECHIK, address, "Kuznyechik key");
    }

    private void blocks(boolean isEncrypt, Region inOut) {
        try {
            cipher.use(key -> Native.blocks(isEncrypt, key, inOut.array(), inOut.place(), inOut.len()));
        } finally {
            Reference.reachabilityFence(inOut);
        }
    }

    /**
     * Encrypts each block of an array in place.
     *
     * @param inOut whole blocks
     */
    public void encryptBlocks(byte[] inOut) {
        blocks(true, Region.of(inOut, 0, inOut.length));
    }

    /**
     * Encrypts each block of a part of an array in place.
     *
     * @param inOut whole blocks from {@code offset} on
     * @param offset where the first begins
     * @param length how many bytes they have
     * @throws IndexOutOfBoundsException if the blocks are not within the array
     */
    public void encryptBlocks(byte[] inOut, int offset, int length) {
        blocks(true, Region.of(inOut, offset, length));
    }

    /**
     * Encrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public void encryptBlocks(ByteBuffer inOut) {
        blocks(true, Region.writable(inOut));
    }

    /**
     * Decrypts each block of an array in place.
     *
     * @param inOut whole blocks
     */
    public void decryptBlocks(byte[] inOut) {
        blocks(false, Region.of(inOut, 0, inOut.length));
    }

    /**
     * Decrypts each block of a part of an array in place.
     *
     * @param inOut whole blocks from {@code offset} on
     * @param offset where the first begins
     * @param length how many bytes they have
     * @throws IndexOutOfBoundsException if the blocks are not within the array
     */
    public void decryptBlocks(byte[] inOut, int offset, int length) {
        blocks(false, Region.of(inOut, offset, length));
    }

    /**
     * Decrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public void decryptBlocks(ByteBuffer inOut) {
        blocks(false, Region.writable(inOut));
    }

    /** Wipes and frees the key, as {@link Key#close} does. */
    @Override
    public void close() {
        cipher.close();
    }

    /** Names the algorithm, and nothing of the key. */
    @Override
    public String toString() {
        return "Kuznyechik key";
    }
}
