package dev.sivka.jce;

import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** An AEAD transformation of one provider, as the scenarios use it. */
record AeadCipher(String provider, String transformation) {
    static final byte[] AAD = "an address on the envelope".getBytes();

    Cipher make() throws Exception {
        return Cipher.getInstance(transformation, provider);
    }

    Cipher encrypting() throws Exception {
        return initialized(Cipher.ENCRYPT_MODE);
    }

    Cipher decrypting() throws Exception {
        return initialized(Cipher.DECRYPT_MODE);
    }

    /** One that encrypts, or decrypts. */
    Cipher cipher(boolean seals) throws Exception {
        return seals ? encrypting() : decrypting();
    }

    /** What such a one takes, for so much text. */
    byte[] given(boolean seals, int length) throws Exception {
        return seals ? text(length) : sealed(length);
    }

    Cipher initialized(int mode) throws Exception {
        Cipher cipher = make();
        cipher.init(mode, key(1, 32), nonce(1));
        return cipher;
    }

    /** What a decrypting one opens, with the given AAD. */
    byte[] sealed(int length, byte[] aad) throws Exception {
        Cipher cipher = encrypting();
        cipher.updateAAD(aad);
        return cipher.doFinal(text(length));
    }

    byte[] sealed(int length) throws Exception {
        return sealed(length, new byte[0]);
    }

    /** Whether a decrypting one opens it. */
    boolean opens(Cipher cipher, int length, byte[] aad) throws Exception {
        return Arrays.equals(text(length), cipher.doFinal(sealed(length, aad)));
    }

    boolean opens(Cipher cipher, int length) throws Exception {
        return opens(cipher, length, new byte[0]);
    }

    byte[] forged(int length) throws Exception {
        byte[] sealed = sealed(length);
        sealed[sealed.length - 1] ^= 1;
        return sealed;
    }

    static byte[] text(int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) (i * 7 + 1);
        }
        return text;
    }

    static Key key(int seed, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) seed);
        return new SecretKeySpec(bytes, "AES");
    }

    static AlgorithmParameterSpec nonce(int seed) {
        return new GCMParameterSpec(128, nonceBytes(seed, 12));
    }

    static byte[] nonceBytes(int seed, int length) {
        byte[] nonce = new byte[length];
        Arrays.fill(nonce, (byte) seed);
        return nonce;
    }
}
