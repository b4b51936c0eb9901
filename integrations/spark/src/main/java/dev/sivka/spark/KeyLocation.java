package dev.sivka.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.package$;
import org.apache.spark.storage.BlockManagerId;
import org.slf4j.LoggerFactory;
import scala.util.matching.Regex;

/**
 * Where the text of a key file, or a keyset, is, as the application's configuration says. No message shows the
 * setting's value: somebody may have put a key there.
 */
final class KeyLocation {
    static final String SETTING = "spark.sivka.keys.";

    private static final String CREDENTIAL = "alias:";
    private static final String VARIABLE = "env:";

    /** {@code provider:CLASS[:ARGUMENT]}. */
    private static final Pattern PROVIDER =
            Pattern.compile("provider:(\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*)(?::(.*))?");

    private static final ConfigEntry<Regex> REDACTION = package$.MODULE$.SECRET_REDACTION_PATTERN();

    /** Shorter than any text of a key, so that no message repeats one. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,40}");

    private final String name;
    private final String setting;
    private final SparkConf configuration;

    private KeyLocation(String name, String setting, SparkConf configuration) {
        this.name = name;
        this.setting = setting;
        this.configuration = configuration;
    }

    /**
     * Finds the setting of a name: the place of the key that seals, and then the places of others that
     * open. It does not check that a key is there.
     *
     * @throws ColumnException if it is no name, there is no such setting, or a place in it has none
     *     of the four forms
     */
    static List<KeyLocation> of(String name, SparkConf configuration) {
        if (!NAME.matcher(name).matches()) {
            throw new ColumnException(
                    "key",
                    "key: the name of a key expected, which has 1 to 40 letters, digits, dots, hyphens and underscores;"
                            + " never write a key itself into a query");
        }
        String setting = configuration.get(SETTING + name, null);
        if (setting == null) {
            throw new ColumnException(
                    "key",
                    "key '" + name + "' is not known: " + SETTING + name + " is not set in the application's"
                            + " configuration (spark-defaults.conf, --conf; a session cannot set it)");
        }
        List<KeyLocation> locations = new ArrayList<>();
        for (String one : setting.split(",", -1)) {
            locations.add(ofOne(name, one.strip(), configuration));
        }
        return locations;
    }

    private static KeyLocation ofOne(String name, String setting, SparkConf configuration) {
        if (!setting.startsWith("/")
                && !setting.startsWith(CREDENTIAL)
                && !setting.startsWith(VARIABLE)
                && !PROVIDER.matcher(setting).matches()) {
            throw new ColumnException(
                    "key",
                    SETTING + name + ": the absolute path of a key file expected, or " + CREDENTIAL
                            + "NAME for a credential of Hadoop, or " + VARIABLE + "NAME for an environment variable, or "
                            + "provider:CLASS[:ARGUMENT] for a key provider");
        }
        if (setting.startsWith(VARIABLE) && !isRedacted(setting.substring(VARIABLE.length()), configuration)) {
            throw new ColumnException(
                    "key",
                    SETTING + name + ": a variable expected whose name Spark redacts (" + REDACTION.key()
                            + "), such as one with SECRET in it; Spark's UI and event log would show another's text");
        }
        return new KeyLocation(name, setting, configuration);
    }

    /** Executors get a variable by {@code spark.executorEnv.NAME}, which is written down. */
    private static boolean isRedacted(String variable, SparkConf configuration) {
        return configuration.get(REDACTION).findFirstIn(variable).isDefined();
    }

    /**
     * Reads the text.
     *
     * @return a secret: the caller wipes it
     * @throws ColumnException if it is not there
     */
    byte[] read() {
        if (setting.startsWith(CREDENTIAL)) {
            return credential(setting.substring(CREDENTIAL.length()));
        }
        if (setting.startsWith(VARIABLE)) {
            String text = System.getenv(setting.substring(VARIABLE.length()));
            if (text == null) {
                throw missing("the environment variable that " + SETTING + name + " names is not set");
            }
            return text.getBytes(StandardCharsets.UTF_8);
        }
        Matcher provider = PROVIDER.matcher(setting);
        if (provider.matches()) {
            return provided(provider.group(1), provider.group(2) == null ? "" : provider.group(2));
        }
        try {
            return Files.readAllBytes(Path.of(setting));
        } catch (IOException | RuntimeException e) {
            throw missing("the key file that " + SETTING + name + " names cannot be read ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** Logs the class of the provider. The messages of its exceptions may have secrets. */
    private byte[] provided(String className, String argument) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            ServiceLoader.Provider<KeyProvider> found = ServiceLoader.load(KeyProvider.class, loader).stream()
                    .filter(provider -> provider.type().getName().equals(className))
                    .findFirst()
                    .orElseThrow(() -> new ClassNotFoundException(className));
            LoggerFactory.getLogger(KeyLocation.class).info("{} gives key '{}'", className, name);
            return Objects.requireNonNull(found.get().key(name, argument));
        } catch (Exception | ServiceConfigurationError | LinkageError e) {
            throw missing("the key provider that " + SETTING + name + " names failed (" + e.getClass().getSimpleName() + ")");
        }
    }

    private byte[] credential(String alias) {
        char[] text;
        try {
            // From providers alone: getPassword would also take a setting in the clear.
            text = SparkHadoopUtil.get().newConfiguration(configuration).getPasswordFromCredentialProviders(alias);
        } catch (IOException e) {
            throw missing("Hadoop's credential providers cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        if (text == null) {
            throw missing("no credential provider of Hadoop has the alias that " + SETTING + name + " names");
        }
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(text));
        byte[] utf8 = new byte[encoded.remaining()];
        encoded.get(utf8);
        Arrays.fill(encoded.array(), (byte) 0);
        Arrays.fill(text, '\0');
        return utf8;
    }

    private ColumnException missing(String what) {
        return new ColumnException(
                "key", "key '" + name + "' is not there: " + what + ", on " + host());
    }

    /** The executor, or the driver, and its host. */
    static String host() {
        BlockManagerId here = SparkEnv.get().blockManager().blockManagerId();
        return (here.isDriver() ? "the driver" : "executor " + here.executorId()) + " at " + here.host();
    }
}
