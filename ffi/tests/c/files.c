/*
 * Verifies, opens and reads parts of sealed files by their paths, whole and not. The argument is
 * a folder. The matrix plays the vectors.
 */
#include "files.h"

static void opens(const char *path, const sivka_file_keys *keys, const char *output)
{
    sivka_file_reader *reader = NULL;
    size_t len, part_len, at;
    unsigned char *opened, part[1000];

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

        CHECK_STATUS(SIVKA_OK,
                     sivka_file_reader_read(reader, at - 1, part, sizeof part, &part_len));
        CHECK(part_len == (left < sizeof part ? left : sizeof part));
        CHECK(memcmp(part, opened + (at - 1), part_len) == 0);
    }
    sivka_file_reader_free(reader);
    free(opened);
    CHECK(remove(output) == 0);
}

static void fails(const char *path, const sivka_file_keys *keys, const char *output,
                  sivka_status expected)
{
    sivka_file_reader *reader = NULL;
    unsigned char part[1000];
    size_t part_len;
    FILE *left;

    CHECK_STATUS(expected, sivka_verify_file(path, keys, NULL, NULL));
    CHECK_STATUS(expected, sivka_open_file(path, output, keys, 0, NULL, NULL));
    left = fopen(output, "rb");
    CHECK(left == NULL);
    /* What is wrong may be inside, where a reader has not looked yet. */
    if (sivka_file_reader_new(path, keys, &reader) == SIVKA_OK) {
        sivka_status status = SIVKA_OK;
        uint64_t at;

        for (at = 0; status == SIVKA_OK && at < sivka_file_reader_len(reader); at += part_len) {
            memset(part, 0xaa, sizeof part);
            status = sivka_file_reader_read(reader, at, part, sizeof part, &part_len);
        }
        CHECK(status == expected && is_zeros(part, sizeof part));
    }
    sivka_file_reader_free(reader);
}

/* What the table of suites says of itself. */
static void suites(void)
{
    sivka_suite suite, found = 0;
    size_t i;

    CHECK(sivka_suite_count() > 0 && sivka_suite_at(sivka_suite_count()) == 0);
    for (i = 0; i < sivka_suite_count(); i++) {
        suite = sivka_suite_at(i);
        CHECK(suite != 0 && sivka_suite_name(suite) != NULL);
        CHECK_STATUS(SIVKA_OK, sivka_suite_from_name(sivka_suite_name(suite), &found));
        CHECK(found == suite);
    }
    CHECK(strcmp(sivka_suite_name(0), sivka_suite_name(sivka_suite_at(0))) == 0);
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
    CHECK_STATUS(SIVKA_ERROR_EMPTY_PASSPHRASE,
                 sivka_file_keys_add_key_file(keys, sealed, len, NULL, 0));
    CHECK_STATUS(SIVKA_ERROR_WRONG_KEY,
                 sivka_file_keys_add_key_file(keys, sealed, len, wrong, sizeof wrong - 1));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_keys_add_key_file(keys, sealed, len, NULL, 1));
    CHECK_STATUS(SIVKA_ERROR_TEXT, sivka_file_keys_add_key_file(keys, sealed, len, "\xff", 1));
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED,
                 sivka_file_keys_add_key_file(keys, sealed, 100, words, words_len));
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(keys, sealed, 0, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_max_cost(keys, 8, 1));
    CHECK_STATUS(SIVKA_ERROR_COST_LIMIT,
                 sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_max_cost(keys, 64, 1));
    sealed[len - 1] = (char)(sealed[len - 1] ^ 1);
    CHECK_STATUS(SIVKA_ERROR_TRUNCATED,
                 sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    sealed[len - 1] = (char)(sealed[len - 1] ^ 1);
    /* None of these added anything. */
    CHECK(sivka_seal_memory_len(keys, 0, 1) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, text_len, words, words_len));
    len = sivka_seal_memory_len(lock, 0, 1);
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory("x", 1, sealed, len, NULL, lock, 0));
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE,
                 sivka_file_keys_add_key_file(keys, sealed, len, words, words_len));
    sivka_file_keys_free(lock);
    sivka_file_keys_free(keys);
}

static void check_file(const char *path, const sivka_file_keys *keys, const char *output,
                       sivka_status expected)
{
    if (expected == SIVKA_OK)
        opens(path, keys, output);
    else
        fails(path, keys, output, expected);
}

int main(int count, char **arguments)
{
    static const size_t lens[] = {0, 1, 16384, 40000};
    size_t i;

    CHECK(count == 2);
    suites();
    protected_key_file();
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        each_file(arguments[1], lens[i], check_file);
    printf("%lu checks\n", checks);
    return 0;
}
