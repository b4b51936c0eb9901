/*
 * Every argument that is a number's place, an array of numbers or a structure: misaligned it is
 * refused, and what is written overlaps no other argument. Prints which ones were tried, which
 * tests/c.rs compares with the header.
 */
#include "check.h"

#include <stdint.h>

enum { TEXT_LEN = 20, OVERHEAD = 28, SEALED_LEN = TEXT_LEN + OVERHEAD, FILE_LEN = 4096 };

/* An argument, aligned. */
typedef union {
    size_t numbers[FILE_LEN / sizeof(size_t)];
    void *pointer;
    uint64_t wide;
    sivka_column column;
    sivka_salvage salvage;
    unsigned char bytes[FILE_LEN];
} place;

/* What is read, what is written, and where nothing else is. */
static place key_bytes, nonce, aad, text, file, sealed, opened, tags, out;
static place *const PLACES[] = {&key_bytes, &nonce, &aad, &text, &file, &sealed, &opened, &tags, &out};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };
static place before[PLACE_COUNT];

static sivka_key *key, *siv, *of_keyset;
static sivka_keyset *keyset, *streams;
static sivka_file_keys *file_keys, *added;
static sivka_file_reader *reader;
static sivka_inspection *inspection;
static size_t file_len, kept_len, under_key_len, used, len;
static uint8_t kept[512], under_key[512], scratch[FILE_LEN];
static char key_text[SIVKA_MAX_KEY_FILE_LEN], path[512], other_path[512];
static size_t key_text_len;

/* Lists and columns of two values of ten bytes. */
static const uint8_t *aads[2];
static uint8_t *texts[2];
static const size_t lens[2] = {10, 10}, offsets[3] = {0, 10, 20};
static const int32_t narrow[3] = {0, 10, 20};
static sivka_column values, rows;
static int32_t row_ends[3], ends[3];
static sivka_status statuses[2];

static void remember(void)
{
    size_t i;

    for (i = 0; i < PLACE_COUNT; i++)
        memcpy(&before[i], PLACES[i], sizeof before[i]);
}

static int is_untouched(void)
{
    size_t i;

    for (i = 0; i < PLACE_COUNT; i++)
        if (memcmp(&before[i], PLACES[i], sizeof before[i]) != 0)
            return 0;
    return 1;
}

static int32_t read_file_at(void *context, uint64_t position, uint8_t *buffer, size_t buffer_len,
                            size_t *read_len)
{
    const size_t at = position < file_len ? (size_t)position : file_len;

    (void)context;
    *read_len = buffer_len < file_len - at ? buffer_len : file_len - at;
    memcpy(buffer, file.bytes + at, *read_len);
    return 0;
}

typedef sivka_status call(void *at);

/* The call whose argument `name` is `at`. */
#define CALL(function, name, ...)                          \
    static sivka_status function##_##name(void *at)        \
    {                                                      \
        return function(__VA_ARGS__);                      \
    }
/* The same for a new handle, which is freed again. */
#define MAKING(function, type, ...)                        \
    static sivka_status function##_made(void *at)          \
    {                                                      \
        const sivka_status status = function(__VA_ARGS__); \
                                                           \
        if (status == SIVKA_OK)                            \
            type##_free(*(type **)at);                     \
        return status;                                     \
    }

CALL(sivka_algorithm_from_name, algorithm, "AES-256-GCM-SIV", at)
CALL(sivka_suite_from_name, suite, "aes-256-gcm-siv", at)

CALL(sivka_seal, sealed_len, key, aad.bytes, 20, text.bytes, TEXT_LEN, opened.bytes, SEALED_LEN, at)
CALL(sivka_open, plaintext_len, key, aad.bytes, 20, sealed.bytes, SEALED_LEN, opened.bytes, TEXT_LEN, at)
CALL(sivka_seal_with_nonce, ciphertext_len, key, nonce.bytes, 12, aad.bytes, 20, text.bytes, TEXT_LEN,
     opened.bytes, TEXT_LEN + 16, at)
CALL(sivka_open_with_nonce, plaintext_len, key, sealed.bytes, 12, aad.bytes, 20, sealed.bytes + 12,
     TEXT_LEN + 16, opened.bytes, TEXT_LEN, at)

