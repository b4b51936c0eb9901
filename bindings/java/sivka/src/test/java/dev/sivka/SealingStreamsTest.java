package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sealed has an end only if somebody said that it is whole, and no failure is lost. */
@Timeout(60)
class SealingStreamsTest {
    private static final int CHUNK = 16 << 10;
    private static final byte[] DATA = {1, 2, 3};
    private static final int[] LENGTHS = {0, 1, CHUNK, 20 * CHUNK + 5, 2 << 20};
    /** More than a sealer keeps. */
    private static final int LONG = 14 << 20;

    /** Who seals and opens. */
    private enum By {
        FILE_KEYS,
        KEYSET;

        private final FileKeys keys = keys();
        private final Keyset keyset = Keyset.generate("AES256_GCM_HKDF_4KB");

        private static FileKeys keys() {
            try {
                return new FileKeys().addKeyFile(FileKeys.generateKeyFile("test"));
            } catch (SealedFileException e) {
                throw new IllegalStateException(e);
            }
        }

        SealingOutputStream sealing(OutputStream sealed) {
            return this == KEYSET ? keyset.newOutputStream(sealed, DATA) : SealedStreams.newOutputStream(sealed, keys);
        }

        InputStream opening(InputStream sealed) {
            return this == KEYSET ? keyset.newInputStream(sealed, DATA) : SealedStreams.newInputStream(sealed, keys);
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

    /** Gives so many bytes, and then fails. */
    private static final class Interrupted extends FilterInputStream {
        final IOException failure = new IOException("the cable");

        Interrupted(byte[] bytes) {
            super(from(bytes));
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            int read = super.read(out, offset, length);
            if (read < 0) {
                throw failure;
            }
            return read;
        }
    }

    /** Fails as soon as it is used. */
    private static final class Full extends OutputStream {
        final IOException failure = new IOException("full");

        @Override
        public void write(int one) throws IOException {
            throw failure;
        }
    }

    /** Whoever copies from a source that fails leaves no file that looks whole. */
    @ParameterizedTest
    @EnumSource
    void sourceThatFailsLeavesNoEnd(By by) throws IOException {
        for (int length : LENGTHS) {
            Target target = new Target();
            Interrupted source = new Interrupted(text(length));
            assertSame(source.failure, assertThrows(IOException.class, () -> {
                try (source; SealingOutputStream out = by.sealing(target)) {
                    source.transferTo(out);
                    out.finish();
                }
            }));
            assertTrue(target.closed);
            by.assertHasNoEnd(target.toByteArray());

            byte[] sealed = seal(by, text(length));
            Interrupted again = new Interrupted(Arrays.copyOf(sealed, sealed.length - 1));
            InputStream in = by.opening(again);
            assertSame(again.failure, assertThrows(IOException.class, in::readAllBytes));
            assertSame(again.failure, assertThrows(IOException.class, in::read));
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
        Full full = new Full();
        SealingOutputStream out = by.sealing(full);
        assertSame(full.failure, assertThrows(IOException.class, () -> {
            for (int i = 0; i < LONG / CHUNK; i++) {
                out.write(new byte[CHUNK]);
            }
        }));
        assertSame(full.failure, assertThrows(IOException.class, out::finish));
        out.close();
        SealingOutputStream little = by.sealing(full);
        assertSame(full.failure, assertThrows(IOException.class, little::finish));
        little.close();
    }

    /** It waits in the stream of the caller's alone, which hears of it. */
    @ParameterizedTest
    @EnumSource
    void interruptedThreadStopsWaiting(By by) throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        SealingOutputStream out = by.sealing(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            }
        });
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, () -> out.write(new byte[LONG]));
        assertFalse(Thread.interrupted());
        out.close();
    }

    /** A channel that has some bytes, then none for now, and would have more. */
    private static InputStream withNothingYet(byte[] some) {
        return Channels.newInputStream(new ReadableByteChannel() {
            private final ReadableByteChannel channel = Channels.newChannel(from(some));

            @Override
            public int read(ByteBuffer out) throws IOException {
                return Math.max(0, channel.read(out));
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        });
    }

    /** Nothing for now is an error: it is never taken for the end. */
    @ParameterizedTest
    @EnumSource
    void channelsThatHaveNothingYetHaveNotEnded(By by) throws IOException {
        byte[] sealed = seal(by, text(3 * CHUNK));
        // A whole file too: something might follow it.
        for (int length : new int[] {0, 100, CHUNK, sealed.length}) {
            byte[] part = Arrays.copyOf(sealed, length);
            InputStream in = by.opening(withNothingYet(part));
            assertThrows(IOException.class, in::readAllBytes);
            Target out = new Target();
            FileKeys keys = By.FILE_KEYS.keys;
            assertThrows(IOException.class, () -> SealedStreams.seal(withNothingYet(part), out, keys));
            By.FILE_KEYS.assertHasNoEnd(out.toByteArray());
        }
    }
}
