package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Message;
import dev.sivka.internal.Region;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A key of AES-SIV (RFC 5297), which has no nonce: a message gives the same bytes every time. Tags
 * have 16 bytes and come before the ciphertext.
 *
 * <p>In the terms of RFC 9771, it is nonce-misuse resistant, because it has no
 * nonce. Equal messages with equal data are seen to be equal, and so how often a value occurs; a
 * value out of few can be named. Put the names of table and column into the data. It is not
 * key-committing: a ciphertext can be made that opens under two keys. {@link XChaCha20Blake2bSiv}
 * commits.
 *
 * <p>A key of 64 bytes is the one to take, and what Tink calls AES256_SIV and OpenSSL
 * AES-256-SIV: two keys of AES-256. Those of 48 and 32 bytes are for the formats of others. A
 * message and its data have at most 2<sup>36</sup> bytes each, more than an array has. Seal at
 * most 2<sup>48</sup> blocks of 16 bytes with one key.
 *
 * <p>{@link #seal(byte[], byte[])} and the calls that all keys have take one string of data,
 * which may be empty: what Tink has. Those with a list take 0 to 126 strings, whose number, order
 * and bounds count; no string is not the same as an empty one. The nonce of RFC 5297 is the last
 * string of the list.
 */
public final class AesSiv extends Aead {
    private static final Algorithm[] BY_KEY_LENGTH = {
        Algorithm.named("AES-SIV-512"), Algorithm.named("AES-SIV-384"), Algorithm.named("AES-SIV-256")
    };

    /**
     * Makes a key.
     *
     * @param key 64, 48 or 32 bytes, uniformly random: see {@link #generateKey}
     */
    public AesSiv(byte[] key) {
        super(algorithm(Objects.requireNonNull(key, "key").length), key);
    }

    private static Algorithm algorithm(int keyLength) {
        return algorithm(BY_KEY_LENGTH, "64, 48 or 32", keyLength);
    }

    /**
     * Makes a random key of 64 bytes.
     *
     * @return a secret
     */
    public static byte[] generateKey() {
        return BY_KEY_LENGTH[0].generateKey();
    }

    /**
     * Makes a random key of a length of the caller's choice.
     *
     * @param length 64, 48 or 32 bytes
     * @return a secret
     */
    public static byte[] generateKey(int length) {
        return algorithm(length).generateKey();
    }

    /**
     * Seals a message with a list of associated data.
     *
     * @param plaintext the message, which may be empty
     * @param data 0 to 126 strings, which are authenticated and not encrypted
     * @return tag and ciphertext
     * @throws IllegalArgumentException if there are more strings
     */
    public byte[] sealWithList(byte[] plaintext, List<byte[]> data) {
        return Message.withList(true, key, Region.of(Objects.requireNonNull(plaintext, "plaintext")), data);
    }

    /**
     * Opens what {@link #sealWithList} returned.
     *
     * @param sealed tag and ciphertext
     * @param data the strings that the message was sealed with
     * @return the plaintext; empty if the message does not open
     * @throws IllegalArgumentException if there are more than 126 strings
     */
    public Optional<byte[]> openWithList(byte[] sealed, List<byte[]> data) {
        Region in = Region.of(Objects.requireNonNull(sealed, "sealed"));
        return Optional.ofNullable(Message.withList(false, key, in, data));
    }
}
