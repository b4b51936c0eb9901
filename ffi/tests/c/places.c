/* Every argument that is a number's place, an array of numbers or a structure: misaligned it is
 * refused, and what is written overlaps no other argument. Prints which ones were tried, which
 * tests/c.rs compares with the header. Calls are refused each allocation, which ends no process. */
#define _XOPEN_SOURCE 600
#include "check.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>

enum { TEXT_LEN = 20, OVERHEAD = 28, SEALED_LEN = TEXT_LEN + OVERHEAD, FILE_LEN = 4096 };

/* An argument, aligned. */
typedef union {
    size_t numbers[FILE_LEN / sizeof(size_t)];
    void *pointer;
    uint64_t wide;
    sivka_column column;
    unsigned char bytes[FILE_LEN];
} place;

/* What is read, what is written, and where nothing else is. */
static place key_bytes, nonce, aad, text, file, sealed, opened, tags, out, sealed_rows;
static place *const PLACES[] = {&key_bytes, &nonce, &aad,  &text, &file,
                                &sealed,    &opened, &tags, &out, &sealed_rows};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };
static place before[PLACE_COUNT];

static sivka_key *key, *siv, *of_keyset, *other;
static sivka_keyring *keyring;
static sivka_keyset *keyset, *streams;
static sivka_file_keys *file_keys, *added;
static sivka_file_reader *reader;
static size_t file_len, kept_len, under_key_len, used, len;
static uint8_t kept[512], under_key[512], scratch[FILE_LEN];
static char key_text[SIVKA_MAX_KEY_FILE_LEN], path[512], other_path[512], names_path[512];
static size_t key_text_len;

/* Lists and columns of two values of ten bytes. */
static const uint8_t *aads[2];
static uint8_t *texts[2];
static const size_t lens[2] = {10, 10}, offsets[3] = {0, 10, 20};
static const int32_t narrow[3] = {0, 10, 20};
static sivka_column values, rows;
static int32_t row_ends[3], ends[3];
static sivka_status statuses[2];

/* After so many allocations, the system refuses one, or all from there on. */
static long granted = -1;
static int for_good;

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

static sivka_message to_seal, to_open;

/* A batch to be opened is forged, and so has another status. */
static sivka_status as_ok(sivka_status status)
{
    return status == SIVKA_ERROR_BATCH ? SIVKA_OK : status;
}

static sivka_messages in_list, in_buffer;

static sivka_status sivka_open_many_messages(void *at)
{
    return as_ok(sivka_open_many(key, at));
}

/* What a batch points to is asked in both layouts and directions. */
#define FIELD(layout, field)                                                         \
    static sivka_status layout##_##field(void *at)                                   \
    {                                                                                \
        sivka_messages messages = layout;                                            \
        sivka_status status;                                                         \
                                                                                     \
        messages.field = at;                                                         \
        status = sivka_seal_many(key, &messages);                                    \
        return status == SIVKA_OK ? as_ok(sivka_open_many(key, &messages)) : status; \
    }

/* What is read, with what is right there; and what is written, with what else is read and written.
 * Each has a function, the argument, and all arguments, or is a field. */
