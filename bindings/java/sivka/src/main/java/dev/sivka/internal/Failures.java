package dev.sivka.internal;

import java.nio.charset.StandardCharsets;
import java.security.ProviderException;

/** Makes the exception for a status of the native library. */
final class Failures {
    private Failures() {}

    /** Called by the native side. {@code detail} is UTF-8. */
    static Throwable of(int status, byte[] detail) {
        String message = new String(detail, StandardCharsets.UTF_8);
        if (status == 66) {
            return new OutOfMemoryError(message);
        }
        if (status >= 16 && status < 64) {
            return new IllegalArgumentException(message);
        }
        return new ProviderException(message);
    }
}
