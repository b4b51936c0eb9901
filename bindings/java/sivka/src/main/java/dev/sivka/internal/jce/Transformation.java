package dev.sivka.internal.jce;

import dev.sivka.internal.Algorithm;
import java.security.InvalidKeyException;
import java.security.Key;
import java.util.List;

/** The algorithms by the names that Java's conventions give them. */
public enum Transformation {
    AES_GCM_SIV("AES/GCM-SIV/NoPadding", "AES-128-GCM-SIV", "AES-256-GCM-SIV"),
    AES_128_GCM_SIV("AES_128/GCM-SIV/NoPadding", "AES-128-GCM-SIV"),
    AES_256_GCM_SIV("AES_256/GCM-SIV/NoPadding", "AES-256-GCM-SIV"),
    AES_SIV("AES/SIV/NoPadding", "AES-SIV-256", "AES-SIV-384", "AES-SIV-512");

    /** What {@code Cipher.getInstance} takes. */
    public final String transformation;
    /** The names of the algorithms in the native library, one for each length of key. */
    public final List<String> names;
    Transformation(String transformation, String... names) {
        this.transformation = transformation;
        this.names = List.of(names);
    }

    /** The algorithm for keys of a length in bytes. The first one loads the library. */
    Algorithm algorithm(int keyLen) throws InvalidKeyException {
        for (String name : names) {
            Algorithm algorithm = Algorithm.named(name);
            if (algorithm.keyLen() == keyLen) {
                return algorithm;
            }
        }
        throw new InvalidKeyException(transformation + " has no keys of " + keyLen + " bytes");
    }

    /** A copy of the bytes of a key, which the caller wipes. */
    byte[] keyBytes(Key key) throws InvalidKeyException {
        if (key == null) {
            throw new InvalidKeyException("the key is null");
        }
        // Two keys of AES may have a name of their own, for RFC 5297.
        boolean isSiv = this == AES_SIV && "AES-SIV".equalsIgnoreCase(key.getAlgorithm());
        if (!isSiv && !"AES".equalsIgnoreCase(key.getAlgorithm()) && !"Rijndael".equalsIgnoreCase(key.getAlgorithm())) {
            throw new InvalidKeyException("a key of AES is expected, not of " + key.getAlgorithm());
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
}
