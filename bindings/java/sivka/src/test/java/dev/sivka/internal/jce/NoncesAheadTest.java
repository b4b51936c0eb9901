package dev.sivka.internal.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.ProviderException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class NoncesAheadTest {
    private int drawn;

    /** Bytes that count from 1 on. */
    private final Consumer<byte[]> counting = nonces -> {
        for (int i = 0; i < nonces.length; i++) {
            nonces[i] = (byte) ++drawn;
        }
    };

    private static final Consumer<byte[]> FAILING = nonces -> {
        throw new ProviderException("no random bytes");
    };

    private static final Consumer<byte[]> NEVER = nonces -> {
        throw new AssertionError("there are some left");
    };

    /** Zeros were given then, sixteen times. */
    @Test
    void nothingIsGivenThatWasNotDrawn() {
        NoncesAhead ahead = new NoncesAhead();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3; i++) {
                assertThrows(ProviderException.class, () -> ahead.next(3, FAILING));
            }
            drawn = 0;
            assertArrayEquals(new byte[] {1, 2, 3}, ahead.next(3, counting));
            for (int i = 1; i < NoncesAhead.COUNT; i++) {
                byte first = (byte) (3 * i + 1);
                byte[] next = {first, (byte) (first + 1), (byte) (first + 2)};
                assertArrayEquals(next, ahead.next(3, NEVER));
            }
            assertEquals(3 * NoncesAhead.COUNT, drawn);
        }
    }
}
