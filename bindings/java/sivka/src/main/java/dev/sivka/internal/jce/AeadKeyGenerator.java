package dev.sivka.internal.jce;

import dev.sivka.internal.Algorithm;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Makes keys; without {@code init}, of the longest kind. */
public final class AeadKeyGenerator extends KeyGeneratorSpi {
    private final Transformation transformation;
    private Algorithm algorithm;
    private SecureRandom random;

    public AeadKeyGenerator(Transformation transformation) {
        this.transformation = transformation;
        Algorithm[] algorithms = transformation.algorithms();
        algorithm = algorithms[algorithms.length - 1];
    }

    @Override
    protected void engineInit(SecureRandom newRandom) {
        random = newRandom;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec params, SecureRandom newRandom)
            throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("keys of "
                + transformation.transformation + " are made without parameters");
    }

    @Override
    protected void engineInit(int keyBits, SecureRandom newRandom) {
        if (keyBits % Byte.SIZE != 0) {
            throw new InvalidParameterException(keyBits + " bits are no number of bytes");
        }
        try {
            algorithm = transformation.algorithm(keyBits / Byte.SIZE);
        } catch (InvalidKeyException e) {
            throw (InvalidParameterException) new InvalidParameterException(e.getMessage()).initCause(e);
        }
        random = newRandom;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        byte[] key;
        if (random == null) {
            key = algorithm.generateKey();
        } else {
            key = new byte[algorithm.keyLen()];
            random.nextBytes(key);
        }
        try {
            return new SecretKeySpec(key, "AES");
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}
