/* Every pointer to a handle or a structure is asked for its alignment before it is read. */
#include "check.h"

#include <stdint.h>

#define REFUSED(call) CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, call)

/* The same for calls that answer a number or a text, and for those that free. */
#define ANSWERS(nothing, call) CHECK((call) == (nothing))
#define FREES_NOTHING(call)                                             \
    do {                                                                \
        CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_copy(NULL, NULL));  \
        call;                                                           \
        CHECK(sivka_last_error()->status == SIVKA_ERROR_ALIGNMENT);     \
    } while (0)

static unsigned char text[64], out[256], in_out[64], nonce[16];
static sivka_key *key;
static sivka_keyset *keyset;
static sivka_file_keys *file_keys;

static int32_t read_none_at(void *context, uint64_t position, uint8_t *buffer, size_t len,
                            size_t *read_len)
{
    (void)context, (void)position, (void)buffer, (void)len;
    *read_len = 0;
    return 0;
}

static void keys(void *at)
{
    const uint8_t *const aads[1] = {text};
    uint8_t *texts[1] = {in_out};
    const size_t lens[1] = {1}, offsets[2] = {0, 1};
    const int32_t ends[2] = {0, 1};
    const sivka_column column = {.bytes = text, .bytes_len = 1, .offsets = ends, .offset_bits = 32};
    int32_t out_ends[2];
    sivka_status statuses[1];
    size_t len;

    REFUSED(sivka_algorithm_from_name("AES-256-GCM-SIV", (sivka_algorithm *)at));
    REFUSED(sivka_key_new(SIVKA_AES_256_GCM_SIV, text, 32, (sivka_key **)at));
    REFUSED(sivka_key_new_by_name("AES-256-GCM-SIV", text, 32, (sivka_key **)at));
    REFUSED(sivka_column_key_new(SIVKA_AES_256_GCM_SIV, "a", 1, (sivka_key **)at));
    REFUSED(sivka_key_set_usage_bound(at, 1, 1));
    FREES_NOTHING(sivka_key_free(at));
    ANSWERS(0, sivka_key_algorithm(at));
    ANSWERS(NULL, sivka_key_tier(at));

    REFUSED(sivka_seal(at, NULL, 0, text, 64, out, 128, &len));
    REFUSED(sivka_open(at, NULL, 0, out, 128, text, 100, &len));
    REFUSED(sivka_seal_with_nonce(at, nonce, 12, NULL, 0, text, 64, out, 128, &len));
    REFUSED(sivka_open_with_nonce(at, nonce, 12, NULL, 0, out, 80, text, 64, &len));
    REFUSED(sivka_seal_detached(at, nonce, 12, NULL, 0, text, 64, out, 64, out + 64, 16));
    REFUSED(sivka_open_detached(at, nonce, 12, NULL, 0, out, 64, out + 64, 16, text, 64));
    REFUSED(sivka_seal_with_list(at, aads, lens, 1, text, 64, out, 128, &len));
    REFUSED(sivka_open_with_list(at, aads, lens, 1, out, 80, text, 64, &len));
    REFUSED(sivka_seal_detached_with_list(at, aads, lens, 1, text, 64, out, 64, out + 64, 16));
    REFUSED(sivka_open_detached_with_list(at, aads, lens, 1, out, 64, out + 64, 16, text, 64));

    REFUSED(sivka_seal_batch(at, 1, nonce, 12, NULL, NULL, texts, lens, out, 16, statuses));
    REFUSED(sivka_open_batch(at, 1, nonce, 12, NULL, NULL, texts, lens, out, 16, statuses));
    REFUSED(sivka_seal_batch(key, 1, nonce, 12, at, lens, texts, lens, out, 16, statuses));
    REFUSED(sivka_open_batch(key, 1, nonce, 12, NULL, NULL, texts, lens, out, 16, at));
    REFUSED(sivka_seal_batch_contiguous(at, 1, nonce, 12, NULL, 0, NULL, in_out, 1, offsets, out, 16,
                                        statuses));
    REFUSED(sivka_open_batch_contiguous(at, 1, nonce, 12, NULL, 0, NULL, in_out, 1, offsets, out, 16,
                                        statuses));
    REFUSED(sivka_sealed_column_len(at, 1, &column, &len));
    REFUSED(sivka_opened_column_len(at, 1, &column, &len));
    REFUSED(sivka_sealed_column_len(key, 1, at, &len));
    REFUSED(sivka_opened_column_len(key, 1, at, &len));
    REFUSED(sivka_sealed_column_len(key, 1, &column, at));
    REFUSED(sivka_seal_column(at, 1, &column, NULL, 0, NULL, NULL, 0, out, 29, out_ends, 32));
    REFUSED(sivka_seal_column(key, 1, at, NULL, 0, NULL, NULL, 0, out, 29, out_ends, 32));
    REFUSED(sivka_seal_column(key, 1, &column, NULL, 0, NULL, NULL, 0, out, 29, at, 32));
    REFUSED(sivka_open_column(at, 1, &column, NULL, 0, NULL, out, 1, out_ends, 32, statuses));
    REFUSED(sivka_open_column(key, 1, at, NULL, 0, NULL, out, 1, out_ends, 32, statuses));
}

