package dev.sivka.benchmark;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark measures like with like, and still runs. */
class PeerTest {
    @ParameterizedTest
    @EnumSource
    void sealsAndOpensAsTheOthersDo(Peer.Kind kind) throws GeneralSecurityException {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) 3);
        for (int length : new int[] {0, 16, 64, 1024, 8192, 16_384, 65_536}) {
            Peer.check(kind, kind.make(key), key, new byte[length]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBenchmarksRun(Peer.Kind kind) throws GeneralSecurityException {
        Messages messages = new Messages();
        messages.peer = kind;
        messages.length = 64;
        messages.setup();
        messages.open();
        for (int i = 0; i < 300; i++) {
            messages.seal();
        }
    }
}
