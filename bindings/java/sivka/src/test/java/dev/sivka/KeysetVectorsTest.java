package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.sivka.KeysetInfo.Purpose;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tink keysets, and what was sealed under them. */
class KeysetVectorsTest {
    private static JsonObject vectors() throws IOException {
        return VectorFolder.json(VectorFolder.KEYSETS);
    }

    private static byte[] text(JsonObject from, String name) {
        return from.get(name).getAsString().getBytes(StandardCharsets.UTF_8);
    }

    private static Keyset read(JsonObject vector) throws KeysetException {
        return Keyset.fromInsecure(text(vector, "json"), KeysetForm.JSON);
    }

    private static Optional<byte[]> open(Keyset keyset, JsonObject message) {
        return Keys.open(keyset, VectorFolder.hex(message, "ciphertext"), VectorFolder.hex(message, "aad"));
    }

    @Test
    void keysets() throws Exception {
        int messages = 0;
        int refused = 0;
        JsonArray all = vectors().getAsJsonArray("keysets");
        assertEquals(4, all.size());
        for (JsonElement one : all) {
            JsonObject vector = one.getAsJsonObject();
            try (Keyset keyset = read(vector)) {
                forms(vector, keyset);
                for (JsonElement message : vector.getAsJsonArray("messages")) {
                    message(keyset, message.getAsJsonObject());
                    messages++;
                }
                for (JsonElement element : vector.getAsJsonArray("refused")) {
                    JsonObject message = element.getAsJsonObject();
                    assertTrue(open(keyset, message).isEmpty(), "a disabled key opens");
                    keyset.enable(9);
                    assertArrayEquals(VectorFolder.hex(message, "plaintext"), open(keyset, message).orElseThrow());
                    refused++;
                }
            }
        }
        assertEquals(10, messages);
        assertEquals(1, refused);
    }

    private static void forms(JsonObject vector, Keyset keyset) throws KeysetException {
        String name = vector.get("name").getAsString();
        String json = vector.get("json").getAsString() + "\n";
        assertEquals(json, new String(keyset.toInsecure(KeysetForm.JSON), StandardCharsets.UTF_8), name);
        boolean deterministic = vector.get("primitive").getAsString().equals("deterministic AEAD");
        assertEquals(deterministic ? Purpose.DETERMINISTIC_AEAD : Purpose.AEAD, keyset.info().purpose(), name);
        if (!vector.get("binary").isJsonNull()) {
            byte[] binary = VectorFolder.hex(vector, "binary");
            assertArrayEquals(binary, keyset.toInsecure(KeysetForm.BINARY), name);
            try (Keyset same = Keyset.fromInsecure(binary, KeysetForm.BINARY)) {
                assertEquals(json, new String(same.toInsecure(KeysetForm.JSON), StandardCharsets.UTF_8), name);
            }
        }
    }

    private static void message(Keyset keyset, JsonObject message) {
        byte[] data = VectorFolder.hex(message, "aad");
        byte[] text = VectorFolder.hex(message, "plaintext");
        byte[] sealed = VectorFolder.hex(message, "ciphertext");
        assertArrayEquals(text, open(keyset, message).orElseThrow());
        if (keyset.info().purpose() == Purpose.DETERMINISTIC_AEAD) {
            assertArrayEquals(sealed, keyset.sealDeterministically(text, data));
        }
        for (int i = 0; i < sealed.length; i++) {
            sealed[i] ^= 4;
            assertTrue(Keys.open(keyset, sealed, data).isEmpty(), "a forgery opens");
            sealed[i] ^= 4;
        }
    }

    /** The same key as that of the first keyset, under AES-GCM. */
    @Test
    void oldAndroid() throws Exception {
        JsonObject vectors = vectors();
        JsonObject raw = vectors.getAsJsonArray("raw").get(0).getAsJsonObject();
        byte[] data = VectorFolder.hex(raw, "aad");
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.write(HexFormat.of().parseHex("01cafebabe"));
        joined.write(VectorFolder.hex(raw, "ciphertext"));
        try (Keyset keyset = read(vectors.getAsJsonArray("keysets").get(0).getAsJsonObject())) {
            byte[] sealed = joined.toByteArray();
            assertTrue(keyset.open(sealed, data).isEmpty());
            assertArrayEquals(VectorFolder.hex(raw, "plaintext"), keyset.openAndroidAesGcm(sealed, data).orElseThrow());
            sealed[20] ^= 1;
            assertTrue(keyset.openAndroidAesGcm(sealed, data).isEmpty());
        }
    }

    @Test
    void encrypted() throws Exception {
        JsonObject vectors = vectors();
        JsonObject encrypted = vectors.getAsJsonObject("encrypted");
        Map<byte[], KeysetForm> forms =
                Map.of(
                        VectorFolder.hex(encrypted, "binary"), KeysetForm.BINARY,
                        VectorFolder.hex(encrypted, "binary_with_info"), KeysetForm.BINARY,
                        text(encrypted, "json"), KeysetForm.JSON);
        byte[] data = VectorFolder.hex(encrypted.getAsJsonObject("other"), "associated_data");
        try (Keyset expected = read(vectors.getAsJsonArray("keysets").get(0).getAsJsonObject());
                AesGcmSiv master = new AesGcmSiv(VectorFolder.hex(encrypted, "key"))) {
            byte[] clear = expected.toInsecure(KeysetForm.BINARY);
            for (Map.Entry<byte[], KeysetForm> form : forms.entrySet()) {
                try (Keyset keyset =
                        Keyset.decrypt(form.getKey(), form.getValue(), master, new byte[0]).orElseThrow()) {
                    assertArrayEquals(clear, keyset.toInsecure(KeysetForm.BINARY));
                }
                assertTrue(Keyset.decrypt(form.getKey(), form.getValue(), master, data).isEmpty());
            }
        }
    }
}
