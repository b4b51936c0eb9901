package dev.sivka;

import dev.sivka.internal.jce.AeadCipher;
import dev.sivka.internal.jce.AeadKeyGenerator;
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
 * <p>It need not be installed: {@code Cipher.getInstance} takes the object too. Making one
 * costs nothing of note; the native library is loaded with the first key.
 *
 * <p><b>Ciphers.</b> {@code AES/GCM-SIV/NoPadding} (or {@code AES-GCM-SIV}) with keys of
 * 128 or 256 bits, {@code AES_128/GCM-SIV/NoPadding} and {@code AES_256/GCM-SIV/NoPadding} with
 * keys of one length (RFC 8452); {@code AES/SIV/NoPadding} with keys of 256, 384 or 512 bits (RFC
 * 5297). Ciphertext and tag are one array; AES-SIV puts the tag first.
 *
 * <p><b>Keys</b> are {@link javax.crypto.SecretKey}s whose algorithm is {@code AES} and whose format
 * is {@code RAW}. {@link javax.crypto.KeyGenerator} makes them, under {@code AES-GCM-SIV} (256 bits
 * if nothing else is said) and {@code AES-SIV} (512 bits).
 *
 * <p><b>Nonces</b> of AES-GCM-SIV have 12 bytes. They come in a {@link
 * javax.crypto.spec.GCMParameterSpec} with a tag of 128 bits, or in an {@link
 * javax.crypto.spec.IvParameterSpec}. Without parameters, {@code init} draws a nonce to encrypt with
 * from the {@link java.security.SecureRandom} that it is given, as that of the JDK does.
 * AES-SIV has no nonce. It takes a list of associated data in an {@link AesSivParameterSpec}. Without
 * one it has one string, as Tink has: all that {@code updateAAD} is given, or an empty one.
 *
 * <p><b>Conventions</b> are those of {@code AES/GCM/NoPadding} in the JDK. A cipher that has
 * encrypted a message wants {@code init} with another nonce; AES-GCM-SIV takes the same one
 * again, as it is made to survive that. {@code update} keeps its input and gives no output, in
 * either direction. What does not open is an {@link javax.crypto.AEADBadTagException}; the
 * output then holds zeros or what it held before, and the cipher is as {@code init} left it.
 * Input and output may overlap in any way. Inputs that were kept are overwritten with zeros
 * after their message.
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
            putService(new Made(this, "Cipher", each.transformation, AeadCipher.class, each));
        }
        putService(new Made(this, "KeyGenerator", "AES-GCM-SIV", AeadKeyGenerator.class, Transformation.AES_GCM_SIV));
        putService(new Made(this, "KeyGenerator", "AES-SIV", AeadKeyGenerator.class, Transformation.AES_SIV));
        // Where SealedObject.getObject looks for those of our cipher.
        putService(new Made(this, "AlgorithmParameters", "GCM", SivkaProvider.class, null));
    }

    /** A service that is made without reflection, which a module would have to be opened for. */
    private static final class Made extends Service {
        /** Null for parameters. */
        private final Transformation transformation;

        Made(Provider provider, String type, String name, Class<?> made, Transformation transformation) {
            super(provider, type, name, made.getName(), aliases(type, name), attributes(type));
            this.transformation = transformation;
        }

        private static List<String> aliases(String type, String name) {
            return type.equals("Cipher") && name.startsWith("AES/GCM-SIV/") ? List.of("AES-GCM-SIV") : List.of();
        }

        private static Map<String, String> attributes(String type) {
            return type.equals("Cipher") ? Map.of("SupportedKeyFormats", "RAW") : Map.of();
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                throw new java.security.InvalidParameterException("no parameter is taken");
            }
            return switch (getType()) {
                case "Cipher" -> new AeadCipher(transformation);
                case "KeyGenerator" -> new AeadKeyGenerator(transformation);
                default -> platforms(getType(), getAlgorithm()).newInstance(null);
            };
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
