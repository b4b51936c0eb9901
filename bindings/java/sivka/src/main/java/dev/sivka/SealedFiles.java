package dev.sivka;

import dev.sivka.internal.Arguments;
import dev.sivka.internal.Header;
import dev.sivka.internal.Header.sivka_inspection;
import dev.sivka.internal.Header.sivka_slot;
import dev.sivka.internal.Native;
import dev.sivka.internal.NativeFileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Seals and opens files in Sivka's format, which other languages and the command {@code sivka}
 * read and write as well. A sealed file commits to its key, cannot be cut short unseen, and is
 * read in any order. The work is shared among all processors.
 *
 * <p>Paths are those of the default file system.
 *
 * <p>Trouble with the file system is a {@link java.nio.file.NoSuchFileException}, {@link
 * java.nio.file.AccessDeniedException}, {@link java.nio.file.FileAlreadyExistsException} if an output
 * exists and was not to be replaced, or another {@link IOException}. A file that is not a sealed one,
 * is damaged or cut short, or that none of the keys opens, is a {@link SealedFileException}, whose
 * reason says which. What a {@link Progress} stopped is a {@link
 * java.util.concurrent.CancellationException}; an option that a call does not have is an {@link
 * UnsupportedOperationException}, and keys that are closed are an {@link IllegalStateException}.
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
     * @throws IOException as said above, or if the input is longer than the format allows
     */
    public static void seal(Path input, Path output, FileKeys keys, FileOption... options) throws IOException {
        FileOption.Set set = FileOption.Set.of(options, true, true, true);
        Native.<IOException>call(
                Header.sivka_seal_file, Arguments.path(input), Arguments.path(output), keys.keys, set.suite(), set.flags(),
                set.progress());
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
     * @throws IOException as said above
     */
    public static void open(Path input, Path output, FileKeys keys, FileOption... options) throws IOException {
        FileOption.Set set = FileOption.Set.of(options, false, true, true);
        Native.<IOException>call(
                Header.sivka_open_file, Arguments.path(input), Arguments.path(output), keys.keys, set.flags(),
                set.progress());
    }

    /**
     * Authenticates every byte of a sealed file, and makes no output.
     *
     * @param input the sealed file
     * @param keys one of them has to open it
     * @param options a progress
     * @throws IOException as said above
     */
    public static void verify(Path input, FileKeys keys, FileOption... options) throws IOException {
        Progress progress = FileOption.Set.of(options, false, true, false).progress();
        Native.<IOException>call(Header.sivka_verify_file, Arguments.path(input), keys.keys, progress);
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
     * @throws IOException as said above
     */
    public static SeekableByteChannel newByteChannel(Path input, FileKeys keys) throws IOException {
        return new NativeFileReader(keys.keys, input);
    }

    /**
     * Reads what a sealed file says without a key. None of it is authenticated.
     *
     * @param input the sealed file
     * @return its suite and its key slots
     * @throws IOException as said above
     */
    public static SealedFileInfo inspect(Path input) throws IOException {
        long made = Native.<IOException>call(Header.sivka_inspect_file, Arguments.path(input));
        try {
            ByteBuffer found = Native.structure(made, sivka_inspection.SIZE);
            long suite = Integer.toUnsignedLong(found.getInt(sivka_inspection.suite));
            int count = (int) found.getLong(sivka_inspection.slot_count);
            ByteBuffer all = Native.structure(found.getLong(sivka_inspection.slots), count * sivka_slot.SIZE);
            List<KeySlot> slots = new ArrayList<>();
            for (int at = 0; at < all.capacity(); at += sivka_slot.SIZE) {
                KeySlot.Kind kind = kindOf(all.getInt(at + sivka_slot.kind));
                byte[] id = new byte[kind == KeySlot.Kind.KEY_FILE ? Header.KEY_ID_LEN : 0];
                all.get(at + sivka_slot.key_id, id);
                slots.add(new KeySlot(
                        kind, HexFormat.of().formatHex(id), told(all.getInt(at + sivka_slot.memory_kib)),
                        told(all.getInt(at + sivka_slot.passes)), told(all.getInt(at + sivka_slot.lanes))));
            }
            return new SealedFileInfo(Native.text(Native.call(Header.sivka_suite_name, suite)), List.copyOf(slots));
        } finally {
            Native.call(Header.sivka_inspection_free, made);
        }
    }

    /** As SIVKA_SLOT_KEY_FILE and the numbers after it have them. */
    private static KeySlot.Kind kindOf(int kind) {
        KeySlot.Kind[] kinds = KeySlot.Kind.values();
        return kind >= 1 && kind < kinds.length ? kinds[kind - 1] : KeySlot.Kind.OTHER;
    }

    /** An unsigned number, or the greatest that Java has: no try of such a passphrase ever ends. */
    private static int told(int number) {
        return number < 0 ? Integer.MAX_VALUE : number;
    }

    // Key slots.

    /**
     * Adds a key to a sealed file. Only its header is written, under a lock that other changes of
     * slots wait for, 30 seconds at most. A crash leaves the old slots or the new ones, as an
     * exception does.
     *
     * @param file the sealed file
     * @param keys one of them has to open it
     * @param added one key file or passphrase, which will open it too
     * @return the place of the new slot in {@link SealedFileInfo#slots}
     * @throws IllegalArgumentException if {@code added} is not one, or no slot is free
     * @throws IOException as said above
     */
    public static int addSlot(Path file, FileKeys keys, FileKeys added) throws IOException {
        return (int) Native.<IOException>call(Header.sivka_add_slot, Arguments.path(file), keys.keys, added.keys);
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
     * @throws IOException as said above
     */
    public static void removeSlot(Path file, FileKeys keys, int slot) throws IOException {
        Native.<IOException>call(Header.sivka_remove_slot, Arguments.path(file), keys.keys, slot);
    }

    /**
     * Puts a new key in the place of another, as {@link #addSlot} adds one.
     *
     * @param file the sealed file
     * @param keys one of them has to open it
     * @param slot its place in {@link SealedFileInfo#slots}
     * @param added one key file or passphrase
     * @throws IllegalArgumentException if there is no such slot, or {@code added} is not one
     * @throws IOException as said above
     */
    public static void replaceSlot(Path file, FileKeys keys, int slot, FileKeys added) throws IOException {
        Native.<IOException>call(Header.sivka_replace_slot, Arguments.path(file), keys.keys, slot, added.keys);
    }
}
