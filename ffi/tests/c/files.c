/*
 * Verifies, opens and reads parts of every sealed file on standard input.
 *
 * A file is one line: the status that is expected, `key` or `passphrase` and its bytes in
 * hexadecimal digits, the path of the file, and where to write what is opened. Who runs
 * this compares what was written.
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

int main(void)
{
    static char line[MAX_LINE], kind[16], secret[MAX_LINE], path[MAX_LINE], output[MAX_LINE];
    unsigned long opened = 0, refused = 0;

    suites();
    while (fgets(line, sizeof line, stdin) != NULL) {
        sivka_file_keys *keys;
        int expected;

        CHECK(sscanf(line, "%d %15s %4095s %4095s %4095s", &expected, kind, secret, path,
                     output) == 5);
        keys = keys_of(kind, secret);
        if (expected == SIVKA_OK) {
            opens(path, keys, output);
            opened++;
        } else {
            fails(path, keys, output, expected);
            refused++;
        }
        sivka_file_keys_free(keys);
    }
    printf("%lu opened, %lu refused, %lu checks\n", opened, refused, checks);
    return 0;
}
