package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Sealed files and their keys. The matrix has their bytes, and what is wrong with damaged ones. */
class SealedFilesTest {
    private static final byte[] TEXT = Keys.paint(300_000, 1);
    private static final char[] PASSPHRASE = "pa\u00dfw\u00f6rt \ud83d\udd11".toCharArray();
    private static final char[] WRONG = "another".toCharArray();

    @TempDir Path folder;
    private Path input;
    private Path sealed;
    private Path output;
    private Path keyFile;
    private byte[] keyText;
    private FileKeys keys;
    private FileKeys passphrase;

    @BeforeEach
    void write() throws IOException {
        // A byte that no text has, where names may have it, and a name beyond ASCII.
        String name = OS.LINUX.isCurrentOs() ? "input+%25%FF" : "input";
        input = Files.write(Path.of(URI.create(folder.toUri() + name)), TEXT);
        sealed = Path.of(URI.create(folder.toUri() + "sealed%20%C3%A4"));
        output = folder.resolve("output");
        keyText = FileKeys.generateKeyFile("a test");
        keyFile = Files.write(folder.resolve("key"), keyText);
        keys = new FileKeys().addKeyFile(keyFile);
        passphrase = new FileKeys().addPassphrase(PASSPHRASE).setCost(64, 2, 3);
    }

    private static void assertReason(Reason reason, Executable call) {
        SealedFileException e = assertThrows(SealedFileException.class, call);
        assertEquals(reason, e.reason(), e.getMessage());
    }

    private static void assertRefused(Executable... calls) {
        for (Executable call : calls) {
            assertThrows(IllegalArgumentException.class, call);
        }
    }

    // Keys.

    @Test
    void passphrasesAndSeveralKeys() throws IOException {
        try (FileKeys both = new FileKeys().addPassphrase(PASSPHRASE).addKeyFile(keyFile).setCost(65_536, 1, 1)) {
            SealedFiles.seal(input, sealed, both);
        }
        SealedFiles.verify(sealed, keys);
        SealedFiles.verify(sealed, passphrase);
        try (FileKeys wrong = new FileKeys().addPassphrase(WRONG)) {
            assertReason(Reason.WRONG_KEY, () -> SealedFiles.verify(sealed, wrong));
            wrong.setMaxCost(1024, 1);
            assertReason(Reason.COST_LIMIT, () -> SealedFiles.verify(sealed, wrong));
        }
        try (FileKeys none = new FileKeys()) {
            assertRefused(
                    () -> SealedFiles.seal(input, output, none), () -> none.addPassphrase(new char[0]),
                    () -> none.addPassphrase(new char[] {'\ud83d'}), () -> none.setCost(1, 0, 0));
            assertReason(Reason.NOT_A_KEY_FILE, () -> none.addKeyFile(new byte[] {(byte) 0xff}));
            assertThrows(NoSuchFileException.class, () -> none.addKeyFile(output));
            assertThrows(NullPointerException.class, () -> none.addKeyFile((byte[]) null));
        }
    }