static void files(void *at)
{
    /* Whose text is read first. */
    static const char recipient[] = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
    static const char identity[] =
        "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
    char key_text[SIVKA_MAX_KEY_FILE_LEN], key_file[SIVKA_MAX_KEY_FILE_LEN];
    size_t len, used, key_file_len;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("a", key_file, sizeof key_file, &key_file_len));
    REFUSED(sivka_seal_file("/", "x", at, 0, 0, NULL, NULL));
    REFUSED(sivka_open_file("/", "x", at, 0, NULL, NULL));
    REFUSED(sivka_verify_file("/", at, NULL, NULL));
    REFUSED(sivka_generate_key_file("a", key_text, sizeof key_text, at));
    REFUSED(sivka_key_file_from_bytes(text, 32, "a", key_text, sizeof key_text, at));
    REFUSED(sivka_file_keys_new(at));
    FREES_NOTHING(sivka_file_keys_free(at));
    REFUSED(sivka_file_keys_add_key_file(at, key_file, key_file_len, NULL, 0));
    REFUSED(sivka_file_keys_add_passphrase(at, "a", 1));
    REFUSED(sivka_file_keys_add_recipients(at, recipient, sizeof recipient - 1));
    REFUSED(sivka_file_keys_add_identities(at, identity, sizeof identity - 1));
    REFUSED(sivka_file_keys_set_room(at, 9));
    REFUSED(sivka_file_keys_set_cost(at, 8, 1, 1));
    REFUSED(sivka_file_keys_set_max_cost(at, 8, 1));
    REFUSED(sivka_file_reader_new("/", at, &(sivka_file_reader *){NULL}));
    REFUSED(sivka_file_reader_new("/", file_keys, at));
    REFUSED(sivka_file_reader_of_function(read_none_at, 1, NULL, at, &(sivka_file_reader *){NULL}));
    ANSWERS(0, sivka_file_reader_len(at));
    REFUSED(sivka_file_reader_read(at, 0, out, 1, &len));
    FREES_NOTHING(sivka_file_reader_free(at));
    CHECK(sivka_seal_memory_len(at, 0, 1) == 0);
    REFUSED(sivka_seal_memory(text, 1, out, 256, &len, at, 0));
    REFUSED(sivka_open_memory(text, 64, out, 256, &len, at));
    REFUSED(sivka_sealer_new(at, 0, &(sivka_sealer *){NULL}));
    REFUSED(sivka_sealer_update(at, text, 1, &used, out, 1, &len));
    REFUSED(sivka_sealer_finish(at, out, 1, &len));
    FREES_NOTHING(sivka_sealer_free(at));
    REFUSED(sivka_opener_new(at, &(sivka_opener *){NULL}));
    REFUSED(sivka_opener_update(at, text, 1, &used, out, 1, &len));
    REFUSED(sivka_opener_finish(at, out, 1, &len));
    FREES_NOTHING(sivka_opener_free(at));
    REFUSED(sivka_salvage_file("/", "x", at, 0, NULL, NULL, NULL, NULL, &(sivka_salvage){0}));
    REFUSED(sivka_salvage_file("/", "x", file_keys, 0, NULL, NULL, NULL, NULL, at));
    REFUSED(sivka_inspect_file("/", at));
    REFUSED(sivka_inspect_memory(text, 64, at));
    FREES_NOTHING(sivka_inspection_free(at));
    ANSWERS(0, sivka_inspection_suite(at));
    ANSWERS(0, sivka_inspection_slot_count(at));
    REFUSED(sivka_inspection_slot(at, 0, &(sivka_slot){0}));
    REFUSED(sivka_add_slot("/", at, file_keys, NULL));
    REFUSED(sivka_add_slot("/", file_keys, at, NULL));
    REFUSED(sivka_remove_slot("/", at, 0));
    REFUSED(sivka_replace_slot("/", at, 0, file_keys));
    REFUSED(sivka_replace_slot("/", file_keys, 0, at));
    REFUSED(sivka_suite_from_name("AES-256-GCM-SIV", at));
}

