package dev.sivka.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/** Key files whose keys are known, in each place where a key may be. */
final class TestKeys {
    /** The example of docs/spec/file-format-v1.md, section 8. */
    static final String TEXT =
            "sivka key file, version 1\n"
                    + "name: example\n"
                    + "id: 3ab042dce2170ba7\n"
                    + "key: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
                    + "check: f846336fe29176f8\n";

    /** {@code Expand(key, "sivka.column.v1 AES-256-GCM-SIV", 32)}, by Python's hmac. */
    static final String SEALING = "ece5fc04309214bc12267a609c3db9a6c5a8961a6b90bbf10924552365dfa3b8";

    /** {@code Expand(key, "sivka.column.v1 XChaCha20-BLAKE2b-SIV", 32)}, by Python's hmac. */
    static final String TOKENS = "9e27e0d0d562c524440db92c887ca1c523579beccad86fa0abd052b1b8ca0432";

    private TestKeys() {}

    /** Writes {@link #TEXT}, with the permissions of a key file. */
    static Path file(Path folder) throws IOException {
        return Files.writeString(folder.resolve("example.key"), TEXT);
    }

    /** Puts {@link #TEXT} into a new credential provider, and returns its address. */
    static String provider(Path folder, String alias) throws IOException {
        String address = "localjceks://file" + folder.resolve("credentials.jceks");
        Configuration configuration = new Configuration(false);
        configuration.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, address);
        CredentialProvider provider = CredentialProviderFactory.getProviders(configuration).get(0);
        provider.createCredentialEntry(alias, TEXT.toCharArray());
        provider.flush();
        return address;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
