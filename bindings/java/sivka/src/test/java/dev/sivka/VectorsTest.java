package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every file of vectors that the public interface can reach. */
class VectorsTest {
    /** How many cases each file of an AEAD has. */
    private static final Map<String, Integer> AEADS =
            Map.of(
                    "aes-gcm-siv/rfc8452.json", 48,
                    "aes-gcm-siv/rfc8452-counter-wrap.json", 2,
                    "aes-siv/aead.json", 26,
                    "chacha20-blake2b/aead.json", 180,
                    "kuznyechik/rfc9058.json", 2);

    private static final String LISTS = "aes-siv/lists.json";

    /** Files of the block cipher and its modes, which tests of their own read. */
    private static final Set<String> BLOCKS =
            Set.of(
                    "kuznyechik/rfc7801.json",
                    "kuznyechik/chain.json",
                    "kuznyechik/ctr-acpkm.json",
                    "kuznyechik/gost-r-34.13-2015.json");

    /** Keys of columns, which {@link ColumnsTest} reads. */
    private static final String COLUMN_KEYS = VectorFolder.COLUMN_KEYS;

    /** Keysets, which {@link KeysetVectorsTest} reads. */
    private static final String KEYSETS = VectorFolder.KEYSETS;

    /** What the public interface does not offer by itself. */
    private static final Map<String, String> OUT_OF_REACH =
            Map.of(
                    "accumulated/accumulated.json", "the matrix of languages plays it",
                    "blake2b/keyed.json", "the hash alone",
                    "chacha20/chacha20.json", "the cipher alone",
                    "kuznyechik/rfc9058-steps.json", "steps of the computation",
                    "published/nist-acvp/aes-gcm-siv.json", "another form; the tests of the core read it");

    private static final Set<String> GROUP_FIELDS = Set.of("algorithm", "section", "case_count", "cases");
    private static final Set<String> CASE_FIELDS =
            Set.of("name", "key", "nonce", "aad", "plaintext", "ciphertext", "tag");

    @Test
    void everyFileIsReadOrNamedWithAReason() {
        Set<String> known = new TreeSet<>(AEADS.keySet());
        known.add(COLUMN_KEYS);
        known.add(KEYSETS);
        known.addAll(BLOCKS);
        known.add(LISTS);
        known.addAll(OUT_OF_REACH.keySet());
        assertEquals(known, new TreeSet<>(VectorFolder.files(".json")));
    }

    @Test
    void aeads() throws IOException {
        for (Map.Entry<String, Integer> file : AEADS.entrySet()) {
            int count = 0;
            JsonObject json = VectorFolder.json(file.getKey());
            assertEquals(Set.of("source", "groups"), json.keySet());
            for (JsonElement group : json.getAsJsonArray("groups")) {
                count += group(group.getAsJsonObject());
            }
            assertEquals(file.getValue(), count, file.getKey());
        }
    }

    @Test
    void lists() throws IOException {
        int count = 0;
        for (JsonElement group : VectorFolder.json(LISTS).getAsJsonArray("groups")) {
            for (JsonElement element : group.getAsJsonObject().getAsJsonArray("cases")) {
                list(element.getAsJsonObject());
                count++;
            }
        }
        assertEquals(7, count);
    }

    private static void list(JsonObject vector) {
        byte[] text = VectorFolder.hex(vector, "plaintext");
        List<byte[]> strings = new ArrayList<>();
        for (JsonElement string : vector.getAsJsonArray("associated_data")) {
            strings.add(HexFormat.of().parseHex(string.getAsString()));
        }
        try (AesSiv key = new AesSiv(VectorFolder.hex(vector, "key"))) {
            byte[] sealed = Keys.join(key, VectorFolder.hex(vector, "ciphertext"), VectorFolder.hex(vector, "tag"));
            assertArrayEquals(sealed, key.sealWithList(text, strings));
            assertArrayEquals(text, key.openWithList(sealed, strings).orElseThrow());
            if (strings.size() < 126) {
                strings.add(new byte[0]);
                assertTrue(key.openWithList(sealed, strings).isEmpty());
            }
        }
    }

