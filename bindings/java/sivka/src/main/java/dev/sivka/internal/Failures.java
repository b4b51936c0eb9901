package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.SealedFileException;
import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.security.ProviderException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import javax.crypto.AEADBadTagException;

/** Makes the exception for a status of the native library. */
final class Failures {
    /** The arguments of {@code sivka.h} that have other names here. */
    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("aad", "data"),
            Map.entry("aads", "data"),
            Map.entry("aad_count", "data"),
            Map.entry("aad_offsets", "dataOffsets"),
            Map.entry("in_out", "inOut"),
            Map.entry("input", "bytes"),
            Map.entry("memory_kib", "memoryKib"),
            Map.entry("template_name", "template"));

    private Failures() {}

    /** Called by the native side, with the fields of {@code sivka_error}; null where there is none. */
    static Throwable of(
            int status, byte[] detail, byte[] argument, byte[] overlapped, byte[] path, int osCode) {
        String message = named(new String(detail, StandardCharsets.UTF_8), argument, overlapped);
        return switch (status) {
            // Of a stream: messages say it by themselves.
            case Status.OPEN -> new IOException("the stream does not open", new AEADBadTagException(message));
            case Status.NO_MEMORY -> new OutOfMemoryError(message);
            case Status.READ, Status.WRITE, Status.EXISTS ->
                    ofSystem(status, message, path == null ? null : new String(path, Library.pathCharset()), osCode);
            case Status.CANCELLED -> new CancellationException(message);
            case Status.SUITE -> new IllegalArgumentException(message.replaceFirst("^name:", "suite:"));
            case Status.KEY_TEXT -> new IllegalArgumentException("a path expected, the text of a key given");
            case Status.KEY_STATE, Status.PRIMITIVE -> new IllegalStateException(message);
            case Status.KEYSET -> new KeysetException(KeysetException.Reason.NOT_A_KEYSET, message);
            case Status.KEY_TYPE -> new KeysetException(KeysetException.Reason.UNKNOWN_KEY_TYPE, message);
            default -> {
                Reason reason = reason(status);
                yield reason == null ? unchecked(status, message) : new SealedFileException(reason, message);
            }
        };
    }

    /** A detail that begins with an argument's name in C, with its name here. */
    private static String named(String detail, byte[] argument, byte[] overlapped) {
        if (argument == null) {
            return detail;
        }
        if (overlapped != null) {
            return parameter(argument) + " overlaps " + parameter(overlapped);
        }
        int end = argument.length;
        boolean begins = detail.startsWith(new String(argument, StandardCharsets.UTF_8))
                && detail.length() > end
                && ": ".indexOf(detail.charAt(end)) >= 0;
        return begins ? parameter(argument) + detail.substring(end) : detail;
    }

    private static String parameter(byte[] argument) {
        String name = new String(argument, StandardCharsets.UTF_8);
        return PARAMETERS.getOrDefault(name, name);
    }

    /** The exception that {@code java.nio} has for it. */
    private static FileSystemException ofSystem(int status, String detail, String path, int osCode) {
        boolean windows = Library.platform().startsWith("windows");
        if (path == null) {
            return new FileSystemException(null, null, detail);
        }
        if (status == Status.EXISTS) {
            return new FileAlreadyExistsException(path);
        }
        if (osCode == 2 || windows && osCode == 3) {
            return new NoSuchFileException(path);
        }
        if (osCode == (windows ? 5 : 13)) {
            return new AccessDeniedException(path);
        }
        // The exception says the path itself.
        String start = path + ": ";
        return new FileSystemException(
                path, null, detail.startsWith(start) ? detail.substring(start.length()) : detail);
    }

    /** For one message of a batch. */
    static RuntimeException ofMessage(int status, int index) {
        return unchecked(status, "message " + index + ": " + Native.statusMessage(status));
    }

    private static RuntimeException unchecked(int status, String message) {
        return Status.isMisuse(status)
                ? new IllegalArgumentException(message)
                : new ProviderException(message);
    }

    /** The reason for a status about a sealed file; null for another one. */
    static Reason reason(int status) {
        return switch (status) {
            case Status.NOT_SIVKA -> Reason.NOT_A_SEALED_FILE;
            case Status.NEWER -> Reason.NEWER_VERSION;
            case Status.DAMAGED -> Reason.DAMAGED;
            case Status.TRUNCATED -> Reason.TRUNCATED;
            case Status.WRONG_KEY -> Reason.WRONG_KEY;
            case Status.COST_LIMIT -> Reason.COST_LIMIT;
            case Status.FILE_TOO_LONG -> Reason.TOO_LONG;
            case Status.KEY_FILE -> Reason.NOT_A_KEY_FILE;
            case Status.AGE_KEY -> Reason.NOT_AN_AGE_KEY;
            default -> null;
        };
    }
}
