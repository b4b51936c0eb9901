/*
 * Verifies, opens and reads parts of sealed files by their paths, changes their slots, and stops.
 * The argument is a folder. The matrix plays the vectors, of files that are not whole too.
 */
#include "files.h"

/* A sealed file, of which so many bytes are given at a time at most, and how often some were. */
struct source {
    const unsigned char *bytes;
    size_t len, most, gives;
};

static sivka_status read_part(sivka_file_reader *reader, struct source *source, uint64_t at, size_t capacity,
                              size_t *len)
{
    unsigned char *part = malloc(capacity + 1);
    sivka_status status;
    uint64_t position = 0;
    size_t given, i;

    CHECK(part != NULL);
    while ((status = sivka_file_reader_read(reader, at, part, capacity, len)) == SIVKA_WANTS) {
        given = sivka_file_reader_wants(reader, &position);
        CHECK(*len == 0 && given > 0 && given <= 1 << 20);
        given = given < source->most ? given : source->most;
        position = position < source->len ? position : source->len;
        given = given < source->len - position ? given : (size_t)(source->len - position);
        CHECK_STATUS(SIVKA_OK, sivka_file_reader_give(reader, source->bytes + position, given));
        source->gives++;
    }
    for (i = 0; i < *len; i++)
        CHECK(part[i] == (at + i) % 251);
    CHECK(status == SIVKA_OK ? sivka_file_reader_wants(reader, &position) == 0 : is_zeros(part, capacity));
    free(part);
    return status;
}

/* Reads all of a file that is said to have this length. */
static sivka_status read_all(struct source *source, uint64_t len, const sivka_file_keys *keys, size_t capacity)
{
    sivka_file_reader *reader = NULL;
    sivka_status status;
    size_t at = 0, read = 1;

    CHECK_STATUS(SIVKA_OK, sivka_file_reader_of_length(len, keys, &reader));
    while ((status = read_part(reader, source, at, capacity, &read)) == SIVKA_OK && read > 0)
        at += read;
    CHECK(status != SIVKA_OK || at == sivka_file_reader_len(reader));
    sivka_file_reader_free(reader);
    return status;
}

static void opens(const char *path, const sivka_file_keys *keys, const char *output, sivka_status expected)
{
    struct source source = {NULL, 0, 1, 0};
    unsigned char *bytes = content(path, &source.len);
    sivka_file_reader *reader = NULL;
    size_t len, part_len, at;

    for (source.bytes = bytes; source.most < 1000000; source.most *= 70)
        CHECK_STATUS(expected, read_all(&source, source.len, keys, 30000));
    if (expected == SIVKA_OK) {
        CHECK_STATUS(SIVKA_OK, sivka_verify_file(path, keys, NULL, NULL));
        CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, 0, NULL, NULL));
        CHECK_STATUS(SIVKA_ERROR_EXISTS, sivka_open_file(path, output, keys, 0, NULL, NULL));
        CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, SIVKA_OVERWRITE, NULL, NULL));
        content(output, &len);
        CHECK_STATUS(SIVKA_OK, sivka_file_reader_new(path, keys, &reader));
        CHECK(sivka_file_reader_len(reader) == len);
        /* From the end to the beginning, in pieces that meet no chunk's border. */
        for (at = len + 1; at > 0; at = at > 7777 ? at - 7777 : 0) {
            CHECK_STATUS(SIVKA_OK, read_part(reader, NULL, at - 1, 1000, &part_len));
            CHECK(part_len == (len + 1 - at < 1000 ? len + 1 - at : 1000));
        }
        sivka_file_reader_free(reader);
        CHECK(remove(output) == 0);
        CHECK_STATUS(SIVKA_ERROR_TRUNCATED, read_all(&source, source.len - 1, keys, 100));
        CHECK_STATUS(SIVKA_ERROR_TRUNCATED, read_all(&source, 100, keys, 100));
        CHECK_STATUS(SIVKA_ERROR_NOT_SIVKA, read_all(&source, 0, keys, 100));
        source.bytes++;
        CHECK_STATUS(SIVKA_ERROR_NOT_SIVKA, read_all(&source, --source.len, keys, 100));
    }
}

