/* Uses, changes, writes and encrypts keysets of its own. The matrix plays the vectors. */
#include "check.h"

#define TINK "type.googleapis.com/google.crypto.tink."

/* Seals with as much room as it takes, to memory that is kept. */
static unsigned char *seal(const sivka_keyset *keyset, const void *text, size_t text_len, size_t *sealed_len)
{
    sivka_key *key = key_of_keyset(keyset);
    const size_t room = sivka_key_seal_len(key, text_len);
    unsigned char *sealed = keep(room);

    CHECK(room > text_len);
    CHECK_STATUS(SIVKA_OK, SEAL(key, NULL, 0, text, text_len, sealed, room, sealed_len));
    CHECK(*sealed_len == room);
    sivka_key_free(key);
    return sealed;
}

/* What opening answers; if it opens, whether to this text. */
static sivka_status opens(const sivka_keyset *keyset, const unsigned char *sealed, size_t sealed_len,
                          const void *text, size_t text_len)
{
    sivka_key *key = key_of_keyset(keyset);
    const size_t room = sivka_key_open_len(key, sealed_len);
    unsigned char *opened = memset(keep(room), 7, room);
    size_t len = 12345;
    sivka_status status;

    status = OPEN(key, NULL, 0, sealed, sealed_len, opened, room, &len);
    if (status == SIVKA_OK)
        CHECK(len == text_len && len <= room && memcmp(opened, text, len) == 0);
    else
        CHECK(len == 12345 && is_zeros(opened, room));
    sivka_key_free(key);
    return status;
}

/* A keyset as it is written in the clear, in memory that is kept. */
static unsigned char *written(const sivka_keyset *keyset, uint32_t form, size_t *len)
{
    size_t needed = 0;
    unsigned char *output;

    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_to_insecure(keyset, form, NULL, 0, &needed));
    output = keep(needed);
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_to_insecure(keyset, form, output, needed - 1, len));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, form, output, needed, len));
    CHECK(*len == needed);
    return output;
}

static void same(const sivka_keyset *one, const sivka_keyset *other)
{
    size_t len, other_len;
    unsigned char *bytes = written(one, SIVKA_KEYSET_BINARY, &len);
    unsigned char *others = written(other, SIVKA_KEYSET_BINARY, &other_len);

    CHECK(len == other_len && memcmp(bytes, others, len) == 0);
}

/* What keys of templates tell; the matrix seals and opens under each. */
static void templates(void)
{
    static const struct {
        const char *name, *type;
        size_t overhead;
        sivka_keyset_prefix prefix;
    } all[] = {
        {"AES256_GCM_SIV", TINK "AesGcmSivKey", 33, SIVKA_KEYSET_PREFIX_TINK},
        {"aes256_siv", TINK "AesSivKey", 21, SIVKA_KEYSET_PREFIX_TINK},
        {"XAES_256_GCM_160_BIT_NONCE_RAW", TINK "XAesGcmKey", 36, SIVKA_KEYSET_PREFIX_RAW},
    };
    size_t i;

    for (i = 0; i < sizeof all / sizeof *all; i++) {
        sivka_keyset *keyset = NULL;
        sivka_keyset_info *info = NULL;
        sivka_key *made;

        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(all[i].name, &keyset));
        CHECK_STATUS(SIVKA_OK, sivka_inspect_keyset(keyset, &info));
        CHECK(info->key_count == 1 && info->keys->id == info->primary_key_id && info->keys->id != 0);
        CHECK(info->keys->status == SIVKA_KEYSET_ENABLED && info->keys->prefix == all[i].prefix);
        CHECK(strcmp(info->keys->type_name, all[i].type) == 0);
        made = key_of_keyset(keyset);
        CHECK(sivka_key_seal_len(made, 100) == 100 + all[i].overhead);
        CHECK(sivka_key_open_len(made, 100) == 100 - all[i].overhead);
        CHECK(sivka_key_open_len(made, 15) == 0 && sivka_key_seal_len(made, SIZE_MAX) == 0);
        CHECK(sivka_key_algorithm(made) == 0);
        sivka_key_free(made);
        sivka_keyset_info_free(info);
        sivka_keyset_free(keyset);
    }
}