#define PLACES_OF_ALL(READS, WRITES, FIELD_READ, FIELD_WRITTEN) \
    READS(sivka_seal, message, to_seal, key, at, NULL) \
    READS(sivka_open, message, to_open, key, at, NULL) \
    WRITES(sivka_seal, written_len, &aad, &text, &opened, key, &to_seal, at) \
    WRITES(sivka_open, written_len, &aad, &sealed, &opened, key, &to_open, at) \
    READS(sivka_seal_many, messages, in_list, key, at) \
    FIELD_READ(in_list, aad_list, aads) \
    FIELD_READ(in_list, aad_lens, lens) \
    FIELD_READ(in_list, text_list, texts) \
    FIELD_READ(in_list, text_lens, lens) \
    FIELD_WRITTEN(in_list, statuses, &nonce, &aad, &opened) \
    FIELD_READ(in_buffer, aad_offsets, offsets) \
    FIELD_READ(in_buffer, text_offsets, offsets) \
    FIELD_WRITTEN(in_buffer, statuses, &nonce, &aad, &opened) \
    READS(sivka_sealed_column_len, values, values, key, 2, at, out.numbers) \
    WRITES(sivka_sealed_column_len, len, &text, NULL, NULL, key, 2, &values, at) \
    READS(sivka_opened_column_len, sealed, rows, key, 2, at, out.numbers) \
    WRITES(sivka_opened_column_len, len, &sealed_rows, NULL, NULL, key, 2, &rows, at) \
    READS(sivka_seal_column, values, values, key, 2, at, aad.bytes, 20, offsets, NULL, 0, \
          opened.bytes, 76, ends, 32) \
    READS(sivka_seal_column, aad_offsets, offsets, key, 2, &values, aad.bytes, 20, at, NULL, 0, \
          opened.bytes, 76, ends, 32) \
    WRITES(sivka_seal_column, offsets, &aad, &text, &opened, key, 2, &values, aad.bytes, 20, \
           offsets, NULL, 0, opened.bytes, 76, at, 32) \
    READS(sivka_open_column, sealed, rows, key, 2, at, aad.bytes, 20, offsets, opened.bytes, 20, \
          ends, 32, statuses) \
    READS(sivka_open_column, aad_offsets, offsets, key, 2, &rows, aad.bytes, 20, at, opened.bytes, \
          20, ends, 32, statuses) \
    WRITES(sivka_open_column, offsets, &aad, &opened, NULL, key, 2, &rows, aad.bytes, 20, offsets, \
           opened.bytes, 20, at, 32, statuses) \
    WRITES(sivka_open_column, statuses, &aad, &opened, NULL, key, 2, &rows, aad.bytes, 20, \
           offsets, opened.bytes, 20, ends, 32, at) \
    WRITES(sivka_keyring_path, place, NULL, NULL, NULL, keyring, "a", 1, at) \
    WRITES(sivka_keyset_to_insecure, written_len, &opened, NULL, NULL, keyset, \
           SIVKA_KEYSET_JSON, opened.bytes, FILE_LEN, at) \
    WRITES(sivka_keyset_encrypt, written_len, &aad, &opened, NULL, keyset, key, aad.bytes, 20, \
          SIVKA_KEYSET_BINARY, opened.bytes, FILE_LEN, at) \
    WRITES(sivka_encrypted_keyset_of, written_len, &text, &opened, NULL, keyset, text.bytes, 20, \
          SIVKA_KEYSET_BINARY, opened.bytes, FILE_LEN, at) \
    WRITES(sivka_encrypted_keyset_ciphertext, written_len, &opened, NULL, NULL, under_key, \
           under_key_len, SIVKA_KEYSET_BINARY, opened.bytes, FILE_LEN, at) \
    WRITES(sivka_keyset_add, id, NULL, NULL, NULL, keyset, "AES256_GCM_SIV", 0, at) \
    WRITES(sivka_algorithm_from_name, algorithm, NULL, NULL, NULL, "AES-256-GCM-SIV", at) \
    WRITES(sivka_suite_from_name, suite, NULL, NULL, NULL, "aes-256-gcm-siv", at) \
    WRITES(sivka_generate_key_file, text_len, &opened, NULL, NULL, "a", (char *)opened.bytes, \
           FILE_LEN, at) \
    WRITES(sivka_key_file_from_bytes, text_len, &key_bytes, &opened, NULL, key_bytes.bytes, 32, \
           "a", (char *)opened.bytes, FILE_LEN, at) \
    WRITES(sivka_file_reader_read, plaintext_len, &opened, NULL, NULL, reader, 0, opened.bytes, \
           TEXT_LEN, at) \
    WRITES(sivka_seal_memory, sealed_len, &text, &opened, NULL, text.bytes, TEXT_LEN, \
           opened.bytes, FILE_LEN, at, file_keys, 0) \
    WRITES(sivka_open_memory, plaintext_len, &file, &opened, NULL, file.bytes, file_len, \
           opened.bytes, FILE_LEN, at, file_keys)
