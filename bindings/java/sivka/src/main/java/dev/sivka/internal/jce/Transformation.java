package dev.sivka.internal.jce;

import dev.sivka.internal.Algorithm;
import java.security.AlgorithmParameters;
import java.security.InvalidKeyException;
import java.security.Key;
import java.util.List;

/**
 * What the provider knows of an algorithm beside what the native library says of it: the names
 * that Java's conventions give it, and what may be repeated.
 */
public enum Transformation {
    AES_GCM_SIV("AES/GCM-SIV/NoPadding", Keys.AES, true, 16, "AES-128-GCM-SIV", "AES-256-GCM-SIV"),
    AES_128_GCM_SIV("AES_128/GCM-SIV/NoPadding", Keys.AES, true, 16, "AES-128-GCM-SIV"),
    AES_256_GCM_SIV("AES_256/GCM-SIV/NoPadding", Keys.AES, true, 16, "AES-256-GCM-SIV"),
    AES_SIV("AES/SIV/NoPadding", Keys.AES_SIV, true, 16, "AES-SIV-256", "AES-SIV-384", "AES-SIV-512"),
    CHACHA20_BLAKE2B(Keys.CHACHA20_BLAKE2B),
    CHACHA20_BLAKE2B_TAG48(Keys.CHACHA20_BLAKE2B, "-Tag48"),
    CHACHA20_BLAKE2B_TAG64(Keys.CHACHA20_BLAKE2B, "-Tag64"),
    XCHACHA20_BLAKE2B(Keys.XCHACHA20_BLAKE2B),
    XCHACHA20_BLAKE2B_TAG48(Keys.XCHACHA20_BLAKE2B, "-Tag48"),
    XCHACHA20_BLAKE2B_TAG64(Keys.XCHACHA20_BLAKE2B, "-Tag64"),
    XCHACHA20_BLAKE2B_SIV(Keys.XCHACHA20_BLAKE2B_SIV),
    XCHACHA20_BLAKE2B_SIV_TAG48(Keys.XCHACHA20_BLAKE2B_SIV, "-Tag48"),
    XCHACHA20_BLAKE2B_SIV_TAG64(Keys.XCHACHA20_BLAKE2B_SIV, "-Tag64"),
    KUZNYECHIK_MGM("Kuznyechik/MGM/NoPadding", Keys.KUZNYECHIK, false, 16, "Kuznyechik-MGM");

    /** The kinds of keys: what {@link Key#getAlgorithm} says. */
    public enum Keys {
        /** Their nonces go into the platform's own parameters. */
        AES("AES", "GCM", "Rijndael"),
        /** Two keys of AES, for RFC 5297. */
        AES_SIV("AES", null, "Rijndael", "AES-SIV"),
        CHACHA20_BLAKE2B("ChaCha20-BLAKE2b", "ChaCha20-BLAKE2b"),
        XCHACHA20_BLAKE2B("XChaCha20-BLAKE2b", "XChaCha20-BLAKE2b"),
        XCHACHA20_BLAKE2B_SIV("XChaCha20-BLAKE2b-SIV", null),
        KUZNYECHIK("Kuznyechik", "Kuznyechik-MGM");

        public final String algorithm;
        /** The {@link AlgorithmParameters} that hold their nonces; null without nonces. */
        public final String parameters;
        private final List<String> alsoCalled;

        Keys(String algorithm, String parameters, String... alsoCalled) {
            this.algorithm = algorithm;
            this.parameters = parameters;
            this.alsoCalled = List.of(alsoCalled);
        }

        /** A copy of the bytes of such a key, which the caller wipes. */
        byte[] bytes(Key key) throws InvalidKeyException {
            if (key == null) {
                throw new InvalidKeyException("the key is null");
            }
            if (!isCalled(key.getAlgorithm())) {
                throw new InvalidKeyException(
                        "a key of " + algorithm + " is expected, not of " + key.getAlgorithm());
            }
            if (!"RAW".equals(key.getFormat())) {
                throw new InvalidKeyException("the format of the key is " + key.getFormat() + ", not RAW");
            }
            byte[] bytes = key.getEncoded();
            if (bytes == null) {
                throw new InvalidKeyException("the key does not give its bytes");
            }
            return bytes;
        }

        private boolean isCalled(String name) {
            return algorithm.equalsIgnoreCase(name)
                    || alsoCalled.stream().anyMatch(other -> other.equalsIgnoreCase(name));
        }
    }

    /** What {@code Cipher.getInstance} takes. */
    public final String transformation;
    public final Keys keys;
    /** Whether one nonce may seal several messages, at the cost that only equal ones show. */
    final boolean survivesNonceReuse;
    /** In bytes; 0 for what is no mode of a block cipher. */
    final int blockLen;
    /** The names of the algorithms in the native library, one for each length of key. */
    public final List<String> names;
    /** Looked up when the first key comes, for the library is loaded then. */
    private volatile Algorithm[] algorithms;

    Transformation(Keys keys, String... suffixes) {
        this(keys.algorithm + String.join("", suffixes), keys, keys.parameters == null, 0,
                keys.algorithm + String.join("", suffixes));
    }

    Transformation(String transformation, Keys keys, boolean survivesNonceReuse, int blockLen,
            String... names) {
        this.transformation = transformation;
        this.keys = keys;
        this.survivesNonceReuse = survivesNonceReuse;
        this.blockLen = blockLen;
        this.names = List.of(names);
    }

    Algorithm[] algorithms() {
        Algorithm[] found = algorithms;
        if (found == null) {
            found = new Algorithm[names.size()];
            for (int i = 0; i < found.length; i++) {
                found[i] = Algorithm.named(names.get(i));
            }
            algorithms = found;
        }
        return found;
    }

    /** The algorithm for keys of a length in bytes. */
    Algorithm algorithm(int keyLen) throws InvalidKeyException {
        for (Algorithm algorithm : algorithms()) {
            if (algorithm.keyLen() == keyLen) {
                return algorithm;
            }
        }
        throw new InvalidKeyException(transformation + " has no keys of " + keyLen + " bytes");
    }

    /** A copy of the bytes of a key, which the caller wipes. */
    byte[] keyBytes(Key key) throws InvalidKeyException {
        return keys.bytes(key);
    }

    /** Whether the mode is what is in the transformation, or none where none is there. */
    boolean hasMode(String mode) {
        return mode.equalsIgnoreCase(part(1, "None"));
    }

    boolean hasPadding(String padding) {
        return padding.equalsIgnoreCase(part(2, "NoPadding"));
    }

    private String part(int index, String otherwise) {
        String[] parts = transformation.split("/");
        return index < parts.length ? parts[index] : otherwise;
    }
}
