package dev.sivka.benchmark;

import com.codahale.aesgcmsiv.AEAD;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.aead.AesGcmSivKey;
import com.google.crypto.tink.aead.AesGcmSivParameters;
import com.google.crypto.tink.util.SecretBytes;
import dev.sivka.AesGcmSiv;
import dev.sivka.Keyset;
import dev.sivka.KeysetException;
import dev.sivka.KeysetForm;
import dev.sivka.SivkaProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.Conscrypt;

/**
 * What is measured: an implementation with a key, used as its documentation says, with what
 * can be reused reused. Output goes to a new array, and there is no AAD.
 */
public interface Peer {
    byte[] NO_AAD = new byte[0];

    /** Ciphertext and tag under this nonce; nonce, ciphertext and tag where it draws one. */
    byte[] seal(byte[] nonce, byte[] plaintext) throws GeneralSecurityException;

    byte[] open(byte[] nonce, byte[] sealed) throws GeneralSecurityException;

    /** The peers, by the names that they have in the table. */
    enum Kind {
        SIVKA(Direct::new),
        SIVKA_JCE(key -> new Jce("AES/GCM-SIV/NoPadding", new SivkaProvider(), key)),
        JDK_GCM(key -> new Jce("AES/GCM/NoPadding", Security.getProvider("SunJCE"), key)),
        CONSCRYPT(key -> new Jce("AES/GCM-SIV/NoPadding", Conscrypt.newProvider(), key)),
        BOUNCYCASTLE(key -> new Jce("AES/GCM-SIV/NoPadding", new BouncyCastleProvider(), key)),
        SIVKA_DRAWN(Drawn::new),
        SIVKA_JCE_DRAWN(key -> new JceDrawn(new Jce("AES/GCM-SIV/NoPadding", new SivkaProvider(), key))),
        SIVKA_KEYSET(InKeyset::new),
        TINK(Tink::new),
        CODAHALE(Codahale::new);

        private final Function<byte[], Peer> make;

        Kind(Function<byte[], Peer> make) {
            this.make = make;
        }

        Peer make(byte[] key) {
            return make.apply(key);
        }

        /** Whether it seals as AES-GCM-SIV does under a nonce of the caller's. */
        boolean isGcmSivUnderGivenNonces() {
            return this != JDK_GCM && !drawsNonces();
        }

        /** Whether it draws a nonce for each message, and puts it before the ciphertext. */
        boolean drawsNonces() {
            return this == SIVKA_DRAWN || this == SIVKA_JCE_DRAWN || this == SIVKA_KEYSET || this == TINK;
        }
    }

    record Direct(AesGcmSiv key) implements Peer {
        Direct(byte[] key) {
            this(new AesGcmSiv(key));
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) {
            return key.sealWithNonce(nonce, plaintext, NO_AAD);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) {
            return key.openWithNonce(nonce, sealed, NO_AAD).orElseThrow();
        }
    }

    /** As {@link Direct}, but it draws nonces. */
    record Drawn(AesGcmSiv key) implements Peer {
        Drawn(byte[] key) {
            this(new AesGcmSiv(key));
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) {
            return key.seal(plaintext, NO_AAD);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) {
            return key.open(sealed, NO_AAD).orElseThrow();
        }
    }

    /** A keyset with one key, whose messages have no prefix. It draws nonces. */
    record InKeyset(Keyset keyset) implements Peer {
        private static final String WITH_ONE_KEY =
                """
                {"primaryKeyId": 1, "key": [{"status": "ENABLED", "keyId": 1, "outputPrefixType": "RAW",
                  "keyData": {"typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmSivKey",
                    "keyMaterialType": "SYMMETRIC", "value": "%s"}}]}""";

        InKeyset(byte[] key) {
            this(keyset(key));
        }

        private static Keyset keyset(byte[] key) {
            // A message of protocol buffers: field 3, so many bytes.
            byte[] value = ByteBuffer.allocate(key.length + 2).put((byte) 0x1a).put((byte) key.length).put(key).array();
            String json = WITH_ONE_KEY.formatted(Base64.getEncoder().encodeToString(value));
            try {
                return Keyset.fromInsecure(json.getBytes(StandardCharsets.UTF_8), KeysetForm.JSON);
            } catch (KeysetException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) {
            return keyset.seal(plaintext, NO_AAD);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) {
            return keyset.open(sealed, NO_AAD).orElseThrow();
        }
    }

