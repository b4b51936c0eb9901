package dev.sivka.spark;

/**
 * Gives keys that are somewhere else: it asks a key-management service, for example. A class that
 * implements this has a public constructor without parameters and is named in
 * {@code META-INF/services/dev.sivka.spark.KeyProvider} of its jar, where
 * {@link java.util.ServiceLoader} finds it. The application's configuration names it:
 *
 * <pre>spark.sivka.keys.orders   provider:com.example.VaultKeys:projects/shop/orders</pre>
 */
public interface KeyProvider {
    /**
     * Gives a key. Each executor asks once, when the first row needs the key, and the driver asks if it
     * evaluates a query itself. All keys of the process wait meanwhile, so an implementation ends by
     * itself if its service does not answer.
     *
     * @param name the key's name in queries
     * @param argument the setting's text after the name of the class, or empty
     * @return the content of a key file, or a Tink keyset in the clear, in JSON or binary; the caller
     *     wipes it
     * @throws Exception if there is no key. The query fails then. Its error has the class of the
     *     exception and not its message, which may have secrets.
     */
    byte[] key(String name, String argument) throws Exception;
}