/* The primary's id, after a look at how many keys there are, and at the first one. */
static uint32_t primary(const sivka_keyset *keyset, size_t count, uint32_t first, sivka_keyset_status status)
{
    sivka_keyset_info *info = NULL;
    uint32_t id;

    CHECK_STATUS(SIVKA_OK, sivka_inspect_keyset(keyset, &info));
    CHECK(info->key_count == count && info->keys[0].status == status && (first == 0 || info->keys[0].id == first));
    CHECK((info->keys[0].type_name[0] == '\0') == (status == SIVKA_KEYSET_DESTROYED));
    id = info->primary_key_id;
    sivka_keyset_info_free(info);
    return id;
}

#define CHANGED(status, change, id) CHECK_STATUS(status, sivka_keyset_change(keyset, SIVKA_KEYSET_##change, id))

static void rotation(void)
{
    sivka_keyset *keyset = NULL, *copy = NULL;
    uint32_t old, new_id = 0, third = 0;
    unsigned char *by_old, *by_new;
    size_t old_len, new_len;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_SIV", &keyset));
    old = primary(keyset, 1, 0, SIVKA_KEYSET_ENABLED);
    by_old = seal(keyset, "old", 3, &old_len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, "XCHACHA20_POLY1305", 0, &new_id));
    CHECK(primary(keyset, 2, old, SIVKA_KEYSET_ENABLED) == old);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_copy(keyset, &copy));
    CHANGED(SIVKA_OK, PROMOTE, new_id);
    by_new = seal(keyset, "new", 3, &new_len);
    CHECK(new_len == old_len + 12 && memcmp(by_new, by_old, 5) != 0);
    /* The copy went no further, and opens both. */
    CHECK(primary(copy, 2, old, SIVKA_KEYSET_ENABLED) == old);
    CHECK_STATUS(SIVKA_OK, opens(copy, by_new, new_len, "new", 3));
    CHECK_STATUS(SIVKA_OK, opens(keyset, by_old, old_len, "old", 3));

    CHANGED(SIVKA_OK, DISABLE, old);
    CHECK_STATUS(SIVKA_ERROR_OPEN, opens(keyset, by_old, old_len, NULL, 0));
    CHANGED(SIVKA_ERROR_KEY_STATE, PROMOTE, old);
    CHANGED(SIVKA_OK, ENABLE, old);
    CHECK_STATUS(SIVKA_OK, opens(keyset, by_old, old_len, "old", 3));
    CHANGED(SIVKA_OK, DESTROY, old);
    CHECK(primary(keyset, 2, old, SIVKA_KEYSET_DESTROYED) == new_id);
    CHANGED(SIVKA_ERROR_KEY_STATE, ENABLE, old);
    CHANGED(SIVKA_ERROR_KEY_STATE, DISABLE, old);
    CHANGED(SIVKA_OK, REMOVE, old);
    CHANGED(SIVKA_ERROR_KEY_ID, REMOVE, old);
    CHANGED(SIVKA_ERROR_KEY_STATE, REMOVE, new_id);
    CHANGED(SIVKA_ERROR_KEY_STATE, DESTROY, new_id);
    CHANGED(SIVKA_ERROR_KEY_STATE, DISABLE, new_id);

    CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, "AES128_GCM_SIV", SIVKA_KEYSET_AS_PRIMARY, &third));
    CHECK(primary(keyset, 2, new_id, SIVKA_KEYSET_ENABLED) == third && third != new_id);
    CHECK_STATUS(SIVKA_OK, opens(keyset, by_new, new_len, "new", 3));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_add(keyset, "AES256_SIV", 0, NULL));
    CHECK_STATUS(SIVKA_ERROR_TEMPLATE, sivka_keyset_add(keyset, "AES256", 0, NULL));
    CHECK_STATUS(SIVKA_ERROR_FLAGS, sivka_keyset_add(keyset, "AES256_GCM_SIV", 2, NULL));
    sivka_keyset_free(keyset);
    sivka_keyset_free(copy);
}