    /** One {@code Cipher}, initialized for each message. */
    record Jce(Cipher cipher, SecretKey key) implements Peer {
        Jce(String transformation, Provider provider, byte[] key) {
            this(cipher(transformation, provider), new SecretKeySpec(key, "AES"));
        }

        private static Cipher cipher(String transformation, Provider provider) {
            try {
                return Cipher.getInstance(transformation, provider);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) throws GeneralSecurityException {
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
            return cipher.doFinal(plaintext);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) throws GeneralSecurityException {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
            return cipher.doFinal(sealed);
        }
    }

    /** The same with nonces that {@code init} draws. */
    record JceDrawn(Jce jce) implements Peer {
        private static final int NONCE_LEN = 12;
        private static final int TAG_LEN = 16;

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) throws GeneralSecurityException {
            Cipher cipher = jce.cipher;
            cipher.init(Cipher.ENCRYPT_MODE, jce.key);
            byte[] sealed = new byte[NONCE_LEN + plaintext.length + TAG_LEN];
            cipher.doFinal(plaintext, 0, plaintext.length, sealed, NONCE_LEN);
            System.arraycopy(cipher.getIV(), 0, sealed, 0, NONCE_LEN);
            return sealed;
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) throws GeneralSecurityException {
            jce.cipher.init(Cipher.DECRYPT_MODE, jce.key, new GCMParameterSpec(128, sealed, 0, NONCE_LEN));
            return jce.cipher.doFinal(sealed, NONCE_LEN, sealed.length - NONCE_LEN);
        }
    }

    /** On Conscrypt, for no other provider of AES-GCM-SIV is installed here. It draws nonces. */
    record Tink(Aead aead) implements Peer {
        Tink(byte[] key) {
            this(aead(key));
        }

        private static Aead aead(byte[] key) {
            try {
                return com.google.crypto.tink.aead.subtle.AesGcmSiv.create(AesGcmSivKey.builder()
                        .setParameters(AesGcmSivParameters.builder().setKeySizeBytes(key.length)
                                .setVariant(AesGcmSivParameters.Variant.NO_PREFIX).build())
                        .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                        .build());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) throws GeneralSecurityException {
            return aead.encrypt(plaintext, NO_AAD);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) throws GeneralSecurityException {
            return aead.decrypt(sealed, NO_AAD);
        }
    }

    record Codahale(AEAD aead) implements Peer {
        Codahale(byte[] key) {
            this(new AEAD(key));
        }

        @Override
        public byte[] seal(byte[] nonce, byte[] plaintext) {
            return aead.seal(nonce, plaintext, NO_AAD);
        }

        @Override
        public byte[] open(byte[] nonce, byte[] sealed) {
            return aead.open(nonce, sealed, NO_AAD).orElseThrow();
        }
    }

    /**
     * Makes sure that a peer computes what the others do, before its time is taken.
     *
     * @throws IllegalStateException if not
     */
    static void check(Kind kind, Peer peer, byte[] key, byte[] plaintext)
            throws GeneralSecurityException {
        byte[] nonce = new byte[12];
        nonce[0] = (byte) 0xff;
        byte[] sealed = peer.seal(nonce, plaintext);
        require(kind, Arrays.equals(plaintext, peer.open(nonce, sealed)));
        Peer ours = new Direct(key);
        if (kind.isGcmSivUnderGivenNonces()) {
            require(kind, Arrays.equals(ours.seal(nonce, plaintext), sealed));
        } else if (kind.drawsNonces()) {
            byte[] drawn = Arrays.copyOf(sealed, nonce.length);
            byte[] rest = Arrays.copyOfRange(sealed, nonce.length, sealed.length);
            require(kind, Arrays.equals(ours.seal(drawn, plaintext), rest));
        }
        sealed[sealed.length - 1] ^= 1;
        try {
            peer.open(nonce, sealed);
        } catch (GeneralSecurityException | java.util.NoSuchElementException forged) {
            return;
        }
        require(kind, false);
    }

    private static void require(Kind kind, boolean right) {
        if (!right) {
            throw new IllegalStateException(kind + " does not compute what the others do");
        }
    }
}
