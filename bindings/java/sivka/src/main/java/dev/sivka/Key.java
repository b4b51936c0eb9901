package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.NativeKey;
import java.util.Objects;

/** What the keys of all algorithms that seal messages have in common. */
abstract sealed class Key implements AutoCloseable permits NonceKey, DeterministicKey {
    final NativeKey key;

    Key(Algorithm algorithm, byte[] key) {
        this.key = new NativeKey(algorithm, key);
    }

    Key(NativeKey key) {
        this.key = key;
    }

    static Algorithm algorithm(String name, TagLength tagLength) {
        return Algorithm.named(name + Objects.requireNonNull(tagLength, "tagLength").suffix);
    }

    /**
     * The name of this key's algorithm, for example {@code AES-256-GCM-SIV}.
     *
     * @return the name
     */
    public String algorithm() {
        return key.algorithm().name();
    }

    /**
     * The length of a nonce.
     *
     * @return the length in bytes; 0 for an algorithm without a nonce
     */
    public int nonceLength() {
        return key.algorithm().nonceLen();
    }

    /**
     * The length of a tag.
     *
     * @return the length in bytes
     */
    public int tagLength() {
        return key.algorithm().tagLen();
    }

    /**
     * Wipes and frees the key. Calls that run in other threads end as if it were open, and the
     * last of them frees it; calls that come later throw an {@link IllegalStateException}. To
     * close a key again does nothing. A key that is forgotten is closed by the garbage
     * collector, some time.
     */
    @Override
    public void close() {
        key.close();
    }

    /**
     * Names the algorithm, and nothing of the key.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return algorithm() + " key";
    }
}
