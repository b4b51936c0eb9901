package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.AesSiv;
import dev.sivka.SivkaProvider;
import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Message;
import dev.sivka.internal.NativeKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The services of the provider, which is not installed here, beside what {@link ConventionsTest} compares. */
class ProviderTest {
    private static final Provider SIVKA = new SivkaProvider();
    private static final byte[] AAD = "aad".getBytes();
    private static final byte[] TEXT = AeadCipher.text(100);

    /** A cipher for keys of one length, and what the native library calls it. */
    record Row(String transformation, String algorithm, int keyLen) {
        int nonceLen() {
            return Algorithm.named(algorithm).nonceLen();
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("AES/GCM-SIV/NoPadding", "AES-128-GCM-SIV", 16),
                new Row("AES/GCM-SIV/NoPadding", "AES-256-GCM-SIV", 32),
                new Row("AES_128/GCM-SIV/NoPadding", "AES-128-GCM-SIV", 16),
                new Row("AES_256/GCM-SIV/NoPadding", "AES-256-GCM-SIV", 32),
                new Row("AES/SIV/NoPadding", "AES-SIV-256", 32),
                new Row("AES/SIV/NoPadding", "AES-SIV-384", 48),
                new Row("AES/SIV/NoPadding", "AES-SIV-512", 64));
    }

    private static Cipher cipher(String transformation) throws Exception {
        return Cipher.getInstance(transformation, SIVKA);
    }

    private static SecretKey key(int length) {
        return new SecretKeySpec(new byte[length], "AES");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void sealsAsTheDirectInterfaceDoes(Row row) throws Exception {
        SecretKey key = key(row.keyLen);
        Cipher cipher = cipher(row.transformation);
        byte[] nonce = AeadCipher.nonceBytes(7, row.nonceLen());
        AlgorithmParameterSpec spec = nonce.length == 0 ? null : new IvParameterSpec(nonce);
        try (NativeKey direct = new NativeKey(Algorithm.named(row.algorithm), key.getEncoded())) {
            for (int length : new int[] {0, 1, 15, 16, 17, 1000, 8191, 8192, 9000, 100_000}) {
                byte[] text = AeadCipher.text(length);
                cipher.init(Cipher.ENCRYPT_MODE, key, spec);
                cipher.updateAAD(AAD);
                byte[] sealed = cipher.doFinal(text);
                assertArrayEquals(Message.seal(direct, nonce, text, AAD), sealed);
                cipher.init(Cipher.DECRYPT_MODE, key, spec);
                assertEquals(length, cipher.getOutputSize(sealed.length));
                cipher.updateAAD(AAD);
                assertArrayEquals(text, cipher.doFinal(sealed));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void wrongParametersAndKeysAreRefused(Row row) throws Exception {
        SecretKey key = key(row.keyLen);
        Cipher cipher = cipher(row.transformation);
        for (int length : new int[] {0, row.nonceLen() - 1, row.nonceLen() + 1, 300}) {
            if (length >= 0) {
                AlgorithmParameterSpec spec = new IvParameterSpec(new byte[length]);
                assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, key, spec));
                assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.DECRYPT_MODE, key, spec));
            }
        }
        AlgorithmParameterSpec shortTag = new GCMParameterSpec(120, new byte[row.nonceLen()]);
        assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, key, shortTag));
        assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[64]));
        boolean isSiv = row.transformation.startsWith("AES/SIV");
        boolean isOfOneLength = row.transformation.startsWith("AES_");
        int other = isOfOneLength ? 48 - row.keyLen : isSiv ? 16 : 64;
        for (int length : new int[] {15, 31, 33, 65, other}) {
            assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, key(length)));
        }
    }

    @Test
    void isFoundWithoutBeingNamed() throws Exception {
        assertTrue(ServiceLoader.load(Provider.class).stream().anyMatch(found -> found.type() == SivkaProvider.class));
        Security.addProvider(SIVKA);
        try {
            // By a transformation's parts, in any case; and only ours has these.
            assertInstanceOf(SivkaProvider.class, Cipher.getInstance("aes/siv/nopadding").getProvider());
            for (String name : List.of("AES/SIV/PKCS5Padding", "AES/GCM-SIV/PKCS5Padding",
                    "AES_192/GCM-SIV/NoPadding", "XChaCha20-BLAKE2b", "Kuznyechik/MGM/NoPadding")) {
                assertThrows(GeneralSecurityException.class, () -> Cipher.getInstance(name));
            }
            assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance("AES/GCM-SIV", "Sivka"));
            assertInstanceOf(SivkaProvider.class, Cipher.getInstance("AES-GCM-SIV").getProvider());
            // The provider is chosen by the key, as late as that.
            Cipher late = Cipher.getInstance("AES/GCM-SIV/NoPadding");
            late.init(Cipher.ENCRYPT_MODE, key(32));
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
        AlgorithmParameterSpec spec = new IvParameterSpec(new byte[12]);
        Cipher cipher = cipher("AES/GCM-SIV/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key(32), spec);
        byte[] sealed = cipher.doFinal(text);
        byte[] given = mode == Cipher.ENCRYPT_MODE ? text : sealed;
        byte[] expected = mode == Cipher.ENCRYPT_MODE ? sealed : text;
        for (boolean reads : new boolean[] {false, true}) {
            cipher.init(mode, key(32), spec);
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
        Cipher cipher = cipher("AES/GCM-SIV/NoPadding");
        Runnable use = () -> {
            byte[] key = AeadCipher.nonceBytes((int) Thread.currentThread().getId(), 32);
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
        };
        List<Thread> threads = List.of(new Thread(use), new Thread(use), new Thread(use), new Thread(use));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        cipher.init(Cipher.ENCRYPT_MODE, key(32));
        assertEquals(26, cipher.doFinal(new byte[10]).length);
    }

    @Test
    void piecesOfDataAreOneStringOfAesSiv() throws Exception {
        Cipher cipher = cipher("AES/SIV/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key(64));
        try (AesSiv direct = new AesSiv(new byte[64])) {
            assertArrayEquals(direct.seal(TEXT, new byte[0]), cipher.doFinal(TEXT));
            cipher.updateAAD(new byte[] {1});
            cipher.updateAAD(new byte[0]);
            cipher.updateAAD(ByteBuffer.wrap(new byte[] {2, 3}));
            assertArrayEquals(direct.seal(TEXT, new byte[] {1, 2, 3}), cipher.doFinal(TEXT));
        }
    }
}
