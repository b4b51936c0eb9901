package dev.sivka;

import dev.sivka.internal.NativeKeystream;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;

/**
 * The keystream of one message under Kuznyechik: CTR (GOST R 34.13-2015 section 5.2) or CTR-ACPKM
 * (RFC 8645 section 6.2.2), which replaces its key on the way. Keys have 32 bytes, IVs 8.
 *
 * <p>Nothing is authenticated, and two messages under one key and IV reveal the difference of
 * their plaintexts: use {@link KuznyechikMgm} unless a protocol asks for this mode.
 *
 * <p>A message may come whole or in pieces of any lengths. Threads take turns.
 */
public final class KuznyechikCtr implements AutoCloseable {
    private final NativeKeystream keystream;

    /**
     * Starts a keystream of CTR, which has 2<sup>64</sup> blocks.
     *
     * @param key 32 bytes, which are copied; the caller wipes its own
     * @param iv 8 bytes that no other message under this key has
     * @throws IllegalArgumentException if one has another length
     */
    public KuznyechikCtr(byte[] key, byte[] iv) {
        keystream = new NativeKeystream(key, iv);
    }

    private KuznyechikCtr(NativeKeystream keystream) {
        this.keystream = keystream;
    }

    /**
     * Starts a keystream of CTR-ACPKM.
     *
     * @param key 32 bytes, which are copied; the caller wipes its own
     * @param iv 8 bytes that no other message under this key has
     * @param sectionLength after so many bytes the key is replaced by one derived from it: a
     *     positive multiple of 16
     * @return where it starts
     * @throws IllegalArgumentException if one has another length
     */
    public static KuznyechikCtr acpkm(byte[] key, byte[] iv, long sectionLength) {
        return new KuznyechikCtr(new NativeKeystream(key, iv, sectionLength));
    }

    /**
     * XORs the next bytes of the keystream into an array, which encrypts and decrypts alike.
     *
     * @param inOut the next bytes of the message
     * @throws IllegalArgumentException if the keystream is not so long
     * @throws IllegalStateException if this keystream is closed
     */
    public void applyKeystream(byte[] inOut) {
        keystream.apply(Region.of(inOut));
    }

    /**
     * XORs the next bytes of the keystream into a part of an array.
     *
     * @param inOut has the next bytes of the message, from {@code offset} on
     * @param offset where they begin
     * @param length how many they are
     * @throws IndexOutOfBoundsException if they are not within the array
     * @throws IllegalArgumentException if the keystream is not so long
     * @throws IllegalStateException if this keystream is closed
     */
    public void applyKeystream(byte[] inOut, int offset, int length) {
        keystream.apply(Region.of(inOut, offset, length));
    }

    /**
     * XORs the next bytes of the keystream into what remains in a buffer. The position does not
     * move.
     *
     * @param inOut the next bytes of the message; direct, or with an array
     * @throws java.nio.ReadOnlyBufferException if it is read-only
     * @throws IllegalArgumentException if the keystream is not so long
     * @throws IllegalStateException if this keystream is closed
     */
    public void applyKeystream(ByteBuffer inOut) {
        keystream.apply(Region.writable(inOut));
    }

    /** Wipes and frees the keystream; calls that come later throw an {@link IllegalStateException}. */
    @Override
    public void close() {
        keystream.close();
    }
}
