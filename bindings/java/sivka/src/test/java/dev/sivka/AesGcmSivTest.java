package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AesGcmSivTest {
    @Test
    void sealsAndOpens() {
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            byte[] sealed = key.seal("text".getBytes(), "aad".getBytes());
            assertArrayEquals("text".getBytes(), key.open(sealed, "aad".getBytes()).orElseThrow());
            assertTrue(key.open(sealed, "add".getBytes()).isEmpty());
            byte[] big = key.seal(new byte[100_000], "aad".getBytes());
            assertArrayEquals(new byte[100_000], key.open(big, "aad".getBytes()).orElseThrow());
        }
    }
}
