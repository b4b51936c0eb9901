package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sivka.AesSiv;
import dev.sivka.AesSivParameterSpec;
import dev.sivka.SivkaProvider;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.cryptomator.siv.SivMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AES-SIV as a Cipher, above all its list of associated data. */
class AesSivCipherTest {
    private static final SivkaProvider SIVKA = new SivkaProvider();
    private static final byte[] TEXT = AeadCipher.text(100);

    private static Cipher cipher() throws Exception {
        return Cipher.getInstance("AES/SIV/NoPadding", SIVKA);
    }

    private static SecretKey newKey(int bits) throws Exception {
        KeyGenerator made = KeyGenerator.getInstance("AES-SIV", SIVKA);
        made.init(bits);
        return made.generateKey();
    }

    /** Cryptomator's has the halves of the key apart, and takes any number of strings. */
    @ParameterizedTest
    @ValueSource(ints = {32, 48, 64})
    void listsAreThoseOfAnotherLibrary(int keyLen) throws Exception {
        Random random = new Random(keyLen);
        byte[] key = new byte[keyLen];
        random.nextBytes(key);
        byte[] macKey = Arrays.copyOf(key, keyLen / 2);
        byte[] ctrKey = Arrays.copyOfRange(key, keyLen / 2, keyLen);
        Cipher cipher = cipher();
        for (int count : new int[] {0, 1, 2, 3, 20, 126}) {
            List<byte[]> list = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                byte[] string = new byte[random.nextInt(40)];
                random.nextBytes(string);
                list.add(string);
            }
            for (int length : new int[] {0, 1, 15, 16, 17, 1000, 9000}) {
                byte[] text = AeadCipher.text(length);
                byte[] expected = new SivMode().encrypt(ctrKey, macKey, text, list.toArray(byte[][]::new));
                SecretKey made = new SecretKeySpec(key, "AES");
                cipher.init(Cipher.ENCRYPT_MODE, made, new AesSivParameterSpec(list));
                assertArrayEquals(expected, cipher.doFinal(text));
                cipher.init(Cipher.DECRYPT_MODE, made, new AesSivParameterSpec(list));
                assertArrayEquals(text, cipher.doFinal(expected));
            }
        }
    }

    @Test
    void withoutAListThereIsOneString() throws Exception {
        SecretKey key = newKey(512);
        Cipher cipher = cipher();
        cipher.init(Cipher.ENCRYPT_MODE, key);
        try (AesSiv direct = new AesSiv(key.getEncoded())) {
            byte[] none = cipher.doFinal(TEXT);
            assertArrayEquals(direct.seal(TEXT, new byte[0]), none);
            assertFalse(Arrays.equals(none, direct.sealWithList(TEXT, List.of())));
            // Pieces of one string, as with every other Cipher.
            cipher.updateAAD(new byte[] {1});
            cipher.updateAAD(new byte[0]);
            cipher.updateAAD(ByteBuffer.wrap(new byte[] {2, 3}));
            assertArrayEquals(direct.seal(TEXT, new byte[] {1, 2, 3}), cipher.doFinal(TEXT));
            cipher.init(Cipher.ENCRYPT_MODE, key, new AesSivParameterSpec());
            assertArrayEquals(direct.sealWithList(TEXT, List.of()), cipher.doFinal(TEXT));
            // The list stays until the next init, and no string comes to it.
            assertThrows(IllegalStateException.class, () -> cipher.updateAAD(new byte[1]));
            assertArrayEquals(direct.sealWithList(TEXT, List.of()), cipher.doFinal(TEXT));
            cipher.init(Cipher.ENCRYPT_MODE, key);
            assertArrayEquals(none, cipher.doFinal(TEXT));
        }
    }

    @Test
    void aListIsCopied() throws Exception {
        SecretKey key = newKey(512);
        byte[] string = {1, 2, 3};
        AesSivParameterSpec spec = new AesSivParameterSpec(string);
        string[0] = 9;
        spec.getAssociatedData().get(0)[1] = 9;
        Cipher cipher = cipher();
        cipher.init(Cipher.ENCRYPT_MODE, key, spec);
        try (AesSiv direct = new AesSiv(key.getEncoded())) {
            assertArrayEquals(direct.sealWithList(TEXT, List.of(new byte[] {1, 2, 3})), cipher.doFinal(TEXT));
        }
        assertThrows(NullPointerException.class, () -> new AesSivParameterSpec((byte[]) null));
        assertThrows(NullPointerException.class, () -> new AesSivParameterSpec((List<byte[]>) null));
    }

    @Test
    void withAListMessagesComeAndGoAnywhere() throws Exception {
        SecretKey key = newKey(512);
        AesSivParameterSpec spec = new AesSivParameterSpec(new byte[] {1}, new byte[0]);
        byte[] sealed;
        try (AesSiv direct = new AesSiv(key.getEncoded())) {
            sealed = direct.sealWithList(TEXT, spec.getAssociatedData());
        }
        Cipher cipher = cipher();
        cipher.init(Cipher.ENCRYPT_MODE, key, spec);
        assertEquals(0, cipher.update(TEXT, 0, 30).length);
        assertArrayEquals(sealed, cipher.doFinal(TEXT, 30, 70));
        byte[] array = new byte[200];
        assertEquals(116, cipher.doFinal(TEXT, 0, 100, array, 7));
        assertArrayEquals(sealed, Arrays.copyOfRange(array, 7, 123));
        ByteBuffer direct = ByteBuffer.allocateDirect(200);
        direct.put(TEXT).flip();
        ByteBuffer out = direct.duplicate().clear();
        assertEquals(116, cipher.doFinal(direct, out));
        assertEquals(ByteBuffer.wrap(sealed), out.flip());

        cipher.init(Cipher.DECRYPT_MODE, key, spec);
        assertEquals(100, cipher.doFinal(ByteBuffer.wrap(sealed).asReadOnlyBuffer(), ByteBuffer.wrap(array)));
        assertArrayEquals(TEXT, Arrays.copyOf(array, 100));
        assertThrows(ShortBufferException.class, () -> cipher.doFinal(sealed, 0, 116, new byte[99], 0));
        sealed[3] ^= 1;
        byte[] ones = new byte[100];
        Arrays.fill(ones, (byte) 1);
        byte[] before = ones.clone();
        assertThrows(AEADBadTagException.class, () -> cipher.doFinal(sealed, 0, 116, ones, 0));
        assertArrayEquals(before, ones);
        assertThrows(AEADBadTagException.class, () -> cipher.doFinal(sealed));
        assertThrows(AEADBadTagException.class, () -> cipher.doFinal(new byte[15]));
    }

    @Test
    void wrongParametersAndKeysAreRefused() throws Exception {
        Cipher cipher = cipher();
        SecretKey key = newKey(256);
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16])));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[16])));
        // A list is for AES-SIV alone.
        Cipher other = Cipher.getInstance("AES/GCM-SIV/NoPadding", SIVKA);
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> other.init(Cipher.ENCRYPT_MODE, key, new AesSivParameterSpec()));
        for (int length : new int[] {16, 31, 33, 65}) {
            assertThrows(InvalidKeyException.class,
                    () -> cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[length], "AES")));
        }
        KeyGenerator generator = KeyGenerator.getInstance("AES-SIV", SIVKA);
        assertEquals(64, generator.generateKey().getEncoded().length);
        assertThrows(InvalidParameterException.class, () -> generator.init(128));
        byte[][] tooMany = new byte[127][];
        Arrays.fill(tooMany, new byte[1]);
        cipher.init(Cipher.ENCRYPT_MODE, key, new AesSivParameterSpec(tooMany));
        assertThrows(IllegalBlockSizeException.class, () -> cipher.doFinal(TEXT));
    }
}
