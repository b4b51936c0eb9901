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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sealed has an end only if somebody said that it is whole, and no failure is lost. */
@Timeout(60)
class StreamsTest {
    private static final int CHUNK = 16 << 10;
    private static final int TAG = 16;
    private static final byte[] DATA = {1, 2, 3};
    private static final int[] LENGTHS = {0, 1, CHUNK, 20 * CHUNK + 5, 2 << 20};
    /** More than a sealer keeps. */
    private static final int LONG = 14 << 20;

    private static final FileKeys KEYS = keys();

    private static FileKeys keys() {
        try {
            return new FileKeys().addKeyFile(FileKeys.generateKeyFile("test"));
        } catch (SealedFileException e) {
            throw new IllegalStateException(e);
        }
    }

    @TempDir
    Path folder;

    /** Who seals and opens. */
    private enum By {
        FILE_KEYS,
        KEYSET;

        private final Keyset keyset = Keyset.generate("AES256_GCM_HKDF_4KB");

        SealingOutputStream sealing(OutputStream sealed) {
            return this == KEYSET ? keyset.newOutputStream(sealed, DATA) : SealedStreams.newOutputStream(sealed, KEYS);
        }

        InputStream opening(InputStream sealed) {
            return this == KEYSET ? keyset.newInputStream(sealed, DATA) : SealedStreams.newInputStream(sealed, KEYS);
        }

        void assertHasNoEnd(byte[] sealed) {
            assertThrows(IOException.class, () -> opening(from(sealed)).readAllBytes());
        }
    }

    private static byte[] text(int length) {
        return Keys.paint(length, length);
    }

