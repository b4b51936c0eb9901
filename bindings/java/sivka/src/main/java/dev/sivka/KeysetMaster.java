package dev.sivka;

/**
 * What encrypts keysets: another {@link Keyset}, an {@link Aead} key, or a {@link KeyManagement}
 * service.
 */
public sealed interface KeysetMaster permits Keyset, Aead, KeyManagement {}
