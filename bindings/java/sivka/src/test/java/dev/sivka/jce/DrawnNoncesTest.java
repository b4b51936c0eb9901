package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.SivkaProvider;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Nonces that {@code init} draws, and where they come from. */
final class DrawnNoncesTest {
    private static final SivkaProvider SIVKA = new SivkaProvider();
    private static final String GCM_SIV = "AES/GCM-SIV/NoPadding";

    private static SecretKey key(String algorithm) {
        return new SecretKeySpec(new byte[32], algorithm);
    }

    /** More than are drawn at once, from the source of {@code init} and from that of the caller. */
    @Test
    void noTwoAreEqual() throws Exception {
        Set<String> seen = new HashSet<>();
        for (SecureRandom random : new SecureRandom[] {null, new SecureRandom(), seeded()}) {
            for (int ciphers = 0; ciphers < 2; ciphers++) {
                Cipher cipher = Cipher.getInstance(GCM_SIV, SIVKA);
                for (int i = 0; i < 100; i++) {
                    byte[] nonce = drawn(cipher, key("AES"), random);
                    assertEquals(12, nonce.length);
                    assertTrue(seen.add(Arrays.toString(nonce)));
                }
            }
        }
    }

    /** They are handed out one by one, and what was handed out is the caller's. */
    @Test
    void whatACallerDoesToOneChangesNoOther() throws Exception {
        Cipher cipher = Cipher.getInstance(GCM_SIV, SIVKA);
        byte[] first = drawn(cipher, key("AES"), null);
        byte[] sealed = cipher.doFinal(new byte[20]);
        byte[] kept = first.clone();
        Arrays.fill(first, (byte) 1);
        for (int i = 0; i < 40; i++) {
            byte[] nonce = drawn(cipher, key("AES"), null);
            assertFalse(Arrays.equals(kept, nonce));
            Arrays.fill(nonce, (byte) 1);
        }
        cipher.init(Cipher.DECRYPT_MODE, key("AES"), new javax.crypto.spec.GCMParameterSpec(128, kept));
        assertArrayEquals(new byte[20], cipher.doFinal(sealed));
    }

    /** A sequence of the caller's is not passed over, whatever its class. */
    @Test
    void aSequenceOfTheCallersStaysOne() throws Exception {
        Cipher cipher = Cipher.getInstance(GCM_SIV, SIVKA);
        // Nonces that were drawn ahead from elsewhere are not given instead.
        drawn(cipher, key("AES"), null);
        SecureRandom same = seeded();
        SecureRandom random = seeded();
        for (int i = 0; i < 40; i++) {
            byte[] expected = new byte[12];
            same.nextBytes(expected);
            assertArrayEquals(expected, drawn(cipher, key("AES"), random));
        }
        SecureRandom named = SecureRandom.getInstance("NativePRNG", new Fixed());
        assertArrayEquals(new byte[12], drawn(cipher, key("AES"), named));
        byte[] nines = new byte[12];
        Arrays.fill(nines, (byte) 9);
        assertArrayEquals(nines, drawn(cipher, key("AES"), filling((byte) 9)));
    }

    private static byte[] drawn(Cipher cipher, SecretKey key, SecureRandom random) throws GeneralSecurityException {
        if (random == null) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
        } else {
            cipher.init(Cipher.ENCRYPT_MODE, key, random);
        }
        return cipher.getIV();
    }

    /** The JDK's own, which gives one sequence for one seed. */
    private static SecureRandom seeded() throws GeneralSecurityException {
        SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
        random.setSeed(7);
        return random;
    }

    /** A provider whose algorithm has the name of the JDK's. */
    private static final class Fixed extends Provider {
        private static final long serialVersionUID = 1;

        Fixed() {
            super("Fixed", "1", "");
            put("SecureRandom.NativePRNG", Zeros.class.getName());
        }
    }

    /** What it gives is what it is given. */
    public static final class Zeros extends SecureRandomSpi {
        private static final long serialVersionUID = 1;

        @Override
        protected void engineSetSeed(byte[] seed) {
            // It has one sequence.
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }

        @Override
        protected byte[] engineGenerateSeed(int len) {
            return new byte[len];
        }
    }

    private static SecureRandom filling(byte value) {
        return new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, value);
            }
        };
    }
}
