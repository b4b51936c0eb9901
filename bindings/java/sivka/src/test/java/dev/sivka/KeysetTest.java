package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.KeysetException.Reason;
import dev.sivka.KeysetInfo.Purpose;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keysets are in Java: exceptions, ids, services and masters. The matrix has their bytes and templates. */
class KeysetTest {
    private static final String TINK = "type.googleapis.com/google.crypto.tink.";
    private static final byte[] DATA = bytes("users.email");
    private static final byte[] TEXT = bytes("alice@example.org");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String json(Keyset keyset) {
        return new String(keyset.toInsecure(KeysetForm.JSON), StandardCharsets.UTF_8);
    }

    private static <T extends Exception> T refused(Class<T> kind, String words, Executable... calls) {
        T e = null;
        for (Executable call : calls) {
            e = assertThrows(kind, call);
            assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
        }
        return e;
    }

    private static void malformed(String words, byte[] keyset, KeysetForm form) {
        KeysetException e = refused(KeysetException.class, words, () -> Keyset.fromInsecure(keyset, form));
        assertEquals(Reason.NOT_A_KEYSET, e.reason(), e.getMessage());
    }

    /** On both ways to native code; the last is too long to be lent. */
    @ParameterizedTest
    @ValueSource(strings = {"aes128_gcm_siv", "AES256_SIV_RAW"})
    void messagesOfEveryLengthSealAndOpen(String template) {
        boolean raw = template.endsWith("RAW");
        try (Keyset keyset = Keyset.generate(template)) {
            KeysetInfo info = keyset.info();
            KeysetKey key = new KeysetKey(
                    info.primaryKeyId(), TINK + (raw ? "AesSivKey" : "AesGcmSivKey"), KeysetKey.Status.ENABLED,
                    raw ? KeysetKey.Prefix.RAW : KeysetKey.Prefix.TINK);
            assertEquals(new KeysetInfo(key.id(), raw ? Purpose.DETERMINISTIC_AEAD : Purpose.AEAD, List.of(key)), info);
            for (int length : new int[] {0, 1, 2560, 2561, 5000, (2 << 20) + 1}) {
                byte[] text = Keys.paint(length, 1);
                byte[] sealed = Keys.seal(keyset, text, DATA);
                assertArrayEquals(text, Keys.open(keyset, sealed, DATA).orElseThrow());
                assertTrue(Keys.open(keyset, sealed, TEXT).isEmpty());
                assertTrue(Keys.open(keyset, Arrays.copyOf(sealed, sealed.length - 1), DATA).isEmpty());
            }
        }
    }

    /** A service with one key, or one answer, or a failure. */
    private static final class Service implements KeyManagement<IOException> {
        private final AesGcmSiv key = new AesGcmSiv(new byte[32]);
        private Optional<byte[]> answer;
        private byte[] clear;
        private IOException failure;

        @Override
        public byte[] encrypt(byte[] keyset, byte[] data) throws IOException {
            asked();
            clear = keyset;
            return answer == null ? key.seal(keyset, data) : answer.orElse(null);
        }

        @Override
        public Optional<byte[]> decrypt(byte[] encrypted, byte[] data) throws IOException {
            asked();
            Optional<byte[]> opened = answer == null ? key.open(encrypted, data) : answer;
            clear = opened.orElse(null);
            return opened;
        }

