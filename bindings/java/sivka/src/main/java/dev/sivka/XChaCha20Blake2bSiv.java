package dev.sivka;

import dev.sivka.internal.NativeKey;

/**
 * A key of XChaCha20-BLAKE2b-SIV, which has no nonce: a message gives the same bytes every time.
 * Tags have 32, 48 or 64 bytes.
 *
 * <p>In the terms of RFC 9771, it is nonce-misuse resistant, because it has no
 * nonce. Equal messages with equal data are seen to be equal; put a counter or random bytes into
 * the data where that must not be. It is fully committing (CMT-4), a ciphertext opens under one
 * key and data only, with four bits of strength for each byte of tag.
 *
 * <p>The bytes are those of the ChaCha20-BLAKE2b library for .NET, version 2.0.1, which is no
 * standard. A message and its data have at most 2<sup>31</sup> - 1 bytes each.
 */
public final class XChaCha20Blake2bSiv extends Aead {
    private static final String NAME = "XChaCha20-BLAKE2b-SIV";

    /**
     * Makes a key whose tags have 32 bytes.
     *
     * @param key as long as {@link #generateKey} makes it, uniformly random
     */
    public XChaCha20Blake2bSiv(byte[] key) {
        this(key, TagLength.BYTES_32);
    }

    /**
     * Makes a key.
     *
     * @param key as long as {@link #generateKey} makes it, uniformly random
     * @param tagLength the length of its tags
     */
    public XChaCha20Blake2bSiv(byte[] key, TagLength tagLength) {
        super(algorithm(NAME, tagLength), key);
    }

    private XChaCha20Blake2bSiv(NativeKey key) {
        super(key);
    }

    /**
     * Makes the key with tags of 32 bytes that a key file gives columns. Sivka uses it for tokens
     * in Spark, DuckDB and Python too, and for nothing else.
     *
     * @param keyFile the content of the key file
     * @return the key
     * @throws SealedFileException if it is not a key file, or one of a newer version
     * @throws IllegalArgumentException if it is not UTF-8
     */
    public static XChaCha20Blake2bSiv forColumns(byte[] keyFile) throws SealedFileException {
        return new XChaCha20Blake2bSiv(NativeKey.ofColumns(algorithm(NAME, TagLength.BYTES_32), keyFile));
    }

    /**
     * Makes a random key.
     *
     * @return a secret
     */
    public static byte[] generateKey() {
        return algorithm(NAME, TagLength.BYTES_32).generateKey();
    }
}
