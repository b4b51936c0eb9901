package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Streams under keysets. The matrix plays the vectors, and other languages' streams. */
@Timeout(60)
class KeysetStreamsTest {
    private static final byte[] DATA = "backup of monday".getBytes(StandardCharsets.UTF_8);
    private static final String TEMPLATE = "AES256_GCM_HKDF_4KB";
    private static final int SEGMENT = 4096;

    private static byte[] text(int length) {
        byte[] text = new byte[length];
        new Random(length).nextBytes(text);
        return text;
    }

    private static InputStream from(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static byte[] seal(Keyset keyset, byte[] text) throws IOException {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (SealingOutputStream out = keyset.newOutputStream(sealed, DATA)) {
            out.write(text);
            out.finish();
        }
        return sealed.toByteArray();
    }

    /** What comes out before the exception; nothing else may. */
    private static int assertDoesNotOpen(Keyset keyset, byte[] sealed, byte[] data, byte[] text) throws IOException {
        byte[] out = new byte[text.length + 1];
        int done = 0;
        try (InputStream in = keyset.newInputStream(from(sealed), data)) {
            for (;;) {
                int at = done;
                try {
                    int read = in.read(out, at, out.length - at);
                    assertTrue(read > 0, "the end of " + sealed.length + " bytes");
                    done += read;
                } catch (IOException e) {
                    assertInstanceOf(AEADBadTagException.class, e.getCause(), e.toString());
                    assertThrows(IOException.class, in::read);
                    break;
                }
            }
        }
        assertArrayEquals(Arrays.copyOf(text, done), Arrays.copyOf(out, done));
        return done;
    }

    @Test
    void nothingThatIsNotAuthenticComesOut() throws IOException {
        byte[] text = text(3 * SEGMENT);
        try (Keyset keyset = Keyset.generate(TEMPLATE); Keyset other = Keyset.generate(TEMPLATE)) {
            byte[] sealed = seal(keyset, text);
            assertEquals(0, assertDoesNotOpen(other, sealed, DATA, text));
            assertEquals(0, assertDoesNotOpen(keyset, sealed, new byte[0], text));
            for (int at = 0; at < sealed.length; at += 97) {
                byte[] changed = sealed.clone();
                changed[at] ^= 4;
                assertTrue(assertDoesNotOpen(keyset, changed, DATA, text) <= at);
                assertDoesNotOpen(keyset, Arrays.copyOf(sealed, at), DATA, text);
            }
            assertDoesNotOpen(keyset, Arrays.copyOf(sealed, sealed.length - 1), DATA, text);
            assertDoesNotOpen(keyset, Arrays.copyOf(sealed, sealed.length + 1), DATA, text);
        }
    }

    /** A stream has what it needs when it is made. */
    @Test
    void keysetMayBeClosedAndChangedMeanwhile() throws IOException {
        byte[] text = text(50_000);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        byte[] data = DATA.clone();
        Keyset keyset = Keyset.generate(TEMPLATE);
        byte[] kept = keyset.toInsecure(KeysetForm.BINARY);
        SealingOutputStream out = keyset.newOutputStream(sealed, data);
        Arrays.fill(data, (byte) 0);
        keyset.rotate("AES128_CTR_HMAC_SHA256_4KB");
        keyset.close();
        try (out) {
            out.write(text);
            out.finish();
        }
        Keyset again = assertReads(kept);
        InputStream in = again.newInputStream(from(sealed.toByteArray()), DATA);
        again.close();
        try (in) {
            assertArrayEquals(text, in.readAllBytes());
        }
        try (Keyset rotated = assertReads(kept)) {
            rotated.rotate("AES128_CTR_HMAC_SHA256_4KB");
            assertArrayEquals(text, Keys.open(rotated, sealed.toByteArray(), DATA).orElseThrow());
        }
    }

    private static Keyset assertReads(byte[] kept) {
        try {
            return Keyset.fromInsecure(kept, KeysetForm.BINARY);
        } catch (KeysetException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void purposesAreToldApartAtOnce() {
        Keyset streams = Keyset.generate(TEMPLATE);
        try (Keyset messages = Keyset.generate("AES256_GCM_SIV")) {
            ByteArrayOutputStream sealed = new ByteArrayOutputStream();
            List<Executable> calls = List.of(
                    () -> messages.newOutputStream(sealed, DATA),
                    () -> messages.newInputStream(from(DATA), DATA),
                    () -> streams.seal(DATA, DATA),
                    () -> streams.open(DATA, DATA),
                    () -> streams.sealDeterministically(DATA, DATA),
                    () -> messages.encrypt(KeysetForm.JSON, streams, DATA));
            for (Executable call : calls) {
                IllegalStateException e = assertThrows(IllegalStateException.class, call);
                assertTrue(e.getMessage().startsWith("the keyset is for ") || e.getMessage().startsWith("master"),
                        e.getMessage());
            }
            assertThrows(NullPointerException.class, () -> streams.newOutputStream(null, DATA));
            assertThrows(NullPointerException.class, () -> streams.newInputStream(null, DATA));
            streams.close();
            assertThrows(IllegalStateException.class, () -> streams.newOutputStream(sealed, DATA));
            assertThrows(IllegalStateException.class, () -> streams.newInputStream(from(DATA), DATA));
            assertEquals(0, sealed.size());
        }
    }
}