    @Test
    void listsThatAreRefused() {
        byte[] text = {1, 2, 3};
        AesSiv key = new AesSiv(AesSiv.generateKey());
        assertArrayEquals(key.seal(text, new byte[0]), key.sealWithList(text, List.of(new byte[0])));
        assertFalse(Arrays.equals(key.seal(text, new byte[0]), key.sealWithList(text, List.of())));
        assertTrue(key.openWithList(new byte[15], List.of()).isEmpty());
        assertTrue(key.openWithList(new byte[16], List.of()).isEmpty());
        List<byte[]> many = Collections.nCopies(127, text);
        String words = assertThrows(IllegalArgumentException.class, () -> key.sealWithList(text, many)).getMessage();
        assertTrue(words.contains("at most 126, 127 given"), words);
        key.close();
        assertThrows(IllegalStateException.class, () -> key.sealWithList(text, List.of()));
        assertThrows(IllegalArgumentException.class, () -> new AesSiv(new byte[33]));
    }

    private static int group(JsonObject group) {
        assertEquals(GROUP_FIELDS, group.keySet());
        String algorithm = group.get("algorithm").getAsString();
        int count = 0;
        for (JsonElement element : group.getAsJsonArray("cases")) {
            JsonObject vector = element.getAsJsonObject();
            Set<String> fields = new TreeSet<>(CASE_FIELDS);
            if (!vector.has("nonce")) {
                fields.remove("nonce");
            }
            assertEquals(fields, vector.keySet());
            check(algorithm, vector);
            count++;
        }
        assertEquals(group.get("case_count").getAsInt(), count);
        return count;
    }

    private static void check(String algorithm, JsonObject vector) {
        byte[] nonce = VectorFolder.hex(vector, "nonce");
        byte[] data = VectorFolder.hex(vector, "aad");
        byte[] text = VectorFolder.hex(vector, "plaintext");
        byte[] ciphertext = VectorFolder.hex(vector, "ciphertext");
        byte[] tag = VectorFolder.hex(vector, "tag");
        String name = algorithm(algorithm, tag.length);
        try (Key key = Keys.make(name, VectorFolder.hex(vector, "key"))) {
            byte[] sealed = Keys.join(key, ciphertext, tag);
            assertArrayEquals(sealed, Keys.seal(key, nonce, text, data));
            assertArrayEquals(text, Keys.open(key, nonce, sealed, data).orElseThrow());

            byte[] inOut = text.clone();
            byte[] made = new byte[tag.length];
            Keys.sealInPlace(key, nonce, inOut, data, made);
            assertArrayEquals(ciphertext, inOut);
            assertArrayEquals(tag, made);
            assertTrue(Keys.openInPlace(key, nonce, inOut, data, tag));
            assertArrayEquals(text, inOut);

            sealed[sealed.length - 1] ^= 1;
            assertTrue(Keys.open(key, nonce, sealed, data).isEmpty());
            tag[0] ^= (byte) 0x80;
            assertFalse(Keys.openInPlace(key, nonce, ciphertext, data, tag));
            assertArrayEquals(new byte[text.length], ciphertext);
        }
    }

    /** The name of an algorithm with such tags. */
    private static String algorithm(String name, int tagLen) {
        return name.contains("BLAKE2b") && tagLen != 32 ? name + "-Tag" + tagLen : name;
    }

