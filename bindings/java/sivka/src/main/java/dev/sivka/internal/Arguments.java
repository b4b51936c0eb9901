package dev.sivka.internal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;

/** What callers give, as native code takes it. */
public final class Arguments {
    private Arguments() {}

    /** The bytes of a C string. */
    public static byte[] text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a name has a character of the number 0 in it");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** A path as the operating system has it, ending with a zero. */
    public static byte[] path(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new IllegalArgumentException(
                    "path: one of the default file system expected, one of " + path.getFileSystem() + " given");
        }
        byte[] bytes = path.toString().getBytes(Library.pathCharset());
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** A passphrase in UTF-8, which the caller wipes. */
    public static byte[] passphrase(char[] passphrase) {
        // Room for the longest encoding, so that the encoder leaves no copies behind.
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        byte[] room = new byte[(int) (passphrase.length * (double) encoder.maxBytesPerChar()) + 1];
        try {
            ByteBuffer out = ByteBuffer.wrap(room);
            encoder.onMalformedInput(CodingErrorAction.REPORT);
            CoderResult result = encoder.encode(CharBuffer.wrap(passphrase), out, true);
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

    /** Refuses a number below 0, for native code takes them as unsigned. */
    public static void notNegative(String name, long given) {
        if (given < 0) {
            throw new IllegalArgumentException(name + ": 0 or more expected, " + given + " given");
        }
    }

    /** Associated data as a caller gave it: null is empty. */
    public static byte[] data(byte[] given) {
        return given == null ? new byte[0] : given;
    }
}