/* Encrypted under another keyset and under a key, in both forms. The matrix decrypts. */
static void encryption(void)
{
    static const unsigned char aad[] = "prod/eu", bytes[32] = {1};
    sivka_keyset *keyset = NULL, *masters = NULL, *found = NULL;
    sivka_key *both[2], *tokens;
    unsigned char output[1024];
    uint32_t form;
    size_t len, needed, i;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_SIV", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM", &masters));
    both[0] = key_of_keyset(masters);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_XCHACHA20_BLAKE2B_SIV, bytes, 32, &both[1]));
    for (i = 0; i < 4; i++) {
        const sivka_key *master = both[i / 2];

        form = i % 2 == 0 ? SIVKA_KEYSET_BINARY : SIVKA_KEYSET_JSON;
        CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_encrypt(keyset, master, aad, 7, form, NULL, 0, &needed));
        CHECK_STATUS(SIVKA_OK, sivka_keyset_encrypt(keyset, master, aad, 7, form, output, sizeof output, &len));
        CHECK(len == needed);
        CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_keyset_decrypt(both[1 - i / 2], aad, 7, output, len, form, &found));
        CHECK_STATUS(SIVKA_ERROR_KEYSET, sivka_keyset_from_insecure(output, len, form, &found));
    }
    tokens = key_of_keyset(keyset);
    CHECK_NAMED("master", SIVKA_ERROR_PRIMITIVE,
                sivka_keyset_encrypt(keyset, tokens, aad, 7, 0, output, sizeof output, NULL));
    CHECK_NAMED("master", SIVKA_ERROR_PRIMITIVE,
                sivka_keyset_decrypt(tokens, aad, 7, output, len, 0, &found));
    CHECK_STATUS(SIVKA_ERROR_FLAGS, sivka_keyset_encrypt(keyset, both[0], aad, 7, 2, output, sizeof output, NULL));
    sivka_key_free(tokens);
    sivka_key_free(both[0]);
    sivka_key_free(both[1]);
    sivka_keyset_free(keyset);
    sivka_keyset_free(masters);
}

/* Encrypted by a service, in both forms; what stands for it turns every bit over. */
static void service(void)
{
    sivka_keyset *keyset = NULL, *found = NULL;
    unsigned char clear[512], encrypted[512], output[1024];
    uint32_t form;
    size_t len, needed, i;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_SIV", &keyset));
    for (form = SIVKA_KEYSET_BINARY; form <= SIVKA_KEYSET_JSON; form++) {
        CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, SIVKA_KEYSET_BINARY, clear, sizeof clear, &len));
        for (i = 0; i < len; i++)
            encrypted[i] = (uint8_t)~clear[i];
        CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_encrypted_keyset_of(keyset, encrypted, len, form, NULL, 0, &needed));
        CHECK_STATUS(SIVKA_OK, sivka_encrypted_keyset_of(keyset, encrypted, len, form, output, sizeof output, &len));
        CHECK(len == needed);

        memset(encrypted, 0, sizeof encrypted);
        CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                     sivka_encrypted_keyset_ciphertext(output, len, form, encrypted, 9, &needed));
        CHECK(is_zeros(encrypted, sizeof encrypted));
        CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_encrypted_keyset_ciphertext(
                                              output, len, form, output + 9, sizeof output - 9, &len));
        CHECK_STATUS(SIVKA_OK, sivka_encrypted_keyset_ciphertext(output, len, form, encrypted,
                                                                 sizeof encrypted, &needed));
        for (i = 0; i < needed; i++)
            encrypted[i] = (uint8_t)~encrypted[i];
        CHECK_STATUS(SIVKA_OK, sivka_keyset_from_insecure(encrypted, needed, SIVKA_KEYSET_BINARY, &found));
        same(keyset, found);
        sivka_keyset_free(found);
    }
    CHECK_STATUS(SIVKA_ERROR_KEYSET,
                 sivka_encrypted_keyset_ciphertext(clear, 9, SIVKA_KEYSET_BINARY, output, sizeof output, &len));
    CHECK_STATUS(SIVKA_ERROR_FLAGS, sivka_encrypted_keyset_of(keyset, clear, 9, 2, output, sizeof output, &len));
    sivka_keyset_free(keyset);
}

