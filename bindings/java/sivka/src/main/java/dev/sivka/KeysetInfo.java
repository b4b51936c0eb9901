package dev.sivka;

import java.util.List;
import java.util.stream.Collectors;

/**
 * All of a {@link Keyset} but its keys, as it was when it was asked; later changes do not show.
 *
 * @param primaryKeyId the id of the key that seals, from 0 to 2<sup>32</sup> - 1
 * @param purpose the purpose of the enabled keys
 * @param keys in the keyset's order; cannot be changed
 */
public record KeysetInfo(long primaryKeyId, Purpose purpose, List<KeysetKey> keys) {
    /** The purpose of the enabled keys of a keyset. */
    public enum Purpose {
        /** Messages: {@link Keyset#seal} and {@link Keyset#open}. */
        AEAD,
        /**
         * Messages that are sealed to equal bytes if they are equal: {@link
         * Keyset#sealDeterministically} and {@link Keyset#openDeterministically}.
         */
        DETERMINISTIC_AEAD,
        /** Streams: {@link Keyset#newOutputStream} and {@link Keyset#newInputStream}. */
        STREAMING_AEAD,
        /** Different purposes: this package reads, writes and rotates it, and no more. */
        OTHER
    }

    /** The primary, and ids, types, statuses and prefixes, in a line without any key. */
    @Override
    public String toString() {
        String all = keys.stream().map(KeysetKey::toString).collect(Collectors.joining(", "));
        return "primary " + primaryKeyId + ": " + all;
    }
}
