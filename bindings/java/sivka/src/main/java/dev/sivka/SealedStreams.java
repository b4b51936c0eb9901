package dev.sivka;

import dev.sivka.internal.NativeStream;
import dev.sivka.internal.OpeningInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Seals to and opens from any stream or array, in the format of {@link SealedFiles}. The
 * work is shared among all processors, and the memory that it needs does not grow with the
 * stream.
 *
 * <pre>{@code
 * try (InputStream in = socket.getInputStream();
 *         SealingOutputStream out = SealedStreams.newOutputStream(new FileOutputStream("log.sivka"), keys)) {
 *     in.transferTo(out);
 *     out.finish(); // not reached if in throws: the file has no end then, and does not open
 * }
 * }</pre>
 *
 * <p>A stream cannot take back what it gave. Opened chunks of 16 KiB are given as soon as each is
 * authenticated, in their order: after a failure the receiver has the beginning of what was
 * sealed, up to the first chunk that is damaged or missing, and never a byte that was changed.
 * Only the end of the stream, or a return without an exception, says that it was all. Whoever
 * needs all of it or nothing opens to a file or to an array, or throws away what came before an
 * exception.
 *
 * <p>If several things are wrong, the one that is found first is thrown: the header and the keys,
 * then each chunk in its order, then what comes after the end. A failure of the caller's streams
 * is thrown as they threw it. Streams are used by the caller's thread; they are left
 * open unless a method says otherwise.
 */
public final class SealedStreams {
    private SealedStreams() {}

    // From one stream to another.

    /**
     * Seals all that a stream gives.
     *
     * @param plaintext is read to its end
     * @param sealed gets the sealed file; after an exception it has no end, and does not open
     * @param keys each of them will open it
     * @param options a suite, a progress
     * @throws IllegalArgumentException if there are not 1 to 64 keys, or no such suite
     * @throws java.util.concurrent.CancellationException if the progress stopped it
     * @throws SealedFileException if the plaintext is longer than the format allows
     * @throws IOException if one of the streams throws it
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void seal(InputStream plaintext, OutputStream sealed, FileKeys keys, FileOption... options)
            throws IOException {
        FileOption.Set set = FileOption.Set.of(options, true, true, false);
        given(plaintext, "plaintext");
        given(sealed, "sealed");
        try (NativeStream sealer = keys.keys.sealer(set.suite())) {
            sealer.copy(plaintext, sealed, set.progress());
        }
    }

    /**
     * Opens the sealed file that a stream gives.
     *
     * @param sealed is read to its end
     * @param plaintext gets each chunk when it is authenticated; after an exception it has the
     *     beginning of what was sealed
     * @param keys one of them has to open it
     * @param options a progress
     * @throws SealedFileException if the input is not a sealed file, is damaged or cut short, or
     *     none of the keys opens it; its reason says which
     * @throws java.util.concurrent.CancellationException if the progress stopped it
     * @throws IOException if one of the streams throws it
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void open(InputStream sealed, OutputStream plaintext, FileKeys keys, FileOption... options)
            throws IOException {
        FileOption.Set set = FileOption.Set.of(options, false, true, false);
        given(plaintext, "plaintext");
        given(sealed, "sealed");
        try (NativeStream opener = keys.keys.opener()) {
            opener.copy(sealed, plaintext, set.progress());
        }
    }

    /**
     * Authenticates every byte of the sealed file that a stream gives, and makes no output.
     *
     * @param sealed is read to its end
     * @param keys one of them has to open it
     * @param options a progress
     * @throws SealedFileException as {@link #open(InputStream, OutputStream, FileKeys, FileOption...)}
     * @throws java.util.concurrent.CancellationException if the progress stopped it
     * @throws IOException if the stream throws it
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void verify(InputStream sealed, FileKeys keys, FileOption... options) throws IOException {
        open(sealed, OutputStream.nullOutputStream(), keys, options);
    }

    // Streams of their own.

    /**
     * A stream that seals the bytes that are written to it.
     *
     * @param sealed gets the sealed file, and is closed with the new stream
     * @param keys each of them will open it; they may be closed before it
     * @param options a suite
     * @return the caller finishes it, which ends the sealed file, and closes it
     * @throws IllegalArgumentException if there are not 1 to 64 keys, or no such suite
     * @throws UnsupportedOperationException for another option
     */
    public static SealingOutputStream newOutputStream(OutputStream sealed, FileKeys keys, FileOption... options) {
        given(sealed, "sealed");
        String suite = FileOption.Set.of(options, true, false, false).suite();
        return new SealingOutputStream(sealed, keys.keys.sealer(suite));
    }

    /**
     * A stream that opens the sealed file in another stream. A read gives bytes that are
     * authenticated; what is wrong with the file is thrown by the read that comes to it, as a
     * {@link SealedFileException}, after all that is right before it. Only the end of the
     * stream says that it was all.
     *
     * @param sealed is closed with the new stream
     * @param keys one of them has to open it; they may be closed before it
     * @return the caller closes it, at any time
     */
    public static InputStream newInputStream(InputStream sealed, FileKeys keys) {
        return new OpeningInputStream(keys.keys.opener(), given(sealed, "sealed"));
    }

    // Memory.

    /**
     * Seals an array with the default suite.
     *
     * @param plaintext the plaintext
     * @param keys each of them will open it
     * @return the sealed file
     * @throws IllegalArgumentException if there are not 1 to 64 keys
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static byte[] seal(byte[] plaintext, FileKeys keys) {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try {
            seal(new ByteArrayInputStream(plaintext), sealed, keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sealed.toByteArray();
    }

    /**
     * Opens a sealed file in an array: all of it, or nothing.
     *
     * @param sealed the sealed file
     * @param keys one of them has to open it
     * @return the plaintext
     * @throws SealedFileException if it is not a sealed file, is damaged or cut short, or none of
     *     the keys fits; its reason says which
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static byte[] open(byte[] sealed, FileKeys keys) throws SealedFileException {
        Memory plaintext = new Memory(sealed.length);
        try {
            open(new ByteArrayInputStream(sealed), plaintext, keys);
            return Arrays.copyOf(plaintext.bytes, plaintext.len);
        } catch (SealedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Arrays.fill(plaintext.bytes, (byte) 0);
        }
    }

    /** Room for a plaintext that will not leave copies behind. */
    private static final class Memory extends OutputStream {
        final byte[] bytes;
        int len;

        Memory(int capacity) {
            bytes = new byte[capacity];
        }

        @Override
        public void write(int one) {
            bytes[len++] = (byte) one;
        }

        @Override
        public void write(byte[] in, int offset, int length) {
            System.arraycopy(in, offset, bytes, len, length);
            len += length;
        }
    }

    private static <T> T given(T argument, String name) {
        return Objects.requireNonNull(argument, name);
    }
}
