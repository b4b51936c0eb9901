package dev.sivka;

/**
 * What encrypts keysets: another {@link Keyset}, a key that draws its nonces or has none, or a
 * {@link KeyManagement} service.
 * {@link ChaCha20Blake2b}, whose nonces are the caller's, is none of them.
 */
public sealed interface KeysetMaster permits Keyset, RandomNonceKey, DeterministicKey, KeyManagement {}
