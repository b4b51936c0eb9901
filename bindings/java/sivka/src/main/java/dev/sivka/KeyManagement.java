package dev.sivka;

import java.util.Optional;

/**
 * Encrypts and decrypts keysets outside this library: a client of a key-management service.
 *
 * <p>Each method is called once for a keyset, by the thread that encrypts or decrypts it. What it
 * throws comes out of that call. With a client of Tink's, {@code encrypt} and {@code decrypt} call
 * the methods of its {@code Aead} with these names, and the bytes are Tink's.
 *
 * @param <E> the exception of the service; {@link RuntimeException} if nothing that is checked
 */
public interface KeyManagement<E extends Exception> {
    /**
     * Encrypts a keyset.
     *
     * @param keyset the keyset in the clear, which is wiped after the call
     * @param data the associated data
     * @return what {@link #decrypt} reads, at most 1 MiB
     * @throws E if the service does
     */
    byte[] encrypt(byte[] keyset, byte[] data) throws E;

    /**
     * Decrypts a keyset.
     *
     * @param encrypted what {@link #encrypt} returned
     * @param data the associated data
     * @return the keyset in the clear, in an array that is wiped after the call; empty if it does
     *     not open
     * @throws E if the service does
     */
    Optional<byte[]> decrypt(byte[] encrypted, byte[] data) throws E;
}
