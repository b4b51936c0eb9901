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
        byte[] key = new byte[Peer.KEY_LEN];
        Arrays.fill(key, (byte) 3);
        for (int length : new int[] {0, 1, 15, 16, 17, 64, 1024, 8192, 16_384, 65_536}) {
            kind.make(key, new byte[length]);
        }
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
