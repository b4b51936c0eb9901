package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmSivKey;
import com.google.crypto.tink.aead.AesGcmSivParameters;
import com.google.crypto.tink.aead.AesGcmSivParameters.Variant;
import com.google.crypto.tink.util.SecretBytes;
import dev.sivka.AesGcmSiv;
import dev.sivka.SivkaProvider;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Random;
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
                for (int length : lengths()) {
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

    /** One cipher of ours serves keys by turns. */
    @Test
    void keysetsAreRotatedOnOurProvider() throws Exception {
        onSivka(() -> {
            KeysetHandle first = generate(parameters(32, Variant.TINK));
            Aead old = first.getPrimitive(RegistryConfiguration.get(), Aead.class);
            KeysetHandle both = KeysetHandle.newBuilder(first)
                    .addEntry(KeysetHandle.generateEntryFromParameters(parameters(16, Variant.TINK))
                            .withRandomId().makePrimary())
                    .build();
            Aead rotated = both.getPrimitive(RegistryConfiguration.get(), Aead.class);
            for (int length : lengths()) {
                byte[] before = old.encrypt(text(length), AAD);
                byte[] after = rotated.encrypt(text(length), AAD);
                assertArrayEquals(text(length), rotated.decrypt(before, AAD));
                assertArrayEquals(text(length), rotated.decrypt(after, AAD));
                assertThrows(GeneralSecurityException.class, () -> old.decrypt(after, AAD));
            }
            return null;
        });
    }

    /** A keyset that was stored while Tink ran on Conscrypt opens its messages on ours. */
    @Test
    void storedKeysetsMoveFromConscryptToOurs() throws Exception {
        KeysetHandle keyset = generate(parameters(32, Variant.TINK));
        String stored = TinkJsonProtoKeysetFormat.serializeKeyset(
                keyset, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
        byte[] sealed = onConscrypt(() ->
                keyset.getPrimitive(RegistryConfiguration.get(), Aead.class).encrypt(text(1000), AAD));
        byte[] opened = onSivka(() ->
                TinkJsonProtoKeysetFormat.parseKeyset(
                                stored, RegistryConfiguration.get(), InsecureSecretKeyAccess.get())
                        .getPrimitive(RegistryConfiguration.get(), Aead.class).decrypt(sealed, AAD));
        assertArrayEquals(text(1000), opened);
    }

    /** Raw messages of Tink are those of our first level: nonce, ciphertext and tag. */
    @ParameterizedTest
    @ValueSource(ints = {16, 32})
    void rawMessagesOfTinkAreOurs(int keyLength) throws Exception {
        byte[] key = new byte[keyLength];
        new Random(keyLength).nextBytes(key);
        onConscrypt(() -> {
            try (AesGcmSiv ours = new AesGcmSiv(key)) {
                Aead tink = raw(key);
                for (int length : lengths()) {
                    byte[] theirs = tink.encrypt(text(length), AAD);
                    assertArrayEquals(text(length), ours.open(theirs, AAD).orElseThrow());
                    assertArrayEquals(text(length), tink.decrypt(ours.seal(text(length), AAD), AAD));
                    theirs[0] ^= 1;
                    assertTrue(ours.open(theirs, AAD).isEmpty());
                    assertThrows(GeneralSecurityException.class, () -> tink.decrypt(theirs, AAD));
                }
            }
            return null;
        });
    }

    private static int[] lengths() {
        int[] lengths = Arrays.copyOf(new int[] {8191, 8192, 8193, 100_000, (2 << 20) + 3}, 305);
        for (int i = 0; i < 300; i++) {
            lengths[i + 5] = i;
        }
        return lengths;
    }

    private static AesGcmSivParameters parameters(int keyLength, Variant variant) throws Exception {
        return AesGcmSivParameters.builder().setKeySizeBytes(keyLength).setVariant(variant).build();
    }

    private static KeysetHandle generate(AesGcmSivParameters parameters) throws Exception {
        return KeysetHandle.generateNew(parameters, RegistryConfiguration.get());
    }

    private static Aead raw(byte[] key) throws Exception {
        AesGcmSivKey made = AesGcmSivKey.builder()
                .setParameters(parameters(key.length, Variant.NO_PREFIX))
                .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                .build();
        return KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(made).withRandomId().makePrimary()).build()
                .getPrimitive(RegistryConfiguration.get(), Aead.class);
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
