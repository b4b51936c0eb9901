package dev.sivka.spark;

import dev.sivka.KeysetException;
import dev.sivka.SealedFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;

/**
 * The keys that this process has loaded, each once, for the application that runs in it: an
 * executor has one, and a driver, or a test, may have one after the other. They are wiped when
 * the application or the process ends.
 */
final class Keys {
    /** The id that Spark gives to a driver instead of an executor's. */
    private static final String DRIVER = "driver";

    private static final Map<String, List<ColumnKey>> LOADED = new HashMap<>();

    /** Whose keys they are. */
    private static SparkEnv application;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Keys::wipe, "sivka-wipe-keys"));
    }

    private Keys() {}

    /**
     * Gives the key that seals under a name, and then others that open; loads them if they are
     * asked for the first time.
     *
     * @throws ColumnException if the configuration does not name it, or there is none
     */
    static synchronized List<ColumnKey> ofThisProcess(String name) {
        SparkEnv current = SparkEnv.get();
        if (current == null) {
            throw new ColumnException(
                    "key", "key '" + name + "': no Spark application runs in this process");
        }
        if (current != application) {
            wipe();
            application = current;
            wipeAtEndOf(current);
        }
        List<ColumnKey> keys = LOADED.get(name);
        if (keys == null) {
            keys = load(name, current);
            LOADED.put(name, keys);
        }
        return keys;
    }

    /** Whether {@link #ofThisProcess} has keys for a name: a driver need not have those of its executors. */
    static boolean areInThisProcess(String name) {
        try {
            return !ofThisProcess(name).isEmpty();
        } catch (ColumnException e) {
            return false;
        }
    }

    /** A driver's process may go on when its application ends; an executor's ends with it. */
    private static void wipeAtEndOf(SparkEnv current) {
        if (current.executorId().equals(DRIVER)) {
            SparkContext.getOrCreate().addSparkListener(new SparkListener() {
                @Override
                public void onApplicationEnd(SparkListenerApplicationEnd end) {
                    wipe();
                }
            });
        }
    }

    private static List<ColumnKey> load(String name, SparkEnv current) {
        List<ColumnKey> keys = new ArrayList<>();
        try {
            for (KeyLocation location : KeyLocation.of(name, current.conf())) {
                keys.add(load(name, location));
            }
            return keys;
        } catch (ColumnException e) {
            keys.forEach(ColumnKey::close);
            throw e;
        }
    }

    private static ColumnKey load(String name, KeyLocation location) {
        byte[] text = location.read();
        try {
            return new ColumnKey(text);
        } catch (SealedFileException | KeysetException | IllegalArgumentException e) {
            // Without the cause: it may quote a line.
            String expected = ColumnKey.isKeyset(text) ? "a keyset whose keys are known here" : "a key file";
            throw new ColumnException(
                    "key",
                    "key '" + name + "': what " + KeyLocation.SETTING + name + " names is not " + expected + ", on "
                            + KeyLocation.host());
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** Wipes all keys. Who asks again, loads again. */
    static synchronized void wipe() {
        LOADED.values().forEach(keys -> keys.forEach(ColumnKey::close));
        LOADED.clear();
        application = null;
    }

    /** How many names' keys this process holds. */
    static synchronized int count() {
        return LOADED.size();
    }
}
