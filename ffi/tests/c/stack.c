/* How much of a thread's stack calls use: less than the header says. */
#define _XOPEN_SOURCE 600
#include "files.h"

#include <pthread.h>

/* Of the threads, and of it what calls may use. */
enum { STACK_LEN = 1 << 20, MOST = 128 << 10, COUNT = 600 };

static unsigned char stack[STACK_LEN] __attribute__((aligned(4096)));
static unsigned char text[COUNT * 64], sealed[COUNT * 200], opened[COUNT * 64];
static const unsigned char bytes[64] = {1};

static void *messages(void *algorithm)
{
    const sivka_algorithm_info *info = sivka_inspect_algorithm(*(sivka_algorithm *)algorithm);
    sivka_key *key = NULL;
    unsigned char nonce[SIVKA_MAX_NONCE_LEN] = {0}, tag[SIVKA_MAX_TAG_LEN];
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_key_new(info->algorithm, bytes, info->key_len, &key));
    CHECK_STATUS(SIVKA_OK, SEAL_DETACHED(key, nonce, info->nonce_len, text, 100, text, 9000, sealed,
                                         9000, tag, info->tag_len));
    CHECK_STATUS(SIVKA_OK, OPEN_DETACHED(key, nonce, info->nonce_len, text, 100, sealed, 9000, tag,
                                         info->tag_len, opened, 9000));
    if (info->random_nonces) {
        CHECK_STATUS(SIVKA_OK, SEAL(key, NULL, 0, text, 16, sealed, sizeof sealed, &len));
        CHECK_STATUS(SIVKA_OK, OPEN(key, NULL, 0, sealed, len, opened, 16, &len));
        CHECK_STATUS(SIVKA_ERROR_OPEN, OPEN(key, text, 1, sealed, 90, opened, 90, &len));
    }
    sivka_key_free(key);
    return NULL;
}

static void *many(void *algorithm)
{
    static unsigned char nonces[COUNT * 24], tags[COUNT * 64];
    static size_t offsets[COUNT + 1];
    static int32_t ends[COUNT + 1], sealed_ends[COUNT + 1];
    static sivka_status statuses[COUNT];
    const sivka_algorithm_info *info = sivka_inspect_algorithm(*(sivka_algorithm *)algorithm);
    sivka_messages messages = {.count = COUNT, .nonces = nonces, .texts = text, .texts_len = sizeof text,
                               .text_offsets = offsets, .tags = tags, .statuses = statuses};
    sivka_column column = {text, sizeof text, ends, NULL, 0, 32};
    sivka_key *key = NULL;
    size_t i, len = 0;

    for (i = 0; i <= COUNT; i++)
        ends[i] = (int32_t)(offsets[i] = i * 64 - i % 64);
    memset(nonces, 0, sizeof nonces);
    /* Tags of one part of a batch are those of no other. */
    for (i = 0; i < COUNT && info->nonce_len > 0; i++)
        nonces[i * info->nonce_len + 1] = (unsigned char)(i / 64);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(info->algorithm, bytes, info->key_len, &key));
    messages.nonces_len = COUNT * info->nonce_len;
    messages.tags_len = COUNT * info->tag_len;
    CHECK_STATUS(SIVKA_OK, sivka_seal_many(key, &messages));
    CHECK_STATUS(SIVKA_OK, sivka_open_many(key, &messages));
    CHECK_STATUS(SIVKA_OK, sivka_sealed_column_len(key, COUNT, &column, &len));
    CHECK_STATUS(SIVKA_OK,
                 sivka_seal_column(key, COUNT, &column, NULL, 0, NULL, nonces, messages.nonces_len,
                                   sealed, len, sealed_ends, 32));
    column = (sivka_column){sealed, len, sealed_ends, NULL, 0, 32};
    CHECK_STATUS(SIVKA_OK, sivka_open_column(key, COUNT, &column, NULL, 0, NULL, opened,
                                             offsets[COUNT], ends, 32, statuses));
    sivka_key_free(key);
    return NULL;
}

static void *keysets(void *nothing)
{
    static const char *const templates[] = {"AES256_GCM", "AES256_SIV", "XCHACHA20_POLY1305"};
    sivka_keyset *keyset = NULL;
    sivka_key *key = NULL;
    size_t i, len;

    for (i = 0; i < 3; i++) {
        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(templates[i], &keyset));
        key = key_of_keyset(keyset);
        CHECK_STATUS(SIVKA_OK, SEAL(key, NULL, 0, text, 9000, sealed, sizeof sealed, &len));
        sivka_key_free(key);
        CHECK_STATUS(SIVKA_OK,
                     sivka_keyset_to_insecure(keyset, SIVKA_KEYSET_JSON, sealed, sizeof sealed, &len));
        sivka_keyset_free(keyset);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_from_insecure(sealed, len, SIVKA_KEYSET_JSON, &keyset));
        sivka_keyset_free(keyset);
    }
    return nothing;
}

static void *files(void *nothing)
{
    sivka_file_keys *keys = keys_of('a');
    char key_text[SIVKA_MAX_KEY_FILE_LEN];
    size_t len;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("a", key_text, sizeof key_text, &len));
    CHECK_STATUS(SIVKA_OK,
                 sivka_seal_memory(text, sizeof text, sealed, sizeof sealed, &len, keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_open_memory(sealed, len, opened, sizeof opened, &len, keys));
    sivka_file_keys_free(keys);
    return nothing;
}

/* Makes calls on a stack of their own. */
static void within(void *(*calls)(void *), sivka_algorithm algorithm)
{
    pthread_t thread;
    pthread_attr_t attributes;
    size_t untouched = 0;

    memset(stack, 0xa5, sizeof stack);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    CHECK(pthread_create(&thread, &attributes, calls, &algorithm) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    while (untouched < sizeof stack && stack[untouched] == 0xa5)
        untouched++;
    fprintf(stderr, "%lu bytes\n", (unsigned long)(sizeof stack - untouched));
    CHECK(sizeof stack - untouched <= MOST);
}

int main(void)
{
    size_t i;

    for (i = 1; sivka_inspect_algorithm(i) != NULL; i++) {
        within(messages, i);
        within(many, i);
    }
    within(keysets, 0);
    within(files, 0);
    return report();
}
