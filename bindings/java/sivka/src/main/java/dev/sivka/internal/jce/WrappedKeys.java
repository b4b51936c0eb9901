package dev.sivka.internal.jce;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** Makes keys of what was wrapped. */
final class WrappedKeys {
    private WrappedKeys() {}

    /**
     * @param encoded raw bytes, PKCS #8 or X.509, as the type wants it; copied
     * @param type one of the constants of {@link Cipher}
     */
    static Key decode(byte[] encoded, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        try {
            return switch (type) {
                case Cipher.SECRET_KEY -> new SecretKeySpec(encoded, algorithm);
                case Cipher.PRIVATE_KEY -> KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
                case Cipher.PUBLIC_KEY -> KeyFactory.getInstance(algorithm)
                        .generatePublic(new X509EncodedKeySpec(encoded));
                default -> throw new NoSuchAlgorithmException("no keys of type " + type);
            };
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            throw new InvalidKeyException("what was wrapped is no such key", e);
        }
    }
}