/* The next read of a part wants this, and is given other bytes or none. */
static void takes(sivka_file_reader *reader, uint64_t at, size_t len, uint64_t from, const void *bytes, size_t given)
{
    unsigned char part[1000];
    uint64_t position = 0;
    size_t read;

    CHECK(sivka_file_reader_read(reader, at, part, sizeof part, &read) == SIVKA_WANTS);
    CHECK(sivka_file_reader_wants(reader, &position) == len && position == from);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_file_reader_give(reader, bytes, len + 1));
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_give(reader, bytes, given));
}

/* What a long file wants, and what becomes of it. */
static void wants(void)
{
    enum { LEN = 3000000, HEAD = 2104, CHUNK = 16400, BEGINNING = SIVKA_FILE_MAX_HEADER_LEN + 56 };
    sivka_file_keys *keys = keys_of('k'), *others = keys_of('o');
    struct source source = {NULL, sivka_seal_memory_len(keys, 0, LEN), SIZE_MAX, 0};
    unsigned char *text = keep(LEN), *sealed = keep(source.len);
    sivka_file_reader *reader = NULL;
    size_t i, read;

    for (i = 0; i < LEN; i++)
        text[i] = (unsigned char)(i % 251);
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(text, LEN, sealed, source.len, NULL, keys, 0));
    source.bytes = sealed;
    /* The beginning, the end, and three times the most. */
    CHECK_STATUS(SIVKA_OK, read_all(&source, source.len, keys, LEN));
    CHECK(source.gives == 5);
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED, read_all(&source, source.len + CHUNK, keys, LEN));
    CHECK_STATUS(SIVKA_ERROR_FILE_TOO_LONG, read_all(&source, UINT64_MAX, keys, LEN));

    CHECK_STATUS(SIVKA_OK, sivka_file_reader_of_length(source.len, keys, &reader));
    CHECK(sivka_file_reader_len(reader) == 0);
    CHECK_STATUS(SIVKA_OK, read_part(reader, &source, 0, 0, &read));
    CHECK(sivka_file_reader_len(reader) == LEN);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_file_reader_give(reader, sealed, 1));
    /* A part of one chunk takes that, and the next part of it nothing. */
    takes(reader, 2000000, CHUNK, HEAD + 122 * CHUNK, sealed + HEAD + 122 * CHUNK, CHUNK);
    CHECK_STATUS(SIVKA_OK, read_part(reader, NULL, 2000000, 1000, &read));
    CHECK_STATUS(SIVKA_OK, read_part(reader, NULL, 2001000, 1000, &read));
    /* A half, then another part, and then all. */
    takes(reader, 16000, 2 * CHUNK, HEAD, sealed + HEAD, CHUNK);
    CHECK_STATUS(SIVKA_OK, read_part(reader, &source, 1000000, 1000, &read));
    CHECK_STATUS(SIVKA_OK, read_part(reader, &source, 16000, 1000, &read));
    CHECK(read == 1000);
    /* Other bytes, or no more. Neither is for ever. */
    takes(reader, 500000, CHUNK, HEAD + 30 * CHUNK, sealed, CHUNK);
    CHECK_STATUS(SIVKA_ERROR_DAMAGED, read_part(reader, &source, 500000, 1000, &read));
    takes(reader, 2500000, CHUNK, HEAD + 152 * CHUNK, sealed, 0);
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED, read_part(reader, &source, 2500000, 1000, &read));
    CHECK_STATUS(SIVKA_OK, read_part(reader, &source, 1500000, 1000, &read));
    CHECK(read == 1000);
    sivka_file_reader_free(reader);

    /* A passphrase is tried when all of the beginning is there, and not before. */
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_of_length(source.len, others, &reader));
    for (i = 0; i < BEGINNING; i += 8)
        takes(reader, 0, BEGINNING - i, i, sealed + i, 8);
    CHECK_STATUS(SIVKA_ERROR_WRONG_KEY, sivka_file_reader_read(reader, 0, text, 1000, &read));
    sivka_file_reader_free(reader);
    sivka_file_keys_free(others);
    sivka_file_keys_free(keys);
}

