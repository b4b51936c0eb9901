/*
 * Seals and opens columns under the keys that a key file gives them, and gives the calls columns
 * that they must refuse. The matrix plays the vectors.
 */
#include "check.h"

#include <stdint.h>

#define ROWS 70
#define MAX_NONCE_LEN 24
#define MAX_OVERHEAD (MAX_NONCE_LEN + 64)

/* Values of 0 to 40 bytes: each is i * 7 % 41 bytes of i. Every seventh is null. */
struct values {
    unsigned char bytes[3 + ROWS * 41], bitmap[(ROWS + 3 + 7) / 8];
    int32_t offsets[ROWS + 1];
    size_t len, present;
};

static const unsigned char aad[] = "table.column";
static const size_t aad_len = sizeof aad - 1;

static int is_null(size_t i)
{
    return i % 7 == 3;
}

/* A slice of a larger column: three bytes and three bits are in front. */
static void fill(struct values *values)
{
    size_t i, j, at = 3;

    memset(values, 0, sizeof *values);
    for (i = 0; i < ROWS; i++) {
        values->offsets[i] = (int32_t)at;
        for (j = 0; j < i * 7 % 41; j++)
            values->bytes[at++] = (unsigned char)i;
        if (!is_null(i)) {
            values->bitmap[(i + 3) / 8] |= (unsigned char)(1u << (i + 3) % 8);
            values->len += i * 7 % 41;
            values->present++;
        }
    }
    values->offsets[ROWS] = (int32_t)at;
}

static sivka_column column(const void *bytes, size_t len, const void *offsets, uint32_t bits,
                           const unsigned char *bitmap)
{
    sivka_column column;

    column.bytes = bytes;
    column.bytes_len = len;
    column.offsets = offsets;
    column.validity = bitmap;
    column.first_bit = 3;
    column.offset_bits = bits;
    return column;
}

static void refuses(const sivka_key *key, const sivka_column *values, unsigned char *sealed,
                    size_t len, int64_t *ends)
{
    sivka_column wrong = *values;
    size_t found;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_seal_column(key, ROWS, values, NULL, 0, NULL, NULL, 0,
                                                       sealed, len - 1, ends, 64));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_seal_column(key, ROWS, values, NULL, 0, NULL, NULL, 0,
                                                       sealed, len, ends, 16));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_seal_column(key, ROWS, values, NULL, 0, NULL, aad, 7,
                                                        sealed, len, ends, 64));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_column(key, ROWS, NULL, NULL, 0, NULL, NULL, 0,
                                                     sealed, len, ends, 64));
    CHECK(strcmp(sivka_last_error()->argument, "values") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_column(key, ROWS, values, NULL, 0, NULL, NULL, 0,
                                                     sealed, len, NULL, 64));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_column(key, ROWS, values, sealed, 1, NULL, NULL, 0,
                                                        sealed, len, ends, 64));
    wrong.bytes_len = (size_t)((const int32_t *)values->offsets)[ROWS] - 1;
    CHECK_STATUS(SIVKA_ERROR_OFFSETS, sivka_sealed_column_len(key, ROWS, &wrong, &found));
    CHECK(strcmp(sivka_last_error()->argument, "offsets") == 0);
    CHECK(strncmp(sivka_last_error()->detail, "offsets: 0 to ", 14) == 0);
    wrong = *values;
    /* A bitmap whose end is beyond all memory. */
    wrong.validity = aad;
    wrong.first_bit = SIZE_MAX - ROWS + 1;
    CHECK_STATUS(SIVKA_ERROR_TOO_LONG, sivka_seal_column(key, ROWS, &wrong, NULL, 0, NULL, NULL, 0,
                                                         sealed, len, ends, 64));
    CHECK(strcmp(sivka_last_error()->argument, "first_bit") == 0);
    wrong = *values;
    wrong.offset_bits = 8;
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_opened_column_len(key, ROWS, &wrong, &found));
    wrong.offsets = (const unsigned char *)values->offsets + 1;
    wrong.offset_bits = 32;
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, sivka_sealed_column_len(key, ROWS - 1, &wrong, &found));
}

