/* What the C tests of sealed files use. */
#ifndef SIVKA_TEST_FILES_H
#define SIVKA_TEST_FILES_H

#include "check.h"

#define MAX_PATH 4096

/* A key of these bytes, alone; a passphrase cheap enough to try comes with it. */
static inline sivka_file_keys *keys_of(unsigned char byte)
{
    unsigned char secret[SIVKA_FILE_KEY_LEN];
    sivka_file_keys *keys = NULL;
    char text[SIVKA_MAX_KEY_FILE_LEN];
    size_t text_len;

    memset(secret, byte, sizeof secret);
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_key_file_from_bytes(secret, sizeof secret - 1, "test",
                                                               text, sizeof text, &text_len));
    CHECK_STATUS(SIVKA_OK, sivka_key_file_from_bytes(secret, sizeof secret, "test", text,
                                                     sizeof text, &text_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, text_len, NULL, 0));
    /* It need not withstand anybody. */
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_passphrase(keys, (const char *)secret, 1));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_set_cost(keys, 64, 1, 1));
    return keys;
}

/* Writes a file. */
static inline void write_content(const char *path, const unsigned char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL && fwrite(bytes, 1, len, file) == len && fclose(file) == 0);
}

/*
 * Sealed files of so many bytes of plaintext in a folder, each with what opening it says: as
 * they were sealed, with a bit flipped in the first chunk, cut after it, and for other keys.
 */
static inline void each_file(const char *folder, size_t len,
                             void (*check)(const char *path, const sivka_file_keys *keys,
                                           const char *output, sivka_status expected))
{
    static char path[MAX_PATH], output[MAX_PATH];
    sivka_file_keys *keys = keys_of('k'), *others = keys_of('o');
    const size_t room = sivka_seal_memory_len(keys, 0, len);
    const size_t head = room - len - 16 * (len / 16384 + 1);
    unsigned char *plain = keep(len), *sealed = keep(room);
    size_t i;

    for (i = 0; i < len; i++)
        plain[i] = (unsigned char)(i % 251);
    CHECK(snprintf(path, sizeof path, "%s/sealed-%lu", folder, (unsigned long)len) > 0);
    CHECK(snprintf(output, sizeof output, "%s/opened-%lu", folder, (unsigned long)len) > 0);
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(plain, len, sealed, room, NULL, keys, 0));
    write_content(path, sealed, room);
    check(path, others, output, SIVKA_ERROR_WRONG_KEY);
    check(path, keys, output, SIVKA_OK);
    sealed[head] ^= 1;
    write_content(path, sealed, room);
    check(path, keys, output, len >= 16384 ? SIVKA_ERROR_DAMAGED : SIVKA_ERROR_TRUNCATED);
    sealed[head] ^= 1;
    if (len > 16384) {
        write_content(path, sealed, head + 16384 + 16);
        check(path, keys, output, SIVKA_ERROR_TRUNCATED);
    }
    CHECK(remove(path) == 0);
    sivka_file_keys_free(keys);
    sivka_file_keys_free(others);
}

/* What a function heard of the progress; whether it stops at once, or at what comes twice. */
struct heard {
    uint64_t last;
    int times, stops_at_once, stops_at_second;
};

static inline int hear(void *context, uint64_t done)
{
    struct heard *heard = context;

    heard->times = heard->last == done ? heard->times + 1 : 1;
    heard->last = done;
    return heard->stops_at_once || (heard->stops_at_second && heard->times == 2);
}

/* The whole content of a file, in memory of exactly its length, which is kept. */
static inline unsigned char *content(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;
    long end;

    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    end = ftell(file);
    CHECK(end >= 0 && fseek(file, 0, SEEK_SET) == 0);
    *len = (size_t)end;
    bytes = keep(*len);
    CHECK(fread(bytes, 1, *len, file) == *len && fclose(file) == 0);
    return bytes;
}

#endif