/* A column under a keyset whose keys seal to different lengths; the second row does not open. */
static void columns(void)
{
    static const unsigned char text[] = "onetwothree";
    static const int32_t ends[] = {0, 3, 6, 6, 11};
    static const unsigned char present = 0x0b;
    const sivka_column values = {text, 11, ends, &present, 0, 32};
    sivka_column rows = values;
    sivka_keyset *keyset = NULL;
    sivka_key *old, *key;
    unsigned char sealed[512], opened[512], nonces[48] = {0};
    sivka_status statuses[4];
    int32_t row_ends[5];
    int64_t found[5];
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("XCHACHA20_POLY1305", &keyset));
    old = key_of_keyset(keyset);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, "AES256_GCM_SIV", SIVKA_KEYSET_AS_PRIMARY, NULL));
    key = key_of_keyset(keyset);
    CHECK_STATUS(SIVKA_OK, sivka_sealed_column_len(old, 4, &values, &len));
    CHECK(len == 11 + 3 * 45);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_seal_column(old, 4, &values, text, 3, NULL, NULL, 0, sealed,
                                                       len + 1, row_ends, 32));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_seal_column(old, 4, &values, text, 3, NULL, nonces, 48, sealed,
                                                          len, row_ends, 32));
    CHECK_STATUS(SIVKA_OK, sivka_seal_column(old, 4, &values, text, 3, NULL, NULL, 0, sealed, len, row_ends, 32));
    CHECK(row_ends[0] == 0 && row_ends[1] == 48 && row_ends[2] == 96 && row_ends[3] == 96 && row_ends[4] == 146);
    sealed[90] ^= 1;
    rows.bytes = sealed;
    rows.bytes_len = len;
    rows.offsets = row_ends;
    CHECK_STATUS(SIVKA_OK, sivka_opened_column_len(key, 4, &rows, &len));
    CHECK(len == 146 - 3 * 33);
    CHECK_STATUS(SIVKA_ERROR_BATCH, sivka_open_column(key, 4, &rows, text, 3, NULL, opened, len, found, 64,
                                                      statuses));
    CHECK(statuses[0] == SIVKA_OK && statuses[1] == SIVKA_ERROR_OPEN && statuses[2] == SIVKA_OK);
    CHECK(statuses[3] == SIVKA_OK && found[1] == 3 && found[2] == 3 && found[3] == 3 && found[4] == 8);
    CHECK(memcmp(opened, "onethree", 8) == 0 && is_zeros(opened + 8, len - 8));
    row_ends[1] = 147;
    CHECK_STATUS(SIVKA_ERROR_OFFSETS, sivka_opened_column_len(key, 4, &rows, &len));
    sivka_key_free(old);
    sivka_key_free(key);
    sivka_keyset_free(keyset);
}

static int detail_has(const char *words)
{
    return strstr(sivka_last_error()->detail, words) != NULL;
}

#define JSON_KEY(type, id) \
    "{\"keyData\":{\"typeUrl\":\"" TINK type "\",\"value\":\"GhAAAQIDBAUGBwgJCgsMDQ4P\"," \
    "\"keyMaterialType\":\"SYMMETRIC\"},\"status\":\"ENABLED\",\"keyId\":" id "," \
    "\"outputPrefixType\":\"TINK\"}"
#define JSON_DESTROYED "{\"status\":\"DESTROYED\",\"keyId\":2,\"outputPrefixType\":\"TINK\"}"

static sivka_status from_json(const char *text, uint32_t flags, sivka_keyset **made)
{
    return sivka_keyset_from_insecure(text, strlen(text), SIVKA_KEYSET_JSON | flags, made);
}

