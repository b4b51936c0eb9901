/*
 Does what it is asked with keys, through the C interface. Requests have 160 bytes on the standard
 input; it writes a line when the key is freed, and reads a byte to go on. A request is four words, which are an
 algorithm, an act, and the lengths of text and key, then the key from byte 96 on.
 */
#include <sivka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_LEN = 96, REQUEST_LEN = 160, COUNT = 19 };

static void must(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "hold: %s\n", what);
        exit(1);
    }
}

static void *zeros(size_t len) {
    void *bytes = calloc(len + 1, 1);
    must(bytes != NULL, "no memory");
    return bytes;
}

/* COUNT messages, or one. A forged one has another tag. */
static void use(const sivka_key *key, const char *act, size_t len) {
    const sivka_algorithm_info *info = sivka_inspect_algorithm(sivka_key_algorithm(key));
    size_t nonce_len = info->nonce_len, tag_len = info->tag_len;
    int is_batch = strncmp(act, "batch", 5) == 0, forged = strstr(act, "forged") != NULL;
    size_t count = is_batch ? COUNT : 1, offsets[COUNT + 1], aad_offsets[COUNT + 1] = {0};
    sivka_status statuses[COUNT], sealed, opened;
    uint8_t *nonces = zeros(count * nonce_len), *tags = zeros(count * tag_len);
    uint8_t *texts = zeros(count * len);
    const sivka_message one = {.nonce = nonces, .nonce_len = nonce_len, .input = texts,
                               .input_len = len, .output = texts, .output_len = len, .tag = tags,
                               .tag_len = tag_len};
    const sivka_messages many = {.count = count, .nonces = nonces, .nonces_len = count * nonce_len,
                                 .aad_offsets = aad_offsets, .texts = texts,
                                 .texts_len = count * len, .text_offsets = offsets, .tags = tags,
                                 .tags_len = count * tag_len, .statuses = statuses};
    for (size_t i = 0; i < count; i++) memset(nonces + i * nonce_len, (int)i + 1, nonce_len);
    /* Of one length if they are short, and of many if not. */
    for (size_t i = 0; i <= count; i++) offsets[i] = len <= 64 ? i * len : len * i * i / count;
    sealed = is_batch ? sivka_seal_many(key, &many) : sivka_seal(key, &one, NULL);
    must(sealed == SIVKA_OK, "not sealed");
    if (strcmp(act, "seal") != 0) {
        tags[0] ^= (uint8_t)forged;
        opened = is_batch ? sivka_open_many(key, &many) : sivka_open(key, &one, NULL);
        must((opened == SIVKA_OK) == !forged, "not opened as it should");
    }
    free(nonces);
    free(texts);
    free(tags);
}

static void message(const char *name, const char *act, size_t len, uint8_t *bytes, size_t key_len) {
    sivka_algorithm algorithm;
    sivka_key *key;
    must(sivka_algorithm_from_name(name, &algorithm) == SIVKA_OK, "no algorithm");
    if (strcmp(act, "refused") == 0) {
        must(sivka_key_new(algorithm, bytes + 1, key_len - 1, &key) == SIVKA_ERROR_LENGTH,
            "a key of a wrong length");
        return;
    }
    must(sivka_key_new(algorithm, bytes, key_len, &key) == SIVKA_OK, "no key");
    if (strcmp(act, "set-up") != 0) use(key, act, len);
    if (strcmp(act, "kept") != 0) sivka_key_free(key);
}

int main(void) {
    static uint8_t request[REQUEST_LEN];
    /* Without a buffer of the library's, which would keep a key. */
    setvbuf(stdin, NULL, _IONBF, 0);
    while (fread(request, 1, sizeof request, stdin) == sizeof request) {
        char words[WORDS_LEN], name[WORDS_LEN], act[WORDS_LEN];
        size_t len, key_len;
        memcpy(words, request, sizeof words);
        words[WORDS_LEN - 1] = 0;
        must(sscanf(words, "%s %s %zu %zu", name, act, &len, &key_len) == 4, "no request");
        message(name, act, len, request + WORDS_LEN, key_len);
        explicit_bzero(request, sizeof request);
        puts("freed 0 0 0");
        fflush(stdout);
        must(fread(request, 1, 1, stdin) == 1, "nobody goes on");
    }
    return 0;
}
