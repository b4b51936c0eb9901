package dev.sivka.benchmark;

import java.security.GeneralSecurityException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One message under a key of AES-SIV of 64 bytes, what Tink calls AES256_SIV. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 30, time = 20, timeUnit = TimeUnit.MILLISECONDS)
public class Deterministic {
    /** The plaintext in bytes. */
    @Param({"16", "64", "256", "1024", "4096", "16384"})
    public int length;

    /** Who seals and opens it. */
    @Param
    public SivPeer.Kind peer;

    private SivPeer made;
    private byte[] plaintext;
    private byte[] sealed;

    /** Makes a key and a message, and checks that the peers agree on it. */
    @Setup
    public void setup() throws GeneralSecurityException {
        byte[] key = new byte[64];
        plaintext = new byte[length];
        Random random = new Random(1);
        random.nextBytes(key);
        random.nextBytes(plaintext);
        made = peer.make(key);
        SivPeer.check(peer, made, key, plaintext);
        sealed = made.seal(plaintext);
        compile();
    }

    /** Runs until the compiler is done with the peer, as {@link Messages} does. */
    private void compile() throws GeneralSecurityException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1000);
        for (int i = 0; i < 50_000 && System.nanoTime() < end; i++) {
            made.open(made.seal(plaintext));
        }
    }

    @Benchmark
    public byte[] sealSiv() throws GeneralSecurityException {
        return made.seal(plaintext);
    }

    @Benchmark
    public byte[] openSiv() throws GeneralSecurityException {
        return made.open(sealed);
    }
}