CALL(sivka_seal_with_list, aads, siv, at, lens, 2, text.bytes, TEXT_LEN, opened.bytes, TEXT_LEN + 16, NULL)
CALL(sivka_seal_with_list, aad_lens, siv, aads, at, 2, text.bytes, TEXT_LEN, opened.bytes, TEXT_LEN + 16,
     NULL)
CALL(sivka_seal_with_list, sealed_len, siv, aads, lens, 2, text.bytes, TEXT_LEN, opened.bytes,
     TEXT_LEN + 16, at)
CALL(sivka_open_with_list, aads, siv, at, lens, 2, tags.bytes, TEXT_LEN + 16, opened.bytes, TEXT_LEN, NULL)
CALL(sivka_open_with_list, aad_lens, siv, aads, at, 2, tags.bytes, TEXT_LEN + 16, opened.bytes, TEXT_LEN,
     NULL)
CALL(sivka_open_with_list, plaintext_len, siv, aads, lens, 2, tags.bytes, TEXT_LEN + 16, opened.bytes,
     TEXT_LEN, at)
CALL(sivka_seal_detached_with_list, aads, siv, at, lens, 2, text.bytes, TEXT_LEN, opened.bytes, TEXT_LEN,
     opened.bytes + 32, 16)
CALL(sivka_seal_detached_with_list, aad_lens, siv, aads, at, 2, text.bytes, TEXT_LEN, opened.bytes,
     TEXT_LEN, opened.bytes + 32, 16)
CALL(sivka_open_detached_with_list, aads, siv, at, lens, 2, tags.bytes + 16, TEXT_LEN, tags.bytes, 16,
     opened.bytes, TEXT_LEN)
CALL(sivka_open_detached_with_list, aad_lens, siv, aads, at, 2, tags.bytes + 16, TEXT_LEN, tags.bytes, 16,
     opened.bytes, TEXT_LEN)

/* A batch to be opened is forged, and so has another status. */
static sivka_status as_ok(sivka_status status)
{
    return status == SIVKA_ERROR_BATCH ? SIVKA_OK : status;
}

#define BATCH_CALL(function, name, ...)                    \
    static sivka_status function##_##name(void *at)        \
    {                                                      \
        return as_ok(function(key, 2, nonce.bytes, 24, __VA_ARGS__)); \
    }
#define LIST_CALLS(function)                                                                        \
    BATCH_CALL(function, aads, at, lens, texts, lens, opened.bytes + 32, 32, statuses)             \
    BATCH_CALL(function, aad_lens, aads, at, texts, lens, opened.bytes + 32, 32, statuses)         \
    BATCH_CALL(function, texts, aads, lens, at, lens, opened.bytes + 32, 32, statuses)             \
    BATCH_CALL(function, text_lens, aads, lens, texts, at, opened.bytes + 32, 32, statuses)        \
    BATCH_CALL(function, statuses, aads, lens, texts, lens, opened.bytes + 32, 32, at)
#define CONTIGUOUS_CALLS(function)                                                                  \
    BATCH_CALL(function, aad_offsets, aad.bytes, 20, at, opened.bytes, 20, offsets, opened.bytes + 32, \
               32, statuses)                                                                        \
    BATCH_CALL(function, text_offsets, aad.bytes, 20, offsets, opened.bytes, 20, at, opened.bytes + 32, \
               32, statuses)                                                                        \
    BATCH_CALL(function, statuses, aad.bytes, 20, offsets, opened.bytes, 20, offsets,              \
               opened.bytes + 32, 32, at)
LIST_CALLS(sivka_seal_batch)
LIST_CALLS(sivka_open_batch)
CONTIGUOUS_CALLS(sivka_seal_batch_contiguous)
CONTIGUOUS_CALLS(sivka_open_batch_contiguous)