#define CALL_READ(function, name, right, ...) CALL(function, name, __VA_ARGS__)
#define CALL_WRITTEN(function, name, a, b, c, ...) CALL(function, name, __VA_ARGS__)
#define FIELD_OF(layout, field, ...) FIELD(layout, field)
PLACES_OF_ALL(CALL_READ, CALL_WRITTEN, FIELD_OF, FIELD_OF)

/* With the key of a keyset too. */
static sivka_status seal_under_keyset(void *at)
{
    return SEAL(of_keyset, aad.bytes, 20, text.bytes, TEXT_LEN, opened.bytes, 256, at);
}

static sivka_status open_under_keyset(void *at)
{
    return OPEN(of_keyset, aad.bytes, 20, file.bytes + FILE_LEN - 64, TEXT_LEN + 33, opened.bytes, 256, at);
}

/* Takes keys, which are freed again. */
static sivka_status take(sivka_key **made, sivka_key **tokens)
{
    const sivka_status status = sivka_keyring_take(keyring, "a", 1, SIVKA_KEYRING_SEAL, key_text, key_text_len, made,
                                                   tokens);

    if (status == SIVKA_OK) {
        sivka_key_free(*made);
        sivka_key_free(*tokens);
    }
    return status;
}

#define TAKING(name, ...)                                                                         \
    static sivka_status sivka_keyring_take_##name(void *at)                                       \
    {                                                                                             \
        return take(__VA_ARGS__);                                                                 \
    }
TAKING(values, at, &other)
TAKING(tokens, &other, at)

static sivka_status sivka_file_reader_wants_position(void *at)
{
    return sivka_file_reader_wants(reader, at) > 0 ? SIVKA_OK : sivka_last_error()->status;
}

/* The slot goes again, whatever the system refuses. */
static sivka_status sivka_add_slot_slot(void *at)
{
    const sivka_status status = sivka_add_slot(path, file_keys, added, at);
    const long then = granted;

    granted = -1;
    if (status == SIVKA_OK)
        CHECK_STATUS(SIVKA_OK, sivka_remove_slot(path, file_keys, *(size_t *)at));
    granted = then;
    return status;
}

static sivka_status finish_opener(sivka_opener *it, void *at)
{
    const sivka_status status =
        sivka_opener_update(it, file.bytes, file_len, &used, scratch, FILE_LEN, &len);

    return status == SIVKA_OK ? sivka_opener_finish(it, opened.bytes, FILE_LEN, at) : status;
}

/* Ends a stream that was just begun. */
#define STREAM_CALL(type, made, function, name, a, b, ...)                                        \
    static sivka_status type##_##function##_##name(void *at)                                      \
    {                                                                                             \
        type *it = NULL;                                                                          \
        sivka_status status = made;                                                               \
                                                                                                  \
        if (status == SIVKA_OK)                                                                   \
            status = __VA_ARGS__;                                                                 \
        type##_free(it);                                                                          \
        return status;                                                                            \
    }
#define STREAMS(STREAM) \
    STREAM(sivka_sealer, sivka_sealer_new(file_keys, 0, &it), update, input_used, &text, &opened, \
           sivka_sealer_update(it, text.bytes, TEXT_LEN, at, opened.bytes, FILE_LEN, &len)) \
    STREAM(sivka_sealer, sivka_sealer_new(file_keys, 0, &it), update, output_len, &text, &opened, \
           sivka_sealer_update(it, text.bytes, TEXT_LEN, &used, opened.bytes, FILE_LEN, at)) \
    STREAM(sivka_sealer, sivka_sealer_new(file_keys, 0, &it), finish, output_len, &opened, NULL, \
           sivka_sealer_finish(it, opened.bytes, FILE_LEN, at)) \
    STREAM(sivka_opener, sivka_opener_new(file_keys, &it), update, input_used, &file, &opened, \
           sivka_opener_update(it, file.bytes, file_len, at, opened.bytes, FILE_LEN, &len)) \
    STREAM(sivka_opener, sivka_opener_new(file_keys, &it), update, output_len, &file, &opened, \
           sivka_opener_update(it, file.bytes, file_len, &used, opened.bytes, FILE_LEN, at)) \
    STREAM(sivka_opener, sivka_opener_new(file_keys, &it), finish, output_len, &opened, NULL, \
           finish_opener(it, at))
