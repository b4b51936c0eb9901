package dev.sivka.aesgcmsiv;

import dev.sivka.AesGcmSiv;
import java.util.Optional;

/**
 * AES-GCM-SIV (RFC 8452) under the names of the library {@code com.codahale:aes-gcm-siv}: its
 * users import this class instead of {@code com.codahale.aesgcmsiv.AEAD}, and change nothing
 * else. The bytes are the same.
 *
 * <p>One thing differs: a ciphertext that is too short for nonce and tag is an empty result here,
 * not an exception. A key or nonce of a wrong length is an {@link IllegalArgumentException}. New
 * programs use {@link AesGcmSiv}, whose keys can be closed; that of an object of this class is wiped
 * when the garbage collector finds the object forgotten.
 */
public class AEAD {
    private final AesGcmSiv key;

    /**
     * Makes a key.
     *
     * @param key 16 or 32 bytes, which are copied
     */
    public AEAD(byte[] key) {
        this.key = new AesGcmSiv(key);
    }

    /**
     * Seals a message under a nonce of the caller's.
     *
     * @param nonce 12 bytes
     * @param plaintext the message
     * @param data associated data
     * @return ciphertext and tag
     */
    public byte[] seal(byte[] nonce, byte[] plaintext, byte[] data) {
        return key.sealWithNonce(nonce, plaintext, data);
    }

    /**
     * Seals a message under a random nonce.
     *
     * @param plaintext the message
     * @param data associated data
     * @return nonce, ciphertext and tag
     */
    public byte[] seal(byte[] plaintext, byte[] data) {
        return key.seal(plaintext, data);
    }

    /**
     * Opens what {@link #seal(byte[], byte[], byte[])} returned.
     *
     * @param nonce 12 bytes
     * @param ciphertext ciphertext and tag
     * @param data associated data
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> open(byte[] nonce, byte[] ciphertext, byte[] data) {
        return key.openWithNonce(nonce, ciphertext, data);
    }

    /**
     * Opens what {@link #seal(byte[], byte[])} returned.
     *
     * @param ciphertext nonce, ciphertext and tag
     * @param data associated data
     * @return the plaintext; empty if the message does not open
     */
    public Optional<byte[]> open(byte[] ciphertext, byte[] data) {
        return key.open(ciphertext, data);
    }
}
