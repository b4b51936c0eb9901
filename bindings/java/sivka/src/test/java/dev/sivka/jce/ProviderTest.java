package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.SivkaProvider;
import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Messages;
import dev.sivka.internal.NativeKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The services of the provider, which is not installed here. */
class ProviderTest {
    private static final Provider SIVKA = new SivkaProvider();
    private static final byte[] AAD = "aad".getBytes();

    /**
     * @param algorithm what the native library calls it
     * @param generator what makes its keys
     */
    record Row(String transformation, String algorithm, String generator, int keyBits) {
        SecretKey newKey() throws Exception {
            KeyGenerator made = KeyGenerator.getInstance(generator, SIVKA);
            made.init(keyBits);
            return made.generateKey();
        }

        Cipher cipher() throws Exception {
            return Cipher.getInstance(transformation, SIVKA);
        }

        Algorithm nativeAlgorithm() {
            return Algorithm.named(algorithm);
        }

        byte[] nonce(int seed) {
            byte[] nonce = new byte[nativeAlgorithm().nonceLen()];
            Arrays.fill(nonce, (byte) seed);
            return nonce;
        }

        IvParameterSpec spec(int seed) {
            byte[] nonce = nonce(seed);
            return nonce.length == 0 ? null : new IvParameterSpec(nonce);
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("AES/GCM-SIV/NoPadding", "AES-128-GCM-SIV", "AES-GCM-SIV", 128),
                new Row("AES/GCM-SIV/NoPadding", "AES-256-GCM-SIV", "AES-GCM-SIV", 256),
                new Row("AES_128/GCM-SIV/NoPadding", "AES-128-GCM-SIV", "AES-GCM-SIV", 128),
                new Row("AES_256/GCM-SIV/NoPadding", "AES-256-GCM-SIV", "AES-GCM-SIV", 256),
                new Row("AES/SIV/NoPadding", "AES-SIV-256", "AES-SIV", 256),
                new Row("AES/SIV/NoPadding", "AES-SIV-384", "AES-SIV", 384),
                new Row("AES/SIV/NoPadding", "AES-SIV-512", "AES-SIV", 512));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void sealsAsTheDirectInterfaceDoes(Row row) throws Exception {
        SecretKey key = row.newKey();
        Cipher cipher = row.cipher();
        try (NativeKey direct = new NativeKey(row.nativeAlgorithm(), key.getEncoded())) {
            int seed = 0;
            for (int length : new int[] {0, 1, 15, 16, 17, 1000, 8191, 8192, 9000, 100_000}) {
                byte[] text = AeadCipher.text(length);
                cipher.init(Cipher.ENCRYPT_MODE, key, row.spec(++seed));
                cipher.updateAAD(AAD);
                byte[] sealed = cipher.doFinal(text);
                assertArrayEquals(Messages.seal(direct, row.nonce(seed), text, AAD), sealed);
                cipher.init(Cipher.DECRYPT_MODE, key, row.spec(seed));
                assertEquals(length, cipher.getOutputSize(sealed.length));
                cipher.updateAAD(AAD);
                assertArrayEquals(text, cipher.doFinal(sealed));
                sealed[length / 2] ^= 1;
                cipher.updateAAD(AAD);
                assertThrows(AEADBadTagException.class, () -> cipher.doFinal(sealed));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void wrongParametersAreRefused(Row row) throws Exception {
        SecretKey key = row.newKey();
        int nonceLen = row.nativeAlgorithm().nonceLen();
        int tagBits = row.nativeAlgorithm().tagLen() * 8;
        Cipher cipher = row.cipher();
        for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
            for (int length : new int[] {0, nonceLen - 1, nonceLen + 1, 300}) {
                if (length >= 0) {
                    assertThrows(InvalidAlgorithmParameterException.class, () ->
                            cipher.init(mode, key, new IvParameterSpec(new byte[length])));
                }
            }
            assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(mode, key,
                    new GCMParameterSpec(tagBits - 8, new byte[nonceLen])));
            assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[64]));
        }
        if (nonceLen > 0) {
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(tagBits, row.nonce(1)));
            assertEquals(tagBits / 8, cipher.doFinal(new byte[10]).length - 10);
        }
    }

    /** A sequence of the caller's is not passed over. */
    @Test
    void drawnNoncesAreThoseOfTheGivenSource() throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding", SIVKA);
        SecretKey key = new SecretKeySpec(new byte[32], "AES");
        Set<String> seen = new HashSet<>();
        SecureRandom same = seeded();
        SecureRandom random = seeded();
        for (int i = 0; i < 40; i++) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
            assertTrue(seen.add(Arrays.toString(cipher.getIV())));
            byte[] expected = new byte[12];
            same.nextBytes(expected);
            cipher.init(Cipher.ENCRYPT_MODE, key, random);
            assertArrayEquals(expected, cipher.getIV());
        }
    }

    /** The JDK's own, which gives one sequence for one seed. */
    private static SecureRandom seeded() throws Exception {
        SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
        random.setSeed(7);
        return random;
    }

    @Test
    void keysOfOneLengthWantThatLength() throws Exception {
        for (int bits : new int[] {128, 256}) {
            Cipher cipher = Cipher.getInstance("AES_" + bits + "/GCM-SIV/NoPadding", SIVKA);
            byte[] other = new byte[bits == 128 ? 32 : 16];
            assertThrows(InvalidKeyException.class, () ->
                    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(other, "AES")));
        }
    }

    @Test
    void keyGeneratorsMakeWhatTheyAreAsked() throws Exception {
        KeyGenerator aes = KeyGenerator.getInstance("AES-GCM-SIV", SIVKA);
        assertEquals(32, aes.generateKey().getEncoded().length);
        assertEquals("AES", aes.generateKey().getAlgorithm());
        for (int bits : new int[] {0, 127, 192, 512}) {
            assertThrows(java.security.InvalidParameterException.class, () -> aes.init(bits));
        }
        aes.init(128, new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, (byte) 5);
            }
        });
        byte[] fives = new byte[16];
        Arrays.fill(fives, (byte) 5);
        assertArrayEquals(fives, aes.generateKey().getEncoded());
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> aes.init(new IvParameterSpec(new byte[12])));
    }

    @Test
    void isFoundWithoutBeingNamed() throws Exception {
        assertTrue(ServiceLoader.load(Provider.class).stream()
                .anyMatch(found -> found.type() == SivkaProvider.class));
        Security.addProvider(SIVKA);
        try {
            // By a transformation's parts, in any case; and only ours has these.
            assertInstanceOf(SivkaProvider.class, Cipher.getInstance("aes/siv/nopadding").getProvider());
            for (String name : List.of("AES/SIV/PKCS5Padding", "AES/GCM-SIV/PKCS5Padding",
                    "AES_192/GCM-SIV/NoPadding", "XChaCha20-BLAKE2b", "Kuznyechik/MGM/NoPadding")) {
                assertThrows(java.security.GeneralSecurityException.class, () -> Cipher.getInstance(name));
            }
            assertThrows(NoSuchAlgorithmException.class,
                    () -> Cipher.getInstance("AES/GCM-SIV", "Sivka"));
            assertInstanceOf(SivkaProvider.class, Cipher.getInstance("AES-GCM-SIV").getProvider());
            // The provider is chosen by the key, as late as that.
            Cipher late = Cipher.getInstance("AES/GCM-SIV/NoPadding");
            late.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "AES"));
            assertEquals(SivkaProvider.NAME, late.getProvider().getName());
        } finally {
            Security.removeProvider(SivkaProvider.NAME);
        }
    }

    /** The streams of JDK 17 make an array of {@code getOutputSize} whenever that grows: 32 GB for 16 MiB. */
    @ParameterizedTest
    @ValueSource(ints = {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE})
    void streamsTakeMemoryInProportion(int mode) throws Exception {
        byte[] text = new byte[4 << 20];
        SecretKey key = new SecretKeySpec(new byte[32], "AES");
        Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding", SIVKA);
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[12]));
        byte[] sealed = cipher.doFinal(text);
        byte[] given = mode == Cipher.ENCRYPT_MODE ? text : sealed;
        byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : text;
        for (boolean reads : new boolean[] {false, true}) {
            cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[12]));
            cipher.init(mode, key, new IvParameterSpec(new byte[12]));
            ByteArrayOutputStream out = new ByteArrayOutputStream(sealed.length);
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            if (reads) {
                new CipherInputStream(new ByteArrayInputStream(given), cipher).transferTo(out);
            } else {
                try (CipherOutputStream to = new CipherOutputStream(out, cipher)) {
                    for (int at = 0; at < given.length; at += 4096) {
                        to.write(given, at, Math.min(4096, given.length - at));
                    }
                }
            }
            long taken = threads.getCurrentThreadAllocatedBytes() - before;
            assertArrayEquals(expected, out.toByteArray());
            assertTrue(taken < 16L * text.length, reads + ": " + taken);
        }
    }

    /** A cipher is for one thread; that two of them meet may spoil messages, never memory. */
    @Test
    void threadsThatShareACipherDoNotBreakTheProcess() throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding", SIVKA);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            byte[] key = new byte[32];
            key[0] = (byte) t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    try {
                        cipher.init(i % 3 == 0 ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE,
                                new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, new byte[12]));
                        cipher.updateAAD(AAD);
                        cipher.update(new byte[i % 300]);
                        cipher.doFinal(new byte[i % 9000]);
                    } catch (Exception expected) {
                        // Whatever it is: that the process goes on is what is tested.
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "AES"));
        assertEquals(26, cipher.doFinal(new byte[10]).length);
    }
}
