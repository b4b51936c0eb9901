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

/** One message under one key. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 30, time = 20, timeUnit = TimeUnit.MILLISECONDS)
public class Messages {
    /** The plaintext in bytes. */
    @Param({"16", "64", "1024", "8192", "16384", "65536", "1048576"})
    public int length;

    /** Who seals and opens it. */
    @Param
    public Peer.Kind peer;

    private final byte[] nonce = new byte[12];
    private Peer made;
    private byte[] plaintext;
    private byte[] sealed;

    /** Makes a key and a message, and checks that the peers agree on it. */
    @Setup
    public void setup() throws GeneralSecurityException {
        byte[] key = new byte[Peer.KEY_LEN];
        plaintext = new byte[length];
        Random random = new Random(1);
        random.nextBytes(key);
        random.nextBytes(plaintext);
        made = peer.make(key, plaintext);
        compile();
        sealed = made.seal().with(next(), plaintext);
    }

    /**
     * Runs until the compiler is done with the peer: a warm-up with long messages makes too few
     * calls for that, and would measure the interpreter where ciphers are written in Java.
     */
    private void compile() throws GeneralSecurityException {
        byte[] text = new byte[8192];
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1000);
        for (int i = 0; i < 50_000 && System.nanoTime() < end; i++) {
            made.open().with(nonce, made.seal().with(next(), text));
        }
    }

    /** A nonce that was not there before, for GCM takes none twice. */
    private byte[] next() {
        for (int i = 0; ++nonce[i] == 0; ) {
            i++;
        }
        return nonce;
    }

    @Benchmark
    public byte[] seal() throws GeneralSecurityException {
        return made.seal().with(next(), plaintext);
    }

    @Benchmark
    public byte[] open() throws GeneralSecurityException {
        return made.open().with(nonce, sealed);
    }
}
