package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.NativeKey;
import java.util.Optional;

/** A key of AES-GCM-SIV. */
public final class AesGcmSiv implements AutoCloseable {
    private final NativeKey key;

    public AesGcmSiv(byte[] key) {
        this.key = new NativeKey(Algorithm.named(key.length == 16 ? "AES-128-GCM-SIV" : "AES-256-GCM-SIV"), key);
    }

    public byte[] seal(byte[] plaintext, byte[] data) {
        return key.seal(plaintext, data);
    }

    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(key.open(sealed, data));
    }

    public byte[] seal(byte[] nonce, byte[] plaintext, byte[] data) {
        return key.sealWithNonce(nonce, plaintext, data);
    }

    public Optional<byte[]> open(byte[] nonce, byte[] ciphertext, byte[] data) {
        return Optional.ofNullable(key.openWithNonce(nonce, ciphertext, data));
    }

    @Override
    public void close() {
        key.close();
    }
}