STREAMS(STREAM_CALL)

/* What makes a handle, the handle's type, and the other arguments. */
#define HANDLES(HANDLE) \
    HANDLE(sivka_key_new, sivka_key, SIVKA_AES_256_GCM_SIV, key_bytes.bytes, 32, at) \
    HANDLE(sivka_column_key_new, sivka_key, SIVKA_AES_256_GCM_SIV, key_text, key_text_len, at) \
    HANDLE(sivka_kuznyechik_new, sivka_kuznyechik, key_bytes.bytes, 32, at) \
    HANDLE(sivka_kuznyechik_ctr_new, sivka_kuznyechik_ctr, key_bytes.bytes, 32, nonce.bytes, 8, 16, at) \
    HANDLE(sivka_kuznyechik_omac_new, sivka_kuznyechik_omac, key_bytes.bytes, 32, 16, at) \
    HANDLE(sivka_keyset_generate, sivka_keyset, "AES256_GCM_SIV", at) \
    HANDLE(sivka_inspect_keyset, sivka_keyset_info, keyset, at) \
    HANDLE(sivka_keyset_copy, sivka_keyset, keyset, at) \
    HANDLE(sivka_keyset_from_insecure, sivka_keyset, kept, kept_len, SIVKA_KEYSET_BINARY, at) \
    HANDLE(sivka_keyset_key, sivka_key, keyset, SIVKA_KEYSET_AEAD, at) \
    HANDLE(sivka_keyset_decrypt, sivka_keyset, key, NULL, 0, under_key, under_key_len, SIVKA_KEYSET_BINARY, at) \
    HANDLE(sivka_keyset_sealer_new, sivka_sealer, streams, aad.bytes, 20, at) \
    HANDLE(sivka_keyset_opener_new, sivka_opener, streams, aad.bytes, 20, at) \
    HANDLE(sivka_keyring_read, sivka_keyring, names_path, "it", at) \
    HANDLE(sivka_keyring_parse, sivka_keyring, "a=/b", 4, "it", at) \
    HANDLE(sivka_file_keys_new, sivka_file_keys, at) \
    HANDLE(sivka_file_reader_new, sivka_file_reader, path, file_keys, at) \
    HANDLE(sivka_file_reader_of_length, sivka_file_reader, file_len, file_keys, at) \
    HANDLE(sivka_inspect_file, sivka_inspection, path, at) \
    HANDLE(sivka_salvage_file, sivka_salvage, path, other_path, file_keys, SIVKA_OVERWRITE, NULL, NULL, at) \
    HANDLE(sivka_inspect_memory, sivka_inspection, file.bytes, file_len, at) \
    HANDLE(sivka_sealer_new, sivka_sealer, file_keys, 0, at) \
    HANDLE(sivka_opener_new, sivka_opener, file_keys, at)
HANDLES(MAKING)

#ifdef REFUSES
void *__real_malloc(size_t len), *__wrap_malloc(size_t len);
int __real_posix_memalign(void **at, size_t align, size_t len), __wrap_posix_memalign(void **at, size_t align, size_t len);

static int is_granted(void)
{
    const int grants = granted != 0;

    granted -= granted > 0 || (granted == 0 && !for_good);
    return grants;
}

void *__wrap_malloc(size_t len)
{
    return is_granted() ? __real_malloc(len) : NULL;
}

