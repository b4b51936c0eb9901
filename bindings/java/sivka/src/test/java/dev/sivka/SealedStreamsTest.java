package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.SealedFileException.Reason;
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
import java.util.concurrent.CancellationException;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
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

    private static byte[] text(int length) {
        return Keys.paint(length, length);
    }

    private static ByteArrayInputStream from(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    /** Those that write and read piecewise are in {@link SealingStreamsTest}. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 5, 3_000_000})
    void everyWayOpensWhatEveryWaySeals(int length) throws IOException {
        byte[] text = text(length);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        SealedStreams.seal(from(text), written, keys, FileOption.suite("xchacha20-blake2b"));
        for (byte[] sealed : List.of(SealedStreams.seal(text, keys), written.toByteArray())) {
            assertArrayEquals(text, SealedStreams.open(sealed, keys));
            ByteArrayOutputStream opened = new ByteArrayOutputStream();
            SealedStreams.open(from(sealed), opened, keys);
            assertArrayEquals(text, opened.toByteArray());
            try (InputStream in = SealedStreams.newInputStream(from(sealed), keys)) {
                assertArrayEquals(text, in.readAllBytes());
            }
            SealedFiles.verify(Files.write(folder.resolve("sealed"), sealed), keys);
        }
    }

    private interface Call {
        void with(FileOption progress) throws IOException;
    }

    /** Of streams and of files, in each direction. */
    @Test
    void progressIsToldAndStops() throws IOException {
        byte[] text = text(3_000_000);
        byte[] sealed = SealedStreams.seal(text, keys);
        OutputStream nowhere = OutputStream.nullOutputStream();
        Path plain = Files.write(folder.resolve("plain"), text);
        Path file = Files.write(folder.resolve("file"), sealed);
        Path none = folder.resolve("none");
        List<Call> calls = List.of(
                progress -> SealedStreams.seal(from(text), nowhere, keys, progress),
                progress -> SealedStreams.open(from(sealed), nowhere, keys, progress),
                progress -> SealedStreams.verify(from(sealed), keys, progress),
                progress -> SealedFiles.seal(plain, none, keys, progress),
                progress -> SealedFiles.open(file, none, keys, progress),
                progress -> SealedFiles.verify(file, keys, progress));
        IllegalStateException mine = new IllegalStateException("mine");
        for (Call call : calls) {
            assertThrows(CancellationException.class, () -> call.with(FileOption.progress(done -> done < CHUNK)));
            assertSame(mine, assertThrows(IllegalStateException.class, () -> call.with(FileOption.progress(done -> {
                throw mine;
            }))));
            assertFalse(Files.exists(none));
            List<Long> told = new ArrayList<>();
            call.with(FileOption.progress(told::add));
            assertEquals(text.length, told.get(told.size() - 1));
            assertEquals(told.stream().sorted().toList(), told);
            assertTrue(told.size() > 2);
            Files.deleteIfExists(none);
        }
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
        assertBeginning(text, damaged, Reason.DAMAGED);
        assertBeginning(text, cut, Reason.TRUNCATED);
    }

    private void assertBeginning(byte[] text, byte[] broken, Reason reason) throws IOException {
        ByteArrayOutputStream opened = new ByteArrayOutputStream();
        assertReason(reason, () -> SealedStreams.open(from(broken), opened, keys));
        assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), opened.toByteArray());
        try (InputStream in = SealedStreams.newInputStream(from(broken), keys)) {
            assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), in.readNBytes(3 * CHUNK));
            assertReason(reason, in::read);
        }
        assertReason(reason, () -> SealedStreams.open(broken, keys));
        assertReason(reason, () -> SealedStreams.verify(from(broken), keys));
    }

    private static void assertReason(Reason reason, Executable call) {
        assertEquals(reason, assertThrows(SealedFileException.class, call).reason());
    }

    /** A stream whose reads answer so. */
    private static InputStream answering(IntSupplier answer) {
        return new InputStream() {
            @Override
            public int read() {
                return answer.getAsInt();
            }

            @Override
            public int read(byte[] out, int offset, int length) {
                return answer.getAsInt();
            }
        };
    }

    @Test
    void failuresOfStreamsAreThrownAsTheyAre() throws IOException {
        byte[] text = text(40 * CHUNK);
        byte[] sealed = SealedStreams.seal(text, keys);
        for (Throwable failure : new Throwable[] {new IOException("x"), new ArithmeticException("x"), new AssertionError()}) {
            InputStream in = answering(() -> {
                throw sneaky(failure);
            });
            OutputStream out = new OutputStream() {
                @Override
                public void write(int one) {
                    throw sneaky(failure);
                }
            };
            assertSame(failure, assertThrows(failure.getClass(), () -> SealedStreams.verify(in, keys)));
            assertSame(failure, assertThrows(failure.getClass(), () -> SealedStreams.seal(in, out, keys)));
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
        OutputStream nowhere = OutputStream.nullOutputStream();
        for (int answer : new int[] {0, -2, 1 << 30}) {
            InputStream in = answering(() -> answer);
            for (Executable call : List.<Executable>of(
                    () -> SealedStreams.verify(in, keys), () -> SealedStreams.seal(in, nowhere, keys))) {
                String said = assertThrows(IOException.class, call).getMessage();
                assertTrue(said.contains("the input stream read " + answer), said);
            }
        }
    }

    @Test
    void wrongCallsAreRefused() throws IOException {
        assertReason(Reason.NOT_A_SEALED_FILE, () -> SealedStreams.open(new byte[0], keys));
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
