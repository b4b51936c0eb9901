package dev.sivka.internal;

import dev.sivka.KeyManagement;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** One call of a key-management service, as the native side makes it. */
final class ServiceCall {
    private final KeyManagement service;
    private final byte[] aad;
    private final boolean encrypts;

    ServiceCall(KeyManagement service, byte[] aad, boolean encrypts) {
        this.service = service;
        this.aad = Region.data(aad);
        this.encrypts = encrypts;
    }

    /** Null if it does not open. Called by the native side, which wipes what comes out. */
    byte[] answer(byte[] input) {
        byte[] data = aad.clone();
        if (encrypts) {
            try {
                return Objects.requireNonNull(service.encrypt(input, data), "the encrypted keyset");
            } finally {
                Arrays.fill(input, (byte) 0);
            }
        }
        Optional<byte[]> opened = service.decrypt(input, data);
        return Objects.requireNonNull(opened, "the keyset").orElse(null);
    }
}