static void misuse(void)
{
    static const char twice[] =
        "{\"primaryKeyId\":1,\"key\":["
        JSON_KEY("AesGcmKey", "1") "," JSON_DESTROYED "," JSON_DESTROYED "]}";
    static const char unknown[] = "{\"primaryKeyId\":77,\"key\":[" JSON_KEY("HmacKey", "77") "]}";
    sivka_keyset *keyset = NULL, *siv = NULL;
    sivka_key *key = NULL;
    unsigned char text[100] = "plaintext", sealed[100];
    size_t len = 0;

    CHECK_STATUS(SIVKA_ERROR_TEMPLATE, sivka_keyset_generate("AES256", &keyset));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_generate(NULL, &keyset));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_generate("AES256_SIV", NULL));
    CHECK_STATUS(SIVKA_ERROR_KEYSET, sivka_keyset_from_insecure(NULL, 0, 0, &keyset));
    CHECK_STATUS(SIVKA_ERROR_KEYSET, from_json("{\"key\":3}", 0, &keyset));
    CHECK(detail_has("at byte 7 (key)"));
    CHECK_STATUS(SIVKA_ERROR_KEY_TYPE, from_json(unknown, 0, &keyset));
    CHECK(detail_has("key 77") && detail_has("HmacKey") && !detail_has("GhAA"));
    CHECK_STATUS(SIVKA_ERROR_KEYSET, from_json(twice, 0, &keyset));
    CHECK(detail_has("key 2 (key[2])"));
    CHECK(keyset == NULL);
    CHECK_STATUS(SIVKA_OK, from_json(twice, SIVKA_KEYSET_DUPLICATE_IDS, &keyset));
    CHECK_STATUS(SIVKA_ERROR_KEY_ID, sivka_keyset_to_insecure(keyset, 0, text, sizeof text, NULL));
    CHANGED(SIVKA_OK, REMOVE, 2);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, 0, text, sizeof text, NULL));
    CHECK_STATUS(SIVKA_ERROR_FLAGS, sivka_keyset_from_insecure(text, 9, 4, &siv));

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_SIV", &siv));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(siv, SIVKA_KEYSET_AEAD, &key));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(keyset, SIVKA_KEYSET_DETERMINISTIC_AEAD, &key));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(keyset, SIVKA_KEYSET_MIXED, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_key(NULL, SIVKA_KEYSET_AEAD, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_key(keyset, SIVKA_KEYSET_AEAD, NULL));
    CHECK(key == NULL);
    key = key_of_keyset(keyset);
    CHECK_STATUS(SIVKA_ERROR_NULL, SEAL(key, NULL, 1, text, 9, sealed, 100, &len));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, SEAL(key, NULL, 0, text, 9, sealed, 9 + 32, &len));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, SEAL(key, NULL, 0, text, 9, text + 8, 92, &len));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, OPEN(key, NULL, 0, sealed, 50, sealed + 40, 60, &len));
    /* It takes no nonce, tag or list. */
    CHECK_NAMED("key", SIVKA_ERROR_PRIMITIVE,
                SEAL_WITH_NONCE(key, text, 12, NULL, 0, text, 9, sealed, 100, &len));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, OPEN_DETACHED(key, text, 12, NULL, 0, text, 9, text, 16, sealed, 9));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_seal_many(key, &(sivka_messages){0}));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_key_set_usage_bound(key, 1, 1));
    sivka_key_free(key);
    CHECK(len == 0);
    CHECK(sivka_key_seal_len(NULL, 1) == 0 && sivka_key_open_len(NULL, 100) == 0);
    CHECK(sivka_keyset_primitive(NULL) == SIVKA_KEYSET_MIXED);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_change(NULL, SIVKA_KEYSET_PROMOTE, 1));
    sivka_keyset_free(keyset);
    sivka_keyset_free(siv);
    sivka_keyset_free(NULL);
}

int main(void)
{
    templates();
    rotation();
    encryption();
    service();
    columns();
    misuse();
    return report();
}
