package dev.sivka.spark;

import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** What a {@link KeyProvider} gives, by the setting that names its class. */
final class ProvidedKey {
    static final String PREFIX = "provider:";

    private static final Pattern SETTING =
            Pattern.compile(PREFIX + "(\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*)(?::(.*))?");

    private final String className;
    private final String argument;

    private ProvidedKey(String className, String argument) {
        this.className = className;
        this.argument = argument;
    }

    /** Reads a setting; null if it does not have the form {@code provider:CLASS[:ARGUMENT]}. */
    static ProvidedKey of(String setting) {
        Matcher parts = SETTING.matcher(setting);
        return parts.matches() ? new ProvidedKey(parts.group(1), parts.group(2) == null ? "" : parts.group(2)) : null;
    }

    /**
     * Asks for the key, and notes that in the log.
     *
     * @throws Exception of the provider's
     */
    byte[] read(String name) throws Exception {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ServiceLoader.Provider<KeyProvider> found = ServiceLoader.load(KeyProvider.class, loader).stream()
                .filter(provider -> provider.type().getName().equals(className))
                .findFirst()
                .orElseThrow(() -> new ClassNotFoundException(className));
        LoggerFactory.getLogger(ProvidedKey.class).info("{} gives key '{}'", className, name);
        byte[] text = found.get().key(name, argument);
        if (text == null) {
            throw new NullPointerException("key");
        }
        return text;
    }
}