    /** A key file that a passphrase protects is one call, and whose fault it is can be told. */
    @Test
    void keyFilesThatAPassphraseProtects() throws IOException {
        Path protectedKey = folder.resolve("protected.key"), letter = folder.resolve("letter.key");
        SealedFiles.seal(keyFile, protectedKey, passphrase);
        SealedFiles.seal(input, letter, passphrase);
        byte[] content = Files.readAllBytes(protectedKey);
        try (FileKeys opened = new FileKeys().addKeyFile(protectedKey, PASSPHRASE)) {
            SealedFiles.seal(input, sealed, opened);
        }
        SealedFiles.verify(sealed, keys);
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(keyFile, PASSPHRASE));
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(content, PASSPHRASE));
        byte[] damaged = content.clone();
        damaged[content.length - 1] ^= 1;
        try (FileKeys none = new FileKeys()) {
            assertReason(Reason.WRONG_KEY, () -> none.addKeyFile(protectedKey, WRONG));
            assertReason(Reason.TRUNCATED, () -> none.addKeyFile(damaged, PASSPHRASE));
            assertReason(Reason.NOT_A_KEY_FILE, () -> none.addKeyFile(letter, PASSPHRASE));
            String said = assertThrows(IllegalArgumentException.class, () -> none.addKeyFile(protectedKey)).getMessage();
            assertTrue(said.contains("which protects the key file, none given"), said);
            assertRefused(() -> none.addKeyFile(content), () -> none.addKeyFile(content, '\ud83d'));
            assertThrows(NullPointerException.class, () -> none.addKeyFile(content, null));
            none.setMaxCost(8, 1);
            assertReason(Reason.COST_LIMIT, () -> none.addKeyFile(content, PASSPHRASE));
            // Nothing of all that was added.
            assertRefused(() -> SealedFiles.seal(input, output, none));
        }
    }

    @Test
    void namesOfKeyFilesAndOfSuites() {
        assertTrue(new String(FileKeys.keyFileOf("mine", new byte[32]), StandardCharsets.UTF_8).contains("mine"));
        assertRefused(
                () -> FileKeys.keyFileOf("mine", new byte[31]), () -> FileKeys.generateKeyFile(""),
                () -> FileKeys.generateKeyFile(" x"), () -> FileKeys.generateKeyFile("a\0b"), () -> FileOption.suite(""));
        assertFalse(Arrays.equals(FileKeys.generateKeyFile("x"), FileKeys.generateKeyFile("x")));
        Executable call = () -> SealedFiles.seal(input, output, keys, FileOption.suite("rot13"));
        String said = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(said.matches("suite: .* expected, \"rot13\" given"), said);
    }

    /** Whoever gives a key where its path belongs does not find it in a log, too. */
    @Test
    void textOfAKeyIsNeverQuoted() {
        String text = new String(keyText, StandardCharsets.UTF_8);
        int at = text.indexOf("key: ") + 5;
        String secret = text.substring(at, at + 64);
        for (String given : List.of(text, text.strip(), "key: " + secret, secret)) {
            assertNotQuoted(secret, () -> new FileKeys().addKeyFile(Path.of(given)));
        }
        Path path = Path.of(text);
        for (Executable call : List.<Executable>of(
                () -> SealedFiles.verify(path, keys), () -> SealedFiles.inspect(path),
                () -> SealedFiles.seal(path, output, keys), () -> SealedFiles.seal(input, path, keys))) {
            assertNotQuoted(secret, call);
        }
    }

    private static void assertNotQuoted(String secret, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        assertTrue(e.getMessage().contains("the text of a key given"), e.getMessage());
        assertFalse(trace.toString().contains(secret), trace.toString());
    }

    // Slots.

    private static KeySlot slotOf(byte[] text) throws IOException {
        return new KeySlot(KeySlot.Kind.KEY_FILE, FileKeys.keyFileId(text), 0, 0, 0);
    }

    /** Whether each of some keys opens the file. */
    private List<Boolean> open(FileKeys... tried) {
        return Arrays.stream(tried).map(each -> {
            try {
                SealedFiles.verify(sealed, each);
                return true;
            } catch (IOException e) {
                assertEquals(Reason.WRONG_KEY, ((SealedFileException) e).reason());
                return false;
            }
        }).toList();
    }

    @Test
    void slotsAreAddedReplacedAndRemoved() throws IOException {
        byte[] secondText = FileKeys.generateKeyFile("second");
        FileKeys second = new FileKeys().addKeyFile(secondText);
        KeySlot words = new KeySlot(KeySlot.Kind.PASSPHRASE, "", 64, 2, 3);
        SealedFiles.seal(input, sealed, keys, FileOption.suite("xchacha20-blake2b"));
        assertEquals(new SealedFileInfo("xchacha20-blake2b", List.of(slotOf(keyText))), SealedFiles.inspect(sealed));
        assertTrue(slotOf(keyText).keyId().matches("[0-9a-f]{16}"));

        assertEquals(1, SealedFiles.addSlot(sealed, keys, passphrase));
        assertEquals(List.of(slotOf(keyText), words), SealedFiles.inspect(sealed).slots());
        assertEquals(List.of(true, true, false), open(keys, passphrase, second));
        SealedFiles.replaceSlot(sealed, passphrase, 0, second);
        assertEquals(List.of(slotOf(secondText), words), SealedFiles.inspect(sealed).slots());
        assertEquals(List.of(false, true, true), open(keys, passphrase, second));
        SealedFiles.removeSlot(sealed, second, 1);
        assertEquals(List.of(slotOf(secondText)), SealedFiles.inspect(sealed).slots());
        assertEquals(List.of(false, false, true), open(keys, passphrase, second));

        byte[] before = Files.readAllBytes(sealed);
        assertRefused(
                () -> SealedFiles.removeSlot(sealed, second, 0), () -> SealedFiles.removeSlot(sealed, second, 1),
                () -> SealedFiles.removeSlot(sealed, second, -1), () -> SealedFiles.replaceSlot(sealed, second, -1, keys),
                () -> SealedFiles.addSlot(sealed, second, new FileKeys()));
        assertReason(Reason.WRONG_KEY, () -> SealedFiles.addSlot(sealed, keys, keys));
        assertArrayEquals(before, Files.readAllBytes(sealed));
    }

    /** The example of C2SP's age specification. */
    @Test
    void peopleOpenWhatIsSealedForThem() throws IOException {
        String recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
        byte[] identity = "# me\nAGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n"
                .getBytes(StandardCharsets.UTF_8);
        try (FileKeys person = new FileKeys().addIdentities(identity);
                FileKeys people = new FileKeys().addRecipients(recipient).setSpareSlots(20)) {
            SealedFiles.seal(Files.write(input, new byte[1]), sealed, people);
            assertEquals(List.of(new KeySlot(KeySlot.Kind.X25519, "", 0, 0, 0)), SealedFiles.inspect(sealed).slots());
            assertTrue(Files.size(sealed) > 24_000, "room for twenty");
            assertEquals(List.of(true, false), open(person, people));
            assertReason(Reason.NOT_AN_AGE_KEY, () -> people.addRecipients("age1qqq"));
            people.setSpareSlots(60);
            assertRefused(() -> SealedFiles.seal(input, output, people));
        }
    }

    @Test
    void costsThatNobodyPays() throws IOException {
        SealedFiles.seal(input, sealed, passphrase);
        byte[] file = Files.readAllBytes(sealed);
        byte[] cost = {0, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 3};
        int at = 0;
        while (!Arrays.equals(cost, Arrays.copyOfRange(file, at, at + cost.length))) {
            at++;
        }
        // What the format has, and an int of Java's has not.
        Arrays.fill(file, at, at + 8, (byte) 0xff);
        Files.write(sealed, file);
        KeySlot slot = new KeySlot(KeySlot.Kind.PASSPHRASE, "", Integer.MAX_VALUE, Integer.MAX_VALUE, 3);
        assertEquals(List.of(slot), SealedFiles.inspect(sealed).slots());
    }

    // Files.

    @Test
    void outputsAreNotReplacedUnlessAskedTo() throws IOException {
        Files.writeString(sealed, "precious");
        assertNames(FileAlreadyExistsException.class, sealed, () -> SealedFiles.seal(input, sealed, keys));
        assertEquals("precious", Files.readString(sealed));
        SealedFiles.seal(input, sealed, keys, FileOption.REPLACE_EXISTING);
        assertNames(FileAlreadyExistsException.class, input, () -> SealedFiles.open(sealed, input, keys));
        assertThrows(
                UnsupportedOperationException.class,
                () -> SealedFiles.open(sealed, output, keys, FileOption.suite("aes-256-gcm-siv")));
        assertThrows(NullPointerException.class, () -> SealedFiles.seal(input, null, keys));
        assertThrows(NullPointerException.class, () -> SealedFiles.open(input, null, keys));
    }

    /** What is damaged, and how, the matrix asks. */
    @Test
    void noOutputOfADamagedFile() throws IOException {
        SealedFiles.seal(input, sealed, keys);
        byte[] bytes = Files.readAllBytes(sealed);
        bytes[bytes.length / 2] ^= 1;
        Files.write(sealed, bytes);
        assertReason(Reason.DAMAGED, () -> SealedFiles.open(sealed, output, keys));
        assertFalse(Files.exists(output));
        try (SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys)) {
            ByteBuffer buffer = ByteBuffer.allocate(10);
            assertEquals(10, channel.read(buffer));
            buffer.clear();
            assertReason(Reason.DAMAGED, () -> channel.position(TEXT.length / 2).read(buffer));
            assertEquals(0, buffer.position());
            assertEquals(TEXT.length / 2, channel.position());
        }
        keys.close();
        keys.close();
        assertThrows(IllegalStateException.class, () -> SealedFiles.verify(sealed, keys));
        assertThrows(IllegalStateException.class, () -> SealedFiles.newByteChannel(sealed, keys));
        assertThrows(IllegalStateException.class, () -> keys.addKeyFile(keyFile));
    }

    private static void assertNamesOnce(Path path, Exception e) {
        assertEquals(2, (e.getMessage() + " ").split(Pattern.quote(path.toString()), -1).length, e.getMessage());
    }

    private static void assertNames(Class<? extends FileSystemException> type, Path path, Executable... calls) {
        for (Executable call : calls) {
            FileSystemException e = assertThrows(FileSystemException.class, call);
            assertEquals(type, e.getClass(), e.toString());
            assertEquals(path.toString(), e.getFile());
            assertFalse(e.getMessage().contains(".partial"), e.getMessage());
            assertNamesOnce(path, e);
        }
    }

    @Test
    void whatIsWrongWithAFileNamesItsPathOnce() throws IOException {
        for (Executable call : List.<Executable>of(
                () -> SealedFiles.verify(input, keys), () -> SealedFiles.inspect(input),
                () -> SealedFiles.open(input, output, keys), () -> SealedFiles.removeSlot(input, keys, 0),
                () -> keys.addKeyFile(input))) {
            assertNamesOnce(input, assertThrows(SealedFileException.class, call));
        }
        Path nowhere = folder.resolve("nowhere/output");
        Path below = input.resolve("output");
        assertNames(NoSuchFileException.class, output,
                () -> SealedFiles.seal(output, sealed, keys), () -> SealedFiles.open(output, sealed, keys),
                () -> SealedFiles.verify(output, keys), () -> SealedFiles.newByteChannel(output, keys),
                () -> SealedFiles.inspect(output), () -> SealedFiles.addSlot(output, keys, passphrase),
                () -> SealedFiles.removeSlot(output, keys, 0));
        assertNames(FileSystemException.class, below, () -> SealedFiles.seal(input, below, keys));
        assertNames(FileSystemException.class, folder, () -> SealedFiles.seal(folder, sealed, keys));
        assertNames(NoSuchFileException.class, nowhere, () -> SealedFiles.seal(input, nowhere, keys));
        SealedFiles.seal(input, sealed, keys);
        assertNames(NoSuchFileException.class, nowhere, () -> SealedFiles.open(sealed, nowhere, keys));
    }

    @Test
    void channelsReadAnywhere() throws IOException {
        SealedFiles.seal(input, sealed, keys);
        SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys);
        keys.close();
        assertEquals(TEXT.length, channel.size());
        for (int at : new int[] {299_990, 0, 65_530, 131_072, 299_999, 5}) {
            for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(70), ByteBuffer.allocateDirect(70)}) {
                buffer.position(3).limit(63);
                int len = channel.position(at).read(buffer);
                assertEquals(Math.min(60, TEXT.length - at), len);
                assertEquals(at + len, channel.position());
                assertEquals(3 + len, buffer.position());
                assertEquals(ByteBuffer.wrap(TEXT, at, len), buffer.duplicate().position(3).limit(3 + len));
                buffer.clear();
                assertEquals(0, buffer.get(2) | buffer.get(3 + len));
            }
        }
        assertEquals(-1, channel.position(TEXT.length).read(ByteBuffer.allocate(1)));
        assertEquals(-1, channel.position(Long.MAX_VALUE).read(ByteBuffer.allocate(1)));
        assertThrows(IllegalArgumentException.class, () -> channel.position(-1));
        assertThrows(NonWritableChannelException.class, () -> channel.write(ByteBuffer.allocate(1)));
        assertThrows(NonWritableChannelException.class, () -> channel.truncate(1));
        assertThrows(ReadOnlyBufferException.class, () -> channel.read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
        assertTrue(channel.isOpen());
        channel.close();
        channel.close();
        assertFalse(channel.isOpen());
        assertThrows(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, channel::size);
    }
}
