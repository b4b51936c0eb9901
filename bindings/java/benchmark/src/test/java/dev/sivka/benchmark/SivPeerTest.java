package dev.sivka.benchmark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark of AES-SIV measures like with like, and still runs. */
class SivPeerTest {
    @ParameterizedTest
    @EnumSource
    void sealsAndOpensAsTheOtherDoes(SivPeer.Kind kind) throws GeneralSecurityException {
        byte[] key = new byte[64];
        Arrays.fill(key, (byte) 3);
        for (int length : new int[] {0, 1, 15, 16, 17, 64, 1024, 16_384}) {
            SivPeer.check(kind, kind.make(key), key, new byte[length]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBenchmarksRun(SivPeer.Kind kind) throws GeneralSecurityException {
        Deterministic messages = new Deterministic();
        messages.peer = kind;
        messages.length = 64;
        messages.setup();
        assertArrayEquals(messages.sealSiv(), messages.sealSiv());
        messages.openSiv();
    }
}