/* Seals, opens row by row and at once, and opens with two rows forged. */
static void round_trip(const sivka_key *key, const sivka_key *same)
{
    static struct values values;
    static unsigned char sealed[ROWS * (41 + MAX_OVERHEAD)], opened[ROWS * 41];
    static unsigned char nonces[ROWS * MAX_NONCE_LEN];
    const sivka_algorithm algorithm = sivka_key_algorithm(key);
    const size_t nonce_len = sivka_nonce_len(algorithm);
    const size_t overhead = nonce_len + sivka_tag_len(algorithm);
    int64_t ends[ROWS + 1];
    int32_t opened_ends[ROWS + 1];
    sivka_status statuses[ROWS];
    size_t i, len, found, row_len;
    sivka_column in, rows;

    fill(&values);
    for (i = 0; i < sizeof nonces; i++)
        nonces[i] = (unsigned char)(i % 101);
    in = column(values.bytes, sizeof values.bytes, values.offsets, 32, values.bitmap);
    CHECK_STATUS(SIVKA_OK, sivka_sealed_column_len(key, ROWS, &in, &len));
    CHECK(len == values.len + values.present * overhead && len <= sizeof sealed);
    refuses(key, &in, sealed, len, ends);
    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, ROWS, &in, aad, aad_len, NULL, nonces,
                                             ROWS * nonce_len, sealed, len, ends, 64));
    CHECK(ends[0] == 0 && ends[ROWS] == (int64_t)len);
    for (i = 0; i < ROWS; i++) {
        const unsigned char *row = sealed + ends[i];
        const unsigned char *value = values.bytes + values.offsets[i];

        row_len = (size_t)(ends[i + 1] - ends[i]);
        if (is_null(i)) {
            CHECK(row_len == 0);
            continue;
        }
        CHECK(memcmp(row, nonces + i * nonce_len, nonce_len) == 0);
        CHECK_STATUS(SIVKA_OK, sivka_open_with_nonce(same, row, nonce_len, aad, aad_len,
                                                     row + nonce_len, row_len - nonce_len, opened,
                                                     sizeof opened, &found));
        CHECK(found == i * 7 % 41 && memcmp(opened, value, found) == 0);
    }

    rows = column(sealed, len, ends, 64, values.bitmap);
    CHECK_STATUS(SIVKA_OK, sivka_opened_column_len(same, ROWS, &rows, &found));
    CHECK(found == values.len);
    CHECK_STATUS(SIVKA_OK, sivka_open_column(same, ROWS, &rows, aad, aad_len, NULL, opened, found,
                                             opened_ends, 32, statuses));
    for (i = 0; i < ROWS; i++) {
        const size_t value_len = is_null(i) ? 0 : i * 7 % 41;

        CHECK(statuses[i] == SIVKA_OK);
        CHECK((size_t)(opened_ends[i + 1] - opened_ends[i]) == value_len);
        CHECK(memcmp(opened + opened_ends[i], values.bytes + values.offsets[i], value_len) == 0);
    }

    sealed[ends[6] - 1] ^= 1;
    sealed[ends[41] + (int64_t)nonce_len] ^= 1;
    CHECK_STATUS(SIVKA_ERROR_BATCH, sivka_open_column(key, ROWS, &rows, aad, aad_len, NULL, opened,
                                                      found, opened_ends, 32, statuses));
    for (i = 0; i < ROWS; i++) {
        const size_t value_len = (size_t)(opened_ends[i + 1] - opened_ends[i]);
        const unsigned char *value = opened + opened_ends[i];
        const int forged = i == 5 || i == 41;

        CHECK(statuses[i] == (forged ? SIVKA_ERROR_OPEN : SIVKA_OK));
        CHECK(forged ? is_zeros(value, value_len)
                     : memcmp(value, values.bytes + values.offsets[i], value_len) == 0);
    }
}

