/* What every C test uses. */
#ifndef SIVKA_TEST_CHECK_H
#define SIVKA_TEST_CHECK_H

#include <sivka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long checks;

/* Counts a condition, and ends the program on one that does not hold. */
#define CHECK(condition)                                                           \
    do {                                                                           \
        checks++;                                                                  \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* The same for a status, and says which one it is. */
#define CHECK_STATUS(expected, call)                                               \
    do {                                                                           \
        const sivka_status found_ = (call);                                        \
        checks++;                                                                  \
        if (found_ != (expected)) {                                                \
            fprintf(stderr, "%s:%d: %s: %d (%s; %s)\n", __FILE__, __LINE__, #call, \
                    (int)found_, sivka_status_message(found_),                      \
                    sivka_last_error()->detail);                                   \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* The same for a call that is refused for what an argument is, which the error names. */
#define CHECK_NAMED(name, expected, call)                                                 \
    do {                                                                                  \
        const sivka_error *error_;                                                        \
        CHECK_STATUS(expected, call);                                                     \
        error_ = sivka_last_error();                                                      \
        CHECK(error_->status == (expected));                                              \
        CHECK(error_->argument != NULL && strcmp(error_->argument, name) == 0);           \
        CHECK(error_->path == NULL && error_->detail[0] != '\0');                         \
    } while (0)

/* One message: with its nonce in front of all, with one of the caller's, and with the tag by itself. */
static inline sivka_status crypt_message(int seals, const sivka_key *key, const void *nonce, size_t nonce_len,
                                         const void *aad, size_t aad_len, const void *in, size_t in_len, void *out,
                                         size_t out_len, void *tag, size_t tag_len, void *written_len)
{
    const sivka_message message = {.nonce = nonce, .nonce_len = nonce_len, .aad = aad, .aad_len = aad_len,
                                   .input = in, .input_len = in_len, .output = out, .output_len = out_len,
                                   .tag = tag, .tag_len = tag_len};

    return (seals ? sivka_seal : sivka_open)(key, &message, written_len);
}
#define SEAL(key, aad, aad_len, in, in_len, out, out_len, len) \
    crypt_message(1, key, NULL, 0, aad, aad_len, in, in_len, out, out_len, NULL, 0, len)
#define OPEN(key, aad, aad_len, in, in_len, out, out_len, len) \
    crypt_message(0, key, NULL, 0, aad, aad_len, in, in_len, out, out_len, NULL, 0, len)
#define SEAL_DETACHED(key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, tag, tag_len) \
    crypt_message(1, key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, tag, tag_len, NULL)
#define OPEN_DETACHED(key, nonce, nonce_len, aad, aad_len, in, in_len, tag, tag_len, out, out_len) \
    crypt_message(0, key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, tag, tag_len, NULL)
#define SEAL_WITH_NONCE(key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, len) \
    crypt_message(1, key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, NULL, 0, len)
#define OPEN_WITH_NONCE(key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, len) \
    crypt_message(0, key, nonce, nonce_len, aad, aad_len, in, in_len, out, out_len, NULL, 0, len)

/* Memory that is kept until all of it is freed. */
static void *kept_memory[4096];
static size_t kept_count;

static inline void *keep(size_t len)
{
    void *memory = malloc(len > 0 ? len : 1);

    CHECK(memory != NULL && kept_count < sizeof kept_memory / sizeof *kept_memory);
    return kept_memory[kept_count++] = memory;
}

static inline void free_kept(void)
{
    while (kept_count > 0)
        free(kept_memory[--kept_count]);
}

/* The end of a program. */
static inline int report(void)
{
    free_kept();
    printf("%lu checks\n", checks);
    return 0;
}

/* The key that a keyset gives now. */
static inline sivka_key *key_of_keyset(const sivka_keyset *keyset)
{
    sivka_key *key = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_key(keyset, sivka_keyset_primitive(keyset), &key));
    return key;
}

static inline int is_zeros(const unsigned char *bytes, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        if (bytes[i] != 0)
            return 0;
    return 1;
}

#endif