static void keysets(void *at)
{
    char type[100];
    size_t len;

    REFUSED(sivka_keyset_generate("AES256_SIV", at));
    REFUSED(sivka_keyset_copy(at, &(sivka_keyset *){NULL}));
    REFUSED(sivka_keyset_copy(keyset, at));
    FREES_NOTHING(sivka_keyset_free(at));
    REFUSED(sivka_keyset_from_insecure(text, 1, 0, at));
    REFUSED(sivka_keyset_to_insecure(at, 0, out, 256, &len));
    REFUSED(sivka_keyset_decrypt(at, NULL, 0, text, 1, 0, &(sivka_keyset *){NULL}));
    REFUSED(sivka_encrypted_keyset_of(at, text, 1, 0, out, 256, &len));
    REFUSED(sivka_keyset_encrypt(at, key, NULL, 0, 0, out, 256, &len));
    REFUSED(sivka_keyset_encrypt(keyset, at, NULL, 0, 0, out, 256, &len));
    REFUSED(sivka_keyset_key(at, SIVKA_KEYSET_AEAD, &(sivka_key *){NULL}));
    REFUSED(sivka_keyset_key(keyset, SIVKA_KEYSET_AEAD, at));
    CHECK(sivka_key_seal_len(at, 1) == 0 && sivka_key_open_len(at, 100) == 0);
    ANSWERS(0, sivka_keyset_key_count(at));
    ANSWERS(0, sivka_keyset_primary_key_id(at));
    CHECK(sivka_keyset_primitive(at) == 0);
    REFUSED(sivka_keyset_key_at(at, 0, &(sivka_keyset_key_info){0}));
    REFUSED(sivka_keyset_key_at(keyset, 0, at));
    CHECK(sivka_keyset_key_type(at, 0, type, sizeof type) == 0);
    REFUSED(sivka_keyset_add(at, "AES256_SIV", NULL));
    REFUSED(sivka_keyset_rotate(at, "AES256_SIV", NULL));
    REFUSED(sivka_keyset_add(keyset, "AES256_SIV", at));
    REFUSED(sivka_keyset_promote(at, 1));
    REFUSED(sivka_keyset_enable(at, 1));
    REFUSED(sivka_keyset_disable(at, 1));
    REFUSED(sivka_keyset_destroy(at, 1));
    REFUSED(sivka_keyset_remove(at, 1));
    REFUSED(sivka_keyset_sealer_new(at, NULL, 0, &(sivka_sealer *){NULL}));
    REFUSED(sivka_keyset_opener_new(at, NULL, 0, &(sivka_opener *){NULL}));
}

static void kuznyechik(void *at)
{
    REFUSED(sivka_kuznyechik_new(text, 32, at));
    FREES_NOTHING(sivka_kuznyechik_free(at));
    REFUSED(sivka_kuznyechik_encrypt_blocks(at, in_out, 16));
    REFUSED(sivka_kuznyechik_decrypt_blocks(at, in_out, 16));
    REFUSED(sivka_kuznyechik_ctr_new(text, 32, text, 8, at));
    REFUSED(sivka_kuznyechik_ctr_acpkm_new(text, 32, text, 8, 16, at));
    FREES_NOTHING(sivka_kuznyechik_ctr_free(at));
    REFUSED(sivka_kuznyechik_ctr_apply_keystream(at, in_out, 16));
    REFUSED(sivka_kuznyechik_omac_new(text, 32, 16, at));
    FREES_NOTHING(sivka_kuznyechik_omac_free(at));
    ANSWERS(0, sivka_kuznyechik_omac_tag_len(at));
    REFUSED(sivka_kuznyechik_omac_tag(at, text, 1, out, 16));
    REFUSED(sivka_kuznyechik_omac_verify(at, text, 1, out, 16));
    REFUSED(sivka_kuznyechik_omac_update(at, text, 1));
    REFUSED(sivka_kuznyechik_omac_finish(at, out, 16));
    REFUSED(sivka_kuznyechik_omac_finish_and_verify(at, out, 16));
}

static void all(void *at)
{
    keys(at);
    files(at);
    keysets(at);
    kuznyechik(at);
}

int main(void)
{
    uintptr_t off;

    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, text, 32, &key));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&file_keys));
    /* An odd address is none of any structure here. */
    for (off = 1; off < 8; off += 2)
        all((char *)key + off);
    all((void *)1);
    CHECK(is_zeros(text, sizeof text) && is_zeros(out, sizeof out) && is_zeros(in_out, sizeof in_out));
    /* Four bytes off is no place of a handle where pointers have eight. */
    if (sizeof(void *) == 8)
        for (off = 2; off < 8; off += 2)
            REFUSED(sivka_seal((void *)((char *)key + off), NULL, 0, text, 64, out, 128, NULL));
    sivka_key_free(key);
    sivka_keyset_free(keyset);
    sivka_file_keys_free(file_keys);
    printf("%lu checks\n", checks);
    return 0;
}
