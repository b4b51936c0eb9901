package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.SealedFileException;
import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.ProviderException;
import java.util.concurrent.CancellationException;

/** Makes the exception for a status of the native library. */
final class Failures {
    private Failures() {}

    /** Called by the native side. {@code detail} is UTF-8. */
    static Throwable of(int status, byte[] detail) {
        String message = new String(detail, StandardCharsets.UTF_8);
        switch (status) {
            case Status.NO_MEMORY:
                return new OutOfMemoryError(message);
            case Status.READ:
            case Status.WRITE:
            case Status.EXISTS:
                return new FileFailure(status, message);
            case Status.CANCELLED:
                return new CancellationException(message);
            case Status.KEY_STATE:
            case Status.PRIMITIVE:
                return new IllegalStateException(message);
            case Status.KEYSET:
                return new KeysetException(KeysetException.Reason.NOT_A_KEYSET, message);
            case Status.KEY_TYPE:
                return new KeysetException(KeysetException.Reason.UNKNOWN_KEY_TYPE, message);
            default:
                Reason reason = reason(status);
                return reason == null ? unchecked(status, message) : new SealedFileException(reason, message);
        }
    }

    /** Throws what another thread ended with; nothing if that is null. */
    static void rethrow(Throwable failure) throws IOException {
        if (failure instanceof IOException) {
            throw (IOException) failure;
        }
        if (failure instanceof RuntimeException) {
            throw (RuntimeException) failure;
        }
        if (failure instanceof Error) {
            throw (Error) failure;
        }
        if (failure != null) {
            throw new IOException(failure);
        }
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
        switch (status) {
            case Status.NOT_SIVKA:
                return Reason.NOT_A_SEALED_FILE;
            case Status.NEWER:
                return Reason.NEWER_VERSION;
            case Status.DAMAGED:
                return Reason.DAMAGED;
            case Status.TRUNCATED:
                return Reason.TRUNCATED;
            case Status.WRONG_KEY:
                return Reason.WRONG_KEY;
            case Status.COST_LIMIT:
                return Reason.COST_LIMIT;
            case Status.FILE_TOO_LONG:
                return Reason.TOO_LONG;
            case Status.KEY_FILE:
                return Reason.NOT_A_KEY_FILE;
            default:
                return null;
        }
    }
}
