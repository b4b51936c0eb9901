package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.SealedFileException;
import dev.sivka.SealedFileException.Reason;
import dev.sivka.internal.Header.sivka_error;
import java.io.IOException;
import java.nio.ByteBuffer;
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
    private static final Map<String, String> PARAMETERS = Map.of(
            "aad", "data", "aads", "data", "aad_count", "data", "aad_offsets", "dataOffsets", "in_out", "inOut",
            "input", "bytes", "memory_kib", "memoryKib", "template_name", "template");

    private Failures() {}

    /** Called by the native side with a {@code sivka_error}. In place, the text has one name here. */
    static Throwable of(int status, boolean isInPlace, long address) {
        ByteBuffer error = Native.structure(address, sivka_error.SIZE);
        long path = error.getLong(sivka_error.path);
        int osCode = error.getInt(sivka_error.os_code);
        String argument = Native.text(error.getLong(sivka_error.argument));
        String overlapped = Native.text(error.getLong(sivka_error.overlapped));
        String message = Native.text(error.getLong(sivka_error.detail));
        if (!overlapped.isEmpty()) {
            message = parameter(argument, isInPlace) + " overlaps " + parameter(overlapped, isInPlace);
        } else if (!argument.isEmpty() && (message.startsWith(argument + ":") || message.startsWith(argument + " "))) {
            message = parameter(argument, false) + message.substring(argument.length());
        }
        return switch (status) {
            // Of a stream or a keyset: messages say it by themselves.
            case Header.ERROR_OPEN -> new IOException("the stream does not open", new AEADBadTagException(message));
            case Header.ERROR_NO_MEMORY -> new OutOfMemoryError(message);
            case Header.ERROR_READ, Header.ERROR_WRITE, Header.ERROR_EXISTS -> ofSystem(
                    status, message, path == 0 ? null : new String(Native.string(path), Library.pathCharset()), osCode);
            case Header.ERROR_CANCELLED -> new CancellationException(message);
            case Header.ERROR_SUITE -> new IllegalArgumentException(message.replaceFirst("^name:", "suite:"));
            case Header.ERROR_KEY_TEXT -> new IllegalArgumentException("a path expected, the text of a key given");
            case Header.ERROR_KEY_STATE, Header.ERROR_PRIMITIVE -> new IllegalStateException(message);
            case Header.ERROR_KEYSET -> new KeysetException(KeysetException.Reason.NOT_A_KEYSET, message);
            case Header.ERROR_KEY_TYPE -> new KeysetException(KeysetException.Reason.UNKNOWN_KEY_TYPE, message);
            default -> {
                Reason reason = reason(status);
                yield reason == null ? unchecked(status, message) : new SealedFileException(reason, message);
            }
        };
    }

    private static String parameter(String name, boolean isInPlace) {
        boolean isText = isInPlace && (name.equals("plaintext") || name.equals("ciphertext"));
        return isText ? "inOut" : PARAMETERS.getOrDefault(name, name);
    }

    /** The exception that {@code java.nio} has for it. */
    static FileSystemException ofSystem(int status, String detail, String path, int osCode) {
        boolean windows = Library.platform().startsWith("windows");
        if (path == null) {
            return new FileSystemException(null, null, detail);
        }
        if (status == Header.ERROR_EXISTS) {
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

    private static RuntimeException unchecked(int status, String message) {
        return status >= Header.FIRST_MISUSE && status <= Header.LAST_MISUSE
                ? new IllegalArgumentException(message)
                : new ProviderException(message);
    }

    /** The reason for a status about a sealed file; null for another one. */
    static Reason reason(int status) {
        return switch (status) {
            case Header.ERROR_NOT_SIVKA -> Reason.NOT_A_SEALED_FILE;
            case Header.ERROR_NEWER -> Reason.NEWER_VERSION;
            case Header.ERROR_DAMAGED -> Reason.DAMAGED;
            case Header.ERROR_TRUNCATED -> Reason.TRUNCATED;
            case Header.ERROR_WRONG_KEY -> Reason.WRONG_KEY;
            case Header.ERROR_COST_LIMIT -> Reason.COST_LIMIT;
            case Header.ERROR_FILE_TOO_LONG -> Reason.TOO_LONG;
            case Header.ERROR_KEY_FILE -> Reason.NOT_A_KEY_FILE;
            case Header.ERROR_AGE_KEY -> Reason.NOT_AN_AGE_KEY;
            default -> null;
        };
    }
}