int __wrap_posix_memalign(void **at, size_t align, size_t len)
{
    return is_granted() ? __real_posix_memalign(at, align, len) : 12;
}

/* Without any memory, keys are made until the reserve is at its end. */
static void exhausts(void)
{
    static sivka_key *keys[1 << 16];
    sivka_status status = SIVKA_OK;
    size_t i;

    for (i = 0, granted = 0; status == SIVKA_OK; i++)
        status = sivka_key_new(SIVKA_KUZNYECHIK_MGM, key_bytes.bytes, 32, &keys[i]);
    CHECK(i > 100 && status == SIVKA_ERROR_NO_MEMORY && sivka_last_error()->status == status);
    while (i > 0)
        sivka_key_free(keys[--i]);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_KUZNYECHIK_MGM, key_bytes.bytes, 32, &keys[0]));
    sivka_key_free(keys[0]);
    granted = -1;
}
#endif

/* A call that is refused an allocation, or all from it on, says so or does without. */
static void is_refused(call *it, void *at)
{
    sivka_status status = SIVKA_OK;
    long count, left = 0;

    for (for_good = 0; for_good <= 1; for_good++) {
        for (count = 0, left = 0; left <= 0; count++) {
            granted = count;
            status = it(at);
            left = granted;
            granted = -1;
            CHECK_STATUS(status == SIVKA_ERROR_NO_MEMORY ? status : SIVKA_OK, status);
        }
        CHECK_STATUS(SIVKA_OK, status);
    }
}

/* What is read: `right`, and misaligned. */
static void is_read(const char *name, call *it, const void *right, size_t len)
{
    const void *const misaligned = memcpy(out.bytes + 1, right, len);

    puts(name);
    is_refused(it, (void *)right);
    CHECK_STATUS(SIVKA_OK, it((void *)right));
    remember();
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, it((void *)misaligned));
    CHECK(is_untouched());
}

/* What is written: anywhere, misaligned, and over each other argument. */
static void is_written(const char *name, call *it, place *a, place *b, place *c)
{
    place *const arguments[] = {a, b, c};
    size_t i, at;

    puts(name);
    is_refused(it, out.bytes);
    CHECK_STATUS(SIVKA_OK, it(out.bytes));
    remember();
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, it(out.bytes + 1));
    CHECK(is_untouched());
    for (i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        for (at = 0; arguments[i] != NULL && at <= 8; at += 8) {
            remember();
            CHECK_STATUS(SIVKA_ERROR_OVERLAP, it(arguments[i]->bytes + at));
            CHECK(is_untouched());
        }
    }
}

