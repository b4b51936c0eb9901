package dev.sivka.benchmark;

import com.codahale.aesgcmsiv.AEAD;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.aead.AesGcmSivKey;
import com.google.crypto.tink.aead.AesGcmSivParameters;
import com.google.crypto.tink.util.SecretBytes;
import dev.sivka.AesGcmSiv;
import dev.sivka.SivkaProvider;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.NoSuchElementException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.conscrypt.Conscrypt;

/**
 * What is measured: an implementation with a key, used as its documentation says, with what
 * can be reused reused. Output goes to a new array, and there is no AAD.
 *
 * @param seal gives ciphertext and tag under a nonce; with the nonce before them if it draws one
 */
public record Peer(Call seal, Call open) {
    private static final byte[] NO_AAD = new byte[0];
    private static final int NONCE_LEN = 12;
    static final int KEY_LEN = 32;

    /** Seals or opens one message. */
    public interface Call {
        byte[] with(byte[] nonce, byte[] text) throws GeneralSecurityException;
    }

    private interface Make {
        Peer of(byte[] key) throws GeneralSecurityException;
    }

    /** The peers, by the names that are printed. */
    public enum Kind {
        SIVKA(Peer::sivka),
        SIVKA_JCE(key -> jce("AES/GCM-SIV/NoPadding", new SivkaProvider(), key)),
        JDK_GCM(key -> jce("AES/GCM/NoPadding", Security.getProvider("SunJCE"), key)),
        CONSCRYPT(key -> jce("AES/GCM-SIV/NoPadding", Conscrypt.newProvider(), key)),
        TINK(Peer::tink),
        CODAHALE(Peer::codahale);

        private final Make make;

        Kind(Make make) {
            this.make = make;
        }

        String algorithm() {
            return this == JDK_GCM ? "aes-256-gcm" : "aes-256-gcm-siv";
        }

        String kind() {
            return name().startsWith("SIVKA") ? "ours" : this == JDK_GCM ? "yardstick" : "peer";
        }

        /**
         * Makes one, and makes sure that it computes what the others do, before its time is taken.
         *
         * @throws IllegalStateException if not
         */
        Peer make(byte[] key, byte[] plaintext) throws GeneralSecurityException {
            Peer made = make.of(key);
            byte[] nonce = new byte[NONCE_LEN];
            nonce[0] = (byte) 0xff;
            byte[] sealed = made.seal.with(nonce, plaintext);
            require(Arrays.equals(plaintext, made.open.with(nonce, sealed)));
            byte[] under = this == TINK ? Arrays.copyOf(sealed, NONCE_LEN) : nonce;
            byte[] rest = Arrays.copyOfRange(sealed, this == TINK ? NONCE_LEN : 0, sealed.length);
            require(this == JDK_GCM || Arrays.equals(SIVKA.make.of(key).seal.with(under, plaintext), rest));
            sealed[sealed.length - 1] ^= 1;
            try {
                made.open.with(nonce, sealed);
            } catch (GeneralSecurityException | NoSuchElementException forged) {
                return made;
            }
            throw new IllegalStateException(this + " opens a forgery");
        }

        private void require(boolean right) {
            if (!right) {
                throw new IllegalStateException(this + " does not compute what the others do");
            }
        }
    }

    private static Peer sivka(byte[] bytes) {
        AesGcmSiv key = new AesGcmSiv(bytes);
        return new Peer(
                (nonce, text) -> key.sealWithNonce(nonce, text, NO_AAD),
                (nonce, sealed) -> key.openWithNonce(nonce, sealed, NO_AAD).orElseThrow());
    }

    /** One {@code Cipher}, initialized for each message. */
    private static Peer jce(String transformation, Provider provider, byte[] bytes) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation, provider);
        SecretKey key = new SecretKeySpec(bytes, "AES");
        return new Peer(
                (nonce, text) -> {
                    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
                    return cipher.doFinal(text);
                },
                (nonce, sealed) -> {
                    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
                    return cipher.doFinal(sealed);
                });
    }

    /** On Conscrypt, for no other provider of AES-GCM-SIV is installed here. It draws nonces. */
    private static Peer tink(byte[] key) throws GeneralSecurityException {
        AesGcmSivParameters parameters = AesGcmSivParameters.builder().setKeySizeBytes(key.length)
                .setVariant(AesGcmSivParameters.Variant.NO_PREFIX).build();
        Aead aead = com.google.crypto.tink.aead.subtle.AesGcmSiv.create(AesGcmSivKey.builder()
                .setParameters(parameters)
                .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get())).build());
        return new Peer(
                (nonce, text) -> aead.encrypt(text, NO_AAD), (nonce, sealed) -> aead.decrypt(sealed, NO_AAD));
    }

    private static Peer codahale(byte[] key) {
        AEAD aead = new AEAD(key);
        return new Peer(
                (nonce, text) -> aead.seal(nonce, text, NO_AAD),
                (nonce, sealed) -> aead.open(nonce, sealed, NO_AAD).orElseThrow());
    }
}