CALL(sivka_sealed_column_len, values, key, 2, at, out.numbers)
CALL(sivka_sealed_column_len, len, key, 2, &values, at)
CALL(sivka_opened_column_len, sealed, key, 2, at, out.numbers)
CALL(sivka_opened_column_len, len, key, 2, &rows, at)
CALL(sivka_seal_column, values, key, 2, at, aad.bytes, 20, offsets, NULL, 0, opened.bytes, 76, ends, 32)
CALL(sivka_seal_column, aad_offsets, key, 2, &values, aad.bytes, 20, at, NULL, 0, opened.bytes, 76, ends,
     32)
CALL(sivka_seal_column, offsets, key, 2, &values, aad.bytes, 20, offsets, NULL, 0, opened.bytes, 76, at, 32)
CALL(sivka_open_column, sealed, key, 2, at, aad.bytes, 20, offsets, opened.bytes, 20, ends, 32, statuses)
CALL(sivka_open_column, aad_offsets, key, 2, &rows, aad.bytes, 20, at, opened.bytes, 20, ends, 32, statuses)
CALL(sivka_open_column, offsets, key, 2, &rows, aad.bytes, 20, offsets, opened.bytes, 20, at, 32, statuses)
CALL(sivka_open_column, statuses, key, 2, &rows, aad.bytes, 20, offsets, opened.bytes, 20, ends, 32, at)

CALL(sivka_keyset_to_insecure, written_len, keyset, SIVKA_KEYSET_JSON, opened.bytes, FILE_LEN, at)
CALL(sivka_keyset_encrypt, written_len, keyset, key, aad.bytes, 20, SIVKA_KEYSET_BINARY, opened.bytes,
     FILE_LEN, at)
CALL(sivka_encrypted_keyset_of, written_len, keyset, text.bytes, 20, SIVKA_KEYSET_BINARY, opened.bytes,
     FILE_LEN, at)
CALL(sivka_encrypted_keyset_ciphertext, written_len, under_key, under_key_len, SIVKA_KEYSET_BINARY,
     opened.bytes, FILE_LEN, at)
CALL(sivka_keyset_key_at, key, keyset, 0, at)
CALL(sivka_keyset_add, id, keyset, "AES256_GCM_SIV", at)
CALL(sivka_keyset_rotate, id, keyset, "AES256_GCM_SIV", at)

/* With the key of a keyset too. */
static sivka_status seal_under_keyset(void *at)
{
    return sivka_seal(of_keyset, aad.bytes, 20, text.bytes, TEXT_LEN, opened.bytes, 256, at);
}

static sivka_status open_under_keyset(void *at)
{
    return sivka_open(of_keyset, aad.bytes, 20, file.bytes + FILE_LEN - 64, TEXT_LEN + 33, opened.bytes, 256, at);
}

CALL(sivka_generate_key_file, text_len, "a", (char *)opened.bytes, FILE_LEN, at)
CALL(sivka_key_file_from_bytes, text_len, key_bytes.bytes, 32, "a", (char *)opened.bytes, FILE_LEN, at)
CALL(sivka_file_reader_read, plaintext_len, reader, 0, opened.bytes, TEXT_LEN, at)
CALL(sivka_seal_memory, sealed_len, text.bytes, TEXT_LEN, opened.bytes, FILE_LEN, at, file_keys, 0)
CALL(sivka_open_memory, plaintext_len, file.bytes, file_len, opened.bytes, FILE_LEN, at, file_keys)
CALL(sivka_salvage_file, found, path, other_path, file_keys, SIVKA_OVERWRITE, NULL, NULL, NULL, NULL, at)
CALL(sivka_inspection_slot, slot, inspection, 0, at)
CALL(sivka_add_slot, slot, path, file_keys, added, at)

/* Ends a stream that was just begun. */
#define STREAM(type, name, made, it, ...)                                                         \
    static sivka_status type##_##it(void *at)                                                     \
    {                                                                                             \
        type *name = NULL;                                                                        \
        sivka_status status;                                                                      \
                                                                                                  \
        CHECK_STATUS(SIVKA_OK, made);                                                             \
        status = __VA_ARGS__;                                                                     \
        type##_free(name);                                                                        \
        return status;                                                                            \
    }
STREAM(sivka_sealer, it, sivka_sealer_new(file_keys, 0, &it), update_input_used,
       sivka_sealer_update(it, text.bytes, TEXT_LEN, at, opened.bytes, FILE_LEN, &len))
