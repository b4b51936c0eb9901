/*
 * Columns that are refused, AADs and nonces of a column, and the keys that a key file gives. What is
 * sealed and opened, the conformance suite and the matrix ask.
 */
#include "check.h"

#include <stdint.h>

#define ROWS 3

static const char text[] = "onetwothree";
static const int32_t text_ends[ROWS + 1] = {0, 3, 6, 11};
static const unsigned char aad[] = "table.column";
static const size_t aad_len = sizeof aad - 1;

#define SEAL_ROWS(values, aads, aads_len, nonces, nonces_len, len, ends, bits) \
    sivka_seal_column(key, ROWS, values, aads, aads_len, NULL, nonces, nonces_len, sealed, len, ends, bits)

static void refuses(const sivka_key *key)
{
    const sivka_column in = {text, sizeof text - 1, text_ends, NULL, 0, 32}, *values = &in;
    const int64_t negative[3] = {0, -5, 1};
    sivka_column wrong = in;
    unsigned char sealed[11 + ROWS * 28];
    int64_t ends[ROWS + 1];
    size_t found, len = sizeof sealed;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, SEAL_ROWS(values, NULL, 0, NULL, 0, len - 1, ends, 64));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, SEAL_ROWS(values, NULL, 0, NULL, 0, len, ends, 16));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, SEAL_ROWS(values, NULL, 0, aad, 7, len, ends, 64));
    CHECK_NAMED("values", SIVKA_ERROR_NULL, SEAL_ROWS(NULL, NULL, 0, NULL, 0, len, ends, 64));
    CHECK_STATUS(SIVKA_ERROR_NULL, SEAL_ROWS(values, NULL, 0, NULL, 0, len, NULL, 64));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, SEAL_ROWS(values, sealed, 1, NULL, 0, len, ends, 64));
    wrong.bytes_len = (size_t)((const int32_t *)values->offsets)[ROWS] - 1;
    CHECK_NAMED("offsets", SIVKA_ERROR_OFFSETS, sivka_sealed_column_len(key, ROWS, &wrong, &found));
    CHECK(strncmp(sivka_last_error()->detail, "offsets: 0 to ", 14) == 0);
    wrong = *values;
    /* A bitmap whose end is beyond all memory. */
    wrong.validity = aad;
    wrong.first_bit = SIZE_MAX - ROWS + 1;
    CHECK_NAMED("first_bit", SIVKA_ERROR_TOO_LONG,
                SEAL_ROWS(&wrong, NULL, 0, NULL, 0, len, ends, 64));
    wrong = *values;
    wrong.offset_bits = 8;
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_opened_column_len(key, ROWS, &wrong, &found));
    wrong.offsets = (const unsigned char *)values->offsets + 1;
    wrong.offset_bits = 32;
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, sivka_sealed_column_len(key, ROWS - 1, &wrong, &found));
    wrong = (sivka_column){"x", 1, negative, NULL, 0, 64};
    CHECK_NAMED("offsets", SIVKA_ERROR_OFFSETS, sivka_sealed_column_len(key, 2, &wrong, &found));
    CHECK(strstr(sivka_last_error()->detail, "-5") != NULL);
}

/* An AAD for each value, random nonces, and no values at all. */
static void aads_and_nonces(const sivka_key *key)
{
    const size_t aad_offsets[4] = {0, 1, 1, 12};
    const sivka_column in = {text, sizeof text - 1, text_ends, NULL, 0, 32};
    unsigned char sealed[11 + 3 * 28], opened[11];
    int32_t ends[4];
    int64_t opened_ends[4];
    sivka_status statuses[3];
    sivka_column rows;
    size_t len;

    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, 3, &in, aad, aad_len, aad_offsets, NULL, 0, sealed,
                                             sizeof sealed, ends, 32));
    CHECK_STATUS(SIVKA_OK, OPEN(key, aad + 1, 11, sealed + ends[2],
                                      (size_t)(ends[3] - ends[2]), opened, sizeof opened, &len));
    CHECK(len == 5 && memcmp(opened, "three", 5) == 0);
    CHECK(memcmp(sealed, sealed + ends[1], 12) != 0);
    rows = (sivka_column){sealed, sizeof sealed, ends, NULL, 0, 32};
    CHECK_STATUS(SIVKA_OK, sivka_open_column(key, 3, &rows, aad, aad_len, aad_offsets, opened,
                                             sizeof opened, opened_ends, 64, statuses));
    CHECK(memcmp(opened, text, sizeof opened) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, 0, &in, NULL, 0, NULL, NULL, 0, NULL, 0, ends,
                                             32));
    CHECK(ends[0] == 0);
}

/* An error about one value names the argument that has all of them. */
static void names_all_of_a_column(const sivka_key *key)
{
    static const unsigned char nonce[16] = {0x80};
    const int32_t offsets[2] = {0, 1};
    const sivka_column in = {"x", 1, offsets, NULL, 0, 32};
    unsigned char sealed[1 + 16 + 16];
    int32_t ends[2];

    CHECK_NAMED("nonces", SIVKA_ERROR_REFUSED,
                sivka_seal_column(key, 1, &in, NULL, 0, NULL, nonce, 16, sealed, sizeof sealed,
                                  ends, 32));
}

static void wrong_key_files(const char *file, size_t len)
{
    sivka_key *key = NULL;
    char changed[1024];

    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, file, len - 2,
                                                            &key));
    CHECK(key == NULL);
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, sivka_column_key_new(9999, file, len, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, NULL, len, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, file, len, NULL));
    memcpy(changed, file, len);
    changed[0] = '\xff';
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, changed, len, &key));
}

int main(void)
{
    char file[SIVKA_MAX_KEY_FILE_LEN];
    sivka_key *key, *mgm;
    size_t len;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("columns", file, sizeof file, &len));
    CHECK_STATUS(SIVKA_OK, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, file, len, &key));
    CHECK_STATUS(SIVKA_OK, sivka_column_key_new(SIVKA_KUZNYECHIK_MGM, file, len, &mgm));
    refuses(key);
    aads_and_nonces(key);
    wrong_key_files(file, len);
    names_all_of_a_column(mgm);
    sivka_key_free(key);
    sivka_key_free(mgm);
    return report();
}