#define READ(function, name, right, ...) \
    is_read(#function " " #name, function##_##name, &right, sizeof right);
#define WRITTEN(function, name, a, b, c, ...) \
    is_written(#function " " #name, function##_##name, a, b, c);
#define READ_FIELD(layout, field, right) READ(layout, field, right, )
#define WRITTEN_FIELD(layout, field, a, b, c) WRITTEN(layout, field, a, b, c, )
#define STREAM(type, made, function, name, a, b, ...) WRITTEN(type##_##function, name, a, b, NULL, )
#define MADE(function, ...) WRITTEN(function, made, NULL, NULL, NULL, )

static void set_up(const char *folder)
{
    FILE *names;
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

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("a", key_text, sizeof key_text, &key_text_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&file_keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(file_keys, key_text, key_text_len, NULL, 0));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&added));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(added, key_text, key_text_len, NULL, 0));
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(text.bytes, TEXT_LEN, file.bytes, FILE_LEN, &file_len, file_keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_of_length(file_len, file_keys, &reader));
    snprintf(path, sizeof path, "%s/sealed", folder);
    snprintf(other_path, sizeof other_path, "%s/opened", folder);
    CHECK_STATUS(SIVKA_OK, sivka_seal_file("/dev/null", path, file_keys, 0, 0, NULL, NULL));
    snprintf(names_path, sizeof names_path, "%s/names", folder);
    umask(077);
    names = fopen(names_path, "w");
    CHECK(names != NULL && fprintf(names, "# none\n") > 0 && fclose(names) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_keyring_parse("a=/b", 4, "it", &keyring));
    /* On a failure there are no keys. */
    other = key;
    CHECK_STATUS(SIVKA_ERROR_KEYRING, sivka_keyring_take(keyring, "b", 1, 1, NULL, 0, &other, &of_keyset));
    CHECK(other == NULL && of_keyset == NULL);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_key(keyset, SIVKA_KEYSET_AEAD, &of_keyset));

    CHECK_STATUS(SIVKA_OK, SEAL(key, aad.bytes, 20, text.bytes, TEXT_LEN, sealed.bytes, SEALED_LEN, NULL));
    CHECK_STATUS(SIVKA_OK, SEAL(of_keyset, aad.bytes, 20, text.bytes, TEXT_LEN, file.bytes + FILE_LEN - 64,
                                      TEXT_LEN + 33, NULL));
    aads[0] = aad.bytes;
    aads[1] = aad.bytes + 10;
    texts[0] = opened.bytes;
    texts[1] = opened.bytes + 10;
    to_seal = (sivka_message){.aad = aad.bytes, .aad_len = 20, .input = text.bytes, .input_len = TEXT_LEN,
                              .output = opened.bytes, .output_len = SEALED_LEN};
    to_open = (sivka_message){.aad = aad.bytes, .aad_len = 20, .input = sealed.bytes, .input_len = SEALED_LEN,
                              .output = opened.bytes, .output_len = TEXT_LEN};
    in_list = (sivka_messages){.count = 2, .nonces = nonce.bytes, .nonces_len = 24, .aad_list = aads,
                               .aad_lens = lens, .text_list = texts, .text_lens = lens,
                               .tags = opened.bytes + 32, .tags_len = 32, .statuses = statuses};
    in_buffer = (sivka_messages){.count = 2, .nonces = nonce.bytes, .nonces_len = 24, .aads = aad.bytes,
                                 .aads_len = 20, .aad_offsets = offsets, .texts = opened.bytes,
                                 .texts_len = 20, .text_offsets = offsets, .tags = opened.bytes + 32,
                                 .tags_len = 32, .statuses = statuses};
    values.bytes = text.bytes;
    values.bytes_len = TEXT_LEN;
    values.offsets = narrow;
    values.offset_bits = 32;
    rows = values;
    rows.bytes = sealed_rows.bytes;
    rows.bytes_len = 76;
    rows.offsets = row_ends;
    CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, 2, &values, aad.bytes, 20, offsets, NULL, 0,
                                             sealed_rows.bytes, 76, row_ends, 32));
}

/* Where nothing overlaps any more, and what else is an argument: structures, and their offsets. */
static void borders(void)
{
    CHECK_STATUS(SIVKA_OK, sivka_seal_written_len(opened.bytes + SEALED_LEN));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_written_len(opened.bytes + SEALED_LEN - 8));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_sealed_column_len_len(&values));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_opened_column_len_len(row_ends));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal_column_offsets(&values));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_open_column_statuses(&rows));
    CHECK(values.bytes == text.bytes && rows.bytes == sealed_rows.bytes && row_ends[1] == 38);
}

/* A list of associated data, whose arrays are read too. */
static void lists(void)
{
    sivka_message message = to_seal;

    message.aad_len = 0;
    message.aad_count = 2;
    message.aads = (const uint8_t *const *)(const void *)(out.bytes + 1);
    message.aad_lens = lens;
    memcpy(out.bytes + 1, aads, sizeof aads);
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, sivka_seal(siv, &message, NULL));
    message.aads = aads;
    message.aad_lens = (const size_t *)(const void *)(out.bytes + 1);
    CHECK_STATUS(SIVKA_ERROR_ALIGNMENT, sivka_seal(siv, &message, NULL));
    message.aad_lens = lens;
    granted = 0;
    CHECK_STATUS(SIVKA_OK, sivka_seal(siv, &message, out.numbers));
    CHECK(granted == 0);
    granted = -1;
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal(siv, &message, (size_t *)(void *)aads));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_seal(siv, &message, (size_t *)(void *)(uintptr_t)lens));
    CHECK(aads[0] == aad.bytes && lens[0] == 10);
}