STREAM(sivka_sealer, it, sivka_sealer_new(file_keys, 0, &it), update_output_len,
       sivka_sealer_update(it, text.bytes, TEXT_LEN, &used, opened.bytes, FILE_LEN, at))
STREAM(sivka_sealer, it, sivka_sealer_new(file_keys, 0, &it), finish_output_len,
       sivka_sealer_finish(it, opened.bytes, FILE_LEN, at))
STREAM(sivka_opener, it, sivka_opener_new(file_keys, &it), update_input_used,
       sivka_opener_update(it, file.bytes, file_len, at, opened.bytes, FILE_LEN, &len))
STREAM(sivka_opener, it, sivka_opener_new(file_keys, &it), update_output_len,
       sivka_opener_update(it, file.bytes, file_len, &used, opened.bytes, FILE_LEN, at))
STREAM(sivka_opener, it, sivka_opener_new(file_keys, &it), finish_output_len,
       sivka_opener_update(it, file.bytes, file_len, &used, scratch, FILE_LEN, &len) == SIVKA_OK
           ? sivka_opener_finish(it, opened.bytes, FILE_LEN, at)
           : SIVKA_ERROR_INTERNAL)

MAKING(sivka_key_new, sivka_key, SIVKA_AES_256_GCM_SIV, key_bytes.bytes, 32, at)
MAKING(sivka_key_new_by_name, sivka_key, "AES-256-GCM-SIV", key_bytes.bytes, 32, at)
MAKING(sivka_column_key_new, sivka_key, SIVKA_AES_256_GCM_SIV, key_text, key_text_len, at)
MAKING(sivka_kuznyechik_new, sivka_kuznyechik, key_bytes.bytes, 32, at)
MAKING(sivka_kuznyechik_ctr_new, sivka_kuznyechik_ctr, key_bytes.bytes, 32, nonce.bytes, 8, at)
MAKING(sivka_kuznyechik_ctr_acpkm_new, sivka_kuznyechik_ctr, key_bytes.bytes, 32, nonce.bytes, 8, 16, at)
MAKING(sivka_kuznyechik_omac_new, sivka_kuznyechik_omac, key_bytes.bytes, 32, 16, at)
MAKING(sivka_keyset_generate, sivka_keyset, "AES256_GCM_SIV", at)
MAKING(sivka_keyset_copy, sivka_keyset, keyset, at)
MAKING(sivka_keyset_from_insecure, sivka_keyset, kept, kept_len, SIVKA_KEYSET_BINARY, at)
MAKING(sivka_keyset_key, sivka_key, keyset, SIVKA_KEYSET_AEAD, at)
MAKING(sivka_keyset_decrypt, sivka_keyset, key, NULL, 0, under_key, under_key_len, SIVKA_KEYSET_BINARY, at)
MAKING(sivka_keyset_sealer_new, sivka_sealer, streams, aad.bytes, 20, at)
MAKING(sivka_keyset_opener_new, sivka_opener, streams, aad.bytes, 20, at)
MAKING(sivka_file_keys_new, sivka_file_keys, at)
MAKING(sivka_file_reader_new, sivka_file_reader, path, file_keys, at)
MAKING(sivka_file_reader_of_function, sivka_file_reader, read_file_at, file_len, NULL, file_keys, at)
MAKING(sivka_inspect_file, sivka_inspection, path, at)
MAKING(sivka_inspect_memory, sivka_inspection, file.bytes, file_len, at)
MAKING(sivka_sealer_new, sivka_sealer, file_keys, 0, at)
MAKING(sivka_opener_new, sivka_opener, file_keys, at)

/* What is read: `right`, and misaligned. */
static void is_read(const char *name, call *it, const void *right, size_t len)
{
    const void *const misaligned = memcpy(out.bytes + 1, right, len);

    puts(name);
    CHECK_STATUS(SIVKA_OK, it((void *)right));
    remember();
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, it((void *)misaligned));
    CHECK(is_untouched());
}

