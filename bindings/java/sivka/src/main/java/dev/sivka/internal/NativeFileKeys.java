package dev.sivka.internal;

import dev.sivka.KeySlot;
import dev.sivka.Progress;
import dev.sivka.SealedFileException;
import dev.sivka.SealedFileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Keys of files in native memory, and what is done with whole files. */
public final class NativeFileKeys extends NativeObject {
    private static final int KEY_ID_LEN = Constants.KEY_ID_LEN;
    /** How many slots a file may have, and how many numbers each is told in. */
    private static final int MAX_SLOTS = 64;
    private static final int SLOT_NUMBERS = 4;
    /** What a key file has at most that a passphrase protects: a header with room for many slots. */
    private static final int MAX_PROTECTED_LEN = 1 << 16;

    /** Makes an empty set. */
    public NativeFileKeys() {
        super(Native.FILE_KEYS, Native.newFileKeys(), "set of file keys");
    }

    /** Adds a key file; {@code passphrase} may be null. */
    public void addKeyFile(Path file, CharBuffer passphrase) throws IOException {
        // Before an exception of the system quotes it.
        Native.checkKeyPath(file.toString().getBytes(StandardCharsets.UTF_8));
        // A buffer of its own: into an array, a channel reads through one that keeps what was in it.
        ByteBuffer read = ByteBuffer.allocateDirect(MAX_PROTECTED_LEN + 1);
        byte[] text = {};
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            while (read.hasRemaining() && in.read(read) >= 0) {
                // Until the end, or until there is more than any key file has.
            }
            text = new byte[read.position()];
            read.get(0, text);
            addKeyFile(text, passphrase);
        } catch (SealedFileException e) {
            throw new SealedFileException(e.reason(), file + ": " + e.getMessage());
        } finally {
            Arrays.fill(text, (byte) 0);
            read.put(0, new byte[read.position()]);
        }
    }

    /** Adds the content of a key file; {@code passphrase} may be null. */
    public void addKeyFile(byte[] text, CharBuffer passphrase) throws SealedFileException {
        byte[] bytes = passphrase == null ? null : encoded(passphrase);
        try {
            use(keys -> Native.addKeyFile(keys, text, bytes));
        } finally {
            if (bytes != null) {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    /** Adds recipients, one a line. */
    public void addRecipients(byte[] text) throws SealedFileException {
        use(keys -> Native.addText(Native.RECIPIENTS, keys, text));
    }

    /** Adds the identities of a file of age's. */
    public void addIdentities(byte[] text) throws SealedFileException {
        use(keys -> Native.addText(Native.IDENTITIES, keys, text));
    }

    /** Sets for how many more slots new files have room. */
    public void setRoom(int slots) {
        Numbers.notNegative("slots", slots);
        use(keys -> Native.setRoom(keys, slots));
    }

    /** Adds a passphrase. */
    public void addPassphrase(CharBuffer passphrase) {
        byte[] bytes = encoded(passphrase);
        try {
            use(keys -> Native.addText(Native.PASSPHRASE, keys, bytes));
        } catch (SealedFileException e) {
            throw new IllegalStateException(e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** A passphrase in UTF-8, which the caller wipes. */
    private static byte[] encoded(CharBuffer passphrase) {
        // Room for the longest encoding, so that the encoder leaves no copies behind.
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        byte[] room = new byte[(int) (passphrase.remaining() * (double) encoder.maxBytesPerChar()) + 1];
        try {
            ByteBuffer out = ByteBuffer.wrap(room);
            encoder.onMalformedInput(CodingErrorAction.REPORT);
            CoderResult result = encoder.encode(passphrase, out, true);
            if (result.isError()) {
                result.throwException();
            }
            return Arrays.copyOf(room, out.position());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("passphrase: half a surrogate pair is in it", e);
        } finally {
            Arrays.fill(room, (byte) 0);
        }
    }

    public void setCost(int memoryKib, int passes, int lanes) {
        Numbers.notNegative("memoryKib", memoryKib);
        Numbers.notNegative("passes", passes);
        Numbers.notNegative("lanes", lanes);
        use(keys -> Native.setCost(keys, memoryKib, passes, lanes));
    }

    public void setMaxCost(int memoryKib, int passes) {
        Numbers.notNegative("memoryKib", memoryKib);
        Numbers.notNegative("passes", passes);
        use(keys -> Native.setMaxCost(keys, memoryKib, passes));
    }

    // Files. A progress that is null hears nothing, and an empty suite is the usual one.

    public void sealFile(Path input, Path output, String suite, Progress progress, boolean overwrite)
            throws IOException {
        int number = suiteOf(suite);
        use(keys -> Native.file(Native.SEAL, bytes(input), bytes(output), keys, number, overwrite, progress));
    }

    public void openFile(Path input, Path output, Progress progress, boolean overwrite) throws IOException {
        use(keys -> Native.file(Native.OPEN, bytes(input), bytes(output), keys, 0, overwrite, progress));
    }

    public void verifyFile(Path input, Progress progress) throws IOException {
        use(keys -> Native.file(Native.VERIFY, bytes(input), null, keys, 0, false, progress));
    }

    /** What seals a file under the keys of now. */
    public NativeStream sealer(String suite) {
        int number = suiteOf(suite);
        return new NativeStream(true, with(keys -> Native.newStream(true, keys, number)));
    }

    /** What opens a file with one of the keys of now. */
    public NativeStream opener() {
        return new NativeStream(false, with(keys -> Native.newStream(false, keys, 0)));
    }

    private static int suiteOf(String name) {
        return name.isEmpty() ? 0 : Native.suite(Algorithm.withZero(name));
    }

    // Key slots. A file is changed where it is.

    /** The place of the new slot. */
    public int addSlot(Path file, NativeFileKeys added) throws IOException {
        return with(keys -> added.with(other -> Native.changeSlot(bytes(file), keys, -1, other)));
    }

    public void removeSlot(Path file, int slot) throws IOException {
        Numbers.notNegative("slot", slot);
        use(keys -> Native.changeSlot(bytes(file), keys, slot, 0));
    }

    public void replaceSlot(Path file, int slot, NativeFileKeys added) throws IOException {
        Numbers.notNegative("slot", slot);
        use(keys -> added.use(other -> Native.changeSlot(bytes(file), keys, slot, other)));
    }

    /** The handle of a new reader. */
    long newReader(Path input) throws IOException {
        return with(keys -> Native.newFileReader(bytes(input), keys));
    }

    /** What a sealed file says without a key. */
    public static SealedFileInfo inspect(Path file) throws IOException {
        int[] numbers = new int[MAX_SLOTS * SLOT_NUMBERS];
        byte[] keyIds = new byte[MAX_SLOTS * KEY_ID_LEN];
        String[] suite = new String[1];
        int count = Native.inspectFile(bytes(file), suite, numbers, keyIds);
        List<KeySlot> slots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int at = i * SLOT_NUMBERS;
            int kind = numbers[at];
            slots.add(
                    new KeySlot(
                            kindOf(kind),
                            kind == Constants.SLOT_KEY_FILE ? hex(keyIds, i * KEY_ID_LEN) : "",
                            told(numbers[at + 1]), told(numbers[at + 2]), told(numbers[at + 3])));
        }
        return new SealedFileInfo(suite[0], slots);
    }

    private static KeySlot.Kind kindOf(int kind) {
        return switch (kind) {
            case Constants.SLOT_KEY_FILE -> KeySlot.Kind.KEY_FILE;
            case Constants.SLOT_PASSPHRASE -> KeySlot.Kind.PASSPHRASE;
            case Constants.SLOT_X25519 -> KeySlot.Kind.X25519;
            case Constants.SLOT_MLKEM768_X25519 -> KeySlot.Kind.MLKEM768_X25519;
            default -> KeySlot.Kind.OTHER;
        };
    }

    /** An unsigned number, or the greatest that Java has: no try of such a passphrase ever ends. */
    private static int told(int number) {
        return number < 0 ? Integer.MAX_VALUE : number;
    }

    /** The id of the key in a key file, as hexadecimal digits. */
    public static String keyFileId(byte[] text) throws SealedFileException {
        byte[] id = new byte[KEY_ID_LEN];
        Native.keyFileId(text, id);
        return hex(id, 0);
    }

    private static String hex(byte[] ids, int at) {
        return HexFormat.of().formatHex(ids, at, at + KEY_ID_LEN);
    }

    /** The content of a key file, of a new key if {@code key} is null. */
    public static byte[] keyFile(String name, byte[] key) {
        return Native.keyFile(Algorithm.withZero(name), key);
    }

    /** A path as the operating system has it, ending with a zero. */
    private static byte[] bytes(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new IllegalArgumentException(
                    "path: one of the default file system expected, one of " + path.getFileSystem() + " given");
        }
        byte[] bytes = path.toString().getBytes(Library.pathCharset());
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
