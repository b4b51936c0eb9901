package dev.sivka;

/**
 * A key of XChaCha20-BLAKE2b. Nonces have 24 bytes and may be random; tags have 32, 48 or 64.
 *
 * <p>In the terms of RFC 9771, it is fully committing (CMT-4): a ciphertext opens under one key,
 * nonce and data only. Each byte of tag gives that four bits of strength. It
 * is not nonce-misuse resistant: a repeated nonce reveals the XOR of two plaintexts. Random
 * nonces do not repeat: 2<sup>80</sup> messages have a chance of 2<sup>-33</sup>.
 *
 * <p>The bytes are those of the ChaCha20-BLAKE2b library for .NET, version 2.0.1, which is no
 * standard. A message and its data have at most 2<sup>31</sup> - 1 bytes each.
 */
public final class XChaCha20Blake2b extends Aead {
    private static final String NAME = "XChaCha20-BLAKE2b";

    /**
     * Makes a key whose tags have 32 bytes.
     *
     * @param key 32 bytes, uniformly random: see {@link #generateKey}
     */
    public XChaCha20Blake2b(byte[] key) {
        this(key, TagLength.BYTES_32);
    }

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random
     * @param tagLength the length of its tags
     */
    public XChaCha20Blake2b(byte[] key, TagLength tagLength) {
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