/* What is written: anywhere, misaligned, and over each other argument. */
static void is_written(const char *name, call *it, sivka_status misaligned, place *a, place *b, place *c)
{
    place *const arguments[] = {a, b, c};
    size_t i, at;

    puts(name);
    CHECK_STATUS(SIVKA_OK, it(out.bytes));
    remember();
    CHECK_STATUS(misaligned, it(out.bytes + 1));
    CHECK(misaligned == SIVKA_OK || is_untouched());
    for (i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        for (at = 0; arguments[i] != NULL && at <= 8; at += 8) {
            remember();
            CHECK_STATUS(SIVKA_ERROR_OVERLAP, it(arguments[i]->bytes + at));
            CHECK(is_untouched());
        }
    }
}

#define READ(function, name, right) is_read(#function " " #name, function##_##name, &right, sizeof right)
#define WRITTEN(function, name, ...) \
    is_written(#function " " #name, function##_##name, SIVKA_ERROR_ALIGNMENT, __VA_ARGS__)
/* Where a program may have the length of a message wherever it likes. */
#define ANYWHERE(function, name, ...) is_written(#function " " #name, function##_##name, SIVKA_OK, __VA_ARGS__)
#define MADE(function) WRITTEN(function, made, NULL, NULL, NULL)

static void set_up(const char *folder)
{
    size_t i;

    for (i = 0; i < PLACE_COUNT; i++)
        memset(PLACES[i], (int)i + 1, sizeof *PLACES[i]);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, key_bytes.bytes, 32, &key));
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_SIV_512, key_bytes.bytes, 64, &siv));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_SIV", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_HKDF_4KB", &streams));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, SIVKA_KEYSET_BINARY, kept, sizeof kept, &kept_len));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_encrypt(keyset, key, NULL, 0, SIVKA_KEYSET_BINARY, under_key,
                                                sizeof under_key, &under_key_len));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_key(keyset, SIVKA_KEYSET_AEAD, &of_keyset));

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("a", key_text, sizeof key_text, &key_text_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&file_keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(file_keys, key_text, key_text_len, NULL, 0));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&added));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(added, key_text, key_text_len, NULL, 0));
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(text.bytes, TEXT_LEN, file.bytes, FILE_LEN, &file_len, file_keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_of_function(read_file_at, file_len, NULL, file_keys, &reader));
    CHECK_STATUS(SIVKA_OK, sivka_inspect_memory(file.bytes, file_len, &inspection));
    snprintf(path, sizeof path, "%s/sealed", folder);
    snprintf(other_path, sizeof other_path, "%s/opened", folder);
    CHECK_STATUS(SIVKA_OK, sivka_seal_file("/dev/null", path, file_keys, 0, 0, NULL, NULL));

    CHECK_STATUS(SIVKA_OK, sivka_seal(key, aad.bytes, 20, text.bytes, TEXT_LEN, sealed.bytes, SEALED_LEN, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_seal(of_keyset, aad.bytes, 20, text.bytes, TEXT_LEN, file.bytes + FILE_LEN - 64,
                                      TEXT_LEN + 33, NULL));
    aads[0] = aad.bytes;
    aads[1] = aad.bytes + 10;
    texts[0] = opened.bytes;
    texts[1] = opened.bytes + 10;
    CHECK_STATUS(SIVKA_OK, sivka_seal_with_list(siv, aads, lens, 2, text.bytes, TEXT_LEN, tags.bytes,
                                                TEXT_LEN + 16, NULL));
    values.bytes = text.bytes;
    values.bytes_len = TEXT_LEN;
    values.offsets = narrow;
    values.offset_bits = 32;
    rows = values;
    rows.bytes = sealed.bytes + 64;
    rows.bytes_len = 76;
    rows.offsets = row_ends;
    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, 2, &values, aad.bytes, 20, offsets, NULL, 0,
                                             sealed.bytes + 64, 76, row_ends, 32));
}

