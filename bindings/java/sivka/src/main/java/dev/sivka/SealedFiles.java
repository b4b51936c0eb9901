package dev.sivka;

import dev.sivka.internal.NativeFileKeys;
import dev.sivka.internal.NativeFileReader;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/**
 * Seals and opens files in Sivka's format, which other languages and the command {@code sivka}
 * read and write as well. A sealed file commits to its key, cannot be cut short unseen, and is
 * read in any order. The work is shared among all processors.
 *
 * <p>Paths are those of the default file system.
 */
public final class SealedFiles {
    private SealedFiles() {}

    /**
     * Seals a file.
     *
     * <p>The output appears under its name when it is complete, or not at all.
     *
     * @param input the file to seal
     * @param output the sealed file
     * @param keys each of them will open it
     * @param options any of them
     * @throws IllegalArgumentException if there are not 1 to 64 keys, or no such suite
     * @throws java.util.concurrent.CancellationException if a progress stopped it
     * @throws java.nio.file.FileAlreadyExistsException if the output exists and was not to be
     *     replaced
     * @throws SealedFileException if the input is longer than the format allows
     * @throws java.nio.file.NoSuchFileException if the input, or the folder of the output, is not
     *     there
     * @throws java.nio.file.AccessDeniedException if one of them may not be used
     * @throws IOException if the input cannot be read or the output not be written
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void seal(Path input, Path output, FileKeys keys, FileOption... options) throws IOException {
        FileOption.Set set = FileOption.Set.of(options, true, true, true);
        keys.keys.sealFile(input, output, set.suite(), set.progress(), set.replaces());
    }

    /**
     * Opens a sealed file.
     *
     * <p>The output appears under its name when all of it is authenticated, or not at all.
     *
     * @param input the sealed file
     * @param output the file with the plaintext
     * @param keys one of them has to open it
     * @param options any but a suite, which the file says
     * @throws SealedFileException if the input is not a sealed file, is damaged or cut short, or
     *     none of the keys opens it; its reason says which
     * @throws java.util.concurrent.CancellationException if a progress stopped it
     * @throws java.nio.file.FileAlreadyExistsException if the output exists and was not to be
     *     replaced
     * @throws java.nio.file.NoSuchFileException if the input, or the folder of the output, is not
     *     there
     * @throws java.nio.file.AccessDeniedException if one of them may not be used
     * @throws IOException if the input cannot be read or the output not be written
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void open(Path input, Path output, FileKeys keys, FileOption... options) throws IOException {
        FileOption.Set set = FileOption.Set.of(options, false, true, true);
        keys.keys.openFile(input, output, set.progress(), set.replaces());
    }

    /**
     * Authenticates every byte of a sealed file, and makes no output.
     *
     * @param input the sealed file
     * @param keys one of them has to open it
     * @param options a progress
     * @throws SealedFileException as {@link #open}
     * @throws java.util.concurrent.CancellationException if the progress stopped it
     * @throws java.nio.file.NoSuchFileException if the input is not there
     * @throws java.nio.file.AccessDeniedException if it may not be read
     * @throws IOException if the input cannot be read
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void verify(Path input, FileKeys keys, FileOption... options) throws IOException {
        keys.keys.verifyFile(input, FileOption.Set.of(options, false, true, false).progress());
    }

    /**
     * Opens a sealed file for reading in any order. The end of the file is authenticated now, so
     * that its size is known to be right, and every other part when it is read.
     *
     * <p>The channel is read-only, and any number of threads may use it; they take turns. A
     * read that meets a damaged part throws a {@link SealedFileException} and gives no byte of
     * it. The keys may be closed before the channel.
     *
     * @param input the sealed file
     * @param keys one of them has to open it
     * @return a channel that reads the plaintext; the caller closes it
     * @throws SealedFileException if the input is not a sealed file, is damaged or cut short, or
     *     none of the keys opens it; its reason says which
     * @throws java.nio.file.NoSuchFileException if the input is not there
     * @throws java.nio.file.AccessDeniedException if it may not be read
     * @throws IOException if the input cannot be read
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static SeekableByteChannel newByteChannel(Path input, FileKeys keys) throws IOException {
        return new NativeFileReader(keys.keys, input);
    }

    /**
     * Reads what a sealed file says without a key. None of it is authenticated.
     *
     * @param input the sealed file
     * @return its suite and its key slots
     * @throws SealedFileException if it is not a sealed file, or its header is damaged
     * @throws java.nio.file.NoSuchFileException if it is not there
     * @throws java.nio.file.AccessDeniedException if it may not be read
     * @throws IOException if it cannot be read
     */
    public static SealedFileInfo inspect(Path input) throws IOException {
        return NativeFileKeys.inspect(input);
    }

    // Key slots.

    /**
     * Adds a key to a sealed file. Only its header is written, under a lock that other changes of
     * slots wait for, 30 seconds at most. A crash leaves the old slots or the new ones.
     *
     * @param file the sealed file
     * @param keys one of them has to open it
     * @param added one key file or passphrase, which will open it too
     * @return the place of the new slot in {@link SealedFileInfo#slots}
     * @throws IllegalArgumentException if {@code added} is not one, or no slot is free
     * @throws SealedFileException if it is not a sealed file, its header is damaged, or none of the
     *     keys fits
     * @throws java.nio.file.NoSuchFileException if it is not there
     * @throws java.nio.file.AccessDeniedException if it may not be written
     * @throws IOException if it cannot be read or written; its slots are the old ones or the new
     *     ones then
     * @throws IllegalStateException if one of the sets of keys is closed
     */
    public static int addSlot(Path file, FileKeys keys, FileKeys added) throws IOException {
        return keys.keys.addSlot(file, added.keys);
    }

    /**
     * Removes a key from a sealed file, as {@link #addSlot} adds one; the slots after it move up
     * by one. The last one stays. Somebody who has an old copy of the file, or the key of the slot
     * and what it opened, keeps them.
     *
     * @param file the sealed file
     * @param keys one of them has to open it
     * @param slot its place in {@link SealedFileInfo#slots}
     * @throws IllegalArgumentException if there is no such slot, or it is the last one
     * @throws IOException as for {@link #addSlot}
     * @throws IllegalStateException if {@code keys} is closed
     */
    public static void removeSlot(Path file, FileKeys keys, int slot) throws IOException {
        keys.keys.removeSlot(file, slot);
    }

    /**
     * Puts a new key in the place of another, as {@link #addSlot} adds one.
     *
     * @param file the sealed file
     * @param keys one of them has to open it
     * @param slot its place in {@link SealedFileInfo#slots}
     * @param added one key file or passphrase
     * @throws IllegalArgumentException if there is no such slot, or {@code added} is not one
     * @throws IOException as for {@link #addSlot}
     * @throws IllegalStateException if one of the sets of keys is closed
     */
    public static void replaceSlot(Path file, FileKeys keys, int slot, FileKeys added) throws IOException {
        keys.keys.replaceSlot(file, slot, added.keys);
    }
}
