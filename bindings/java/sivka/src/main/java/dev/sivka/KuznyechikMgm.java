package dev.sivka;

import dev.sivka.internal.Algorithm;

/**
 * A key of Kuznyechik in Multilinear Galois Mode (RFC 9058). Keys have 32 bytes, tags 16. Nonces
 * have 16 bytes, the first bit of which is 0.
 *
 * <p>In the terms of RFC 9771, it is neither nonce-misuse resistant nor
 * key-committing. A nonce that is repeated under one key reveals the XOR of two plaintexts, and
 * the protection of the tags is lost: use {@link #seal(byte[], byte[])}, which draws it.
 *
 * <p>A message and its data are not both empty (section 4.1): such a message is an {@link
 * IllegalArgumentException}. Seal far fewer than 2<sup>64</sup> blocks of 16 bytes under one key.
 */
public final class KuznyechikMgm extends Aead {
    private static final Algorithm ALGORITHM = Algorithm.named("Kuznyechik-MGM");

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random: see {@link #generateKey}
     */
    public KuznyechikMgm(byte[] key) {
        super(ALGORITHM, key);
    }

    /**
     * Makes a random key.
     *
     * @return 32 bytes, a secret
     */
    public static byte[] generateKey() {
        return ALGORITHM.generateKey();
    }
}
