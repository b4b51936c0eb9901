package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams, channels and arrays give what files give, and fail as they say. */
@Timeout(60)
class SealedStreamsTest {
    private static final int CHUNK = 16 << 10;
    private static final int TAG = 16;

    @TempDir
    Path folder;

    private FileKeys keys;

    @BeforeEach
    void makeKeys() throws IOException {
        keys = new FileKeys().addKeyFile(FileKeys.generateKeyFile("test"));
    }

    @AfterEach
    void closeKeys() {
        keys.close();
    }

    private static byte[] text(int length) {
        byte[] text = new byte[length];
        new Random(length).nextBytes(text);
        return text;
    }

    private static ByteArrayInputStream from(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 5})
    void everyWayOpensWhatEveryWaySeals(int length) throws IOException {
        byte[] text = text(length);
        List<byte[]> allSealed = new ArrayList<>();
        allSealed.add(SealedStreams.seal(text, keys));
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        SealedStreams.seal(from(text), sealed, keys, FileOption.suite("xchacha20-blake2b"), FileOption.progress(done -> true));
        allSealed.add(sealed.toByteArray());
        ByteArrayOutputStream piecewise = new ByteArrayOutputStream();
        try (SealingOutputStream out = SealedStreams.newOutputStream(piecewise, keys, FileOption.suite("kuznyechik-mgm"))) {
            for (int at = 0; at < length; at += 1000) {
                out.write(text, at, Math.min(1000, length - at));
                out.flush();
            }
            out.finish();
        }
        allSealed.add(piecewise.toByteArray());
        for (byte[] each : allSealed) {
            assertArrayEquals(text, SealedStreams.open(each, keys));
            ByteArrayOutputStream opened = new ByteArrayOutputStream();
            SealedStreams.open(from(each), opened, keys);
            assertArrayEquals(text, opened.toByteArray());
            try (InputStream in = SealedStreams.newInputStream(from(each), keys)) {
                assertArrayEquals(text, in.readAllBytes());
                assertEquals(-1, in.read());
            }
            SealedStreams.verify(from(each), keys);
            Path file = folder.resolve("sealed");
            Files.write(file, each);
            SealedFiles.verify(file, keys);
        }
    }

    @Test
    void progressIsToldAndStops() throws IOException {
        byte[] text = text(20 * CHUNK);
        byte[] sealed = SealedStreams.seal(text, keys);
        List<Long> told = new ArrayList<>();
        SealedStreams.verify(from(sealed), keys, FileOption.progress(told::add));
        assertEquals(text.length, told.get(told.size() - 1));
        assertEquals(told.stream().sorted().toList(), told);
        assertThrows(CancellationException.class, () -> SealedStreams.verify(from(sealed), keys, FileOption.progress(done -> false)));
        OutputStream nowhere = OutputStream.nullOutputStream();
        assertThrows(CancellationException.class,
                () -> SealedStreams.open(from(sealed), nowhere, keys, FileOption.progress(done -> done < CHUNK)));
        assertThrows(CancellationException.class,
                () -> SealedStreams.seal(from(text), nowhere, keys, FileOption.suite("aes-256-gcm-siv"), FileOption.progress(done -> false)));
        assertThrows(CancellationException.class, () -> SealedStreams.seal(from(text), nowhere, keys, FileOption.progress(done -> false)));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        SealedStreams.seal(from(text), whole, keys, FileOption.progress(told::add));
        assertEquals(text.length, told.get(told.size() - 1));
        assertArrayEquals(text, SealedStreams.open(whole.toByteArray(), keys));
        IllegalStateException mine = new IllegalStateException("mine");
        assertSame(mine, assertThrows(IllegalStateException.class,
                () -> SealedStreams.verify(from(sealed), keys, FileOption.progress(done -> {
                    throw mine;
                }))));
    }

    @Test
    void progressOfFilesIsToldAndStops() throws IOException {
        Path plain = folder.resolve("plain");
        Path sealed = folder.resolve("sealed");
        Files.write(plain, text(5 * CHUNK));
        Path none = folder.resolve("none");
        String suite = "aes-256-gcm-siv";
        assertThrows(CancellationException.class, () -> SealedFiles.seal(plain, none, keys, FileOption.suite(suite), FileOption.progress(done -> false)));
        assertThrows(CancellationException.class, () -> SealedFiles.seal(plain, none, keys, FileOption.progress(done -> false)));
        List<Long> told = new ArrayList<>();
        SealedFiles.seal(plain, sealed, keys, FileOption.progress(told::add));
        assertEquals(5 * CHUNK, told.get(told.size() - 1));
        assertEquals(suite, SealedFiles.inspect(sealed).suite());
        told.clear();
        SealedFiles.seal(plain, sealed, keys, FileOption.suite(suite), FileOption.progress(told::add), FileOption.REPLACE_EXISTING);
        assertEquals(5 * CHUNK, told.get(told.size() - 1));
        assertThrows(CancellationException.class, () -> SealedFiles.open(sealed, none, keys, FileOption.progress(done -> false)));
        assertThrows(CancellationException.class, () -> SealedFiles.verify(sealed, keys, FileOption.progress(done -> false)));
        assertFalse(Files.exists(none));
        SealedFiles.open(sealed, none, keys, FileOption.progress(told::add));
        SealedFiles.verify(sealed, keys, FileOption.progress(told::add));
        assertArrayEquals(text(5 * CHUNK), Files.readAllBytes(none));
        assertEquals(5 * CHUNK, told.get(told.size() - 1));
    }

    /** Three whole chunks are given, and then the failure. */
    @Test
    void beginningIsGivenBeforeTheFailure() throws IOException {
        byte[] text = text(5 * CHUNK + 7);
        byte[] sealed = SealedStreams.seal(text, keys);
        // Nothing is one chunk without a text.
        int head = SealedStreams.seal(new byte[0], keys).length - TAG;
        byte[] damaged = sealed.clone();
        damaged[head + 3 * (CHUNK + TAG)] ^= 1;
        byte[] cut = Arrays.copyOf(sealed, head + 3 * (CHUNK + TAG));
        assertBeginning(text, damaged, SealedFileException.Reason.DAMAGED);
        assertBeginning(text, cut, SealedFileException.Reason.TRUNCATED);
    }

    private void assertBeginning(byte[] text, byte[] broken, SealedFileException.Reason reason) throws IOException {
        ByteArrayOutputStream opened = new ByteArrayOutputStream();
        SealedFileException e =
                assertThrows(SealedFileException.class, () -> SealedStreams.open(from(broken), opened, keys));
        assertEquals(reason, e.reason());
        assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), opened.toByteArray());
        try (InputStream in = SealedStreams.newInputStream(from(broken), keys)) {
            assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), in.readNBytes(3 * CHUNK));
            e = assertThrows(SealedFileException.class, in::read);
            assertEquals(reason, e.reason());
        }
        e = assertThrows(SealedFileException.class, () -> SealedStreams.open(broken, keys));
        assertEquals(reason, e.reason());
        e = assertThrows(SealedFileException.class, () -> SealedStreams.verify(from(broken), keys));
        assertEquals(reason, e.reason());
    }

    @Test
    void otherKeysOpenNothing() throws IOException {
        byte[] sealed = SealedStreams.seal(text(9), keys);
        try (FileKeys others = new FileKeys().addKeyFile(FileKeys.generateKeyFile("other"));
                InputStream in = SealedStreams.newInputStream(from(sealed), others)) {
            SealedFileException e = assertThrows(SealedFileException.class, in::read);
            assertEquals(SealedFileException.Reason.WRONG_KEY, e.reason());
        }
    }

    @Test
    void failuresOfStreamsAreThrownAsTheyAre() throws IOException {
        byte[] text = text(40 * CHUNK);
        byte[] sealed = SealedStreams.seal(text, keys);
        for (Throwable failure : new Throwable[] {new IOException("x"), new ArithmeticException("x"), new AssertionError()}) {
            InputStream in = new InputStream() {
                @Override
                public int read() {
                    throw sneaky(failure);
                }

                @Override
                public int read(byte[] out, int offset, int length) {
                    throw sneaky(failure);
                }
            };
            OutputStream out = new OutputStream() {
                @Override
                public void write(int one) {
                    throw sneaky(failure);
                }
            };
            assertSame(failure, assertThrows(failure.getClass(), () -> SealedStreams.verify(in, keys)));
            assertSame(failure, assertThrows(failure.getClass(), () -> SealedStreams.seal(from(text), out, keys)));
            assertSame(failure, assertThrows(failure.getClass(), () -> SealedStreams.open(from(sealed), out, keys)));
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void streamThatReadsNoNumberOfBytesIsRefused() {
        for (int answer : new int[] {0, -2, 1 << 30}) {
            InputStream in = new InputStream() {
                @Override
                public int read() {
                    return 0;
                }

                @Override
                public int read(byte[] out, int offset, int length) {
                    return answer;
                }
            };
            IOException e = assertThrows(IOException.class, () -> SealedStreams.verify(in, keys));
            assertTrue(e.getMessage().contains("the input stream read " + answer), e.getMessage());
        }
    }

    @Test
    void wrongCallsAreRefused() throws IOException {
        byte[] none = {};
        OutputStream nowhere = OutputStream.nullOutputStream();
        try (FileKeys empty = new FileKeys()) {
            assertThrows(IllegalArgumentException.class, () -> SealedStreams.seal(none, empty));
            assertThrows(IllegalArgumentException.class, () -> SealedStreams.newOutputStream(nowhere, empty));
        }
        assertThrows(IllegalArgumentException.class, () -> FileOption.suite(""));
        assertThrows(IllegalArgumentException.class,
                () -> SealedStreams.seal(from(none), nowhere, keys, FileOption.suite("rot13"), FileOption.progress(done -> true)));
        assertThrows(NullPointerException.class, () -> SealedStreams.seal(null, nowhere, keys));
        assertThrows(NullPointerException.class, () -> FileOption.progress(null));
        FileKeys closed = new FileKeys();
        closed.close();
        assertThrows(IllegalStateException.class, () -> SealedStreams.open(none, closed));
    }
}
