package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams under keysets. The matrix plays the vectors, and other languages' streams. */
@Timeout(60)
class KeysetStreamsTest {
    private static final byte[] DATA = {1, 2, 3};
    private static final String TEMPLATE = "AES256_GCM_HKDF_4KB";

    /** Nothing comes out before the exception but the beginning of the text. */
    private static void assertDoesNotOpen(Keyset keyset, byte[] sealed, byte[] data, byte[] text) throws IOException {
        byte[] out = new byte[text.length + 1];
        int done = 0;
        try (InputStream in = keyset.newInputStream(new ByteArrayInputStream(sealed), data)) {
            while (true) {
                int read = in.read(out, done, out.length - done);
                assertTrue(read > 0, "the end of " + sealed.length + " bytes");
                done += read;
            }
        } catch (IOException e) {
            assertInstanceOf(AEADBadTagException.class, e.getCause(), e.toString());
        }
        assertArrayEquals(Arrays.copyOf(text, done), Arrays.copyOf(out, done));
    }

    @Test
    void nothingThatIsNotAuthenticComesOut() throws IOException {
        byte[] text = Keys.paint(3 * 4096, 1);
        try (Keyset keyset = Keyset.generate(TEMPLATE); Keyset other = Keyset.generate(TEMPLATE)) {
            byte[] sealed = Keys.seal(keyset, text, DATA);
            assertDoesNotOpen(other, sealed, DATA, new byte[0]);
            assertDoesNotOpen(keyset, sealed, new byte[0], new byte[0]);
            for (int at = 0; at < sealed.length; at += 97) {
                byte[] changed = sealed.clone();
                changed[at] ^= 4;
                assertDoesNotOpen(keyset, changed, DATA, text);
                assertDoesNotOpen(keyset, Arrays.copyOf(sealed, at), DATA, text);
            }
            assertDoesNotOpen(keyset, Arrays.copyOf(sealed, sealed.length - 1), DATA, text);
            assertDoesNotOpen(keyset, Arrays.copyOf(sealed, sealed.length + 1), DATA, text);
        }
    }

    /** A stream has what it needs when it is made. */
    @Test
    void keysetMayBeClosedAndChangedMeanwhile() throws IOException, KeysetException {
        byte[] text = Keys.paint(50_000, 1);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        byte[] data = DATA.clone();
        Keyset keyset = Keyset.generate(TEMPLATE);
        byte[] kept = keyset.toInsecure(KeysetForm.BINARY);
        try (SealingOutputStream out = keyset.newOutputStream(sealed, data)) {
            Arrays.fill(data, (byte) 0);
            keyset.rotate("AES128_CTR_HMAC_SHA256_4KB");
            keyset.close();
            out.write(text);
            out.finish();
        }
        Keyset again = Keyset.fromInsecure(kept, KeysetForm.BINARY);
        try (InputStream in = again.newInputStream(new ByteArrayInputStream(sealed.toByteArray()), DATA)) {
            again.rotate("AES128_CTR_HMAC_SHA256_4KB");
            assertArrayEquals(text, Keys.open(again, sealed.toByteArray(), DATA).orElseThrow());
            again.close();
            assertArrayEquals(text, in.readAllBytes());
        }
    }
}