/* What the table of suites says of itself. */
static void suites(void)
{
    sivka_suite suite, found = 0;

    for (suite = 1; sivka_suite_name(suite) != NULL; suite++) {
        CHECK_STATUS(SIVKA_OK, sivka_suite_from_name(sivka_suite_name(suite), &found));
        CHECK(found == suite);
    }
    CHECK(suite > 3 && sivka_suite_name(0) == sivka_suite_name(1));
    CHECK(sivka_suite_name(UINT32_MAX) == NULL);
    CHECK_STATUS(SIVKA_OK, sivka_suite_from_name("AES-256-GCM-SIV", &found));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_suite_from_name(NULL, &found));
}

/* Of a key file that a passphrase protects, it can be told whose fault a failure is. */
static void protected_key_file(void)
{
    static const char words[] = "correct horse", wrong[] = "wrong horse";
    const size_t words_len = sizeof words - 1;
    sivka_file_keys *lock = NULL, *keys = NULL;
    char text[SIVKA_MAX_KEY_FILE_LEN], sealed[4096];
    size_t text_len, len;

    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&lock));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_passphrase(lock, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_cost(lock, 64, 1, 1));
    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("key", text, sizeof text, &text_len));
    len = sivka_seal_memory_len(lock, 0, text_len);
    CHECK(len <= sizeof sealed);
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(text, text_len, sealed, len, NULL, lock, 0));
    CHECK_STATUS(SIVKA_ERROR_EMPTY_PASSPHRASE, sivka_file_keys_add_key_file(keys, sealed, len, NULL, 0));
    CHECK_STATUS(SIVKA_ERROR_WRONG_KEY, sivka_file_keys_add_key_file(keys, sealed, len, wrong, sizeof wrong - 1));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_keys_add_key_file(keys, sealed, len, NULL, 1));
    CHECK_STATUS(SIVKA_ERROR_TEXT, sivka_file_keys_add_key_file(keys, sealed, len, "\xff", 1));
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED, sivka_file_keys_add_key_file(keys, sealed, 100, words, words_len));
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(keys, sealed, 0, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_max_cost(keys, 8, 1));
    CHECK_STATUS(SIVKA_ERROR_COST_LIMIT, sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_max_cost(keys, 64, 1));
    sealed[len - 1] = (char)(sealed[len - 1] ^ 1);
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED, sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    sealed[len - 1] = (char)(sealed[len - 1] ^ 1);
    /* None of these added anything. */
    CHECK(sivka_seal_memory_len(keys, 0, 1) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, text_len, words, words_len));
    len = sivka_seal_memory_len(lock, 0, 1);
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory("x", 1, sealed, len, NULL, lock, 0));
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    sivka_file_keys_free(lock);
    sivka_file_keys_free(keys);
}

static int is_there(const char *path)
{
    FILE *file = fopen(path, "rb");

    return file != NULL && fclose(file) == 0;
}

static void progress(const char *plain, const char *sealed, const char *opened)
{
    enum { LEN = 600000 };
    sivka_file_keys *keys = keys_of('k');
    struct heard heard = {0, 0, 1, 0};

    write_content(plain, memset(keep(LEN), 0, LEN), LEN);
    CHECK_STATUS(SIVKA_ERROR_CANCELLED, sivka_seal_file(plain, sealed, keys, 0, 0, hear, &heard));
    CHECK(!is_there(sealed));
    heard.stops_at_once = 0;
    CHECK_STATUS(SIVKA_OK, sivka_seal_file(plain, sealed, keys, 0, 0, hear, &heard));
    CHECK(heard.last == LEN && heard.times == 2);
    heard.stops_at_once = 1;
    CHECK_STATUS(SIVKA_ERROR_CANCELLED, sivka_verify_file(sealed, keys, hear, &heard));
    CHECK_STATUS(SIVKA_ERROR_CANCELLED, sivka_open_file(sealed, opened, keys, 0, hear, &heard));
    /* Whoever stops at the last number has no output either. */
    heard = (struct heard){0, 0, 0, 1};
    CHECK_STATUS(SIVKA_ERROR_CANCELLED, sivka_open_file(sealed, opened, keys, 0, hear, &heard));
    CHECK(heard.last == LEN && !is_there(opened));
    CHECK(remove(plain) == 0 && remove(sealed) == 0);
    sivka_file_keys_free(keys);
}

