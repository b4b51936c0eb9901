package dev.sivka;

/**
 * A key of ChaCha20-BLAKE2b. Nonces have 8 bytes, tags 32, 48 or 64.
 *
 * <p>The nonce must be a counter. It is too short to be random, so that this class draws none:
 * {@link XChaCha20Blake2b} does. A nonce that is repeated under one key reveals the XOR of two
 * plaintexts.
 *
 * <p>In the terms of RFC 9771, it is fully committing (CMT-4): a ciphertext opens under one key,
 * nonce and data only. Each byte of tag gives that four bits of strength. It
 * is not nonce-misuse resistant.
 *
 * <p>The bytes are those of the ChaCha20-BLAKE2b library for .NET, version 2.0.1, which is no
 * standard. A message and its data have at most 2<sup>31</sup> - 1 bytes each.
 */
public final class ChaCha20Blake2b extends Key {
    private static final String NAME = "ChaCha20-BLAKE2b";

    /**
     * Makes a key whose tags have 32 bytes.
     *
     * @param key 32 bytes, uniformly random: see {@link #generateKey}
     */
    public ChaCha20Blake2b(byte[] key) {
        this(key, TagLength.BYTES_32);
    }

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random
     * @param tagLength the length of its tags
     */
    public ChaCha20Blake2b(byte[] key, TagLength tagLength) {
        super(algorithm(NAME, tagLength), key);
    }

    /**
     * Makes a random key.
     *
     * @return 32 bytes, a secret
     */
    public static byte[] generateKey() {
        return algorithm(NAME, TagLength.BYTES_32).generateKey();
    }
}
