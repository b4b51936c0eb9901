/*
 * Verifies, opens and reads parts of sealed files by their paths, changes their slots, and stops.
 * The argument is a folder. The matrix plays the vectors, of files that are not whole too.
 */
#include "files.h"

static void opens(const char *path, const sivka_file_keys *keys, const char *output, sivka_status expected)
{
    sivka_file_reader *reader = NULL;
    size_t len, part_len, at;
    unsigned char *opened, part[1000];

    if (expected != SIVKA_OK)
        return;
    CHECK_STATUS(SIVKA_OK, sivka_verify_file(path, keys, NULL, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, 0, NULL, NULL));
    CHECK_STATUS(SIVKA_ERROR_EXISTS, sivka_open_file(path, output, keys, 0, NULL, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, SIVKA_OVERWRITE, NULL, NULL));
    opened = content(output, &len);
    CHECK_STATUS(SIVKA_OK, sivka_file_reader_new(path, keys, &reader));
    CHECK(sivka_file_reader_len(reader) == len);
    /* From the end to the beginning, in pieces that meet no chunk's border. */
    for (at = len + 1; at > 0; at = at > 7777 ? at - 7777 : 0) {
        const size_t left = len - (at - 1);

        CHECK_STATUS(SIVKA_OK, sivka_file_reader_read(reader, at - 1, part, sizeof part, &part_len));
        CHECK(part_len == (left < sizeof part ? left : sizeof part));
        CHECK(memcmp(part, opened + (at - 1), part_len) == 0);
    }
    sivka_file_reader_free(reader);
    free(opened);
    CHECK(remove(output) == 0);
}

/* What the table of suites says of itself. */
static void suites(void)
{
    sivka_suite suite, found = 0;

    for (suite = 1; sivka_suite_name(suite) != NULL; suite++) {
        CHECK_STATUS(SIVKA_OK, sivka_suite_from_name(sivka_suite_name(suite), &found));
        CHECK(found == suite);
    }
    CHECK(suite > 3 && strcmp(sivka_suite_name(0), sivka_suite_name(1)) == 0);
    CHECK(sivka_suite_name(UINT32_MAX) == NULL);
    CHECK_STATUS(SIVKA_OK, sivka_suite_from_name("AES-256-GCM-SIV", &found));
    CHECK_STATUS(SIVKA_ERROR_SUITE, sivka_suite_from_name("rot13", &found));
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

/* What a function heard of the progress, and when it stops: at once, or when a number comes the second time. */
struct heard {
    uint64_t last;
    int times, stops_at_once, stops_at_second;
};

static int hear(void *context, uint64_t done)
{
    struct heard *heard = context;

    heard->times = heard->last == done ? heard->times + 1 : 1;
    heard->last = done;
    return heard->stops_at_once || (heard->stops_at_second && heard->times == 2);
}

static int is_there(const char *path)
{
    FILE *file = fopen(path, "rb");

    return file != NULL && fclose(file) == 0;
}

static void progress(const char *plain, const char *sealed, const char *opened)
{
    enum { LEN = 600000 };
    unsigned char *text = calloc(LEN, 1);
    sivka_file_keys *keys = keys_of('k');
    struct heard heard = {0, 0, 1, 0};

    CHECK(text != NULL);
    write_content(plain, text, LEN);
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
    free(text);
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
    protected_key_file();
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        each_file(arguments[1], lens[i], opens);
    printf("%lu checks\n", checks);
    return 0;
}
