package dev.sivka;

import dev.sivka.internal.Header;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeObject;
import dev.sivka.internal.Region;
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
 * <p>{@link ByteBuffer#wrap(byte[])} makes a buffer of an array. What is not whole blocks is an {@link
 * IllegalArgumentException}, and stays as it was. Every call throws an {@link IllegalStateException} if
 * the key is closed. Any number of threads may use one key at the same time.
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
        long made = Native.call(Header.sivka_kuznyechik_new, Objects.requireNonNull(key, "key"));
        cipher = new NativeObject(Header.sivka_kuznyechik_free, made, "Kuznyechik key");
    }

    /**
     * Encrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public void encryptBlocks(ByteBuffer inOut) {
        Native.blocks(true, cipher, Region.writable(inOut));
    }

    /**
     * Decrypts each remaining block of a buffer in place. The position does not move.
     *
     * @param inOut whole blocks; direct, or with an array
     * @throws java.nio.ReadOnlyBufferException if {@code inOut} is read-only
     */
    public void decryptBlocks(ByteBuffer inOut) {
        Native.blocks(false, cipher, Region.writable(inOut));
    }

    /** Wipes and frees the key, as {@link Key#close} does. */
    @Override
    public void close() {
        cipher.close();
    }
}
