package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyTemplates;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.daead.DeterministicAeadConfig;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tink for Java and {@link Keyset} read and open what the other wrote and sealed. */
class KeysetTinkTest {
    private static final byte[] TEXT = "alice@example.org".getBytes(StandardCharsets.UTF_8);
    private static final byte[] DATA = "users.email".getBytes(StandardCharsets.UTF_8);

    private static Configuration tink;

    @BeforeAll
    static void register() throws GeneralSecurityException {
        AeadConfig.register();
        DeterministicAeadConfig.register();
        tink = RegistryConfiguration.get();
    }

    private static KeysetHandle toTink(Keyset keyset) throws GeneralSecurityException {
        String json = new String(keyset.toInsecure(KeysetForm.JSON), StandardCharsets.UTF_8);
        return TinkJsonProtoKeysetFormat.parseKeyset(json, tink, InsecureSecretKeyAccess.get());
    }

    private static Keyset fromTink(KeysetHandle handle) throws GeneralSecurityException {
        byte[] binary = TinkProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get(), tink);
        return Keyset.fromInsecure(binary, KeysetForm.BINARY);
    }

    private static Aead aead(KeysetHandle handle) throws GeneralSecurityException {
        return handle.getPrimitive(tink, Aead.class);
    }

    private static DeterministicAead deterministic(KeysetHandle handle) throws GeneralSecurityException {
        return handle.getPrimitive(tink, DeterministicAead.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AES128_GCM", "AES256_GCM", "AES256_GCM_RAW", "CHACHA20_POLY1305", "XCHACHA20_POLY1305",
                "XAES_256_GCM_192_BIT_NONCE"
            })
    void tinkOpensWhatAKeysetSeals(String template) throws GeneralSecurityException {
        try (Keyset keyset = Keyset.generate(template)) {
            byte[] before = keyset.seal(TEXT, DATA);
            keyset.rotate(template);
            Aead theirs = aead(toTink(keyset));
            assertArrayEquals(TEXT, theirs.decrypt(before, DATA));
            assertArrayEquals(TEXT, theirs.decrypt(keyset.seal(TEXT, DATA), DATA));
            byte[] sealed = theirs.encrypt(TEXT, DATA);
            assertArrayEquals(TEXT, keyset.open(sealed, DATA).orElseThrow());
            sealed[sealed.length - 1] ^= 1;
            assertTrue(keyset.open(sealed, DATA).isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AES128_EAX", "AES256_EAX_RAW", "AES128_CTR_HMAC_SHA256", "AES256_CTR_HMAC_SHA256", "AES256_GCM"
            })
    void aKeysetOpensWhatTinkSeals(String template) throws GeneralSecurityException {
        KeysetHandle made = KeysetHandle.generateNew(KeyTemplates.get(template).toParameters(), tink);
        try (Keyset keyset = fromTink(made)) {
            assertArrayEquals(TEXT, keyset.open(aead(made).encrypt(TEXT, DATA), DATA).orElseThrow());
            assertArrayEquals(TEXT, aead(made).decrypt(keyset.seal(TEXT, DATA), DATA));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AES256_SIV", "AES256_SIV_RAW"})
    void bothSealDeterministicallyToTheSameBytes(String template) throws GeneralSecurityException {
        try (Keyset keyset = Keyset.generate(template)) {
            for (int i = 0; i < 3; i++) {
                DeterministicAead theirs = deterministic(toTink(keyset));
                for (int length : new int[] {0, 1, 15, 16, 17, 1000}) {
                    byte[] text = Keys.paint(length, i);
                    byte[] sealed = keyset.sealDeterministically(text, DATA);
                    assertArrayEquals(theirs.encryptDeterministically(text, DATA), sealed);
                    assertArrayEquals(text, theirs.decryptDeterministically(sealed, DATA));
                }
                keyset.rotate(template);
            }
        }
    }

    @Test
    void idsOfTinkAreTurnedIntoOurs() throws GeneralSecurityException {
        KeysetHandle made = KeysetHandle.generateNew(KeyTemplates.get("AES256_GCM").toParameters(), tink);
        try (Keyset keyset = fromTink(made)) {
            long id = Integer.toUnsignedLong(made.getPrimary().getId());
            assertEquals(id, keyset.info().primaryKeyId());
            keyset.promote(id);
        }
    }

    @Test
    void eachDecryptsWhatTheOtherEncrypts() throws GeneralSecurityException {
        try (Keyset keyset = Keyset.generate("AES256_SIV");
                Keyset master = Keyset.generate("AES256_GCM")) {
            byte[] clear = keyset.toInsecure(KeysetForm.BINARY);
            byte[] sealed = keyset.sealDeterministically(TEXT, DATA);
            Aead tinkMaster = aead(toTink(master));

            String json = new String(keyset.encrypt(KeysetForm.JSON, master, DATA), StandardCharsets.UTF_8);
            KeysetHandle read = TinkJsonProtoKeysetFormat.parseEncryptedKeyset(json, tinkMaster, DATA, tink);
            assertArrayEquals(sealed, deterministic(read).encryptDeterministically(TEXT, DATA));
            byte[] binary = keyset.encrypt(KeysetForm.BINARY, master, DATA);
            read = TinkProtoKeysetFormat.parseEncryptedKeyset(binary, tinkMaster, DATA, tink);
            assertArrayEquals(sealed, deterministic(read).encryptDeterministically(TEXT, DATA));

            byte[] theirs = TinkProtoKeysetFormat.serializeEncryptedKeyset(read, tinkMaster, DATA, tink);
            try (Keyset ours = Keyset.decrypt(theirs, KeysetForm.BINARY, master, DATA).orElseThrow()) {
                assertArrayEquals(clear, ours.toInsecure(KeysetForm.BINARY));
            }
        }
    }
}