static void messages(void)
{
    ANYWHERE(sivka_seal, sealed_len, &aad, &text, &opened);
    ANYWHERE(sivka_open, plaintext_len, &aad, &sealed, &opened);
    ANYWHERE(sivka_seal_with_nonce, ciphertext_len, &nonce, &aad, &opened);
    ANYWHERE(sivka_seal_with_nonce, ciphertext_len, &text, NULL, NULL);
    ANYWHERE(sivka_open_with_nonce, plaintext_len, &aad, &sealed, &opened);
    READ(sivka_seal_with_list, aads, aads);
    READ(sivka_seal_with_list, aad_lens, lens);
    ANYWHERE(sivka_seal_with_list, sealed_len, &aad, &text, &opened);
    READ(sivka_open_with_list, aads, aads);
    READ(sivka_open_with_list, aad_lens, lens);
    ANYWHERE(sivka_open_with_list, plaintext_len, &aad, &tags, &opened);
    READ(sivka_seal_detached_with_list, aads, aads);
    READ(sivka_seal_detached_with_list, aad_lens, lens);
    READ(sivka_open_detached_with_list, aads, aads);
    READ(sivka_open_detached_with_list, aad_lens, lens);
    /* After the last byte that is written nothing overlaps, nor inside of a list's arrays. */
    CHECK_STATUS(SIVKA_OK, sivka_seal_sealed_len(opened.bytes + SEALED_LEN));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_sealed_len(opened.bytes + SEALED_LEN - 1));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_with_list_sealed_len((void *)lens));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_with_list_sealed_len((void *)aads));
    CHECK(aads[0] == aad.bytes && lens[0] == 10);
}

static void batches(void)
{
#define LISTS(function)                                        \
    READ(function, aads, aads);                                \
    READ(function, aad_lens, lens);                            \
    READ(function, texts, texts);                              \
    READ(function, text_lens, lens);                           \
    WRITTEN(function, statuses, &nonce, &aad, &opened)
#define CONTIGUOUS(function)                                   \
    READ(function, aad_offsets, offsets);                      \
    READ(function, text_offsets, offsets);                     \
    WRITTEN(function, statuses, &nonce, &aad, &opened)
    LISTS(sivka_seal_batch);
    LISTS(sivka_open_batch);
    CONTIGUOUS(sivka_seal_batch_contiguous);
    CONTIGUOUS(sivka_open_batch_contiguous);
}

static void columns(void)
{
    READ(sivka_sealed_column_len, values, values);
    WRITTEN(sivka_sealed_column_len, len, &text, NULL, NULL);
    READ(sivka_opened_column_len, sealed, rows);
    READ(sivka_seal_column, values, values);
    READ(sivka_seal_column, aad_offsets, offsets);
    WRITTEN(sivka_seal_column, offsets, &aad, &text, &opened);
    READ(sivka_open_column, sealed, rows);
    READ(sivka_open_column, aad_offsets, offsets);
    WRITTEN(sivka_open_column, offsets, &aad, &opened, NULL);
    WRITTEN(sivka_open_column, statuses, &aad, &opened, NULL);
    rows.bytes = memmove(sealed.bytes, sealed.bytes + 64, 76);
    WRITTEN(sivka_opened_column_len, len, &sealed, NULL, NULL);
    /* The structures themselves are arguments too, and their offsets. */
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_sealed_column_len_len(&values));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_opened_column_len_len(row_ends));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_column_offsets(&values));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_open_column_statuses(&rows));
    CHECK(values.bytes == text.bytes && rows.bytes == sealed.bytes && row_ends[1] == 38);
}

static void keysets(void)
{
    WRITTEN(sivka_keyset_to_insecure, written_len, &opened, NULL, NULL);
    WRITTEN(sivka_keyset_encrypt, written_len, &aad, &opened, NULL);
    WRITTEN(sivka_encrypted_keyset_of, written_len, &text, &opened, NULL);
    WRITTEN(sivka_encrypted_keyset_ciphertext, written_len, &opened, NULL, NULL);
    WRITTEN(sivka_keyset_key_at, key, NULL, NULL, NULL);
    WRITTEN(sivka_keyset_add, id, NULL, NULL, NULL);
    WRITTEN(sivka_keyset_rotate, id, NULL, NULL, NULL);
    is_written("sivka_seal sealed_len", seal_under_keyset, SIVKA_OK, &aad, &text, &opened);
    is_written("sivka_open plaintext_len", open_under_keyset, SIVKA_OK, &aad, &opened, NULL);
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, open_under_keyset(file.bytes + FILE_LEN - 70));
}

