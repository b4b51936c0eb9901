package dev.sivka.benchmark;

import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.daead.AesSivKey;
import com.google.crypto.tink.daead.AesSivParameters;
import com.google.crypto.tink.util.SecretBytes;
import dev.sivka.AesSiv;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** What is measured of AES-SIV under a key of 64 bytes, with one string of associated data. */
public interface SivPeer {
    byte[] AAD = {'u', 's', 'e', 'r', 's', '.', 'e', 'm', 'a', 'i', 'l'};

    /** Tag and ciphertext. */
    byte[] seal(byte[] plaintext) throws GeneralSecurityException;

    byte[] open(byte[] sealed) throws GeneralSecurityException;

    /** The peers, by the names that they have in the table. */
    enum Kind {
        SIVKA(Direct::new),
        TINK(Tink::new);

        private final Function<byte[], SivPeer> make;

        Kind(Function<byte[], SivPeer> make) {
            this.make = make;
        }

        SivPeer make(byte[] key) {
            return make.apply(key);
        }
    }

    record Direct(AesSiv key) implements SivPeer {
        Direct(byte[] key) {
            this(new AesSiv(key));
        }

        @Override
        public byte[] seal(byte[] plaintext) {
            return key.seal(plaintext, AAD);
        }

        @Override
        public byte[] open(byte[] sealed) {
            return key.open(sealed, AAD).orElseThrow();
        }
    }

    /** Tink's own construction, on the ciphers of the JDK. */
    record Tink(DeterministicAead aead) implements SivPeer {
        Tink(byte[] key) {
            this(aead(key));
        }

        private static DeterministicAead aead(byte[] key) {
            try {
                return com.google.crypto.tink.subtle.AesSiv.create(AesSivKey.builder()
                        .setParameters(AesSivParameters.builder().setKeySizeBytes(key.length)
                                .setVariant(AesSivParameters.Variant.NO_PREFIX).build())
                        .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                        .build());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public byte[] seal(byte[] plaintext) throws GeneralSecurityException {
            return aead.encryptDeterministically(plaintext, AAD);
        }

        @Override
        public byte[] open(byte[] sealed) throws GeneralSecurityException {
            return aead.decryptDeterministically(sealed, AAD);
        }
    }

    /**
     * Makes sure that a peer computes what Sivka does, before its time is taken.
     *
     * @throws IllegalStateException if not
     */
    static void check(Kind kind, SivPeer peer, byte[] key, byte[] plaintext) throws GeneralSecurityException {
        byte[] sealed = peer.seal(plaintext);
        require(kind, Arrays.equals(plaintext, peer.open(sealed)));
        try (AesSiv ours = new AesSiv(key)) {
            require(kind, Arrays.equals(ours.seal(plaintext, AAD), sealed));
        }
        sealed[0] ^= 1;
        try {
            peer.open(sealed);
        } catch (GeneralSecurityException | NoSuchElementException forged) {
            return;
        }
        require(kind, false);
    }

    private static void require(Kind kind, boolean right) {
        if (!right) {
            throw new IllegalStateException(kind + " does not compute what Sivka does");
        }
    }
}
