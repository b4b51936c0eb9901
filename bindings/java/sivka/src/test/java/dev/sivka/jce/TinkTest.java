package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmSivParameters;
import com.google.crypto.tink.aead.AesGcmSivParameters.Variant;
import dev.sivka.Keyset;
import dev.sivka.KeysetForm;
import dev.sivka.SivkaProvider;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.crypto.Cipher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keysets of Google Tink, unmodified. Tink asks the installed providers for {@code
 * AES/GCM-SIV/NoPadding} first, and checks with a test vector that it is GCM-SIV. Else it takes
 * Conscrypt, which is in the class path of these tests. It keeps one cipher for each
 * thread, so each question is asked in a new one.
 */
class TinkTest {
    private static final byte[] AAD = "associated data".getBytes();

    @BeforeAll
    static void register() throws GeneralSecurityException {
        AeadConfig.register();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32})
    void keysetsWorkOnOurProvider(int keyLength) throws Exception {
        onSivka(() -> {
            for (Variant variant : new Variant[] {Variant.TINK, Variant.CRUNCHY, Variant.NO_PREFIX}) {
                KeysetHandle keyset = generate(parameters(keyLength, variant));
                Aead aead = keyset.getPrimitive(RegistryConfiguration.get(), Aead.class);
                for (int length : new int[] {0, 1, 300, 8192, 100_000, (2 << 20) + 3}) {
                    byte[] sealed = aead.encrypt(text(length), AAD);
                    assertArrayEquals(text(length), aead.decrypt(sealed, AAD));
                    sealed[sealed.length - 1] ^= 1;
                    assertThrows(GeneralSecurityException.class, () -> aead.decrypt(sealed, AAD));
                }
                assertArrayEquals(text(9), aead.decrypt(aead.encrypt(text(9), null), new byte[0]));
            }
            return null;
        });
    }

    /** A keyset that was stored while Tink ran on Conscrypt opens its messages on ours, and here. */
    @Test
    void storedKeysetsMoveFromConscryptToOurs() throws Exception {
        KeysetHandle theirs = generate(parameters(32, Variant.TINK));
        byte[] stored = TinkProtoKeysetFormat.serializeKeyset(
                theirs, InsecureSecretKeyAccess.get(), RegistryConfiguration.get());
        byte[] sealed = onConscrypt(() ->
                theirs.getPrimitive(RegistryConfiguration.get(), Aead.class).encrypt(text(1000), AAD));
        byte[] opened = onSivka(() ->
                TinkProtoKeysetFormat.parseKeyset(stored, InsecureSecretKeyAccess.get(), RegistryConfiguration.get())
                        .getPrimitive(RegistryConfiguration.get(), Aead.class).decrypt(sealed, AAD));
        assertArrayEquals(text(1000), opened);
        try (Keyset ours = Keyset.fromInsecure(stored, KeysetForm.BINARY)) {
            // Tink for Java has ids as numbers of type int.
            assertEquals(Integer.toUnsignedLong(theirs.getPrimary().getId()), ours.info().primaryKeyId());
            assertArrayEquals(text(1000), ours.open(sealed, AAD).orElseThrow());
        }
    }

    private static AesGcmSivParameters parameters(int keyLength, Variant variant) throws Exception {
        return AesGcmSivParameters.builder().setKeySizeBytes(keyLength).setVariant(variant).build();
    }

    private static KeysetHandle generate(AesGcmSivParameters parameters) throws Exception {
        return KeysetHandle.generateNew(parameters, RegistryConfiguration.get());
    }

    private static byte[] text(int length) {
        return AeadCipher.text(length);
    }

    private static <T> T onSivka(Callable<T> asked) throws Exception {
        Provider provider = new SivkaProvider();
        Security.addProvider(provider);
        try {
            return inNewThread(asked, provider.getName());
        } finally {
            Security.removeProvider(provider.getName());
        }
    }

    private static <T> T onConscrypt(Callable<T> asked) throws Exception {
        return inNewThread(asked, "Conscrypt");
    }

    /** Asks, and makes sure that the cipher that Tink used was of the expected provider. */
    private static <T> T inNewThread(Callable<T> asked, String provider) throws Exception {
        FutureTask<T> task = new FutureTask<>(() -> {
            T answer = asked.call();
            assertEquals(provider, cipherOfTink().getProvider().getName());
            return answer;
        });
        new Thread(task, "tink on " + provider).start();
        return task.get();
    }

    /** The cipher that Tink keeps for this thread, and uses for every key of it. */
    private static Cipher cipherOfTink() throws Exception {
        Field field = com.google.crypto.tink.aead.subtle.AesGcmSiv.class
                .getDeclaredField("localAesGcmSivCipher");
        field.setAccessible(true);
        return (Cipher) ((ThreadLocal<?>) field.get(null)).get();
    }
}
