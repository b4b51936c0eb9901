package dev.sivka.internal;

import dev.sivka.SealedFileException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Key files and passphrases in native memory, and what is done with whole files. */
public final class NativeFileKeys implements AutoCloseable {
    private final Handle handle = new Handle(Native.FILE_KEYS, Native.newFileKeys(), "set of file keys");
    private final Cleaner.Cleanable cleanable = handle.freeWith(this);

    /** Makes an empty set. */
    public NativeFileKeys() {}

    /** Adds a key file. */
    public void addKeyFile(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        try {
            addKeyFile(text);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** Adds the content of a key file. */
    public synchronized void addKeyFile(byte[] text) throws SealedFileException {
        Lane lane = handle.enter();
        try {
            Native.addKeyFile(handle.address(), text);
        } finally {
            leave(lane);
        }
    }

    /** Adds a passphrase. */
    public synchronized void addPassphrase(CharBuffer passphrase) {
        // Room for the longest encoding, so that the encoder leaves no copies behind.
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        byte[] room = new byte[(int) (passphrase.remaining() * (double) encoder.maxBytesPerChar()) + 1];
        byte[] bytes = room;
        try {
            ByteBuffer out = ByteBuffer.wrap(room);
            encoder.onMalformedInput(CodingErrorAction.REPORT);
            CoderResult result = encoder.encode(passphrase, out, true);
            if (result.isError()) {
                result.throwException();
            }
            bytes = Arrays.copyOf(room, out.position());
            Lane lane = handle.enter();
            try {
                Native.addPassphrase(handle.address(), bytes);
            } finally {
                leave(lane);
            }
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("passphrase: half a surrogate pair is in it", e);
        } finally {
            Arrays.fill(room, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    public synchronized void setCost(int memoryKib, int passes, int lanes) {
        Lane lane = handle.enter();
        try {
            Native.setCost(handle.address(), memoryKib, passes, lanes);
        } finally {
            leave(lane);
        }
    }

    public synchronized void setMaxCost(int memoryKib, int passes) {
        Lane lane = handle.enter();
        try {
            Native.setMaxCost(handle.address(), memoryKib, passes);
        } finally {
            leave(lane);
        }
    }

    /** Seals a file with a suite; an empty name is the default. */
    public void sealFile(Path input, Path output, String suite, boolean overwrite) throws IOException {
        int number = suite.isEmpty() ? 0 : Native.suite(Algorithm.withZero(suite));
        Lane lane = handle.enter();
        try {
            Native.sealFile(bytes(input), bytes(output), handle.address(), number, overwrite);
        } catch (FileFailure e) {
            throw e.about(input, output);
        } finally {
            leave(lane);
        }
    }

    public void openFile(Path input, Path output, boolean overwrite) throws IOException {
        Lane lane = handle.enter();
        try {
            Native.openFile(bytes(input), bytes(output), handle.address(), overwrite);
        } catch (FileFailure e) {
            throw e.about(input, output);
        } finally {
            leave(lane);
        }
    }

    public void verifyFile(Path input) throws IOException {
        Lane lane = handle.enter();
        try {
            Native.verifyFile(bytes(input), handle.address());
        } catch (FileFailure e) {
            throw e.about(input, null);
        } finally {
            leave(lane);
        }
    }

    /** The handle of a new reader. */
    long newReader(Path input) throws IOException {
        Lane lane = handle.enter();
        try {
            return Native.newFileReader(bytes(input), handle.address());
        } catch (FileFailure e) {
            throw e.about(input, null);
        } finally {
            leave(lane);
        }
    }

    /** The content of a key file, of a new key if {@code key} is null. */
    public static byte[] keyFile(String name, byte[] key) {
        return Native.keyFile(Algorithm.withZero(name), key);
    }

    @Override
    public void close() {
        cleanable.clean();
    }

    private void leave(Lane lane) {
        handle.leave(lane);
        Reference.reachabilityFence(this);
    }

    /** A path as the operating system has it, ending with a zero. */
    private static byte[] bytes(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new IllegalArgumentException(
                    "path: one of the default file system expected, one of " + path.getFileSystem() + " given");
        }
        boolean windows = Library.platform().startsWith("windows");
        String encoding = windows ? null : System.getProperty("sun.jnu.encoding");
        Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        byte[] bytes = path.toString().getBytes(charset);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