static void keysets(void)
{
    is_written("sivka_seal written_len", seal_under_keyset, &aad, &text, &opened);
    is_written("sivka_open written_len", open_under_keyset, &aad, &opened, NULL);
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, open_under_keyset(file.bytes + FILE_LEN - 64));
}

/* What else allocates. */
enum { LARGE_LEN = 900000 };
static uint8_t large[LARGE_LEN], large_sealed[LARGE_LEN + 2 * FILE_LEN], guarded[FILE_LEN];
static char json[1 << 20], for_all[512];
static sivka_file_keys *all, *spare;
static size_t json_len, large_len, guarded_len;
static uint32_t id;
static sivka_keyset *made;
static const char IDENTITY[] = "AGE-SECRET-KEY-PQ-1HZLGZUPT4ETPKDEV8HSGFDCYZ4E522W0A7PU2LHT8EH9W6YLNC3SW78XKG";

/* What is wrong stays wrong, and is said. */
static sivka_status is_wrong(sivka_status expected, sivka_status status)
{
    return status == expected && sivka_last_error()->detail[0] != 0 ? SIVKA_OK : status;
}

#define OTHERS(OTHER) \
    OTHER(guarded_file, sivka_file_keys_add_key_file(spare, (char *)guarded, guarded_len, "word", 4)) \
    OTHER(passphrase, sivka_file_keys_add_passphrase(spare, "w\xc3\xb6rd", 5)) \
    OTHER(identities, sivka_file_keys_add_identities(spare, IDENTITY, sizeof IDENTITY - 1)) \
    OTHER(seals, sivka_seal_file(path, for_all, all, 0, SIVKA_OVERWRITE, NULL, NULL)) \
    OTHER(opens, sivka_open_file(for_all, other_path, all, SIVKA_OVERWRITE, NULL, NULL)) \
    OTHER(replaces, sivka_replace_slot(path, file_keys, 0, added)) \
    OTHER(is_missing, is_wrong(SIVKA_ERROR_READ, sivka_remove_slot("/no/such/file", file_keys, 9))) \
    OTHER(is_no_keyset, is_wrong(SIVKA_ERROR_KEYSET, sivka_keyset_from_insecure("{", 1, 1, &made))) \
    OTHER(adds_key, sivka_keyset_add(keyset, "AES256_GCM_SIV", SIVKA_KEYSET_AS_PRIMARY, &id)) \
    OTHER(enables, sivka_keyset_change(keyset, SIVKA_KEYSET_ENABLE, id)) \
    OTHER(encrypts, sivka_keyset_encrypt(keyset, key, NULL, 0, SIVKA_KEYSET_JSON, json, sizeof json, &json_len)) \
    OTHER(decrypts, sivka_keyset_decrypt(key, NULL, 0, json, json_len, SIVKA_KEYSET_JSON, &made))
#define OTHER_CALL(name, ...)       \
    static sivka_status name(void *at) \
    {                               \
        sivka_keyset_free(made);    \
        made = at;                  \
        return __VA_ARGS__;         \
    }
#define OTHER_IS_REFUSED(name, ...) is_refused(name, NULL);
OTHERS(OTHER_CALL)
OTHER_CALL(seals_large, sivka_seal_memory(large, LARGE_LEN, large_sealed, sizeof large_sealed, &large_len, all, 0))
OTHER_CALL(opens_large, sivka_open_memory(large_sealed, large_len, large, LARGE_LEN, &len, all))

