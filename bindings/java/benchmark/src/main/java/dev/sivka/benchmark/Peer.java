package dev.sivka.benchmark;

import com.codahale.aesgcmsiv.AEAD;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.aead.AesGcmSivKey;
import com.google.crypto.tink.aead.AesGcmSivParameters;
import com.google.crypto.tink.util.SecretBytes;
import dev.sivka.AesGcmSiv;
import dev.sivka.AesSiv;
import dev.sivka.Keyset;
import dev.sivka.KeysetForm;
import dev.sivka.SivkaProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Base64;
import java.util.NoSuchElementException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
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
    private static final int TAG_LEN = 16;

    /** Seals or opens one message. */
    public interface Call {
        byte[] with(byte[] nonce, byte[] text) throws GeneralSecurityException;
    }

    private interface Make {
        Peer of(byte[] key) throws GeneralSecurityException;
    }

    /** What is to be computed: AES-SIV under a key of 64 bytes, the others under one of 32. */
    private enum Bytes {
        GCM_SIV("aes-256-gcm-siv"),
        DRAWN_GCM_SIV("aes-256-gcm-siv"),
        GCM("aes-256-gcm"),
        SIV("aes-siv-512");

        private final String algorithm;

        Bytes(String algorithm) {
            this.algorithm = algorithm;
        }
    }

    /** The peers, by the names that are printed. */
    public enum Kind {
        SIVKA(Bytes.GCM_SIV, Peer::sivka),
        SIVKA_JCE(Bytes.GCM_SIV, key -> jce("AES/GCM-SIV/NoPadding", new SivkaProvider(), key)),
        JDK_GCM(Bytes.GCM, key -> jce("AES/GCM/NoPadding", Security.getProvider("SunJCE"), key)),
        CONSCRYPT(Bytes.GCM_SIV, key -> jce("AES/GCM-SIV/NoPadding", Conscrypt.newProvider(), key)),
        BOUNCYCASTLE(Bytes.GCM_SIV, key -> jce("AES/GCM-SIV/NoPadding", new BouncyCastleProvider(), key)),
        SIVKA_DRAWN(Bytes.DRAWN_GCM_SIV, Peer::drawn),
        SIVKA_JCE_DRAWN(Bytes.DRAWN_GCM_SIV, Peer::jceDrawn),
        SIVKA_KEYSET(Bytes.DRAWN_GCM_SIV, Peer::keyset),
        TINK(Bytes.DRAWN_GCM_SIV, Peer::tink),
        CODAHALE(Bytes.GCM_SIV, Peer::codahale),
        SIVKA_SIV(Bytes.SIV, Peer::sivkaSiv),
        TINK_SIV(Bytes.SIV, Peer::tinkSiv);

        private final Bytes bytes;
        private final Make make;

        Kind(Bytes bytes, Make make) {
            this.bytes = bytes;
            this.make = make;
        }

        /** What it is compared with. */
        Kind ours() {
            return bytes == Bytes.SIV ? SIVKA_SIV : SIVKA;
        }

        String algorithm() {
            return bytes.algorithm;
        }

        String kind() {
            return name().startsWith("SIVKA") ? "ours" : bytes == Bytes.GCM ? "yardstick" : "peer";
        }

        int keyLen() {
            return bytes == Bytes.SIV ? 64 : 32;
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
            if (bytes == Bytes.DRAWN_GCM_SIV) {
                byte[] drawn = Arrays.copyOf(sealed, NONCE_LEN);
                byte[] rest = Arrays.copyOfRange(sealed, NONCE_LEN, sealed.length);
                require(Arrays.equals(ours().make.of(key).seal.with(drawn, plaintext), rest));
            } else if (bytes != Bytes.GCM) {
                require(Arrays.equals(ours().make.of(key).seal.with(nonce, plaintext), sealed));
            }
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

    private static Peer drawn(byte[] bytes) {
        AesGcmSiv key = new AesGcmSiv(bytes);
        return new Peer(
                (nonce, text) -> key.seal(text, NO_AAD), (nonce, sealed) -> key.open(sealed, NO_AAD).orElseThrow());
    }

    private static Peer sivkaSiv(byte[] bytes) {
        AesSiv key = new AesSiv(bytes);
        return new Peer(
                (nonce, text) -> key.seal(text, NO_AAD), (nonce, sealed) -> key.open(sealed, NO_AAD).orElseThrow());
    }

    /** A keyset with one key, whose messages have no prefix. It draws nonces. */
    private static Peer keyset(byte[] key) throws GeneralSecurityException {
        // A message of protocol buffers: field 3, so many bytes.
        byte[] value = ByteBuffer.allocate(key.length + 2).put((byte) 0x1a).put((byte) key.length).put(key).array();
        String json =
                """
                {"primaryKeyId": 1, "key": [{"status": "ENABLED", "keyId": 1, "outputPrefixType": "RAW",
                  "keyData": {"typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmSivKey",
                    "keyMaterialType": "SYMMETRIC", "value": "%s"}}]}"""
                        .formatted(Base64.getEncoder().encodeToString(value));
        Keyset keyset = Keyset.fromInsecure(json.getBytes(StandardCharsets.UTF_8), KeysetForm.JSON);
        return new Peer(
                (nonce, text) -> keyset.seal(text, NO_AAD),
                (nonce, sealed) -> keyset.open(sealed, NO_AAD).orElseThrow());
    }

    /** One {@code Cipher}, initialized for each message. */
    private static Peer jce(String transformation, Provider provider, byte[] bytes) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation, provider);
        SecretKey key = new SecretKeySpec(bytes, "AES");
        return new Peer(
                (nonce, text) -> {
                    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_LEN * 8, nonce));
                    return cipher.doFinal(text);
                },
                (nonce, sealed) -> {
                    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_LEN * 8, nonce));
                    return cipher.doFinal(sealed);
                });
    }

    /** The same with nonces that {@code init} draws. */
    private static Peer jceDrawn(byte[] bytes) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding", new SivkaProvider());
        SecretKey key = new SecretKeySpec(bytes, "AES");
        return new Peer(
                (nonce, text) -> {
                    cipher.init(Cipher.ENCRYPT_MODE, key);
                    byte[] sealed = new byte[NONCE_LEN + text.length + TAG_LEN];
                    cipher.doFinal(text, 0, text.length, sealed, NONCE_LEN);
                    System.arraycopy(cipher.getIV(), 0, sealed, 0, NONCE_LEN);
                    return sealed;
                },
                (nonce, sealed) -> {
                    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_LEN * 8, sealed, 0, NONCE_LEN));
                    return cipher.doFinal(sealed, NONCE_LEN, sealed.length - NONCE_LEN);
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

    /** Tink's own construction, on the ciphers of the JDK. */
    private static Peer tinkSiv(byte[] key) throws GeneralSecurityException {
        DeterministicAead aead = new com.google.crypto.tink.subtle.AesSiv(key);
        return new Peer(
                (nonce, text) -> aead.encryptDeterministically(text, NO_AAD),
                (nonce, sealed) -> aead.decryptDeterministically(sealed, NO_AAD));
    }

    private static Peer codahale(byte[] key) {
        AEAD aead = new AEAD(key);
        return new Peer(
                (nonce, text) -> aead.seal(nonce, text, NO_AAD),
                (nonce, sealed) -> aead.open(nonce, sealed, NO_AAD).orElseThrow());
    }
}
