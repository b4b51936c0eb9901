package dev.sivka;

import java.util.Optional;

/**
 * What encrypts and decrypts keysets outside this library: a client of a key-management service.
 *
 * <p>Each method is called once for a keyset, by the thread that encrypts or decrypts it. What it
 * throws comes out of that call; a service that was not reached is an {@link
 * java.io.UncheckedIOException}. With a client of Tink's, {@code encrypt} and {@code decrypt} call
 * the methods of its {@code Aead} with these names, and the bytes are Tink's.
 */
public non-sealed interface KeyManagement extends KeysetMaster {
    /**
     * Encrypts a keyset.
     *
     * @param keyset the keyset in the clear, which is wiped after the call
     * @param data the associated data
     * @return what {@link #decrypt} reads, at most 1 MiB
     */
    byte[] encrypt(byte[] keyset, byte[] data);

    /**
     * Decrypts a keyset.
     *
     * @param encrypted what {@link #encrypt} returned
     * @param data the associated data
     * @return the keyset in the clear, in an array that is wiped after the call; empty if it does
     *     not open
     */
    Optional<byte[]> decrypt(byte[] encrypted, byte[] data);
}
