package dev.sivka;

import dev.sivka.internal.jce.AeadCipher;
import dev.sivka.internal.jce.Transformation;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Map;

/**
 * The algorithms of Sivka for {@code javax.crypto}, under the name {@code "Sivka"}.
 *
 * <pre>{@code
 * Security.addProvider(new SivkaProvider());
 * Cipher cipher = Cipher.getInstance("AES/GCM-SIV/NoPadding");
 * cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
 * cipher.updateAAD(aad);
 * byte[] sealed = cipher.doFinal(plaintext);
 * }</pre>
 *
 * <p>It need not be installed: {@code Cipher.getInstance} takes the object too. The native library is
 * loaded with the first key. The ciphers keep the conventions of the JDK's {@code AES/GCM/NoPadding}.
 * The page {@code jce.md} lists the ciphers, keys and parameters, and the differences.
 *
 * <p>Keys are those of AES (RFC 8452), of format {@code RAW}, as the {@link javax.crypto.KeyGenerator}
 * of the JDK makes them; for AES-SIV (RFC 5297) two of them, as {@link AesSiv#generateKey} does. Nonces
 * of AES-GCM-SIV have 12 bytes. Without parameters, {@code init} draws one to encrypt with from the
 * {@link java.security.SecureRandom} that it is given. AES-SIV has none, and one string of
 * associated data: {@link AesSiv#sealWithList} takes a list.
 *
 * <p>{@code update} keeps its input and gives no output, in either direction. What does not open is an
 * {@link javax.crypto.AEADBadTagException}; the output then holds zeros or what it held before, and the
 * cipher is as {@code init} left it. Inputs that were kept are overwritten with zeros after their
 * message.
 *
 * <p>A provider may be used by any number of threads, one cipher by one thread at a time.
 */
public final class SivkaProvider extends Provider {
    private static final long serialVersionUID = 1;

    /** The name under which {@link java.security.Security} knows this provider. */
    public static final String NAME = "Sivka";

    /** Makes a provider; {@link java.security.Security#addProvider} installs it. */
    public SivkaProvider() {
        super(NAME, "0.1.0", "Sivka: AES-GCM-SIV, AES-SIV");
        for (Transformation each : Transformation.values()) {
            List<String> aliases = each == Transformation.AES_GCM_SIV ? List.of("AES-GCM-SIV") : List.of();
            putService(new Made(this, "Cipher", each.transformation, aliases, each));
        }
        // Where SealedObject.getObject looks for those of our cipher.
        putService(new Made(this, "AlgorithmParameters", "GCM", List.of(), null));
    }

    /** A service that is made without reflection, which a module would have to be opened for. */
    private static final class Made extends Service {
        /** Null for parameters. */
        private final Transformation transformation;

        Made(Provider provider, String type, String name, List<String> aliases, Transformation transformation) {
            super(
                    provider, type, name, AeadCipher.class.getName(), aliases,
                    transformation == null ? Map.of() : Map.of("SupportedKeyFormats", "RAW"));
            this.transformation = transformation;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            return transformation != null
                    ? new AeadCipher(transformation)
                    : platforms(getType(), getAlgorithm()).newInstance(null);
        }

        /** That of another provider. */
        private static Service platforms(String type, String name) throws NoSuchAlgorithmException {
            for (Provider provider : Security.getProviders()) {
                Service found = provider.getName().equals(NAME) ? null : provider.getService(type, name);
                if (found != null) {
                    return found;
                }
            }
            throw new NoSuchAlgorithmException("no other provider has " + type + " of " + name);
        }
    }
}