static void files(void)
{
    WRITTEN(sivka_algorithm_from_name, algorithm, NULL, NULL, NULL);
    WRITTEN(sivka_suite_from_name, suite, NULL, NULL, NULL);
    WRITTEN(sivka_generate_key_file, text_len, &opened, NULL, NULL);
    WRITTEN(sivka_key_file_from_bytes, text_len, &key_bytes, &opened, NULL);
    WRITTEN(sivka_file_reader_read, plaintext_len, &opened, NULL, NULL);
    WRITTEN(sivka_sealer_update, input_used, &text, &opened, NULL);
    WRITTEN(sivka_sealer_update, output_len, &text, &opened, NULL);
    WRITTEN(sivka_sealer_finish, output_len, &opened, NULL, NULL);
    WRITTEN(sivka_opener_update, input_used, &file, &opened, NULL);
    WRITTEN(sivka_opener_update, output_len, &file, &opened, NULL);
    WRITTEN(sivka_opener_finish, output_len, &opened, NULL, NULL);
    WRITTEN(sivka_seal_memory, sealed_len, &text, &opened, NULL);
    WRITTEN(sivka_open_memory, plaintext_len, &file, &opened, NULL);
    WRITTEN(sivka_salvage_file, found, NULL, NULL, NULL);
    WRITTEN(sivka_inspection_slot, slot, NULL, NULL, NULL);
    WRITTEN(sivka_add_slot, slot, NULL, NULL, NULL);
}

static void handles(void)
{
    MADE(sivka_key_new);
    MADE(sivka_key_new_by_name);
    MADE(sivka_column_key_new);
    MADE(sivka_kuznyechik_new);
    MADE(sivka_kuznyechik_ctr_new);
    MADE(sivka_kuznyechik_ctr_acpkm_new);
    MADE(sivka_kuznyechik_omac_new);
    MADE(sivka_keyset_generate);
    MADE(sivka_keyset_copy);
    MADE(sivka_keyset_from_insecure);
    MADE(sivka_keyset_key);
    MADE(sivka_keyset_decrypt);
    MADE(sivka_keyset_sealer_new);
    MADE(sivka_keyset_opener_new);
    MADE(sivka_file_keys_new);
    MADE(sivka_file_reader_new);
    MADE(sivka_file_reader_of_function);
    MADE(sivka_inspect_file);
    MADE(sivka_inspect_memory);
    MADE(sivka_sealer_new);
    MADE(sivka_opener_new);
}

/* A program may keep a key's bytes and its handle in one place: the bytes are read first. */
static void handle_over_bytes(void)
{
    union {
        uint8_t bytes[32];
        sivka_key *key;
    } both;
    uint8_t expected[TEXT_LEN], found[TEXT_LEN], tag[16], expected_tag[16];

    memcpy(both.bytes, key_bytes.bytes, sizeof both.bytes);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, both.bytes, 32, &both.key));
    CHECK_STATUS(SIVKA_OK, sivka_seal_detached(both.key, nonce.bytes, 12, NULL, 0, text.bytes, TEXT_LEN, found,
                                               TEXT_LEN, tag, 16));
    CHECK_STATUS(SIVKA_OK, sivka_seal_detached(key, nonce.bytes, 12, NULL, 0, text.bytes, TEXT_LEN, expected,
                                               TEXT_LEN, expected_tag, 16));
    CHECK(memcmp(found, expected, TEXT_LEN) == 0 && memcmp(tag, expected_tag, 16) == 0);
    sivka_key_free(both.key);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    set_up(argv[1]);
    messages();
    batches();
    columns();
    keysets();
    files();
    handles();
    handle_over_bytes();
    sivka_inspection_free(inspection);
    sivka_file_reader_free(reader);
    sivka_file_keys_free(added);
    sivka_file_keys_free(file_keys);
    sivka_keyset_free(streams);
    sivka_key_free(of_keyset);
    sivka_keyset_free(keyset);
    sivka_key_free(siv);
    sivka_key_free(key);
    printf("%lu checks\n", checks);
    return 0;
}
