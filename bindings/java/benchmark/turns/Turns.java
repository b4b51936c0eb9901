import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * Two builds of the package and a loop in C beside one another in one process, short batches in
 * turn: what changed, and what a call spends outside of the C interface. In {@code bindings/java}:
 *
 * <pre>
 * mvn package -pl sivka -am -DskipTests
 * javac -cp sivka/target/sivka-0.1.0.jar -d benchmark/target/turns benchmark/turns/*.java
 * cc -O2 -fPIC -shared -I ../../ffi/include -I $JAVA_HOME/include -I $JAVA_HOME/include/linux \
 *     benchmark/turns/turns.c ../../target/release/libsivka_ffi.a -lm -o benchmark/target/turns/libturns.so
 * java -XX:-BackgroundCompilation -XX:+UseG1GC -Xmn48m -XX:G1HeapRegionSize=4m --enable-native-access=ALL-UNNAMED \
 *     -cp benchmark/target/turns Turns BEFORE.jar AFTER.jar seal|open direct|provider LENGTH
 * </pre>
 *
 * <p>Prints nanoseconds a message, minimum / 1st percentile / median of the batches: before,
 * after, and C. One process measures one row, as the compiler's profile is that of the process.
 */
public final class Turns {
    private static final long WARM_UP_NANOS = 3_500_000_000L;
    private static final long NANOS = 1_500_000_000;
    private static final double NANOS_A_BATCH = 60_000;

    private Turns() {}

    /** {@code times} messages through the C interface; how long they took. */
    static native long loop(boolean isSeal, int len, int times);

    public static void main(String[] args) throws Exception {
        Path classes = Path.of(Turns.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        System.load(classes.resolve("libturns.so").toAbsolutePath().toString());
        boolean isSeal = args[2].equals("seal");
        int len = Integer.parseInt(args[4]);
        List<IntToLongFunction> loops = new ArrayList<>();
        List<byte[]> sealed = new ArrayList<>();
        for (String jar : Arrays.copyOf(args, 2)) {
            URL[] urls = {new File(jar).toURI().toURL(), classes.toUri().toURL()};
            // Its parent knows neither this class nor the package.
            URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
            Object batch = loader.loadClass("Batch")
                    .getConstructor(boolean.class, boolean.class, int.class)
                    .newInstance(isSeal, args[3].equals("provider"), len);
            loops.add((IntToLongFunction) batch);
            sealed.add((byte[]) ((Supplier<?>) batch).get());
        }
        if (!Arrays.equals(sealed.get(0), sealed.get(1))) {
            throw new IllegalStateException("the two builds seal differently");
        }
        loops.add(times -> loop(isSeal, len, times));
        double estimate = run(loops, 1 + 20_000 / (len + 200), WARM_UP_NANOS)[0][0];
        double[][] found = run(loops, (int) Math.max(1, NANOS_A_BATCH / estimate), NANOS);
        System.out.printf(Locale.ROOT, "%-5s %-8s %8d", args[2], args[3], len);
        for (double[] each : found) {
            System.out.printf(Locale.ROOT, "  %9.1f/%9.1f/%9.1f", each[0], each[1], each[2]);
        }
        System.out.printf(Locale.ROOT, "  %.3f %.3f %.3f%n", found[1][0] / found[0][0],
                found[1][1] / found[0][1], found[1][2] / found[0][2]);
    }

    /** Minimum, 1st percentile and median of each. */
    private static double[][] run(List<IntToLongFunction> loops, int times, long nanos) {
        int most = 100_000;
        double[][] all = new double[loops.size()][most];
        int count = 0;
        for (long end = System.nanoTime() + nanos; count < most && System.nanoTime() < end; count++) {
            for (int i = 0; i < all.length; i++) {
                // Who goes first changes.
                int at = (i + count) % all.length;
                all[at][count] = loops.get(at).applyAsLong(times) / (double) times;
            }
        }
        double[][] found = new double[all.length][];
        for (int i = 0; i < all.length; i++) {
            double[] sorted = Arrays.copyOf(all[i], count);
            Arrays.sort(sorted);
            found[i] = new double[] {sorted[0], sorted[count / 100], sorted[count / 2]};
        }
        return found;
    }
}
