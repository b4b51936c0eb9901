package dev.sivka;

/**
 * A key of XChaCha20-BLAKE2b-SIV, which has no nonce: a message gives the same bytes every time.
 * Tags have 32, 48 or 64 bytes.
 *
 * <p>What it promises, in the words of RFC 9771: it is nonce-misuse resistant for want of a
 * nonce. Equal messages with equal data are seen to be equal; put a counter or random bytes into
 * the data where that must not be. It is fully committing (CMT-4), a ciphertext opens under one
 * key and data only, with four bits of strength for each byte of tag.
 *
 * <p>The bytes are those of the ChaCha20-BLAKE2b library for .NET, version 2.0.1, which is no
 * standard. A message and its data have at most 2<sup>31</sup> - 1 bytes each.
 *
 * <p>Any number of threads may use one key at the same time. It is kept in native memory, and
 * does not change.
 */
public final class XChaCha20Blake2bSiv extends DeterministicKey {
    private static final String NAME = "XChaCha20-BLAKE2b-SIV";

    /**
     * Makes a key whose tags have 32 bytes.
     *
     * @param key as long as {@link #generateKey} makes it, uniformly random. It is copied; the
     *     caller wipes its own
     * @throws IllegalArgumentException if it has another length
     */
    public XChaCha20Blake2bSiv(byte[] key) {
        this(key, TagLength.BYTES_32);
    }

    /**
     * Makes a key.
     *
     * @param key as long as {@link #generateKey} makes it, uniformly random
     * @param tagLength the length of its tags
     * @throws IllegalArgumentException if the key has another length
     */
    public XChaCha20Blake2bSiv(byte[] key, TagLength tagLength) {
        super(algorithm(NAME, tagLength), key);
    }

    /**
     * Makes a random key.
     *
     * @return a secret
     * @throws java.security.ProviderException if the operating system gives no random bytes
     */
    public static byte[] generateKey() {
        return algorithm(NAME, TagLength.BYTES_32).generateKey();
    }
}
