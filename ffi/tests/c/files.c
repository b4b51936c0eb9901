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

    CHECK_STATUS(SIVKA_OK, sivka_verify_file(path, keys));
    CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, 0));
    CHECK_STATUS(SIVKA_ERROR_EXISTS, sivka_open_file(path, output, keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_open_file(path, output, keys, SIVKA_OVERWRITE));
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

    CHECK_STATUS(expected, sivka_verify_file(path, keys));
    CHECK_STATUS(expected, sivka_open_file(path, output, keys, 0));
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
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        each_file(arguments[1], lens[i], check_file);
    printf("%lu checks\n", checks);
    return 0;
}
