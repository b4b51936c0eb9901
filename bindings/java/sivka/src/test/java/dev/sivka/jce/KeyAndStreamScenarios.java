package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.AAD;
import static dev.sivka.jce.AeadCipher.key;
import static dev.sivka.jce.AeadCipher.text;
import static dev.sivka.jce.Scenario.describe;
import static dev.sivka.jce.Scenario.seen;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.Key;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.SealedObject;

/** Keys that are wrapped, and the streams of {@code javax.crypto}. */
final class KeyAndStreamScenarios {
    private KeyAndStreamScenarios() {}

    static void wrapping(Map<String, Scenario> all) {
        all.put("wrap and unwrap a secret key", aead -> {
            Cipher cipher = aead.initialized(Cipher.WRAP_MODE);
            byte[] wrapped = cipher.wrap(key(7, 32));
            Key key = aead.initialized(Cipher.UNWRAP_MODE).unwrap(wrapped, "AES", Cipher.SECRET_KEY);
            return describe(wrapped) + ", " + key(7, 32).equals(key) + ", again "
                    + seen(() -> describe(cipher.wrap(key(7, 32))));
        });
        all.put("wrap and unwrap private and public keys", aead -> {
            var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
            byte[] secret = aead.initialized(Cipher.WRAP_MODE).wrap(pair.getPrivate());
            byte[] open = aead.initialized(Cipher.WRAP_MODE).wrap(pair.getPublic());
            Cipher cipher = aead.initialized(Cipher.UNWRAP_MODE);
            return cipher.unwrap(secret, "EC", Cipher.PRIVATE_KEY).equals(pair.getPrivate()) + ", "
                    + cipher.unwrap(open, "EC", Cipher.PUBLIC_KEY).equals(pair.getPublic());
        });
        all.put("wrap with AAD", aead -> {
            Cipher cipher = aead.initialized(Cipher.WRAP_MODE);
            cipher.updateAAD(AAD);
            byte[] wrapped = cipher.wrap(key(7, 32));
            return seen(() -> aead.initialized(Cipher.UNWRAP_MODE)
                    .unwrap(wrapped, "AES", Cipher.SECRET_KEY));
        });
        all.put("wrap a key that keeps its bytes", aead ->
                describe(aead.initialized(Cipher.WRAP_MODE).wrap(new Scenario.HiddenKey())));
        all.put("wrap no key", aead ->
                describe(aead.initialized(Cipher.WRAP_MODE).wrap(null)));
        all.put("unwrap a forgery", aead ->
                aead.initialized(Cipher.UNWRAP_MODE).unwrap(aead.forged(32), "AES", Cipher.SECRET_KEY));
        all.put("unwrap a key of an unknown kind", aead ->
                aead.initialized(Cipher.UNWRAP_MODE).unwrap(aead.sealed(32), "AES", 9));
        all.put("unwrap a private key of an unknown algorithm", aead ->
                aead.initialized(Cipher.UNWRAP_MODE)
                        .unwrap(aead.sealed(32), "no such", Cipher.PRIVATE_KEY));
        all.put("unwrap a private key that is none", aead ->
                aead.initialized(Cipher.UNWRAP_MODE).unwrap(aead.sealed(32), "EC", Cipher.PRIVATE_KEY));
        all.put("wrap while encrypting", aead -> describe(aead.encrypting().wrap(key(1, 16))));
        all.put("doFinal while wrapping", aead ->
                describe(aead.initialized(Cipher.WRAP_MODE).doFinal(new byte[5])));
    }

    static void sealedObjects(Map<String, Scenario> all) {
        for (String provider : new String[] {"its own", null}) {
            all.put("a sealed object, " + (provider == null ? "by its key" : "by its key and provider"), aead -> {
                SealedObject sealed = new SealedObject("an object", aead.encrypting());
                ByteArrayOutputStream stored = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(stored)) {
                    out.writeObject(sealed);
                }
                ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stored.toByteArray()));
                SealedObject read = (SealedObject) in.readObject();
                return provider == null ? read.getObject(key(1, 32)) : read.getObject(key(1, 32), aead.provider());
            });
        }
        all.put("a sealed object by another key", aead ->
                new SealedObject("an object", aead.encrypting()).getObject(key(2, 32), aead.provider()));
    }

    static void streams(Map<String, Scenario> all) {
        all.put("streams there and back", aead -> {
            ByteArrayOutputStream sealed = new ByteArrayOutputStream();
            try (CipherOutputStream out = new CipherOutputStream(sealed, aead.encrypting())) {
                for (byte b : text(3000)) {
                    out.write(b);
                }
                out.write(text(30000));
            }
            byte[] expected = Arrays.copyOf(text(3000), 33000);
            System.arraycopy(text(30000), 0, expected, 3000, 30000);
            try (CipherInputStream in = new CipherInputStream(
                    new ByteArrayInputStream(sealed.toByteArray()), aead.decrypting())) {
                return sealed.size() + " " + Arrays.equals(expected, in.readAllBytes());
            }
        });
        all.put("a forged stream", aead -> {
            CipherInputStream in = new CipherInputStream(
                    new ByteArrayInputStream(aead.forged(30000)), aead.decrypting());
            int got = 0;
            try {
                while (in.read() >= 0) {
                    got++;
                }
                return "ended after " + got;
            } catch (IOException e) {
                return got + " " + e.getCause().getClass().getSimpleName();
            }
        });
    }
}