/* A key, with its id. */
static sivka_file_keys *one_key(unsigned char *id)
{
    sivka_file_keys *keys = NULL;
    char text[SIVKA_MAX_KEY_FILE_LEN];
    size_t len;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("slot", text, sizeof text, &len));
    CHECK_STATUS(SIVKA_OK, sivka_key_file_id(text, len, id, SIVKA_KEY_ID_LEN));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, len, NULL, 0));
    return keys;
}

/* Whether a file has slots of these ids and no other; the second is NULL if there is one slot. */
static int has_slots(const char *path, const unsigned char *first, const unsigned char *second)
{
    sivka_inspection *found = NULL;
    int has;

    CHECK_STATUS(SIVKA_OK, sivka_inspect_file(path, &found));
    CHECK(found->suite == 1 && found->slots[0].kind == SIVKA_SLOT_KEY_FILE);
    has = found->slot_count == (second == NULL ? 1 : 2) &&
          memcmp(found->slots[0].key_id, first, SIVKA_KEY_ID_LEN) == 0 &&
          (second == NULL || memcmp(found->slots[1].key_id, second, SIVKA_KEY_ID_LEN) == 0);
    sivka_inspection_free(found);
    return has;
}

static void slots(const char *plain, const char *path)
{
    unsigned char ids[3][SIVKA_KEY_ID_LEN];
    sivka_file_keys *one = one_key(ids[0]), *two = one_key(ids[1]), *three = one_key(ids[2]), *none = NULL;
    size_t slot = 9;

    write_content(plain, ids[0], sizeof ids[0]);
    CHECK_STATUS(SIVKA_OK, sivka_seal_file(plain, path, one, 0, 0, NULL, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_add_slot(path, one, two, &slot));
    CHECK(slot == 1 && has_slots(path, ids[0], ids[1]));
    CHECK_STATUS(SIVKA_OK, sivka_replace_slot(path, two, 0, three));
    CHECK(has_slots(path, ids[2], ids[1]));
    CHECK_STATUS(SIVKA_ERROR_WRONG_KEY, sivka_verify_file(path, one, NULL, NULL));
    CHECK_STATUS(SIVKA_ERROR_WRONG_KEY, sivka_remove_slot(path, one, 0));
    CHECK_STATUS(SIVKA_ERROR_SLOT, sivka_remove_slot(path, two, 2));
    CHECK_STATUS(SIVKA_ERROR_SLOT, sivka_replace_slot(path, two, 2, one));
    CHECK_STATUS(SIVKA_OK, sivka_remove_slot(path, two, 1));
    CHECK_STATUS(SIVKA_ERROR_KEY_COUNT, sivka_remove_slot(path, three, 0));
    CHECK(has_slots(path, ids[2], NULL));
    CHECK_STATUS(SIVKA_OK, sivka_verify_file(path, three, NULL, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&none));
    CHECK_STATUS(SIVKA_ERROR_KEY_COUNT, sivka_add_slot(path, three, none, NULL));
    CHECK(remove(plain) == 0 && remove(path) == 0);
    sivka_file_keys_free(one);
    sivka_file_keys_free(two);
    sivka_file_keys_free(three);
    sivka_file_keys_free(none);
}

int main(int count, char **arguments)
{
    static const size_t lens[] = {0, 1, 16384, 40000};
    static char paths[3][MAX_PATH];
    size_t i;

    CHECK(count == 2);
    for (i = 0; i < 3; i++)
        CHECK(snprintf(paths[i], MAX_PATH, "%s/%c", arguments[1], (char)('a' + i)) > 0);
    progress(paths[0], paths[1], paths[2]);
    slots(paths[0], paths[1]);
    suites();
    wants();
    protected_key_file();
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        each_file(arguments[1], lens[i], opens);
    return report();
}
