/*
 * A pointer to a handle or a structure is asked for its alignment before it is read: each kind of
 * handle, in a call that reads it, one that changes it and the one that frees it. places.c has
 * all places of numbers and structures.
 */
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

static unsigned char text[64], out[256], nonce[16];
static sivka_key *key;
static sivka_keyset *keyset;
static sivka_file_keys *file_keys;

static void all(void *at)
{
    const int32_t ends[2] = {0, 1};
    const sivka_column column = {.bytes = text, .bytes_len = 1, .offsets = ends, .offset_bits = 32};
    size_t used, len;

    REFUSED(sivka_key_new(SIVKA_AES_256_GCM_SIV, text, 32, (sivka_key **)at));
    REFUSED(SEAL(at, NULL, 0, text, 64, out, 128, &len));
    REFUSED(OPEN(at, NULL, 0, out, 128, text, 100, &len));
    REFUSED(SEAL_DETACHED(at, nonce, 12, NULL, 0, text, 64, out, 64, out + 64, 16));
    REFUSED(sivka_seal_many(at, &(sivka_messages){0}));
    REFUSED(sivka_sealed_column_len(at, 1, &column, &len));
    REFUSED(sivka_sealed_column_len(key, 1, at, &len));
    REFUSED(sivka_key_set_usage_bound(at, 1, 1));
    ANSWERS(0, sivka_key_algorithm(at));
    ANSWERS(0, sivka_key_seal_len(at, 1));
    FREES_NOTHING(sivka_key_free(at));

    REFUSED(sivka_verify_file("/", at, NULL, NULL));
    REFUSED(sivka_file_keys_add_passphrase(at, "a", 1));
    FREES_NOTHING(sivka_file_keys_free(at));
    ANSWERS(0, sivka_file_reader_len(at));
    REFUSED(sivka_file_reader_read(at, 0, out, 1, &len));
    FREES_NOTHING(sivka_file_reader_free(at));
    REFUSED(sivka_sealer_update(at, text, 1, &used, out, 1, &len));
    REFUSED(sivka_sealer_finish(at, out, 1, &len));
    FREES_NOTHING(sivka_sealer_free(at));
    REFUSED(sivka_opener_update(at, text, 1, &used, out, 1, &len));
    REFUSED(sivka_opener_finish(at, out, 1, &len));
    FREES_NOTHING(sivka_opener_free(at));
    REFUSED(sivka_salvage_file("/", "x", at, 0, NULL, NULL, NULL, NULL, &(sivka_salvage){0}));
    FREES_NOTHING(sivka_inspection_free(at));
    REFUSED(sivka_replace_slot("/", at, 0, file_keys));
    REFUSED(sivka_replace_slot("/", file_keys, 0, at));

    REFUSED(sivka_keyset_copy(at, &(sivka_keyset *){NULL}));
    REFUSED(sivka_keyset_encrypt(at, key, NULL, 0, 0, out, 256, &len));
    REFUSED(sivka_keyset_encrypt(keyset, at, NULL, 0, 0, out, 256, &len));
    REFUSED(sivka_keyset_key(at, SIVKA_KEYSET_AEAD, &(sivka_key *){NULL}));
    ANSWERS(0, sivka_keyset_primitive(at));
    FREES_NOTHING(sivka_keyset_info_free(at));
    REFUSED(sivka_keyset_change(at, SIVKA_KEYSET_PROMOTE, 1));
    REFUSED(sivka_keyset_sealer_new(at, NULL, 0, &(sivka_sealer *){NULL}));
    FREES_NOTHING(sivka_keyset_free(at));

    REFUSED(sivka_kuznyechik_encrypt_blocks(at, text, 16));
    FREES_NOTHING(sivka_kuznyechik_free(at));
    REFUSED(sivka_kuznyechik_ctr_apply_keystream(at, text, 16));
    FREES_NOTHING(sivka_kuznyechik_ctr_free(at));
    ANSWERS(0, sivka_kuznyechik_omac_tag_len(at));
    REFUSED(sivka_kuznyechik_omac_update(at, text, 1));
    FREES_NOTHING(sivka_kuznyechik_omac_free(at));
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
    CHECK(is_zeros(text, sizeof text) && is_zeros(out, sizeof out));
    /* Four bytes off is no place of a handle where pointers have eight. */
    if (sizeof(void *) == 8)
        for (off = 2; off < 8; off += 2)
            REFUSED(SEAL((void *)((char *)key + off), NULL, 0, text, 64, out, 128, NULL));
    sivka_key_free(key);
    sivka_keyset_free(keyset);
    sivka_file_keys_free(file_keys);
    printf("%lu checks\n", checks);
    return 0;
}
