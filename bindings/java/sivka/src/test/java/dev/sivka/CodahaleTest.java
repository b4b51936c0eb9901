package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import com.codahale.aesgcmsiv.AEAD;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

/** Programs that were written for {@code com.codahale:aes-gcm-siv} change an import. */
class CodahaleTest {
    @Test
    void hasEveryCallOfTheirs() throws ReflectiveOperationException {
        Class<?> ours = dev.sivka.aesgcmsiv.AEAD.class;
        assertNotNull(ours.getConstructor(byte[].class));
        int count = 0;
        for (Method theirs : AEAD.class.getDeclaredMethods()) {
            if (Modifier.isPublic(theirs.getModifiers())) {
                Method found = ours.getMethod(theirs.getName(), theirs.getParameterTypes());
                assertEquals(theirs.toGenericString().replace("com.codahale", "dev.sivka"), found.toGenericString());
                count++;
            }
        }
        assertEquals(4, count);
    }

    @Test
    void bytesAreTheSame() {
        byte[] data = Keys.paint(13, 1);
        byte[] nonce = Keys.paint(12, 2);
        for (int keyLen : new int[] {16, 32}) {
            AEAD theirs = new AEAD(Keys.paint(keyLen, 2));
            dev.sivka.aesgcmsiv.AEAD ours = new dev.sivka.aesgcmsiv.AEAD(Keys.paint(keyLen, 2));
            for (int len : new int[] {0, 1, 16, 100, 5000}) {
                byte[] text = Keys.paint(len, 3);
                byte[] sealed = theirs.seal(nonce, text, data);
                assertArrayEquals(sealed, ours.seal(nonce, text, data));
                assertArrayEquals(text, ours.open(nonce, sealed, data).orElseThrow());
                assertArrayEquals(text, ours.open(theirs.seal(text, data), data).orElseThrow());
                assertArrayEquals(text, theirs.open(ours.seal(text, data), data).orElseThrow());
            }
            // What differs, and only this: it is a defect there.
            assertThrows(NegativeArraySizeException.class, () -> theirs.open(new byte[20], data));
            assertTrue(ours.open(new byte[20], data).isEmpty());
            assertTrue(ours.open(nonce, new byte[15], data).isEmpty());
        }
    }
}
