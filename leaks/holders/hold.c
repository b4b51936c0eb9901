/*
 Does what it is asked with keys, as leaks/src/remains/hold.rs does, through the C interface:
 requests of 160 bytes on the standard input, a line when the keys are freed, a byte to go on.
 */
#include <sivka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_LEN = 96, REQUEST_LEN = 160, AAD_LEN = 33 };

static const uint8_t AAD[] = "associated data of 33 bytes, long";

/* A call that the compiler cannot look through, and so cannot leave out. */
static void *(*volatile set)(void *, int, size_t) = memset;

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

static void batch(const sivka_key *key, sivka_algorithm algorithm, size_t len, int forged) {
    size_t count = len <= 64 ? 17 : 19, nonce_len = sivka_nonce_len(algorithm);
    size_t tag_len = sivka_tag_len(algorithm), text_lens[19], aad_lens[19];
    const uint8_t *aads[19];
    uint8_t *texts[19];
    sivka_status statuses[19];
    uint8_t *nonces = zeros(count * nonce_len), *tags = zeros(count * tag_len);
    for (size_t i = 0; i < count; i++) {
        memset(nonces + i * nonce_len, (int)i + 1, nonce_len);
        text_lens[i] = len <= 64 ? len : len * (i + 1) / 19;
        texts[i] = zeros(text_lens[i]);
        aads[i] = AAD;
        aad_lens[i] = AAD_LEN;
    }
    sivka_status sealed = sivka_seal_batch(key, count, nonces, count * nonce_len, aads, aad_lens,
        texts, text_lens, tags, count * tag_len, statuses);
    must(sealed == SIVKA_OK, "a batch was not sealed");
    tags[0] ^= (uint8_t)forged;
    sivka_status opened = sivka_open_batch(key, count, nonces, count * nonce_len, aads, aad_lens,
        texts, text_lens, tags, count * tag_len, statuses);
    must((opened == SIVKA_OK) == !forged, "a batch was not opened as it should");
    for (size_t i = 0; i < count; i++) free(texts[i]);
    free(nonces);
    free(tags);
}

static void use(const sivka_key *key, const char *act, size_t len) {
    sivka_algorithm algorithm = sivka_key_algorithm(key);
    size_t nonce_len = sivka_nonce_len(algorithm), tag_len = sivka_tag_len(algorithm);
    if (strcmp(act, "set-up") == 0) return;
    if (strncmp(act, "batch", 5) == 0) {
        batch(key, algorithm, len, strcmp(act, "batch-forged") == 0);
        return;
    }
    uint8_t *nonce = zeros(nonce_len), *text = zeros(len), *tag = zeros(tag_len);
    memset(nonce, 1, nonce_len);
    must(sivka_seal_detached(key, nonce, nonce_len, AAD, AAD_LEN, text, len, text, len, tag,
        tag_len) == SIVKA_OK, "not sealed");
    if (strcmp(act, "seal") != 0) {
        int forged = strcmp(act, "forged") == 0;
        tag[0] ^= (uint8_t)forged;
        sivka_status opened = sivka_open_detached(key, nonce, nonce_len, AAD, AAD_LEN, text, len,
            tag, tag_len, text, len);
        must((opened == SIVKA_OK) == !forged, "not opened as it should");
    }
    free(nonce);
    free(text);
    free(tag);
}

static void message(const char *name, const char *act, size_t len, uint8_t *bytes,
    size_t key_len) {
    sivka_algorithm algorithm;
    sivka_key *key;
    must(sivka_algorithm_from_name(name, &algorithm) == SIVKA_OK, "no such algorithm");
    must(sivka_key_new(algorithm, bytes, key_len, &key) == SIVKA_OK, "no key");
    set(bytes, 0, key_len);
    use(key, act, len);
    sivka_key_free(key);
}

/* A file for a key file or for a passphrase, and where who searches finds it. */
static void file(const char *name, const char *act, size_t len, uint8_t *bytes) {
    sivka_file_keys *keys;
    sivka_suite suite;
    must(sivka_suite_from_name(name, &suite) == SIVKA_OK, "no such suite");
    must(sivka_file_keys_new(&keys) == SIVKA_OK, "no keys");
    if (strcmp(act, "passphrase") == 0) {
        for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)('a' + (bytes[i] & 15));
        must(sivka_file_keys_add_passphrase(keys, (char *)bytes, 32) == SIVKA_OK, "no passphrase");
        must(sivka_file_keys_set_cost(keys, 64, 1, 1) == SIVKA_OK, "no cost");
    } else {
        char text[SIVKA_MAX_KEY_FILE_LEN];
        size_t text_len;
        must(sivka_key_file_from_bytes(bytes, 32, "name", text, sizeof text, &text_len) == SIVKA_OK,
            "no key file");
        must(sivka_file_keys_add_key_file(keys, text, text_len) == SIVKA_OK, "not added");
        set(text, 0, sizeof text);
    }
    set(bytes, 0, 32);
    size_t sealed_len, capacity = sivka_seal_memory_len(suite, len);
    uint8_t *text = zeros(len), *sealed = zeros(capacity);
    must(sivka_seal_memory(text, len, sealed, capacity, &sealed_len, keys, suite) == SIVKA_OK,
        "no file");
    must(sivka_open_memory(sealed, sealed_len, text, len, NULL, keys) == SIVKA_OK, "not opened");
    sivka_file_keys_free(keys);
    FILE *out = fopen(getenv("SIVKA_REMAINS_FILE"), "wb");
    must(out != NULL && fwrite(sealed, 1, sealed_len, out) == sealed_len && fclose(out) == 0,
        "not written");
    free(text);
    free(sealed);
}

int main(void) {
    static uint8_t request[REQUEST_LEN];
    for (;;) {
        size_t len, key_len;
        char algorithm[64], act[32], go_on;
        for (size_t got = 0; got < REQUEST_LEN;) {
            ssize_t more = read(0, request + got, REQUEST_LEN - got);
            if (more <= 0) return 0;
            got += (size_t)more;
        }
        char words[WORDS_LEN + 1] = {0};
        memcpy(words, request, WORDS_LEN);
        must(sscanf(words, "%63s %31s %zu %zu", algorithm, act, &len, &key_len) == 4, "no request");
        if (strncmp(algorithm, "file:", 5) == 0)
            file(algorithm + 5, act, len, request + WORDS_LEN);
        else
            message(algorithm, act, len, request + WORDS_LEN, key_len);
        puts("freed 0 0");
        fflush(stdout);
        if (read(0, &go_on, 1) != 1) return 0;
    }
}
