package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Who may open a sealed file, and how that is changed. */
class KeySlotsTest {
    @TempDir
    Path folder;

    private final byte[] firstText = FileKeys.generateKeyFile("first");
    private final byte[] secondText = FileKeys.generateKeyFile("second");
    private Path sealed;
    private FileKeys first;
    private FileKeys second;
    private FileKeys passphrase;

    @BeforeEach
    void seal() throws IOException {
        first = new FileKeys().addKeyFile(firstText);
        second = new FileKeys().addKeyFile(secondText);
        passphrase = new FileKeys().addPassphrase("correct horse".toCharArray()).setCost(64, 2, 3);
        sealed = folder.resolve("sealed");
        Path plain = folder.resolve("plain");
        Files.writeString(plain, "meet at noon");
        SealedFiles.seal(plain, sealed, first, FileOption.suite("xchacha20-blake2b"));
    }

    /** Whoever gives a key where its path belongs does not find it in a log, too. */
    @Test
    void textOfAKeyIsNeverQuoted() throws IOException {
        String text = new String(firstText, StandardCharsets.UTF_8);
        int at = text.indexOf("key: ") + 5;
        String secret = text.substring(at, at + 64);
        for (String given : List.of(text, text.strip(), "key: " + secret, secret)) {
            assertNotQuoted(secret, () -> new FileKeys().addKeyFile(Path.of(given)));
        }
        Path path = Path.of(text);
        Path plain = folder.resolve("plain");
        assertNotQuoted(secret, () -> SealedFiles.verify(path, first));
        assertNotQuoted(secret, () -> SealedFiles.seal(path, folder.resolve("out"), first));
        assertNotQuoted(secret, () -> SealedFiles.seal(plain, path, first));
        assertNotQuoted(secret, () -> SealedFiles.newByteChannel(path, first));
        assertNotQuoted(secret, () -> SealedFiles.inspect(path));
    }

    private static void assertNotQuoted(String secret, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        assertTrue(e.getMessage().contains("the text of a key given"), e.getMessage());
        assertFalse(trace.toString().contains(secret), trace.toString());
    }

    private static void assertReason(Reason reason, Executable call) {
        assertEquals(reason, assertThrows(SealedFileException.class, call).reason());
    }

    private boolean opens(FileKeys keys) throws IOException {
        try {
            SealedFiles.verify(sealed, keys);
            return true;
        } catch (SealedFileException e) {
            assertEquals(Reason.WRONG_KEY, e.reason());
            return false;
        }
    }

    @Test
    void slotsAreAddedReplacedAndRemoved() throws IOException {
        KeySlot slotOfFirst = new KeySlot(KeySlot.Kind.KEY_FILE, FileKeys.keyFileId(firstText), 0, 0, 0);
        KeySlot slotOfSecond = new KeySlot(KeySlot.Kind.KEY_FILE, FileKeys.keyFileId(secondText), 0, 0, 0);
        KeySlot slotOfPassphrase = new KeySlot(KeySlot.Kind.PASSPHRASE, "", 64, 2, 3);
        assertEquals(new SealedFileInfo("xchacha20-blake2b", List.of(slotOfFirst)), SealedFiles.inspect(sealed));
        assertTrue(slotOfFirst.keyId().matches("[0-9a-f]{16}"), slotOfFirst.keyId());

        assertEquals(1, SealedFiles.addSlot(sealed, first, passphrase));
        assertEquals(List.of(slotOfFirst, slotOfPassphrase), SealedFiles.inspect(sealed).slots());
        assertTrue(opens(first) && opens(passphrase) && !opens(second));

        SealedFiles.replaceSlot(sealed, passphrase, 0, second);
        assertEquals(List.of(slotOfSecond, slotOfPassphrase), SealedFiles.inspect(sealed).slots());
        assertTrue(!opens(first) && opens(passphrase) && opens(second));

        SealedFiles.removeSlot(sealed, second, 1);
        assertEquals(List.of(slotOfSecond), SealedFiles.inspect(sealed).slots());
        assertTrue(!opens(first) && !opens(passphrase) && opens(second));
    }

    @Test
    void refusalsLeaveTheFileAsItWas() throws IOException {
        byte[] before = Files.readAllBytes(sealed);
        assertThrows(IllegalArgumentException.class, () -> SealedFiles.removeSlot(sealed, first, 0));
        assertThrows(IllegalArgumentException.class, () -> SealedFiles.removeSlot(sealed, first, 1));
        assertThrows(IllegalArgumentException.class, () -> SealedFiles.addSlot(sealed, first, new FileKeys()));
        assertReason(Reason.WRONG_KEY, () -> SealedFiles.addSlot(sealed, second, second));
        assertEquals(-1, Arrays.mismatch(before, Files.readAllBytes(sealed)));
    }

    /** The example of C2SP's age specification. */
    @Test
    void peopleOpenWhatIsSealedForThem() throws IOException {
        String recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
        byte[] identity = "# me\nAGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n"
                .getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("for-people");
        try (FileKeys person = new FileKeys().addIdentities(identity);
                FileKeys people = new FileKeys().addRecipients(recipient).setRoom(20)) {
            SealedFiles.seal(folder.resolve("plain"), file, people);
            KeySlot slot = new KeySlot(KeySlot.Kind.X25519, "", 0, 0, 0);
            assertEquals(List.of(slot), SealedFiles.inspect(file).slots());
            assertTrue(Files.size(file) > 24_000, "room for twenty");
            SealedFiles.verify(file, person);
            assertReason(Reason.WRONG_KEY, () -> SealedFiles.verify(file, people));
            assertReason(Reason.NOT_AN_AGE_KEY, () -> people.addRecipients("age1qqq"));
            people.setRoom(60);
            assertThrows(IllegalArgumentException.class,
                    () -> SealedFiles.seal(folder.resolve("plain"), folder.resolve("none"), people));
        }
    }

    @Test
    void costsThatNobodyPays() throws IOException {
        SealedFiles.seal(folder.resolve("plain"), sealed, passphrase, FileOption.REPLACE_EXISTING);
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

    @Test
    void filesThatAreNotThereAreNamed() {
        Path none = folder.resolve("none");
        List<Executable> calls = List.of(
                () -> SealedFiles.inspect(none),
                () -> SealedFiles.addSlot(none, first, second),
                () -> SealedFiles.removeSlot(none, first, 0));
        for (Executable call : calls) {
            assertEquals(none.toString(), assertThrows(NoSuchFileException.class, call).getFile());
        }
    }
}
