/* What the C tests of sealed files use. */
#ifndef SIVKA_TEST_FILES_H
#define SIVKA_TEST_FILES_H

#include "check.h"

#define MAX_LINE 4096

/* The keys of a line: `key` or `passphrase`, and its bytes in hexadecimal digits. */
static inline sivka_file_keys *keys_of(const char *kind, const char *digits)
{
    unsigned char secret[256];
    const size_t len = strlen(digits) / 2;
    sivka_file_keys *keys = NULL;
    char text[SIVKA_MAX_KEY_FILE_LEN];
    size_t i, text_len;
    unsigned int byte;

    CHECK(len <= sizeof secret);
    for (i = 0; i < len; i++) {
        CHECK(sscanf(digits + 2 * i, "%2x", &byte) == 1);
        secret[i] = (unsigned char)byte;
    }
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    if (strcmp(kind, "passphrase") == 0) {
        CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_passphrase(keys, (const char *)secret, len));
        return keys;
    }
    CHECK(strcmp(kind, "key") == 0 && len == SIVKA_FILE_KEY_LEN);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_key_file_from_bytes(secret, len - 1, "vector", text,
                                                               sizeof text, &text_len));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_key_file_from_bytes(secret, len, "vector", text,
                                                                 sizeof text - 1, &text_len));
    CHECK_STATUS(SIVKA_ERROR_KEY_NAME, sivka_key_file_from_bytes(secret, len, "a\nb", text,
                                                                 sizeof text, &text_len));
    CHECK_STATUS(SIVKA_OK, sivka_key_file_from_bytes(secret, len, "vector", text, sizeof text,
                                                     &text_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, text_len));
    return keys;
}

/* The whole content of a file, in memory of exactly its length. */
static inline unsigned char *content(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;
    long end;

    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    end = ftell(file);
    CHECK(end >= 0 && fseek(file, 0, SEEK_SET) == 0);
    *len = (size_t)end;
    bytes = malloc(*len > 0 ? *len : 1);
    CHECK(bytes != NULL && fread(bytes, 1, *len, file) == *len);
    CHECK(fclose(file) == 0);
    return bytes;
}

#endif
