/* Sealed files. */
#ifndef SIVKA_MATRIX_FILES_H
#define SIVKA_MATRIX_FILES_H

#include "../files.h"
#include "../pieces.h"
#include "words.h"

static sivka_file_keys *secret(void)
{
    const char *kind = word(), *value = word();
    char text[SIVKA_MAX_KEY_FILE_LEN];
    sivka_file_keys *keys = NULL;
    struct bytes bytes;
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    if (strcmp(kind, "key-file") == 0) {
        const void *file = content(value, &len);

        CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, file, len, NULL, 0));
    } else if (strcmp(kind, "identity") == 0) {
        CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_identities(keys, value, strlen(value)));
    } else if (strcmp(kind, "key") == 0) {
        bytes = parse(value);
        CHECK_STATUS(SIVKA_OK, sivka_key_file_from_bytes(bytes.at, bytes.len, "vector", text,
                                                         sizeof text, &len));
        CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, len, NULL, 0));
    } else {
        bytes = parse(value);
        CHECK(strcmp(kind, "passphrase") == 0);
        CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_passphrase(keys, (const char *)bytes.at,
                                                              bytes.len));
        memset(bytes.at, 0, bytes.len);
    }
    return keys;
}

static const char *outcome(sivka_status status)
{
    static const char *const words[] = {
        [SIVKA_OK] = "done",
        [SIVKA_ERROR_NOT_SIVKA] = "not-sivka",
        [SIVKA_ERROR_NEWER] = "newer",
        [SIVKA_ERROR_DAMAGED] = "damaged",
        [SIVKA_ERROR_TRUNCATED] = "truncated",
        [SIVKA_ERROR_WRONG_KEY] = "wrong-key",
        [SIVKA_ERROR_COST_LIMIT] = "cost-limit",
    };
    const size_t at = (size_t)status;

    if (at >= sizeof words / sizeof *words || words[at] == NULL)
        CHECK_STATUS(SIVKA_OK, status);
    return words[at];
}

/* What an opener releases until the end, or until something is wrong. */
static sivka_status open_stream(const sivka_file_keys *keys, const char *input, FILE *output)
{
    size_t len;
    const unsigned char *sealed = content(input, &len);
    struct bytes opened = new_bytes(len);
    sivka_opener *opener = NULL;
    sivka_status status;

    CHECK_STATUS(SIVKA_OK, sivka_opener_new(keys, &opener));
    status = open_pieces(opener, sealed, len, opened.at, &opened.len);
    CHECK(fwrite(opened.at, 1, opened.len, output) == opened.len);
    sivka_opener_free(opener);
    return status;
}

static sivka_status read_file(const sivka_file_keys *keys, const char *input, FILE *output)
{
    sivka_file_reader *reader = NULL;
    sivka_status status = sivka_file_reader_new(input, keys, &reader);
    unsigned char part[1000];
    uint64_t at = 0;
    size_t len = 1;

    while (status == SIVKA_OK && len > 0) {
        memset(part, 0xaa, sizeof part);
        status = sivka_file_reader_read(reader, at, part, sizeof part, &len);
        if (status == SIVKA_OK) {
            CHECK(fwrite(part, 1, len, output) == len);
            at += len;
        } else {
            CHECK(is_zeros(part, sizeof part));
        }
    }
    CHECK(status != SIVKA_OK || at == sivka_file_reader_len(reader));
    sivka_file_reader_free(reader);
    return status;
}

static void salvage(const sivka_file_keys *keys, const char *input, const char *output)
{
    sivka_salvage *found = NULL;
    const sivka_status status = sivka_salvage_file(input, output, keys, 0, NULL, NULL, &found);

    if (status != SIVKA_OK)
        printf("%s", outcome(status));
    else
        printf("%s %lu %lu %s", outcome(found->open_status), (unsigned long)found->intact_len,
               (unsigned long)found->lost_len, found->content_is_whole ? "whole" : "part");
    sivka_salvage_free(found);
}

static void seal_file(void)
{
    sivka_suite suite = 0;
    sivka_file_keys *keys;
    const char *input;

    CHECK_STATUS(SIVKA_OK, sivka_suite_from_name(word(), &suite));
    keys = secret();
    input = word();
    CHECK_STATUS(SIVKA_OK, sivka_seal_file(input, word(), keys, suite, 0, NULL, NULL));
    sivka_file_keys_free(keys);
    printf("done");
}

/* Whether the command was one about files that are sealed already. */
static int opens_file(const char *command)
{
    static const char *const commands[] = {"verify-file", "open-file", "open-stream", "read-file",
                                           "salvage-file"};
    sivka_file_keys *keys;
    const char *input;
    FILE *output;
    size_t i;

    for (i = 0; i < sizeof commands / sizeof *commands && strcmp(command, commands[i]) != 0;)
        i++;
    if (i == sizeof commands / sizeof *commands)
        return 0;
    keys = secret();
    input = word();
    if (i == 0) {
        printf("%s", outcome(sivka_verify_file(input, keys, NULL, NULL)));
    } else if (i == 1) {
        printf("%s", outcome(sivka_open_file(input, word(), keys, 0, NULL, NULL)));
    } else if (i == 4) {
        salvage(keys, input, word());
    } else {
        output = fopen(word(), "wb");
        CHECK(output != NULL);
        printf("%s", outcome((i == 2 ? open_stream : read_file)(keys, input, output)));
        CHECK(fclose(output) == 0);
    }
    sivka_file_keys_free(keys);
    return 1;
}

#endif
