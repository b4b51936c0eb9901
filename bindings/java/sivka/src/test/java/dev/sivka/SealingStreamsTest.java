package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sealed file has an end only if somebody said that it is whole. */
@Timeout(60)
class SealingStreamsTest {
    private static final int CHUNK = 16 << 10;

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

        Interrupted(int length) {
            super(from(text(length)));
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

    /** A channel that has some bytes, then none for now, and would have more. */
    private static final class Nothing implements ReadableByteChannel {
        private final ReadableByteChannel some;

        Nothing(byte[] some) {
            this.some = Channels.newChannel(from(some));
        }

        @Override
        public int read(ByteBuffer out) throws IOException {
            return Math.max(0, some.read(out));
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Nothing for now is an error: it is never taken for the end. */
    @Test
    void channelsThatHaveNothingYetHaveNotEnded() throws IOException {
        byte[] none = {};
        byte[] sealed = SealedStreams.seal(text(3 * CHUNK), keys);
        Target out = new Target();
        assertThrows(IOException.class,
                () -> SealedStreams.seal(Channels.newInputStream(new Nothing(text(3 * CHUNK))), out, keys));
        assertHasNoEnd(out.toByteArray());
        // A whole file too: something might follow it.
        for (int length : new int[] {0, 100, CHUNK, sealed.length}) {
            byte[] part = Arrays.copyOf(sealed, length);
            assertThrows(IOException.class,
                    () -> SealedStreams.open(Channels.newInputStream(new Nothing(part)), new Target(), keys));
            assertThrows(IOException.class,
                    () -> SealedStreams.verify(Channels.newInputStream(new Nothing(part)), keys));
            assertThrows(IOException.class, () -> {
                try (ReadableByteChannel in = SealedStreams.newReadableChannel(new Nothing(part), keys)) {
                    Channels.newInputStream(in).readAllBytes();
                }
            });
        }
        try (Keyset keyset = Keyset.generate("AES256_GCM_HKDF_4KB")) {
            InputStream in = keyset.newInputStream(Channels.newInputStream(new Nothing(text(10))), none);
            assertThrows(IOException.class, in::readAllBytes);
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false);
            sink.write(ByteBuffer.wrap(text(100)));
            assertThrows(IllegalBlockingModeException.class,
                    () -> SealedStreams.seal(Channels.newInputStream(source), new Target(), keys));
        }
    }

    /** A channel takes as much as it likes: 1 byte or none of each write. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void channelsThatTakeLessThanTheyAreGiven(int most) throws IOException {
        Target target = new Target();
        WritableByteChannel slow = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer in) {
                for (int i = 0; i < most; i++) {
                    target.write(in.get());
                }
                return most;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        SealingChannel channel = SealedStreams.newWritableChannel(slow, keys);
        if (most == 0) {
            assertThrows(RuntimeException.class, () -> {
                channel.write(ByteBuffer.wrap(text(CHUNK)));
                channel.finish();
            });
            channel.close();
            assertEquals(0, target.size());
        } else {
            assertEquals(3 * CHUNK, channel.write(ByteBuffer.wrap(text(3 * CHUNK))));
            channel.finish();
            channel.close();
            assertArrayEquals(text(3 * CHUNK), SealedStreams.open(target.toByteArray(), keys));
        }
    }

    private void assertHasNoEnd(byte[] sealed) {
        SealedFileException e =
                assertThrows(SealedFileException.class, () -> SealedStreams.verify(from(sealed), keys));
        assertEquals(SealedFileException.Reason.TRUNCATED, e.reason());
    }

    /** Whoever copies from a source that fails leaves no file that looks whole. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK, 20 * CHUNK + 5})
    void sourceThatFailsLeavesNoEnd(int length) {
        Target target = new Target();
        Interrupted source = new Interrupted(length);
        IOException e = assertThrows(IOException.class, () -> {
            try (source; SealingOutputStream out = SealedStreams.newOutputStream(target, keys)) {
                source.transferTo(out);
                out.finish();
            }
        });
        assertSame(source.failure, e);
        assertTrue(target.closed);
        assertHasNoEnd(target.toByteArray());

        Target through = new Target();
        Interrupted again = new Interrupted(length);
        e = assertThrows(IOException.class, () -> {
            try (SealingChannel out = SealedStreams.newWritableChannel(Channels.newChannel(through), keys)) {
                again.transferTo(Channels.newOutputStream(out));
                out.finish();
            }
        });
        assertSame(again.failure, e);
        assertHasNoEnd(through.toByteArray());

        ByteArrayOutputStream direct = new ByteArrayOutputStream();
        Interrupted last = new Interrupted(length);
        assertSame(last.failure, assertThrows(IOException.class, () -> SealedStreams.seal(last, direct, keys)));
        assertHasNoEnd(direct.toByteArray());
    }

    /** Forgetting to finish is told, for nothing else would tell it before somebody opens. */
    @Test
    void closeWithoutFinishLeavesNoEndAndSaysSo() throws IOException {
        Target target = new Target();
        SealingOutputStream out = SealedStreams.newOutputStream(target, keys);
        out.write(text(3 * CHUNK));
        IOException e = assertThrows(IOException.class, out::close);
        assertTrue(e.getMessage().contains("finish()"), e.getMessage());
        out.close();
        assertTrue(target.closed);
        assertHasNoEnd(target.toByteArray());
        assertThrows(IOException.class, out::finish);

        Target behind = new Target();
        SealingChannel channel = SealedStreams.newWritableChannel(Channels.newChannel(behind), keys);
        assertTrue(channel.isOpen());
        assertThrows(IOException.class, channel::close);
        assertFalse(channel.isOpen());
        assertTrue(behind.closed);
        assertHasNoEnd(behind.toByteArray());
    }

    @Test
    void finishEndsTheFileAndLeavesTheOtherStreamOpen() throws IOException {
        Target target = new Target();
        try (SealingOutputStream out = SealedStreams.newOutputStream(target, keys)) {
            out.write(text(3 * CHUNK));
            out.finish();
            assertFalse(target.closed);
            assertArrayEquals(text(3 * CHUNK), SealedStreams.open(target.toByteArray(), keys));
            out.finish();
            assertThrows(IOException.class, () -> out.write(1));
        }
        assertTrue(target.closed);
        assertArrayEquals(text(3 * CHUNK), SealedStreams.open(target.toByteArray(), keys));
    }

    @Test
    void cancelledOutputDoesNotOpen() throws IOException {
        Target target = new Target();
        try (SealingOutputStream out = SealedStreams.newOutputStream(target, keys)) {
            out.write(text(3 * CHUNK));
            out.cancel();
            assertThrows(CancellationException.class, () -> out.write(1));
            assertThrows(CancellationException.class, out::finish);
        }
        assertTrue(target.closed);
        assertHasNoEnd(target.toByteArray());
    }
}
