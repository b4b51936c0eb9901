package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that were written for {@code com.codahale:aes-gcm-siv} change an import. */
class CodahaleTest {
    private static final String PROGRAM =
            """
            import java.util.HexFormat;
            import java.util.Optional;
            import %s;

            public class Program {
                public static void main(String[] args) {
                    AEAD aead = new AEAD(HexFormat.of().parseHex(args[0]));
                    byte[] data = {4, 5};
                    byte[] nonce = new byte[12];
                    byte[] sealed = aead.seal(nonce, args[1].getBytes(), data);
                    Optional<byte[]> opened = aead.open(nonce, sealed, data);
                    Optional<byte[]> again = aead.open(aead.seal(args[1].getBytes(), data), data);
                    byte[] forged = sealed.clone();
                    forged[0] ^= 1;
                    System.out.print(HexFormat.of().formatHex(sealed) + " " + opened.map(String::new).orElse("empty")
                            + " " + again.map(String::new).orElse("empty") + " " + aead.open(nonce, forged, data));
                }
            }
            """;

    @TempDir Path folder;

    @Test
    void oneSourceCompilesAgainstBoth() throws Exception {
        String theirs = "com.codahale.aesgcmsiv.AEAD";
        String ours = "dev.sivka.aesgcmsiv.AEAD";
        for (String key : new String[] {"00".repeat(16), "17".repeat(32)}) {
            String[] args = {key, "a-message"};
            String expected = Programs.run(folder.resolve("theirs"), "Program", PROGRAM.formatted(theirs), args);
            String output = Programs.run(folder.resolve("ours"), "Program", PROGRAM.formatted(ours), args);
            assertEquals(expected, output);
            assertTrue(output.endsWith(" a-message a-message Optional.empty"), output);
        }
    }

    @Test
    void bytesAreTheSame() {
        byte[] data = Keys.paint(13, 1);
        byte[] nonce = Keys.paint(12, 2);
        for (int keyLen : new int[] {16, 32}) {
            com.codahale.aesgcmsiv.AEAD theirs = new com.codahale.aesgcmsiv.AEAD(Keys.paint(keyLen, 2));
            dev.sivka.aesgcmsiv.AEAD ours = new dev.sivka.aesgcmsiv.AEAD(Keys.paint(keyLen, 2));
            for (int len : new int[] {0, 1, 16, 100, 5000}) {
                byte[] text = Keys.paint(len, 3);
                assertArrayEquals(text, ours.open(theirs.seal(text, data), data).orElseThrow());
                assertArrayEquals(text, theirs.open(ours.seal(text, data), data).orElseThrow());
                assertArrayEquals(theirs.seal(nonce, text, data), ours.seal(nonce, text, data));
            }
        }
    }

    /** What differs, and only this: it is a defect there. */
    @Test
    void aShortCiphertextIsEmpty() {
        com.codahale.aesgcmsiv.AEAD theirs = new com.codahale.aesgcmsiv.AEAD(new byte[16]);
        dev.sivka.aesgcmsiv.AEAD ours = new dev.sivka.aesgcmsiv.AEAD(new byte[16]);
        for (int len = 12; len < 28; len++) {
            byte[] sealed = new byte[len];
            assertThrows(NegativeArraySizeException.class, () -> theirs.open(sealed, new byte[0]));
        }
        for (int len = 0; len < 28; len++) {
            assertTrue(ours.open(new byte[len], new byte[0]).isEmpty());
            assertTrue(len >= 16 || ours.open(new byte[12], new byte[len], new byte[0]).isEmpty());
        }
    }
}
