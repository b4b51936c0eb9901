package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.util.Arrays;
import java.util.List;
import javax.crypto.IllegalBlockSizeException;
import org.cryptomator.siv.SivMode;
import org.cryptomator.siv.UnauthenticCiphertextException;
import org.junit.jupiter.api.Test;

/** What coming-from.md says of other libraries beside its programs. */
class ComingFromTest {
    private static final byte[] TEXT = Keys.paint(50, 1);
    private static final byte[] DATA = Keys.paint(9, 2);

    @Test
    void cryptomator() throws Exception {
        byte[] ctrKey = Keys.paint(32, 3);
        byte[] macKey = Keys.paint(32, 4);
        byte[] sealed = new SivMode().encrypt(ctrKey, macKey, TEXT, DATA);
        byte[] key = Arrays.copyOf(macKey, 64);
        System.arraycopy(ctrKey, 0, key, 32, 32);
        byte[] swapped = Arrays.copyOf(ctrKey, 64);
        System.arraycopy(macKey, 0, swapped, 32, 32);
        try (AesSiv ours = new AesSiv(key); AesSiv wrong = new AesSiv(swapped)) {
            assertArrayEquals(sealed, ours.seal(TEXT, DATA));
            assertTrue(wrong.open(sealed, DATA).isEmpty());
            byte[] withoutAad = new SivMode().encrypt(ctrKey, macKey, TEXT);
            assertArrayEquals(withoutAad, ours.sealWithList(TEXT, List.of()));
            assertFalse(Arrays.equals(withoutAad, ours.seal(TEXT, new byte[0])));
            sealed[20] ^= 1;
            assertThrows(UnauthenticCiphertextException.class,
                    () -> new SivMode().decrypt(ctrKey, macKey, sealed, DATA));
            assertTrue(ours.open(sealed, DATA).isEmpty());
            byte[] tooShort = new byte[15];
            assertThrows(IllegalBlockSizeException.class, () -> new SivMode().decrypt(ctrKey, macKey, tooShort, DATA));
            assertTrue(ours.open(tooShort, DATA).isEmpty());
        }
    }
}