static void others(const char *folder)
{
    snprintf(for_all, sizeof for_all, "%s/all", folder);
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&spare));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&all));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_cost(all, 64, 1, 1));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_passphrase(all, "word", 4));
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(key_text, key_text_len, guarded, FILE_LEN, &guarded_len, all, 0));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_identities(all, IDENTITY, sizeof IDENTITY - 1));
    OTHERS(OTHER_IS_REFUSED)
#ifdef REFUSES
    exhausts();
#endif
    /* No thread begins where all is refused. */
    CHECK_STATUS(SIVKA_OK, seals_large(NULL));
    granted = 0, for_good = 1;
    CHECK_STATUS(SIVKA_OK, opens_large(NULL));
    CHECK_STATUS(SIVKA_ERROR_NO_MEMORY, seals_large(NULL));
    granted = -1;
    sivka_keyset_free(made);
    sivka_file_keys_free(spare);
    sivka_file_keys_free(all);
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
    CHECK_STATUS(SIVKA_OK, SEAL_DETACHED(both.key, nonce.bytes, 12, NULL, 0, text.bytes, TEXT_LEN, found,
                                               TEXT_LEN, tag, 16));
    CHECK_STATUS(SIVKA_OK, SEAL_DETACHED(key, nonce.bytes, 12, NULL, 0, text.bytes, TEXT_LEN, expected,
                                               TEXT_LEN, expected_tag, 16));
    CHECK(memcmp(found, expected, TEXT_LEN) == 0 && memcmp(tag, expected_tag, 16) == 0);
    sivka_key_free(both.key);
}

/* There is no record where the system has no key for it, and none says that no call failed. */
static void record_is_refused(void)
{
    pthread_key_t keys[1 << 12];
    int i = 0;

    while (pthread_key_create(&keys[i], NULL) == 0)
        i++;
    CHECK(sivka_last_error()->status == SIVKA_OK);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_key_new(SIVKA_AES_256_GCM_SIV, NULL, 32, &key));
    CHECK(sivka_last_error()->status == SIVKA_ERROR_NO_MEMORY);
    while (i > 0)
        pthread_key_delete(keys[--i]);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    record_is_refused();
    /* What is made once is there, whatever the system refuses. */
    granted = 0, for_good = 1;
    CHECK(sivka_suite_name(0) != NULL && sivka_inspect_algorithm(1) != NULL);
    granted = -1;
#ifdef REFUSES
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, key_bytes.bytes, 32, &key));
    /* Nor does a thread's first failure and nonce need what it refuses. */
    granted = 0;
    CHECK_STATUS(SIVKA_ERROR_OPEN, OPEN(key, NULL, 0, NULL, 0, NULL, 0, NULL));
    CHECK(sivka_last_error()->status == SIVKA_ERROR_OPEN);
    CHECK_STATUS(SIVKA_OK, SEAL(key, NULL, 0, NULL, 0, scratch, FILE_LEN, NULL));
    granted = -1;
    sivka_key_free(key);
#endif
    set_up(argv[1]);
    WRITTEN(sivka_file_reader_wants, position, NULL, NULL, NULL, )
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_give(reader, file.bytes, file_len));
    PLACES_OF_ALL(READ, WRITTEN, READ_FIELD, WRITTEN_FIELD)
    READ(sivka_open_many, messages, in_buffer, )
    WRITTEN(sivka_add_slot, slot, NULL, NULL, NULL, )
    WRITTEN(sivka_keyring_take, values, NULL, NULL, NULL, )
    WRITTEN(sivka_keyring_take, tokens, NULL, NULL, NULL, )
    STREAMS(STREAM)
    HANDLES(MADE)
    borders();
    lists();
    keysets();
    others(argv[1]);
    handle_over_bytes();
    sivka_file_reader_free(reader);
    sivka_keyring_free(keyring);
    sivka_file_keys_free(added);
    sivka_file_keys_free(file_keys);
    sivka_keyset_free(streams);
    sivka_key_free(of_keyset);
    sivka_keyset_free(keyset);
    sivka_key_free(siv);
    sivka_key_free(key);
    return report();
}
