package dev.sivka.internal;

import java.net.URLDecoder;
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
import java.util.Objects;

/** What callers give, as native code takes it. */
public final class Arguments {
    private Arguments() {}

    /** The bytes of an argument as C has it, where nothing may come after a zero. */
    public static byte[] text(String argument, String text) {
        if (Objects.requireNonNull(text, argument).indexOf('\0') >= 0) {
            throw new IllegalArgumentException(argument + ": a zero is in it");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A path as the operating system has it. */
    public static byte[] path(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new IllegalArgumentException(
                    "path: one of the default file system expected, one of " + path.getFileSystem() + " given");
        }
        String text = path.toString();
        boolean isWhole = text.indexOf('\ufffd') < 0 || Library.platform().startsWith("windows");
        if (isWhole && Path.of(text).equals(path)) {
            return text.getBytes(Library.pathCharset());
        }
        // The text may name another file. The address has each byte, and a slash after a folder.
        String address = path.toUri().getRawPath().replaceFirst("/$", "").replace("+", "%2B");
        return URLDecoder.decode(address, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
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

    /** Associated data as a caller gave it: null is empty. */
    public static byte[] data(byte[] given) {
        return given == null ? new byte[0] : given;
    }
}
