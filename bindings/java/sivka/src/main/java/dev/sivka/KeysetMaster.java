package dev.sivka;

/** A key that encrypts keysets: another {@link Keyset}, or an {@link Aead} key. */
public sealed interface KeysetMaster permits Keyset, Aead {}