/* An AAD for each value, random nonces, and no values at all. */
static void aads_and_nonces(const sivka_key *key)
{
    static const char text[] = "onetwothree";
    const int64_t offsets[4] = {0, 3, 6, 11};
    const size_t aad_offsets[4] = {0, 1, 1, 12};
    const sivka_column in = column(text, sizeof text - 1, offsets, 64, NULL);
    unsigned char sealed[11 + 3 * 28], opened[11];
    int32_t ends[4];
    int64_t opened_ends[4];
    sivka_status statuses[3];
    sivka_column rows;
    size_t len;

    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, 3, &in, aad, aad_len, aad_offsets, NULL, 0, sealed,
                                             sizeof sealed, ends, 32));
    CHECK_STATUS(SIVKA_OK, sivka_open(key, aad + 1, 11, sealed + ends[2],
                                      (size_t)(ends[3] - ends[2]), opened, sizeof opened, &len));
    CHECK(len == 5 && memcmp(opened, "three", 5) == 0);
    CHECK(memcmp(sealed, sealed + ends[1], 12) != 0);
    rows = column(sealed, sizeof sealed, ends, 32, NULL);
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
    const sivka_column in = column("x", 1, offsets, 32, NULL);
    unsigned char sealed[1 + 16 + 16];
    int32_t ends[2];

    CHECK_STATUS(SIVKA_ERROR_REFUSED, sivka_seal_column(key, 1, &in, NULL, 0, NULL, nonce, 16,
                                                        sealed, sizeof sealed, ends, 32));
    CHECK(strcmp(sivka_last_error()->argument, "nonces") == 0);
}

/* The numbers of the record cannot say it: the sentence does. */
static void says_a_negative_offset(const sivka_key *key)
{
    const int64_t offsets[3] = {0, -5, 1};
    const sivka_column in = column("x", 1, offsets, 64, NULL);
    const sivka_error *error;
    size_t len;

    CHECK_STATUS(SIVKA_ERROR_OFFSETS, sivka_sealed_column_len(key, 2, &in, &len));
    error = sivka_last_error();
    CHECK(strcmp(error->argument, "offsets") == 0 && strstr(error->detail, "-5") != NULL);
}

static void wrong_key_files(const char *text, size_t len)
{
    sivka_key *key = NULL;
    char changed[1024];

    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, text, len - 2,
                                                            &key));
    CHECK(key == NULL);
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, sivka_column_key_new(9999, text, len, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, NULL, len, &key));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, text, len, NULL));
    memcpy(changed, text, len);
    changed[0] = '\xff';
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_column_key_new(SIVKA_AES_256_GCM_SIV, changed, len, &key));
}

int main(void)
{
    char text[SIVKA_MAX_KEY_FILE_LEN];
    size_t i, len;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("columns", text, sizeof text, &len));
    for (i = 0; i < sivka_algorithm_count(); i++) {
        const sivka_algorithm algorithm = sivka_algorithm_at(i);
        sivka_key *key, *same;

        CHECK_STATUS(SIVKA_OK, sivka_column_key_new(algorithm, text, len, &key));
        CHECK_STATUS(SIVKA_OK, sivka_column_key_new(algorithm, text, len, &same));
        round_trip(key, same);
        if (algorithm == SIVKA_AES_256_GCM_SIV) {
            aads_and_nonces(key);
            says_a_negative_offset(key);
            wrong_key_files(text, len);
        }
        if (algorithm == SIVKA_KUZNYECHIK_MGM)
            names_all_of_a_column(key);
        sivka_key_free(key);
        sivka_key_free(same);
    }
    CHECK(i == 15);
    printf("%lu checks\n", checks);
    return 0;
}
