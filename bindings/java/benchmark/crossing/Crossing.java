import dev.sivka.AesGcmSiv;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What it costs to seal a message as the package does it, through JNI, and through
 * {@code java.lang.foreign} with arrays that are lent ({@code Linker.Option.critical(true)}).
 * For Java 22 and newer; in {@code bindings/java}:
 *
 * <pre>
 * mvn package
 * cargo build --release -p sivka-ffi
 * javac -cp sivka/target/sivka-0.1.0.jar -d benchmark/target/crossing benchmark/crossing/Crossing.java
 * java --enable-native-access=ALL-UNNAMED -Dlibrary=../../target/release/libsivka_ffi.so \
 *     -cp sivka/target/sivka-0.1.0.jar:benchmark/target/crossing Crossing MODE
 * </pre>
 *
 * <p>The mode is {@code foreign} or {@code package}, each for a table; or
 * {@code first} or {@code first-foreign} for the first call of a process.
 */
public class Crossing {
    private static final int[] LENGTHS = {16, 64, 256, 1024, 2048, 4096, 16_384, 65_536, 1 << 20};
    private static final int ROUNDS = 3;
    private static final long NANOS_A_ROUND = 400_000_000;
    private static final byte[] NONCE = new byte[12];
    private static final byte[] DATA = {};
    private static byte[] sink;

    private interface Seal {
        byte[] seal(byte[] plaintext);
    }

    /** AES-256-GCM-SIV through java.lang.foreign, and nothing else of a binding. */
    private static final class Foreign {
        private static final MethodHandle SEAL;
        private static final long KEY;

        static {
            SymbolLookup symbols = SymbolLookup.libraryLookup(Path.of(System.getProperty("library")), Arena.global());
            Linker linker = Linker.nativeLinker();
            ValueLayout.OfInt status = ValueLayout.JAVA_INT;
            ValueLayout.OfLong len = ValueLayout.JAVA_LONG;
            var bytes = ValueLayout.ADDRESS;
            SEAL =
                    linker.downcallHandle(
                            symbols.find("sivka_seal_with_nonce").orElseThrow(),
                            FunctionDescriptor.of(
                                    status, len, bytes, len, bytes, len, bytes, len, bytes, len, bytes),
                            Linker.Option.critical(true));
            MethodHandle newKey =
                    linker.downcallHandle(
                            symbols.find("sivka_key_new_by_name").orElseThrow(),
                            FunctionDescriptor.of(status, bytes, bytes, len, bytes));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment made = arena.allocate(len);
                if ((int) newKey.invokeExact(arena.allocateFrom("AES-256-GCM-SIV"), arena.allocate(32), 32L, made) != 0) {
                    throw new IllegalStateException("no key");
                }
                KEY = made.get(len, 0);
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static byte[] seal(byte[] plaintext) {
            byte[] out = new byte[plaintext.length + 16];
            try {
                int status =
                        (int)
                                SEAL.invokeExact(
                                        KEY, MemorySegment.ofArray(NONCE), (long) NONCE.length,
                                        MemorySegment.ofArray(DATA), (long) DATA.length,
                                        MemorySegment.ofArray(plaintext), (long) plaintext.length,
                                        MemorySegment.ofArray(out), (long) out.length, MemorySegment.NULL);
                if (status != 0) {
                    throw new IllegalStateException("status " + status);
                }
                return out;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) {
        String mode = args[0];
        if (mode.startsWith("first")) {
            long begin = System.nanoTime();
            sink = mode.equals("first") ? new AesGcmSiv(new byte[32]).seal(NONCE, DATA, DATA) : Foreign.seal(DATA);
            long end = System.nanoTime();
            System.out.printf("%s call of this process: %.1f ms%n", mode, (end - begin) / 1e6);
            return;
        }
        AesGcmSiv key = new AesGcmSiv(new byte[32]);
        Seal seal = mode.equals("foreign") ? Foreign::seal : text -> key.seal(NONCE, text, DATA);
        Seal onlyNew = text -> new byte[text.length + 16];
        System.out.println("ns a message, minimum of short batches, AES-256-GCM-SIV, " + mode);
        System.out.printf("%9s %10s %16s%n", "bytes", "seal", "only new array");
        for (int len : LENGTHS) {
            byte[] plaintext = new byte[len];
            if (!Arrays.equals(key.seal(NONCE, plaintext, DATA), seal.seal(plaintext))) {
                throw new IllegalStateException("the two differ at " + len);
            }
            double best = 1e18;
            double bestNew = 1e18;
            for (int round = 0; round < ROUNDS; round++) {
                best = Math.min(best, best(seal, plaintext));
                bestNew = Math.min(bestNew, best(onlyNew, plaintext));
            }
            System.out.printf("%9d %10.0f %16.0f%n", len, best, bestNew);
        }
    }

    private static double best(Seal seal, byte[] plaintext) {
        int times = Math.max(4, Math.min(3000, 3_000_000 / (plaintext.length + 200)));
        double best = 1e18;
        for (long end = System.nanoTime() + NANOS_A_ROUND; System.nanoTime() < end; ) {
            long begin = System.nanoTime();
            for (int i = 0; i < times; i++) {
                sink = seal.seal(plaintext);
            }
            best = Math.min(best, (System.nanoTime() - begin) / (double) times);
        }
        return best;
    }
}
