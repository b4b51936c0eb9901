package dev.sivka;

import dev.sivka.internal.jce.AeadCipher;
import dev.sivka.internal.jce.AeadKeyGenerator;
import dev.sivka.internal.jce.AeadParameters;
import dev.sivka.internal.jce.KuznyechikCtrCipher;
import dev.sivka.internal.jce.KuznyechikOmacMac;
import dev.sivka.internal.jce.Transformation;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
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
 * <p><b>Ciphers.</b> {@code AES/GCM-SIV/NoPadding} with keys of 128 or 256 bits, {@code
 * AES_128/GCM-SIV/NoPadding} and {@code AES_256/GCM-SIV/NoPadding} with keys of one length
 * (RFC 8452); {@code AES/SIV/NoPadding} with keys of 256, 384 or 512 bits (RFC 5297); {@code
 * Kuznyechik/MGM/NoPadding} (RFC 9058); {@code ChaCha20-BLAKE2b}, {@code XChaCha20-BLAKE2b} and
 * {@code XChaCha20-BLAKE2b-SIV} with tags of 32 bytes, or of 48 and 64 with {@code -Tag48} and
 * {@code -Tag64} after the name. Ciphertext and tag are one array; AES-SIV puts the tag first.
 *
 * <p>{@code Kuznyechik/CTR/NoPadding} (GOST R 34.13-2015) authenticates nothing: take it only where a
 * protocol asks for it. <b>Macs:</b> {@code Kuznyechik-OMAC}, CMAC in other words, with tags of 16
 * bytes, the beginning of which is a shorter tag.
 *
 * <p><b>Keys</b> are {@link javax.crypto.SecretKey}s whose algorithm is {@code AES}, {@code
 * Kuznyechik}, {@code ChaCha20-BLAKE2b}, {@code XChaCha20-BLAKE2b} or {@code
 * XChaCha20-BLAKE2b-SIV}, and whose format is {@code RAW}. {@link javax.crypto.KeyGenerator}
 * makes them under these names, those for AES under {@code AES-GCM-SIV} (256 bits if nothing
 * else is said) and {@code AES-SIV} (512 bits).
 *
 * <p><b>Nonces</b> come in a {@link javax.crypto.spec.GCMParameterSpec} with the length of the
 * tag in bits, or in an {@link javax.crypto.spec.IvParameterSpec}: 12 bytes for AES-GCM-SIV,
 * 16 for MGM, of which the first bit is 0, 8 for ChaCha20-BLAKE2b, 24 for XChaCha20-BLAKE2b.
 * Without parameters, {@code init} draws a nonce to encrypt with from the {@link
 * java.security.SecureRandom} that it is given, but for ChaCha20-BLAKE2b, whose nonces are too
 * short to be random. If that gives what the operating system does ({@code NativePRNG}, the default
 * on Linux and macOS, and {@code Windows-PRNG}), the library asks the system itself. A cipher for
 * AES-GCM-SIV then draws 16 nonces at once. The copy of a running machine gives the rest of them
 * once more: the two may seal under the same ones, which AES-GCM-SIV survives.
 * XChaCha20-BLAKE2b-SIV has no nonce and no parameters. Nor has AES-SIV, but that it takes a list
 * of associated data in an {@link AesSivParameterSpec}. Without one it has one string, as Tink has:
 * all that {@code updateAAD} is given, or an empty one. CTR takes an {@link
 * javax.crypto.spec.IvParameterSpec} of 8 bytes, which is never drawn.
 *
 * <p><b>Conventions</b> are those of {@code AES/GCM/NoPadding} in the JDK. A cipher that has
 * encrypted a message wants {@code init} with another nonce; AES-GCM-SIV takes the same one
 * again, as it is made to survive that. {@code update} keeps its input and gives no output, in
 * either direction, but in CTR. What does not open is an {@link javax.crypto.AEADBadTagException}; the
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
        super(NAME, "0.1.0", "Sivka: AES-GCM-SIV, AES-SIV, ChaCha20-BLAKE2b, Kuznyechik");
        for (Transformation each : Transformation.values()) {
            putService(new Made(this, "Cipher", each.transformation, AeadCipher.class, each));
        }
        putService(new Made(this, "Cipher", KuznyechikCtrCipher.TRANSFORMATION, KuznyechikCtrCipher.class, null));
        putService(new Made(this, "AlgorithmParameters", KuznyechikCtrCipher.PARAMETERS, AeadParameters.class, null));
        putService(new Made(this, "Mac", "Kuznyechik-OMAC", KuznyechikOmacMac.class, null));
        keys("AES-GCM-SIV", Transformation.AES_GCM_SIV);
        keys("AES-SIV", Transformation.AES_SIV);
        keys("ChaCha20-BLAKE2b", Transformation.CHACHA20_BLAKE2B);
        keys("XChaCha20-BLAKE2b", Transformation.XCHACHA20_BLAKE2B);
        keys("XChaCha20-BLAKE2b-SIV", Transformation.XCHACHA20_BLAKE2B_SIV);
        keys("Kuznyechik", Transformation.KUZNYECHIK_MGM);
    }

    /** Adds what belongs to a kind of key: its generator, and parameters for its nonces. */
    private void keys(String generator, Transformation of) {
        putService(new Made(this, "KeyGenerator", generator, AeadKeyGenerator.class, of));
        if (of.keys != Transformation.Keys.AES && of.keys.parameters != null) {
            putService(
                    new Made(this, "AlgorithmParameters", of.keys.parameters, AeadParameters.class, of));
        }
    }

    /** A service that is made without reflection, which a module would have to be opened for. */
    private static final class Made extends Service {
        /** Null for a service that has none. */
        private final Transformation transformation;

        Made(Provider provider, String type, String name, Class<?> made, Transformation transformation) {
            super(provider, type, name, made.getName(), List.of(), attributes(type));
            this.transformation = transformation;
        }

        private static Map<String, String> attributes(String type) {
            return type.equals("Cipher") || type.equals("Mac") ? Map.of("SupportedKeyFormats", "RAW") : Map.of();
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                throw new java.security.InvalidParameterException("no parameter is taken");
            }
            return switch (getType()) {
                case "Cipher" -> transformation == null
                        ? new KuznyechikCtrCipher(getProvider())
                        : new AeadCipher(transformation, getProvider());
                case "Mac" -> new KuznyechikOmacMac();
                case "KeyGenerator" -> new AeadKeyGenerator(transformation);
                case "AlgorithmParameters" -> new AeadParameters();
                default -> throw new ProviderException("no such service: " + getType());
            };
        }
    }
}