        private void asked() throws IOException {
            if (failure != null) {
                throw failure;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void encryptedByAService(KeysetForm form) throws KeysetException, IOException {
        Service service = new Service();
        try (Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
            byte[] encrypted = keyset.encrypt(form, service, DATA);
            assertArrayEquals(new byte[service.clear.length], service.clear);
            try (Keyset read = Keyset.decrypt(encrypted, form, service, DATA).orElseThrow();
                    Keyset again = Keyset.decrypt(encrypted, form, service.key, DATA).orElseThrow()) {
                assertArrayEquals(keyset.toInsecure(form), read.toInsecure(form));
                assertArrayEquals(keyset.toInsecure(form), again.toInsecure(form));
            }
            assertArrayEquals(new byte[service.clear.length], service.clear);
            assertTrue(Keyset.decrypt(encrypted, form, service, TEXT).isEmpty());
            service.failure = new IOException("not reached");
            Executable[] calls = {
                () -> Keyset.decrypt(encrypted, form, service, DATA), () -> keyset.encrypt(form, service, DATA)
            };
            for (Executable call : calls) {
                assertSame(service.failure, assertThrows(IOException.class, call));
            }
            service.failure = null;
            // What a service gives may be a keyset in the clear, also where it is too long for one.
            for (int length : new int[] {1, 1 << 20, (1 << 20) + 1, 5_000_000, 0}) {
                byte[] answer = new byte[length];
                Arrays.fill(answer, (byte) 7);
                service.answer = Optional.of(answer);
                refused(KeysetException.class, "", calls[0]);
                assertArrayEquals(new byte[length], answer);
            }
            refused(IllegalArgumentException.class, "an encrypted keyset is not empty", calls[1]);
            service.answer = Optional.empty();
            refused(NullPointerException.class, "keyset", calls[1]);
            byte[] clear = keyset.toInsecure(form);
            refused(KeysetException.class, "in the clear", () -> Keyset.decrypt(clear, form, service, DATA));
        }
    }

    @Test
    void keysAreAddedPromotedDisabledDestroyedAndRemoved() {
        try (Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
            long old = keyset.info().primaryKeyId();
            byte[] byOld = keyset.seal(TEXT, DATA);
            long added = keyset.add("XCHACHA20_POLY1305");
            assertEquals(old, keyset.info().primaryKeyId());
            assertEquals(byOld.length, keyset.seal(TEXT, DATA).length);
            keyset.promote(added);
            byte[] byNew = keyset.seal(TEXT, DATA);
            assertEquals(byOld.length + 12, byNew.length);
            // The room for opening is that of the key with the shorter nonce.
            assertArrayEquals(TEXT, keyset.open(byOld, DATA).orElseThrow());
            assertArrayEquals(TEXT, keyset.open(byNew, DATA).orElseThrow());
            byte[] longer = Keys.paint(5000, 1);
            assertArrayEquals(longer, keyset.open(keyset.seal(longer, DATA), DATA).orElseThrow());

            keyset.disable(old);
            assertTrue(keyset.open(byOld, DATA).isEmpty());
            refused(IllegalStateException.class, "key " + old + " is not enabled", () -> keyset.promote(old));
            keyset.enable(old);
            assertTrue(keyset.open(byOld, DATA).isPresent());
            keyset.destroy(old);
            assertEquals(
                    new KeysetKey(old, "", KeysetKey.Status.DESTROYED, KeysetKey.Prefix.TINK),
                    keyset.info().keys().get(0));
            refused(IllegalStateException.class, "key " + old + " is destroyed", () -> keyset.enable(old));
            keyset.remove(old);
            refused(IllegalArgumentException.class, "there is no key " + old, () -> keyset.remove(old));
            refused(IllegalStateException.class, "key " + added + " is the primary",
                    () -> keyset.remove(added), () -> keyset.disable(added), () -> keyset.destroy(added));
            long third = keyset.rotate("AES128_GCM");
            assertEquals(third, keyset.info().primaryKeyId());
            assertEquals(2, keyset.info().keys().size());
            assertArrayEquals(TEXT, keyset.open(byNew, DATA).orElseThrow());
        }
    }

    @Test
    void idsAreUnsigned() throws KeysetException {
        String one = json(Keyset.generate("AES256_GCM_SIV"));
        String high = one.replaceAll("(\"primaryKeyId\"|\"keyId\"):\\d+", "$1:4294967295");
        try (Keyset keyset = Keyset.fromInsecure(bytes(high), KeysetForm.JSON)) {
            assertEquals(4_294_967_295L, keyset.info().primaryKeyId());
            assertEquals(4_294_967_295L, keyset.info().keys().get(0).id());
            keyset.promote(4_294_967_295L);
            byte[] sealed = keyset.seal(TEXT, DATA);
            assertEquals(1, sealed[0]);
            assertEquals(-1, sealed[1]);
        }
    }

    /** The matrix encrypts under each kind of master. */
    @ParameterizedTest
    @EnumSource
    void encryptedUnderAMaster(KeysetForm form) throws KeysetException {
        try (Keyset keyset = Keyset.generate("AES256_SIV");
                Keyset master = Keyset.generate("AES256_GCM");
                AesSiv key = new AesSiv(AesSiv.generateKey())) {
            byte[] clear = keyset.toInsecure(form);
            // A keyset may be its own master, for nothing but a test.
            master.encrypt(form, master, DATA);
            for (KeysetMaster by : List.of(master, key)) {
                byte[] encrypted = keyset.encrypt(form, by, DATA);
                try (Keyset read = Keyset.decrypt(encrypted, form, by, DATA).orElseThrow()) {
                    assertArrayEquals(clear, read.toInsecure(form));
                }
                assertTrue(Keyset.decrypt(encrypted, form, by, TEXT).isEmpty());
                malformed("encrypted keyset", encrypted, form);
                refused(IllegalStateException.class, "the keyset is for deterministic AEAD",
                        () -> Keyset.decrypt(encrypted, form, keyset, DATA), () -> master.encrypt(form, keyset, DATA));
                refused(KeysetException.class, "in the clear", () -> Keyset.decrypt(clear, form, by, DATA));
            }
        }
    }

    @Test
    void whatIsNoKeysetIsSaidWithThePlace() throws KeysetException {
        malformed("at byte 7 (key)", bytes("{\"key\":3}"), KeysetForm.JSON);
        malformed("longer than 1 MiB, at byte 1048576", new byte[(1 << 20) + 1], KeysetForm.BINARY);
        try (Keyset keyset = Keyset.generate("AES256_GCM")) {
            String json = json(keyset);
            String id = Long.toString(keyset.info().primaryKeyId());
            KeysetException e = refused(
                    KeysetException.class, "key " + id + " (key[0])",
                    () -> Keyset.fromInsecure(bytes(json.replace("AesGcmKey", "HmacKey")), KeysetForm.JSON));
            assertEquals(Reason.UNKNOWN_KEY_TYPE, e.reason());
            malformed("enabled", bytes(json.replace("ENABLED", "DISABLED")), KeysetForm.JSON);

            String other = entry(json).replace(id, "1");
            byte[] twice = bytes(with(with(json, other), other));
            malformed("key 1 (key[2])", twice, KeysetForm.JSON);
            try (Keyset allowed = Keyset.fromInsecure(twice, KeysetForm.JSON, KeysetOption.DUPLICATE_IDS)) {
                refused(IllegalArgumentException.class, "several keys have the id 1",
                        () -> allowed.toInsecure(KeysetForm.JSON), () -> allowed.promote(1),
                        () -> allowed.encrypt(KeysetForm.JSON, keyset, DATA));
                allowed.remove(1);
                assertEquals(json, json(allowed));
            }
        }
    }

    /** The first key of a keyset in JSON. */
    private static String entry(String json) {
        return json.substring(json.indexOf("\"key\":[") + 7, json.lastIndexOf(']'));
    }

    private static String with(String json, String entry) {
        int end = json.lastIndexOf(']');
        return json.substring(0, end) + "," + entry + json.substring(end);
    }

    @Test
    void anotherPurposeIsRefused() throws KeysetException {
        ByteArrayOutputStream nowhere = new ByteArrayOutputStream();
        ByteArrayInputStream nothing = new ByteArrayInputStream(TEXT);
        try (Keyset keyset = Keyset.generate("AES256_GCM_SIV");
                Keyset siv = Keyset.generate("AES256_SIV");
                Keyset streams = Keyset.generate("AES256_GCM_HKDF_4KB")) {
            refused(IllegalStateException.class, "the keyset is for ",
                    () -> siv.seal(TEXT, DATA), () -> siv.open(new byte[50], DATA), () -> keyset.add("AES256_SIV"),
                    () -> keyset.sealDeterministically(TEXT, DATA),
                    () -> keyset.openDeterministically(new byte[50], DATA),
                    () -> keyset.newOutputStream(nowhere, DATA), () -> keyset.newInputStream(nothing, DATA),
                    () -> streams.seal(TEXT, DATA), () -> keyset.encrypt(KeysetForm.JSON, streams, DATA));
            byte[] mixed = bytes(with(json(keyset), entry(json(siv))));
            try (Keyset read = Keyset.fromInsecure(mixed, KeysetForm.JSON)) {
                assertEquals(Purpose.OTHER, read.info().purpose());
                refused(IllegalStateException.class, "mixes keys for different primitives",
                        () -> read.seal(TEXT, DATA), () -> read.add("AES256_GCM_SIV"),
                        () -> keyset.encrypt(KeysetForm.JSON, read, DATA));
            }
            assertEquals(0, nowhere.size());
        }
    }

    @Test
    void templatesAndNullsAreRefused() {
        refused(IllegalArgumentException.class, "template",
                () -> Keyset.generate(""), () -> Keyset.generate("AES256"), () -> Keyset.generate("AES256_GCM_SIV "),
                () -> Keyset.generate("\u00c4ES256_GCM_SIV"), () -> Keyset.generate("AES256_GCM_SIV\0"));
        try (Keyset keyset = Keyset.generate("AES256_GCM_SIV")) {
            refused(IllegalArgumentException.class, "template",
                    () -> keyset.add("AES256"), () -> keyset.rotate("AES256_GCM_SIV\0_RAW"));
            assertEquals(1, keyset.info().keys().size());
            refused(NullPointerException.class, "",
                    () -> Keyset.generate(null), () -> keyset.add(null),
                    () -> Keyset.fromInsecure(null, KeysetForm.JSON), () -> Keyset.fromInsecure(TEXT, null),
                    () -> Keyset.fromInsecure(TEXT, KeysetForm.JSON, (KeysetOption) null),
                    () -> keyset.encrypt(KeysetForm.JSON, (KeysetMaster) null, DATA),
                    () -> Keyset.decrypt(TEXT, KeysetForm.JSON, (KeyManagement<RuntimeException>) null, DATA),
                    () -> keyset.seal(null, DATA), () -> keyset.open(null, DATA),
                    () -> keyset.newOutputStream(null, DATA), () -> keyset.newInputStream(null, DATA));
            assertArrayEquals(TEXT, keyset.open(keyset.seal(TEXT, null), new byte[0]).orElseThrow());
        }
    }

    /** Whatever is broken in a keyset, the exception quotes no part of its key. */
    @Test
    void nothingShowsAKey() {
        Keyset keyset = Keyset.generate("AES256_SIV");
        long id = keyset.info().primaryKeyId();
        assertEquals("keyset, primary " + id + ": " + id + " AesSivKey ENABLED TINK", keyset.toString());
        byte[] broken = keyset.toInsecure(KeysetForm.JSON);
        String json = json(keyset);
        int start = json.indexOf("\"value\":\"") + 9;
        String secret = json.substring(start, json.indexOf('"', start));
        for (int i = 0; i < broken.length; i++) {
            byte was = broken[i];
            broken[i] = '{';
            String said;
            try (Keyset read = Keyset.fromInsecure(broken, KeysetForm.JSON)) {
                said = read.toString();
            } catch (KeysetException e) {
                said = e.toString();
            }
            for (int at = 0; at + 6 <= secret.length(); at++) {
                assertFalse(said.contains(secret.substring(at, at + 6)), said);
            }
            broken[i] = was;
        }
        keyset.close();
        assertEquals("closed keyset", keyset.toString());
    }

    @Test
    void aClosedKeysetIsRefused() {
        Keyset keyset = Keyset.generate("AES256_GCM_SIV");
        Keyset open = Keyset.generate("AES256_GCM_SIV");
        byte[] encrypted = open.encrypt(KeysetForm.JSON, keyset, DATA);
        keyset.close();
        keyset.close();
        refused(IllegalStateException.class, "this keyset is closed",
                () -> keyset.seal(TEXT, DATA), () -> keyset.open(new byte[50], DATA), keyset::info,
                () -> keyset.add("AES256_GCM_SIV"), () -> keyset.remove(1), () -> keyset.toInsecure(KeysetForm.JSON),
                () -> keyset.newOutputStream(new ByteArrayOutputStream(), DATA),
                () -> keyset.encrypt(KeysetForm.JSON, open, DATA), () -> open.encrypt(KeysetForm.JSON, keyset, DATA),
                () -> Keyset.decrypt(encrypted, KeysetForm.JSON, keyset, DATA));
        open.close();
    }
}
