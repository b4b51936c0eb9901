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
import java.util.concurrent.CancellationException;

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
 * authenticated, in their order. After a failure the receiver has the beginning of the plaintext,
 * up to the first chunk that is damaged or missing, and never a byte that was changed.
 * Only the end of the stream, or a return without an exception, says that it was all. If you
 * need all of it or nothing, open to a file or to an array, or throw away what came before an
 * exception.
 *
 * <p>If several things are wrong, the one that is found first is thrown: the header and the keys,
 * then each chunk in its order, then what comes after the end. Exceptions are those of {@link
 * SealedFiles}. A failure of the caller's streams is thrown as they threw it. Streams are used by the
 * caller's thread; they are left open unless a method says otherwise.
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
     * @throws IOException if one of the streams throws it, or the plaintext is longer than the
     *     format allows
     */
    public static void seal(InputStream plaintext, OutputStream sealed, FileKeys keys, FileOption... options)
            throws IOException {
        FileOption.Set set = FileOption.Set.of(options, true, true, false);
        Objects.requireNonNull(plaintext, "plaintext");
        Objects.requireNonNull(sealed, "sealed");
        try (NativeStream sealer = keys.stream(true, set.suite())) {
            // Not closed, for that closes the other stream.
            SealingOutputStream out = new SealingOutputStream(sealed, sealer);
            copy(buffer -> NativeStream.read(plaintext, buffer), out, set.progress());
            out.finish();
        }
    }

    /**
     * Opens the sealed file that a stream gives. To {@link OutputStream#nullOutputStream}, it only
     * authenticates every byte.
     *
     * @param sealed is read to its end
     * @param plaintext gets each chunk when it is authenticated; after an exception it has the
     *     beginning of what was sealed
     * @param keys one of them has to open it
     * @param options a progress
     * @throws IOException as said above
     */
    public static void open(InputStream sealed, OutputStream plaintext, FileKeys keys, FileOption... options)
            throws IOException {
        FileOption.Set set = FileOption.Set.of(options, false, true, false);
        Objects.requireNonNull(plaintext, "plaintext");
        Objects.requireNonNull(sealed, "sealed");
        try (NativeStream opener = keys.stream(false, 0)) {
            InputStream in = new OpeningInputStream(opener, sealed);
            copy(in::read, plaintext, set.progress());
            plaintext.flush();
        }
    }

    private interface Source {
        int read(byte[] buffer) throws IOException;
    }

    private static void copy(Source from, OutputStream to, Progress progress) throws IOException {
        byte[] buffer = {};
        long done = 0;
        try {
            for (int len = 0; len >= 0; ) {
                buffer = NativeStream.longer(buffer, len);
                len = from.read(buffer);
                if (len > 0) {
                    to.write(buffer, 0, len);
                    done += len;
                    if (progress != null && !progress.reached(done)) {
                        throw new CancellationException("stopped by the caller");
                    }
                }
            }
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
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
     */
    public static SealingOutputStream newOutputStream(OutputStream sealed, FileKeys keys, FileOption... options) {
        Objects.requireNonNull(sealed, "sealed");
        int suite = FileOption.Set.of(options, true, false, false).suite();
        return new SealingOutputStream(sealed, keys.stream(true, suite));
    }

    /**
     * A stream that opens the sealed file in another stream. A read gives bytes that are
     * authenticated. The read that comes to an error of the file throws a
     * {@link SealedFileException}, after all bytes before it. Only the end of the
     * stream says that it was all.
     *
     * @param sealed is closed with the new stream
     * @param keys one of them has to open it; they may be closed before it
     * @return the caller closes it, at any time
     */
    public static InputStream newInputStream(InputStream sealed, FileKeys keys) {
        Objects.requireNonNull(sealed, "sealed");
        return new OpeningInputStream(keys.stream(false, 0), sealed);
    }

    // Memory.

    /**
     * Seals an array with the default suite.
     *
     * @param plaintext the plaintext
     * @param keys each of them will open it
     * @return the sealed file
     * @throws IllegalArgumentException if there are not 1 to 64 keys
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
     *     the keys opens it; its reason says which
     */
    public static byte[] open(byte[] sealed, FileKeys keys) throws SealedFileException {
        // Longer than the plaintext, so that it is read to its end, and no copies stay behind.
        byte[] plaintext = new byte[sealed.length + 1];
        try (InputStream in = newInputStream(new ByteArrayInputStream(sealed), keys)) {
            return Arrays.copyOf(plaintext, in.readNBytes(plaintext, 0, plaintext.length));
        } catch (SealedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Arrays.fill(plaintext, (byte) 0);
        }
    }
}
