package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.text;
import static org.junit.jupiter.api.Assertions.*;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
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
    private static Configuration tink;

    @BeforeAll
    static void register() throws GeneralSecurityException {
        AeadConfig.register();
        tink = RegistryConfiguration.get();
    }

    private static KeysetHandle generate(int keyLength, Variant variant) throws GeneralSecurityException {
        AesGcmSivParameters parameters =
                AesGcmSivParameters.builder().setKeySizeBytes(keyLength).setVariant(variant).build();
        return KeysetHandle.generateNew(parameters, tink);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32})
    void keysetsWorkOnOurProvider(int keyLength) throws Exception {
        onSivka(() -> {
            for (Variant variant : new Variant[] {Variant.TINK, Variant.CRUNCHY, Variant.NO_PREFIX}) {
                Aead aead = generate(keyLength, variant).getPrimitive(tink, Aead.class);
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
        KeysetHandle theirs = generate(32, Variant.TINK);
        byte[] stored = TinkProtoKeysetFormat.serializeKeyset(theirs, InsecureSecretKeyAccess.get(), tink);
        byte[] sealed = inNewThread(() -> theirs.getPrimitive(tink, Aead.class).encrypt(text(1000), AAD), "Conscrypt");
        byte[] opened = onSivka(() -> TinkProtoKeysetFormat.parseKeyset(stored, InsecureSecretKeyAccess.get(), tink)
                .getPrimitive(tink, Aead.class).decrypt(sealed, AAD));
        assertArrayEquals(text(1000), opened);
        try (Keyset ours = Keyset.fromInsecure(stored, KeysetForm.BINARY)) {
            // Tink for Java has ids as numbers of type int.
            assertEquals(Integer.toUnsignedLong(theirs.getPrimary().getId()), ours.info().primaryKeyId());
            assertArrayEquals(text(1000), ours.open(sealed, AAD).orElseThrow());
        }
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

    /** Asks, and makes sure that the cipher that Tink keeps for the thread is of the expected provider. */
    private static <T> T inNewThread(Callable<T> asked, String provider) throws Exception {
        FutureTask<T> task = new FutureTask<>(() -> {
            T answer = asked.call();
            Field field = com.google.crypto.tink.aead.subtle.AesGcmSiv.class.getDeclaredField("localAesGcmSivCipher");
            field.setAccessible(true);
            Cipher used = (Cipher) ((ThreadLocal<?>) field.get(null)).get();
            assertEquals(provider, used.getProvider().getName());
            return answer;
        });
        new Thread(task, "tink on " + provider).start();
        return task.get();
    }
}
