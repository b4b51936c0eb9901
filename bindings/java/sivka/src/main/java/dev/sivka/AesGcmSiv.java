package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.NativeKey;
import java.util.Objects;

/**
 * A key of AES-GCM-SIV (RFC 8452): AES-128-GCM-SIV with a key of 16 bytes, AES-256-GCM-SIV with
 * one of 32. Nonces have 12 bytes, tags 16.
 *
 * <pre>{@code
 * try (AesGcmSiv key = new AesGcmSiv(AesGcmSiv.generateKey())) {
 *     byte[] sealed = key.seal(text, data);
 *     Optional<byte[]> opened = key.open(sealed, data);
 * }
 * }</pre>
 *
 * <p>In the terms of RFC 9771, it is nonce-misuse resistant. A repeated nonce
 * reveals whether two messages with the same data are equal, and nothing else. It is not
 * key-committing: a ciphertext can be made that opens under two keys. {@link XChaCha20Blake2b}
 * commits.
 *
 * <p>A message and its data have at most 2<sup>36</sup> bytes each, more than an array has. How
 * many messages one key may seal depends on their length: RFC 8452, section 9.
 */
public final class AesGcmSiv extends Aead {
    private static final Algorithm[] BY_KEY_LENGTH = {
        Algorithm.named("AES-256-GCM-SIV"), Algorithm.named("AES-128-GCM-SIV")
    };

    /**
     * Makes a key.
     *
     * @param key 16 or 32 bytes, uniformly random: see {@link #generateKey}
     */
    public AesGcmSiv(byte[] key) {
        super(algorithm(Objects.requireNonNull(key, "key").length), key);
    }

    private AesGcmSiv(NativeKey key) {
        super(key);
    }

    /**
     * Makes the key of AES-256-GCM-SIV that a key file gives columns: the one that Sivka uses in
     * Spark, DuckDB and Python too, and for nothing else.
     *
     * @param keyFile the content of the key file
     * @return the key
     * @throws SealedFileException if it is not a key file, or one of a newer version
     * @throws IllegalArgumentException if it is not UTF-8
     */
    public static AesGcmSiv forColumns(byte[] keyFile) throws SealedFileException {
        return new AesGcmSiv(NativeKey.ofColumns(BY_KEY_LENGTH[0], keyFile));
    }

    private static Algorithm algorithm(int keyLength) {
        return algorithm(BY_KEY_LENGTH, "16 or 32", keyLength);
    }

    /**
     * Makes a random key for AES-256-GCM-SIV.
     *
     * @return 32 bytes, a secret
     */
    public static byte[] generateKey() {
        return BY_KEY_LENGTH[0].generateKey();
    }

    /**
     * Makes a random key of a length of the caller's choice.
     *
     * @param length 16 or 32 bytes
     * @return a secret
     */
    public static byte[] generateKey(int length) {
        return algorithm(length).generateKey();
    }
}
