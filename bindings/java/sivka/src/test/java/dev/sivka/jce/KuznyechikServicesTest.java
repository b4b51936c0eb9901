package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sivka.KuznyechikCtr;
import dev.sivka.KuznyechikOmac;
import dev.sivka.SivkaProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;

/** Kuznyechik in CTR as a Cipher, and in OMAC as a Mac. */
class KuznyechikServicesTest {
    private static final SivkaProvider SIVKA = new SivkaProvider();
    private static final BouncyCastleProvider BOUNCY = new BouncyCastleProvider();

    // GOST R 34.13-2015, appendix A.1.
    private static final SecretKey KEY =
            new SecretKeySpec(hex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef"), "Kuznyechik");
    private static final byte[] TEXT = hex(
            "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a"
                    + "112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011");
    // Appendix A.1.2.
    private static final IvParameterSpec IV = new IvParameterSpec(hex("1234567890abcef0"));
    private static final byte[] CIPHERTEXT = hex(
            "f195d8bec10ed1dbd57b5fa240bda1b885eee733f6a13e5df33ce4b33c45dee4"
                    + "a5eae88be6356ed3d5e877f13564a3a5cb91fab1f20cbab6d1c6d15820bdba73");
    // Appendix A.1.6, which has the first eight bytes.
    private static final byte[] TAG = hex("336f4d296059fbe3");

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static Cipher ctr() throws Exception {
        return Cipher.getInstance("Kuznyechik/CTR/NoPadding", SIVKA);
    }

    private static Mac omac() throws Exception {
        return Mac.getInstance("Kuznyechik-OMAC", SIVKA);
    }

    private static IvParameterSpec iv(int last) {
        return new IvParameterSpec(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) last});
    }

    @Test
    void theStandardsExamples() throws Exception {
        Cipher cipher = ctr();
        cipher.init(Cipher.ENCRYPT_MODE, KEY, IV);
        assertArrayEquals(CIPHERTEXT, cipher.doFinal(TEXT));
        cipher.init(Cipher.DECRYPT_MODE, KEY, IV);
        assertArrayEquals(TEXT, cipher.doFinal(CIPHERTEXT));
        Mac mac = omac();
        mac.init(KEY);
        assertArrayEquals(TAG, Arrays.copyOf(mac.doFinal(TEXT), 8));
    }

    @Test
    void othersComputeTheSame() throws Exception {
        Cipher ours = ctr();
        Cipher theirs = Cipher.getInstance("GOST3412-2015/CTR/NoPadding", BOUNCY);
        Mac ourMac = omac();
        Mac theirMac = Mac.getInstance("GOST3412MAC", BOUNCY);
        ourMac.init(KEY);
        theirMac.init(KEY);
        assertEquals(16, ourMac.getMacLength());
        for (int length : new int[] {0, 1, 15, 16, 17, 255, 1000, 70_000}) {
            byte[] text = AeadCipher.text(length);
            ours.init(Cipher.ENCRYPT_MODE, KEY, iv(length));
            theirs.init(Cipher.ENCRYPT_MODE, KEY, iv(length));
            assertArrayEquals(theirs.doFinal(text), ours.doFinal(text));
            byte[] tag = ourMac.doFinal(text);
            byte[] expected = theirMac.doFinal(text);
            assertArrayEquals(expected, Arrays.copyOf(tag, expected.length));
            try (KuznyechikOmac direct = new KuznyechikOmac(KEY.getEncoded(), 16)) {
                assertArrayEquals(direct.tag(text), tag);
            }
        }
    }

    @Test
    void piecesGiveWhatTheyTake() throws Exception {
        byte[] text = AeadCipher.text(1000);
        byte[] expected = text.clone();
        try (KuznyechikCtr direct = new KuznyechikCtr(KEY.getEncoded(), IV.getIV())) {
            direct.applyKeystream(expected);
        }
        Cipher cipher = ctr();
        cipher.init(Cipher.DECRYPT_MODE, KEY, IV);
        // In place, apart, overlapping, in buffers of both kinds; each message under the same IV.
        byte[] inOut = text.clone();
        assertEquals(7, cipher.update(inOut, 0, 7, inOut, 0));
        assertEquals(993, cipher.doFinal(inOut, 7, 993, inOut, 7));
        assertArrayEquals(expected, inOut);
        byte[] shifted = Arrays.copyOf(text, 1010);
        assertEquals(1000, cipher.doFinal(shifted, 0, 1000, shifted, 10));
        assertArrayEquals(expected, Arrays.copyOfRange(shifted, 10, 1010));
        ByteBuffer buffer = ByteBuffer.allocateDirect(1010);
        buffer.put(text).flip();
        ByteBuffer out = buffer.duplicate().clear().position(10);
        assertEquals(1000, cipher.doFinal(buffer, out));
        assertEquals(0, buffer.remaining() + out.remaining());
        assertEquals(ByteBuffer.wrap(expected), out.position(10));
        ByteBuffer array = ByteBuffer.allocate(1000);
        assertEquals(5, cipher.update(ByteBuffer.wrap(text, 0, 5).asReadOnlyBuffer(), array));
        assertEquals(995, cipher.doFinal(ByteBuffer.wrap(text, 5, 995), array));
        assertEquals(ByteBuffer.wrap(expected), array.flip());
        assertArrayEquals(expected, cipher.doFinal(text));
        assertThrows(ShortBufferException.class, () -> cipher.update(text, 0, 1000, new byte[999], 0));
        assertThrows(ShortBufferException.class,
                () -> cipher.update(ByteBuffer.wrap(text), ByteBuffer.allocate(999)));
        // What found no room has not moved the keystream.
        assertArrayEquals(expected, cipher.doFinal(text));
    }

    @Test
    void streamsGoThrough() throws Exception {
        byte[] text = AeadCipher.text(100_000);
        Cipher cipher = ctr();
        cipher.init(Cipher.ENCRYPT_MODE, KEY, IV);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (CipherOutputStream out = new CipherOutputStream(sealed, cipher)) {
            out.write(text);
        }
        cipher.init(Cipher.DECRYPT_MODE, KEY, IV);
        try (CipherInputStream in = new CipherInputStream(new ByteArrayInputStream(sealed.toByteArray()), cipher)) {
            assertArrayEquals(text, in.readAllBytes());
        }
    }

    @Test
    void anIvEncryptsOneMessage() throws Exception {
        Cipher cipher = ctr();
        assertThrows(IllegalStateException.class, () -> cipher.doFinal(TEXT));
        cipher.init(Cipher.ENCRYPT_MODE, KEY, IV);
        cipher.doFinal(TEXT);
        assertThrows(IllegalStateException.class, () -> cipher.update(TEXT));
        assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, IV));
        assertThrows(IllegalStateException.class, () -> cipher.update(TEXT));
        cipher.init(Cipher.DECRYPT_MODE, KEY, iv(1));
        assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, IV));
        cipher.init(Cipher.ENCRYPT_MODE, KEY, iv(1));
        cipher.doFinal(TEXT);
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "Kuznyechik"), iv(1));
        cipher.doFinal(TEXT);
    }

    @Test
    void parametersAndKeysAreChecked() throws Exception {
        Cipher cipher = ctr();
        assertNull(cipher.getIV());
        assertNull(cipher.getParameters());
        // Never drawn: 8 bytes are too short for that.
        assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY));
        for (int length : new int[] {0, 7, 9, 16}) {
            assertThrows(InvalidAlgorithmParameterException.class,
                    () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[length])));
        }
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[8])));
        for (SecretKey wrong : new SecretKey[] {new SecretKeySpec(new byte[16], "Kuznyechik"),
                new SecretKeySpec(new byte[32], "AES")}) {
            assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, wrong, IV));
            assertThrows(InvalidKeyException.class, () -> omac().init(wrong));
        }
        assertThrows(InvalidAlgorithmParameterException.class, () -> omac().init(KEY, IV));
        assertThrows(UnsupportedOperationException.class, () -> cipher.init(Cipher.WRAP_MODE, KEY, IV));
        assertThrows(IllegalStateException.class, () -> cipher.update(TEXT));

        cipher.init(Cipher.ENCRYPT_MODE, KEY, IV);
        assertArrayEquals(IV.getIV(), cipher.getIV());
        assertEquals(16, cipher.getBlockSize());
        assertEquals(5, cipher.getOutputSize(5));
        AlgorithmParameters params = cipher.getParameters();
        byte[] sealed = cipher.doFinal(TEXT);
        Cipher opener = ctr();
        opener.init(Cipher.DECRYPT_MODE, KEY, params);
        assertArrayEquals(TEXT, opener.doFinal(sealed));
    }

    @Test
    void aMacBeginsAnew() throws Exception {
        KeyGenerator generator = KeyGenerator.getInstance("Kuznyechik", SIVKA);
        Mac mac = omac();
        mac.init(generator.generateKey());
        mac.update(TEXT);
        mac.init(KEY);
        byte[] tag = mac.doFinal(TEXT);
        mac.update(TEXT);
        mac.reset();
        for (byte each : TEXT) {
            mac.update(each);
        }
        assertArrayEquals(tag, mac.doFinal());
        ByteBuffer direct = ByteBuffer.allocateDirect(TEXT.length).put(TEXT).flip();
        mac.update(direct);
        assertEquals(0, direct.remaining());
        assertArrayEquals(tag, mac.doFinal());
    }
}