    private static ByteArrayInputStream from(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    /** Keeps what is written, and whether it was closed. */
    private static final class Target extends ByteArrayOutputStream {
        boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A stream that gives some bytes, and whose reads then answer so. */
    private static InputStream answering(byte[] bytes, IntSupplier answer) {
        ByteArrayInputStream first = from(bytes);
        return new InputStream() {
            @Override
            public int read() {
                return answer.getAsInt();
            }

            @Override
            public int read(byte[] out, int offset, int length) {
                int read = first.read(out, offset, length);
                return read < 0 ? answer.getAsInt() : read;
            }
        };
    }

    /** A stream that fails as soon as it is used. */
    private static OutputStream failing(Throwable failure) {
        return new OutputStream() {
            @Override
            public void write(int one) {
                throw sneaky(failure);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    /** Whoever copies from a source that fails leaves no file that looks whole. */
    @ParameterizedTest
    @EnumSource
    void sourceThatFailsLeavesNoEnd(By by) throws IOException {
        IOException cable = new IOException("the cable");
        for (int length : LENGTHS) {
            Target target = new Target();
            InputStream source = answering(text(length), () -> {
                throw sneaky(cable);
            });
            assertSame(cable, assertThrows(IOException.class, () -> {
                try (source; SealingOutputStream out = by.sealing(target)) {
                    source.transferTo(out);
                    out.finish();
                }
            }));
            assertTrue(target.closed);
            by.assertHasNoEnd(target.toByteArray());

            byte[] sealed = seal(by, text(length));
            InputStream in = by.opening(answering(Arrays.copyOf(sealed, sealed.length - 1), () -> {
                throw sneaky(cable);
            }));
            assertSame(cable, assertThrows(IOException.class, in::readAllBytes));
            assertSame(cable, assertThrows(IOException.class, in::read));
        }
    }

    /** Forgetting to finish is told, for nothing else would tell it before somebody opens. */
    @ParameterizedTest
    @EnumSource
    void closeWithoutFinishLeavesNoEndAndSaysSo(By by) throws IOException {
        for (int length : LENGTHS) {
            Target target = new Target();
            SealingOutputStream out = by.sealing(target);
            out.write(text(length));
            IOException e = assertThrows(IOException.class, out::close);
            assertTrue(e.getMessage().contains("finish()"), e.getMessage());
            out.close();
            assertTrue(target.closed);
            by.assertHasNoEnd(target.toByteArray());
            assertThrows(IOException.class, out::finish);
            assertThrows(IOException.class, () -> out.write(1));
        }
    }

    private static byte[] seal(By by, byte[] text) throws IOException {
        Target target = new Target();
        try (SealingOutputStream out = by.sealing(target)) {
            out.write(text);
            out.finish();
            assertFalse(target.closed);
            out.finish();
            assertThrows(IOException.class, () -> out.write(1));
        }
        assertTrue(target.closed);
        return target.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void finishEndsTheFileAndLeavesTheOtherStreamOpen(By by) throws IOException {
        for (int length : LENGTHS) {
            InputStream in = by.opening(from(seal(by, text(length))));
            assertArrayEquals(text(length), in.readAllBytes());
            assertEquals(-1, in.read());
            in.close();
            in.close();
            assertThrows(IOException.class, in::read);
            assertThrows(IOException.class, in::available);
        }
    }

    @ParameterizedTest
    @EnumSource
    void cancelledOutputDoesNotOpen(By by) throws IOException {
        Target target = new Target();
        try (SealingOutputStream out = by.sealing(target)) {
            out.write(text(LONG));
            out.cancel();
            assertThrows(CancellationException.class, () -> out.write(1));
            assertThrows(CancellationException.class, out::finish);
        }
        assertTrue(target.closed);
        assertTrue(target.size() > 0);
        by.assertHasNoEnd(target.toByteArray());
    }

    /** What the caller's own stream throws comes out as it is, every time, and closing adds nothing. */
    @ParameterizedTest
    @EnumSource
    void failuresOfTheOtherStreamAreItsOwn(By by) throws IOException {
        for (Throwable full : new Throwable[] {new IOException("x"), new ArithmeticException("x"), new AssertionError()}) {
            SealingOutputStream out = by.sealing(failing(full));
            assertSame(full, assertThrows(full.getClass(), () -> out.write(new byte[LONG])));
            assertSame(full, assertThrows(full.getClass(), out::finish));
            out.close();
            SealingOutputStream little = by.sealing(failing(full));
            assertSame(full, assertThrows(full.getClass(), little::finish));
            little.close();
        }
    }

    /** A stream has what it needs when it is made. */
    @Test
    void keysetMayBeClosedAndChangedMeanwhile() throws IOException, KeysetException {
        byte[] text = text(50_000);
        byte[] data = DATA.clone();
        Target sealed = new Target();
        Keyset keyset = Keyset.generate("AES256_GCM_HKDF_4KB");
        byte[] kept = keyset.toInsecure(KeysetForm.BINARY);
        try (SealingOutputStream out = keyset.newOutputStream(sealed, data)) {
            Arrays.fill(data, (byte) 0);
            keyset.rotate("AES128_CTR_HMAC_SHA256_4KB");
            keyset.close();
            out.write(text);
            out.finish();
        }
        Keyset again = Keyset.fromInsecure(kept, KeysetForm.BINARY);
        try (InputStream in = again.newInputStream(from(sealed.toByteArray()), DATA)) {
            again.rotate("AES128_CTR_HMAC_SHA256_4KB");
            assertArrayEquals(text, Keys.open(again, sealed.toByteArray(), DATA).orElseThrow());
            assertTrue(Keys.open(again, sealed.toByteArray(), new byte[1]).isEmpty());
            again.close();
            assertArrayEquals(text, in.readAllBytes());
        }
    }

    // From stream to stream, and arrays.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 5, 3_000_000})
    void everyWayOpensWhatEveryWaySeals(int length) throws IOException {
        byte[] text = text(length);
        Target written = new Target();
        SealedStreams.seal(from(text), written, KEYS, FileOption.suite("xchacha20-blake2b"));
        for (byte[] sealed : List.of(SealedStreams.seal(text, KEYS), written.toByteArray())) {
            assertArrayEquals(text, SealedStreams.open(sealed, KEYS));
            Target opened = new Target();
            SealedStreams.open(from(sealed), opened, KEYS);
            assertArrayEquals(text, opened.toByteArray());
            SealedFiles.verify(Files.write(folder.resolve("sealed"), sealed), KEYS);
        }
    }

    /** Of streams and of files, in each direction. */
    @Test
    void progressIsToldAndStops() throws Throwable {
        byte[] text = text(3_000_000);
        byte[] sealed = SealedStreams.seal(text, KEYS);
        OutputStream nowhere = OutputStream.nullOutputStream();
        Path plain = Files.write(folder.resolve("plain"), text);
        Path file = Files.write(folder.resolve("file"), sealed);
        Path none = folder.resolve("none");
        List<ThrowingConsumer<FileOption>> calls = List.of(
                progress -> SealedStreams.seal(from(text), nowhere, KEYS, progress),
                progress -> SealedStreams.open(from(sealed), nowhere, KEYS, progress),
                progress -> SealedFiles.seal(plain, none, KEYS, progress),
                progress -> SealedFiles.open(file, none, KEYS, progress),
                progress -> SealedFiles.verify(file, KEYS, progress));
        IllegalStateException mine = new IllegalStateException("mine");
        for (ThrowingConsumer<FileOption> call : calls) {
            assertThrows(CancellationException.class, () -> call.accept(FileOption.progress(done -> done < CHUNK)));
            assertSame(mine, assertThrows(IllegalStateException.class, () -> call.accept(FileOption.progress(done -> {
                throw mine;
            }))));
            assertFalse(Files.exists(none));
            List<Long> told = new ArrayList<>();
            call.accept(FileOption.progress(told::add));
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
        byte[] sealed = SealedStreams.seal(text, KEYS);
        // Nothing is one chunk without a text.
        int third = SealedStreams.seal(new byte[0], KEYS).length - TAG + 3 * (CHUNK + TAG);
        byte[] damaged = sealed.clone();
        damaged[third] ^= 1;
        assertBeginning(text, damaged, Reason.DAMAGED);
        assertBeginning(text, Arrays.copyOf(sealed, third), Reason.TRUNCATED);
    }

    private static void assertBeginning(byte[] text, byte[] broken, Reason reason) throws IOException {
        Target opened = new Target();
        assertReason(reason, () -> SealedStreams.open(from(broken), opened, KEYS));
        assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), opened.toByteArray());
        try (InputStream in = SealedStreams.newInputStream(from(broken), KEYS)) {
            assertArrayEquals(Arrays.copyOf(text, 3 * CHUNK), in.readNBytes(3 * CHUNK));
            assertReason(reason, in::read);
        }
        assertReason(reason, () -> SealedStreams.open(broken, KEYS));
    }

    private static void assertReason(Reason reason, Executable call) {
        assertEquals(reason, assertThrows(SealedFileException.class, call).reason());
    }

    /** Nothing for now is an error too: it is never taken for the end. */
    @Test
    void wrongCallsAndStreamsAreRefused() throws IOException {
        OutputStream nowhere = OutputStream.nullOutputStream();
        byte[] whole = SealedStreams.seal(text(CHUNK), KEYS);
        for (int answer : new int[] {0, -2, 1 << 30}) {
            InputStream in = answering(whole, () -> answer);
            for (Executable call : List.<Executable>of(
                    () -> SealedStreams.open(in, nowhere, KEYS), () -> SealedStreams.seal(in, nowhere, KEYS))) {
                String said = assertThrows(IOException.class, call).getMessage();
                assertTrue(said.contains("the input stream read " + answer), said);
            }
        }
        byte[] none = {};
        assertReason(Reason.NOT_A_SEALED_FILE, () -> SealedStreams.open(none, KEYS));
        try (FileKeys empty = new FileKeys()) {
            assertThrows(IllegalArgumentException.class, () -> SealedStreams.seal(none, empty));
            assertThrows(IllegalArgumentException.class, () -> SealedStreams.newOutputStream(nowhere, empty));
        }
        assertThrows(IllegalArgumentException.class,
                () -> SealedStreams.seal(from(none), nowhere, KEYS, FileOption.suite("rot13")));
        assertThrows(NullPointerException.class, () -> SealedStreams.seal(null, nowhere, KEYS));
        assertThrows(NullPointerException.class, () -> FileOption.progress(null));
        FileKeys closed = new FileKeys();
        closed.close();
        assertThrows(IllegalStateException.class, () -> SealedStreams.open(none, closed));
    }
}