    @Test
    void kuznyechikBlock() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/rfc7801.json");
        blocks(json, VectorFolder.hex(json, "plaintext"), VectorFolder.hex(json, "ciphertext"));
    }

    @Test
    void kuznyechikBlocks() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/gost-r-34.13-2015.json");
        blocks(json, VectorFolder.hex(json, "plaintext"), VectorFolder.hex(json, "ecb"));
    }

    @Test
    void kuznyechikCtr() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/gost-r-34.13-2015.json");
        JsonObject ctr = json.getAsJsonObject("ctr");
        byte[] key = VectorFolder.hex(json, "key");
        byte[] iv = VectorFolder.hex(ctr, "iv");
        keystream(() -> new KuznyechikCtr(key, iv), json, VectorFolder.hex(ctr, "ciphertext"));
    }

    @Test
    void kuznyechikCtrAcpkm() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/ctr-acpkm.json");
        byte[] key = VectorFolder.hex(json, "key");
        byte[] iv = VectorFolder.hex(json, "iv");
        long sectionLen = json.get("section_len").getAsLong();
        keystream(() -> KuznyechikCtr.acpkm(key, iv, sectionLen), json, VectorFolder.hex(json, "ciphertext"));
    }

    /** Whole, and in two pieces parted anywhere, there and back. */
    private static void keystream(Supplier<KuznyechikCtr> start, JsonObject json, byte[] ciphertext) {
        byte[] plaintext = VectorFolder.hex(json, "plaintext");
        for (int parted = 0; parted <= plaintext.length; parted++) {
            byte[] inOut = plaintext.clone();
            try (KuznyechikCtr ctr = start.get()) {
                ctr.applyKeystream(inOut, 0, parted);
                ctr.applyKeystream(ByteBuffer.wrap(inOut, parted, inOut.length - parted));
            }
            assertArrayEquals(ciphertext, inOut);
            try (KuznyechikCtr ctr = start.get()) {
                ctr.applyKeystream(inOut);
            }
            assertArrayEquals(plaintext, inOut);
        }
    }

    @Test
    void kuznyechikOmac() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/gost-r-34.13-2015.json");
        byte[] message = VectorFolder.hex(json, "plaintext");
        byte[] longest = VectorFolder.hex(json.getAsJsonObject("omac"), "tag");
        for (int tagLen = 4; tagLen <= 16; tagLen++) {
            byte[] tag = Arrays.copyOf(longest, tagLen);
            try (KuznyechikOmac omac = new KuznyechikOmac(VectorFolder.hex(json, "key"), tagLen)) {
                assertEquals(tagLen, omac.tagLength());
                assertArrayEquals(tag, omac.tag(message));
                assertTrue(omac.verify(message, tag));
                for (int parted = 0; parted <= message.length; parted++) {
                    omac.update(message, 0, parted);
                    omac.update(ByteBuffer.wrap(message, parted, message.length - parted));
                    assertArrayEquals(tag, omac.finish());
                }
            }
        }
    }

    private static void blocks(JsonObject json, byte[] plaintext, byte[] ciphertext) {
        try (Kuznyechik key = new Kuznyechik(VectorFolder.hex(json, "key"))) {
            byte[] inOut = plaintext.clone();
            key.encryptBlocks(inOut);
            assertArrayEquals(ciphertext, inOut);
            key.decryptBlocks(inOut);
            assertArrayEquals(plaintext, inOut);
        }
    }

    @Test
    void kuznyechikChains() throws IOException {
        JsonObject json = VectorFolder.json("kuznyechik/chain.json");
        int lanes = json.getAsJsonArray("lanes").size();
        assertEquals(32, lanes);
        byte[] blocks = new byte[lanes * 16];
        for (int lane = 0; lane < lanes; lane++) {
            blocks[lane * 16] = (byte) lane;
        }
        try (Kuznyechik key = new Kuznyechik(VectorFolder.hex(json, "key"))) {
            for (int i = json.get("times").getAsInt(); i > 0; i--) {
                key.encryptBlocks(blocks);
            }
        }
        for (int lane = 0; lane < lanes; lane++) {
            String expected = json.getAsJsonArray("lanes").get(lane).getAsString();
            assertEquals(expected, HexFormat.of().formatHex(blocks, lane * 16, lane * 16 + 16));
        }
    }
}
