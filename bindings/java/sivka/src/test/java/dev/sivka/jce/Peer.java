package dev.sivka.jce;

import com.codahale.aesgcmsiv.AEAD;
import dev.sivka.AesGcmSiv;
import dev.sivka.SivkaProvider;
import java.security.Provider;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.Conscrypt;

/** An implementation of AES-GCM-SIV: ciphertext and tag under a nonce of the caller's. */
interface Peer {
    byte[] seal(byte[] key, byte[] nonce, byte[] plaintext, byte[] aad) throws Exception;

    /** Empty if the message does not open. */
    Optional<byte[]> open(byte[] key, byte[] nonce, byte[] ciphertext, byte[] aad) throws Exception;

    /** Ours, both interfaces. */
    static List<Peer> ours() {
        return List.of(new Direct(), new Jce(new SivkaProvider()));
    }

    static List<Peer> others() {
        return List.of(new Jce(Conscrypt.newProvider()), new Jce(new BouncyCastleProvider()),
                new Codahale());
    }

    /** A provider, which need not be installed. */
    record Jce(Provider provider) implements Peer {
        @Override
        public byte[] seal(byte[] key, byte[] nonce, byte[] plaintext, byte[] aad) throws Exception {
            return cipher(Cipher.ENCRYPT_MODE, key, nonce, aad).doFinal(plaintext);
        }

        @Override
        public Optional<byte[]> open(byte[] key, byte[] nonce, byte[] ciphertext, byte[] aad)
                throws Exception {
            try {
                return Optional.of(cipher(Cipher.DECRYPT_MODE, key, nonce, aad).doFinal(ciphertext));
            } catch (AEADBadTagException forged) {
                return Optional.empty();
            }
        }

        private Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] aad) throws Exception {
            Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding", provider);
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
            if (aad.length > 0) {
                cipher.updateAAD(aad);
            }
            return cipher;
        }
    }

    record Direct() implements Peer {
        @Override
        public byte[] seal(byte[] key, byte[] nonce, byte[] plaintext, byte[] aad) {
            try (AesGcmSiv sivka = new AesGcmSiv(key)) {
                return sivka.sealWithNonce(nonce, plaintext, aad);
            }
        }

        @Override
        public Optional<byte[]> open(byte[] key, byte[] nonce, byte[] ciphertext, byte[] aad) {
            try (AesGcmSiv sivka = new AesGcmSiv(key)) {
                return sivka.openWithNonce(nonce, ciphertext, aad);
            }
        }
    }

    record Codahale() implements Peer {
        @Override
        public byte[] seal(byte[] key, byte[] nonce, byte[] plaintext, byte[] aad) {
            return new AEAD(key).seal(nonce, plaintext, aad);
        }

        @Override
        public Optional<byte[]> open(byte[] key, byte[] nonce, byte[] ciphertext, byte[] aad) {
            return new AEAD(key).open(nonce, ciphertext, aad);
        }
    }
}
