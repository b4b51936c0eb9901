package dev.sivka.internal.jce;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.NativeKey;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * What {@code init} gives a cipher: direction, key and nonce, and whether they may still be
 * used.
 *
 * <p>The native key is kept from one {@code init} to the next, for most programs give the same
 * key with each message's nonce; a copy of its bytes tells whether they do.
 */
final class Session {
    private static final byte[] NONE = new byte[0];

    private enum State {
        /** Not initialized, or not successfully. */
        ENDED,
        READY,
        /** The nonce has sealed a message. */
        SPENT
    }

    private final Transformation transformation;
    private State state = State.ENDED;
    private byte[] keyBytes = NONE;
    boolean isSealing;
    NativeKey key;
    /** Empty before {@code init}, and where there is none. */
    byte[] nonce = NONE;

    Session(Transformation transformation) {
        this.transformation = transformation;
    }

    /** The parameters that an {@link AlgorithmParameters} holds; null for null. */
    static AlgorithmParameterSpec spec(AlgorithmParameters params)
            throws InvalidAlgorithmParameterException {
        if (params == null) {
            return null;
        }
        try {
            return params.getParameterSpec(GCMParameterSpec.class);
        } catch (InvalidParameterSpecException notGcm) {
            try {
                return params.getParameterSpec(IvParameterSpec.class);
            } catch (InvalidParameterSpecException e) {
                throw new InvalidAlgorithmParameterException(
                        "neither GCMParameterSpec nor IvParameterSpec: " + params.getAlgorithm(), e);
            }
        }
    }

    /** Begins anew. After a failure nothing can be sealed or opened. */
    void begin(boolean sealing, Key newKey, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        end();
        byte[] bytes = transformation.keyBytes(newKey);
        boolean kept = false;
        try {
            Algorithm algorithm = transformation.algorithm(bytes.length);
            byte[] newNonce = nonce(algorithm, sealing, spec, random);
            if (key == null || !MessageDigest.isEqual(keyBytes, bytes)) {
                NativeKey newNative = new NativeKey(algorithm, bytes);
                if (key != null) {
                    key.close();
                }
                Arrays.fill(keyBytes, (byte) 0);
                key = newNative;
                keyBytes = bytes;
                kept = true;
            }
            isSealing = sealing;
            nonce = newNonce;
            state = State.READY;
        } finally {
            if (!kept) {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    private static byte[] nonce(
            Algorithm algorithm, boolean sealing, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        byte[] given;
        if (spec == null) {
            if (algorithm.nonceLen() == 0) {
                return NONE;
            }
            if (!sealing) {
                throw new InvalidAlgorithmParameterException("a nonce is needed to decrypt");
            }
            given = new byte[algorithm.nonceLen()];
            (random == null ? new SecureRandom() : random).nextBytes(given);
        } else if (spec instanceof GCMParameterSpec gcm) {
            if (gcm.getTLen() != Math.multiplyExact(algorithm.tagLen(), Byte.SIZE)) {
                throw new InvalidAlgorithmParameterException(
                        "the tag of " + algorithm.name() + " has " + algorithm.tagLen()
                                + " bytes, not " + gcm.getTLen() + " bits");
            }
            given = gcm.getIV();
        } else if (spec instanceof IvParameterSpec iv) {
            given = iv.getIV();
        } else {
            throw new InvalidAlgorithmParameterException(
                    "neither GCMParameterSpec nor IvParameterSpec: " + spec.getClass().getName());
        }
        if (given.length != algorithm.nonceLen() || given.length == 0) {
            throw new InvalidAlgorithmParameterException(
                    "the nonce of " + algorithm.name() + " has " + algorithm.nonceLen()
                            + " bytes, not " + given.length);
        }
        return given;
    }

    /** Forgets that there was an {@code init}; the key is kept for the next one. */
    void end() {
        state = State.ENDED;
        nonce = NONE;
    }

    /** To be called when a message was sealed or did not open. */
    void finishMessage() {
        if (isSealing && nonce.length > 0) {
            state = State.SPENT;
        }
    }

    void requireReady() {
        requireKey();
        if (state == State.SPENT) {
            throw new IllegalStateException(
                    "this nonce has sealed a message: call init with another one");
        }
    }

    void requireKey() {
        if (state == State.ENDED) {
            throw new IllegalStateException("the cipher is not initialized");
        }
    }

    /** The nonce as parameters that {@code init} takes; null if there is none. */
    AlgorithmParameters parameters() {
        if (nonce.length == 0) {
            return null;
        }
        try {
            AlgorithmParameters made = AlgorithmParameters.getInstance("GCM");
            int tagBits = Math.multiplyExact(key.algorithm().tagLen(), Byte.SIZE);
            made.init(new GCMParameterSpec(tagBits, nonce));
            return made;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException e) {
            throw new ProviderException("no parameters for a nonce", e);
        }
    }
}
