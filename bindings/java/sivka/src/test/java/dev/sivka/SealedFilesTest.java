package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Sealed files. The matrix has their bytes, and what is wrong with damaged ones. */
class SealedFilesTest {
    private static final byte[] TEXT = Keys.paint(300_000, 1);

    @TempDir Path folder;
    private Path input;
    private Path sealed;
    private Path output;
    private Path keyFile;

    @BeforeEach
    void write() throws IOException {
        input = Files.write(folder.resolve("input"), TEXT);
        // A name beyond ASCII, where the system's encoding has it at all.
        String umlaut = "\u00e4";
        boolean isKnown = Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode(umlaut);
        sealed = folder.resolve("sealed " + (isKnown ? umlaut : "a"));
        output = folder.resolve("output");
        keyFile = Files.write(folder.resolve("key"), FileKeys.generateKeyFile("a test"));
    }

    private static void assertReason(Reason reason, Executable call) {
        SealedFileException e = assertThrows(SealedFileException.class, call);
        assertEquals(reason, e.reason(), e.getMessage());
    }

    @Test
    void passphrasesAndSeveralKeys() throws IOException {
        char[] passphrase = "pa\u00dfw\u00f6rt \ud83d\udd11".toCharArray();
        try (FileKeys keys = new FileKeys().addPassphrase(passphrase).addKeyFile(keyFile).setCost(65_536, 1, 1)) {
            SealedFiles.seal(input, sealed, keys);
        }
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(keyFile));
        SealedFiles.verify(sealed, new FileKeys().addPassphrase(passphrase));
        try (FileKeys wrong = new FileKeys().addPassphrase("another".toCharArray())) {
            assertReason(Reason.WRONG_KEY, () -> SealedFiles.verify(sealed, wrong));
            wrong.setMaxCost(1024, 1);
            assertReason(Reason.COST_LIMIT, () -> SealedFiles.verify(sealed, wrong));
        }
        try (FileKeys keys = new FileKeys()) {
            assertThrows(IllegalArgumentException.class, () -> SealedFiles.seal(input, output, keys));
            assertThrows(IllegalArgumentException.class, () -> keys.addPassphrase(new char[0]));
            assertThrows(IllegalArgumentException.class, () -> keys.addPassphrase(new char[] {'\ud83d'}));
            assertThrows(IllegalArgumentException.class, () -> keys.setCost(1, 0, 0));
            assertReason(Reason.NOT_A_KEY_FILE, () -> keys.addKeyFile(input.getFileName().toString().getBytes()));
            assertThrows(NoSuchFileException.class, () -> keys.addKeyFile(output));
        }
    }

    /** A key file that a passphrase protects is one call, and whose fault it is can be told. */
    @Test
    void keyFilesThatAPassphraseProtects() throws IOException {
        char[] passphrase = "correct horse".toCharArray();
        Path protectedKey = folder.resolve("protected.key"), letter = folder.resolve("letter.key");
        try (FileKeys keys = new FileKeys().addPassphrase(passphrase).setCost(64, 1, 1)) {
            SealedFiles.seal(keyFile, protectedKey, keys);
            SealedFiles.seal(input, letter, keys);
        }
        byte[] content = Files.readAllBytes(protectedKey);
        try (FileKeys keys = new FileKeys().addKeyFile(protectedKey, passphrase)) {
            SealedFiles.seal(input, sealed, keys);
        }
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(keyFile));
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(keyFile, passphrase));
        SealedFiles.verify(sealed, new FileKeys().addKeyFile(content, passphrase));
        byte[] damaged = content.clone();
        damaged[content.length - 1] ^= 1;
        try (FileKeys keys = new FileKeys()) {
            assertReason(Reason.WRONG_KEY, () -> keys.addKeyFile(protectedKey, "wrong horse".toCharArray()));
            assertReason(Reason.TRUNCATED, () -> keys.addKeyFile(damaged, passphrase));
            assertReason(Reason.NOT_A_KEY_FILE, () -> keys.addKeyFile(letter, passphrase));
            for (Executable none : List.<Executable>of(() -> keys.addKeyFile(protectedKey), () -> keys.addKeyFile(content))) {
                String said = assertThrows(IllegalArgumentException.class, none).getMessage();
                assertTrue(said.contains("addKeyFile(file, passphrase)"), said);
            }
            assertThrows(IllegalArgumentException.class, () -> keys.addKeyFile(content, new char[0]));
            assertThrows(IllegalArgumentException.class, () -> keys.addKeyFile(content, new char[] {'\ud83d'}));
            assertThrows(NullPointerException.class, () -> keys.addKeyFile(content, null));
            keys.setMaxCost(8, 1);
            assertReason(Reason.COST_LIMIT, () -> keys.addKeyFile(content, passphrase));
            // Nothing of all that was added.
            assertThrows(IllegalArgumentException.class, () -> SealedFiles.seal(input, output, keys));
        }
    }

    @Test
    void namesOfKeyFilesAndOfSuites() throws IOException {
        assertTrue(new String(FileKeys.keyFileOf("mine", new byte[32]), StandardCharsets.UTF_8).contains("mine"));
        assertThrows(IllegalArgumentException.class, () -> FileKeys.keyFileOf("mine", new byte[31]));
        assertThrows(IllegalArgumentException.class, () -> FileKeys.generateKeyFile(""));
        assertThrows(IllegalArgumentException.class, () -> FileKeys.generateKeyFile(" x"));
        assertFalse(Arrays.equals(FileKeys.generateKeyFile("x"), FileKeys.generateKeyFile("x")));
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
            Executable call = () -> SealedFiles.seal(input, output, keys, FileOption.suite("rot13"));
            String said = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(said.matches("suite: .* expected, \"rot13\" given"), said);
            assertThrows(IllegalArgumentException.class, () -> FileOption.suite(""));
            assertThrows(NullPointerException.class, () -> SealedFiles.seal(input, null, keys));
            assertThrows(NullPointerException.class, () -> SealedFiles.open(input, null, keys));
        }
    }

    @Test
    void outputsAreNotReplacedUnlessAskedTo() throws IOException {
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
            Files.writeString(sealed, "precious");
            assertNames(FileAlreadyExistsException.class, sealed, () -> SealedFiles.seal(input, sealed, keys));
            assertEquals("precious", Files.readString(sealed));
            SealedFiles.seal(input, sealed, keys, FileOption.REPLACE_EXISTING);
            assertNames(FileAlreadyExistsException.class, input, () -> SealedFiles.open(sealed, input, keys));
            assertThrows(
                    UnsupportedOperationException.class,
                    () -> SealedFiles.open(sealed, output, keys, FileOption.suite("aes-256-gcm-siv")));
        }
    }

    /** What is damaged, and how, the matrix asks. */
    @Test
    void noOutputOfADamagedFile() throws IOException {
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
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
        }
        FileKeys closed = new FileKeys();
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, () -> SealedFiles.verify(sealed, closed));
        assertThrows(IllegalStateException.class, () -> SealedFiles.newByteChannel(sealed, closed));
        assertThrows(IllegalStateException.class, () -> closed.addKeyFile(keyFile));
    }

    private static void assertNamesOnce(Path path, Exception e) {
        assertEquals(2, (e.getMessage() + " ").split(Pattern.quote(path.toString()), -1).length, e.getMessage());
    }

    /** What is wrong with the content of a file, or of a key file. */
    @Test
    void sealedFilesThatCannotBeUsedAreNamed() throws IOException {
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
            List<Executable> calls = List.of(
                    () -> SealedFiles.verify(input, keys),
                    () -> SealedFiles.inspect(input),
                    () -> SealedFiles.open(input, output, keys),
                    () -> SealedFiles.removeSlot(input, keys, 0),
                    () -> keys.addKeyFile(input));
            for (Executable call : calls) {
                assertNamesOnce(input, assertThrows(SealedFileException.class, call));
            }
        }
    }

    private static void assertNames(
            Class<? extends FileSystemException> type, Path path, Executable call) {
        FileSystemException e = assertThrows(FileSystemException.class, call);
        assertEquals(type, e.getClass(), e.toString());
        assertEquals(path.toString(), e.getFile());
        assertFalse(e.getMessage().contains(".partial"), e.getMessage());
        assertNamesOnce(path, e);
    }

    @Test
    void troubleWithTheFileSystemNamesThePath() throws IOException {
        Path nowhere = folder.resolve("nowhere/output");
        Path below = input.resolve("output");
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
            assertNames(NoSuchFileException.class, output, () -> SealedFiles.seal(output, sealed, keys));
            assertNames(NoSuchFileException.class, output, () -> SealedFiles.open(output, sealed, keys));
            assertNames(NoSuchFileException.class, output, () -> SealedFiles.verify(output, keys));
            assertNames(NoSuchFileException.class, output, () -> SealedFiles.newByteChannel(output, keys));
            assertNames(NoSuchFileException.class, nowhere, () -> SealedFiles.seal(input, nowhere, keys));
            assertNames(FileSystemException.class, below, () -> SealedFiles.seal(input, below, keys));
            assertNames(FileSystemException.class, folder, () -> SealedFiles.seal(folder, sealed, keys));
            SealedFiles.seal(input, sealed, keys);
            assertNames(NoSuchFileException.class, nowhere, () -> SealedFiles.open(sealed, nowhere, keys));
        }
    }

    /** As somebody who may not: root may do everything. */
    @Test
    void deniedAccessNamesThePath() throws Exception {
        String program =
                """
                import dev.sivka.*;
                import java.nio.file.*;

                public class Denied {
                    public static void main(String[] args) throws Exception {
                        Path folder = Path.of(args[0]);
                        FileKeys keys = new FileKeys().addKeyFile(FileKeys.generateKeyFile("x"));
                        for (String input : new String[] {"secret", "open"}) {
                            try {
                                SealedFiles.seal(folder.resolve(input), folder.resolve("new"), keys);
                            } catch (AccessDeniedException e) {
                                System.out.println(e.getFile());
                            }
                        }
                    }
                }
                """;
        Path denied = Files.createDirectory(folder.resolve("denied"));
        Programs.compile(denied, "Denied", program);
        Files.setPosixFilePermissions(Files.writeString(denied.resolve("secret"), "x"), Set.of());
        Files.writeString(denied.resolve("open"), "x");
        Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("r-xr-xr-x"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        List<String> nobody =
                isRoot ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") : List.of();
        String classPath = Programs.CLASSES + ":" + denied;
        Programs.Result result = Programs.java(
                nobody, List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, "Denied", denied.toString()));
        Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("rwxr-xr-x"));
        String said = denied.resolve("secret") + "\n" + denied.resolve("new") + "\n";
        assertEquals(new Programs.Result(0, said, ""), result);
    }

    @Test
    void channelsReadAnywhere() throws IOException {
        SeekableByteChannel channel;
        try (FileKeys keys = new FileKeys().addKeyFile(keyFile)) {
            SealedFiles.seal(input, sealed, keys);
            channel = SealedFiles.newByteChannel(sealed, keys);
        }
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
