/*
 Does what it is asked with keys, as evidence/leaks/src/zeroization/hold.rs does, through the C interface:
 requests of 160 bytes on the standard input, a line when the keys are freed, a byte to go on.
 */
#include <fcntl.h>
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
    if (strcmp(act, "refused") == 0) {
        must(sivka_key_new(algorithm, bytes + 1, key_len - 1, &key) == SIVKA_ERROR_LENGTH, "a key");
        set(bytes, 0, key_len);
        return;
    }
    must(sivka_key_new(algorithm, bytes, key_len, &key) == SIVKA_OK, "no key");
    set(bytes, 0, key_len);
    use(key, act, len);
    if (strcmp(act, "kept") != 0) sivka_key_free(key);
}

/* The key of a file, or the passphrase that the letters in its place are; refused, if so asked. */
static sivka_file_keys *file_keys(uint8_t *bytes, int is_passphrase, int refused) {
    sivka_file_keys *keys;
    sivka_status added;
    must(sivka_file_keys_new(&keys) == SIVKA_OK, "no keys");
    if (is_passphrase) {
        uint8_t last = bytes[31];
        if (refused) bytes[31] = 0xff; /* No UTF-8. */
        added = sivka_file_keys_add_passphrase(keys, (char *)bytes, 32);
        bytes[31] = last;
        must(sivka_file_keys_set_cost(keys, 64, 1, 1) == SIVKA_OK, "no cost");
    } else {
        char text[SIVKA_MAX_KEY_FILE_LEN];
        size_t text_len;
        must(sivka_key_file_from_bytes(bytes, 32, "name", text, sizeof text, &text_len) == SIVKA_OK,
            "no key file");
        /* The last digit of the checksum, before the end of its line. */
        if (refused) text[text_len - 2] = text[text_len - 2] == '0' ? '1' : '0';
        added = sivka_file_keys_add_key_file(keys, text, text_len, NULL, 0);
        set(text, 0, sizeof text);
    }
    must((added == SIVKA_OK) == !refused, "not added as it should");
    return keys;
}

/* A file for a key file or for a passphrase, and where who searches finds it. */
static void file(const char *name, const char *act, size_t len, uint8_t *bytes) {
    int is_passphrase = strncmp(act, "passphrase", 10) == 0;
    int refused = strstr(act, "-refused") != NULL, forged = strstr(act, "-forged") != NULL;
    int wrong = strstr(act, "-wrong") != NULL;
    sivka_suite suite;
    must(sivka_suite_from_name(name, &suite) == SIVKA_OK, "no such suite");
    for (int i = 0; is_passphrase && i < 32; i++) bytes[i] = (uint8_t)('?' + (bytes[i] & 63));
    sivka_file_keys *keys = file_keys(bytes, is_passphrase, refused);
    for (int i = 0; i < 32; i++) bytes[i] ^= 1;
    sivka_file_keys *other = file_keys(bytes, is_passphrase, refused);
    set(bytes, 0, 32);
    size_t sealed_len = 0, capacity = sivka_seal_memory_len(keys, suite, len);
    uint8_t *text = zeros(len), *sealed = zeros(capacity);
    if (!refused) {
        must(sivka_seal_memory(text, len, sealed, capacity, &sealed_len, keys, suite) == SIVKA_OK,
            "no file");
        sealed[sealed_len - 1] ^= (uint8_t)forged;
        sivka_status opened = sivka_open_memory(sealed, sealed_len, text, len, NULL,
            wrong ? other : keys);
        must((opened == SIVKA_OK) == !(forged || wrong), "not opened as it should");
    }
    sivka_file_keys_free(keys);
    sivka_file_keys_free(other);
    FILE *out = fopen(getenv("SIVKA_SEALED_FILE"), "wb");
    must(out != NULL && fwrite(sealed, 1, sealed_len, out) == sealed_len && fclose(out) == 0,
        "not written");
    free(text);
    free(sealed);
}

/* A file that who searches wrote beside the sealed one. */
static uint8_t *content(const char *ending, size_t *len) {
    char path[4096];
    must(snprintf(path, sizeof path, "%s%s", getenv("SIVKA_SEALED_FILE"), ending)
        < (int)sizeof path, "a path too long");
    uint8_t *bytes = zeros(SIVKA_KEYSET_MAX_LEN);
    int in = open(path, O_RDONLY);
    ssize_t got = in < 0 ? -1 : read(in, bytes, SIVKA_KEYSET_MAX_LEN);
    must(got > 0 && close(in) == 0, "not read");
    *len = (size_t)got;
    return bytes;
}

/* Seals and opens with a keyset, forgeries too; what was sealed goes after its length. One for
   streams does neither here. */
static void keyset_messages(const sivka_keyset *keyset, size_t len, FILE *out) {
    sivka_keyset_purpose purpose = sivka_keyset_primitive(keyset);
    if (purpose != SIVKA_KEYSET_AEAD && purpose != SIVKA_KEYSET_DETERMINISTIC_AEAD) return;
    sivka_key *key;
    must(sivka_keyset_key(keyset, purpose, &key) == SIVKA_OK, "no key");
    size_t capacity = sivka_key_seal_len(key, len), sealed_len, opened_len;
    uint8_t *text = zeros(len), *sealed = zeros(capacity);
    must(sivka_seal(key, AAD, AAD_LEN, text, len, sealed, capacity, &sealed_len) == SIVKA_OK,
        "not sealed");
    uint8_t len_bytes[4] = {(uint8_t)sealed_len, (uint8_t)(sealed_len >> 8),
        (uint8_t)(sealed_len >> 16), (uint8_t)(sealed_len >> 24)};
    must(fwrite(len_bytes, 1, 4, out) == 4 && fwrite(sealed, 1, sealed_len, out) == sealed_len,
        "not written");
    size_t room = sivka_key_open_len(key, sealed_len);
    uint8_t *opened = zeros(room);
    /* As it is, with other AAD, changed. */
    for (int i = 0; i < 3; i++) {
        sealed[sealed_len - 1] ^= (uint8_t)(i == 2);
        sivka_status status = sivka_open(key, AAD, i == 1 ? 0 : AAD_LEN, sealed, sealed_len, opened,
            room, &opened_len);
        must(status == (i == 0 ? SIVKA_OK : SIVKA_ERROR_OPEN), "not opened as it should");
    }
    sivka_key_free(key);
    free(text);
    free(sealed);
    free(opened);
}

/* Writes a keyset in the clear and reads it, in a form. */
static sivka_keyset *again(const sivka_keyset *keyset, uint32_t form) {
    sivka_keyset *made;
    size_t len;
    must(sivka_keyset_to_insecure(keyset, form, NULL, 0, &len) == SIVKA_ERROR_CAPACITY, "no room");
    uint8_t *bytes = zeros(len);
    must(sivka_keyset_to_insecure(keyset, form, bytes, len, &len) == SIVKA_OK &&
        sivka_keyset_from_insecure(bytes, len, form, &made) == SIVKA_OK, "not read again");
    set(bytes, 0, len);
    free(bytes);
    return made;
}

/* Encrypts a keyset in a form, and decrypts it, after it was refused for another key and AAD. */
static sivka_keyset *decrypted(const sivka_keyset *keyset, uint32_t form) {
    uint8_t bytes[32], *encrypted;
    sivka_key *master, *other;
    sivka_keyset *made;
    size_t len;
    memset(bytes, 7, sizeof bytes);
    must(sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, 32, &master) == SIVKA_OK, "no master");
    memset(bytes, 8, sizeof bytes);
    must(sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, 32, &other) == SIVKA_OK, "no master");
    must(sivka_keyset_encrypt(keyset, master, AAD, AAD_LEN, form, NULL, 0, &len) ==
        SIVKA_ERROR_CAPACITY, "no room");
    encrypted = zeros(len);
    must(sivka_keyset_encrypt(keyset, master, AAD, AAD_LEN, form, encrypted, len, &len) ==
        SIVKA_OK, "not encrypted");
    must(sivka_keyset_decrypt(other, AAD, AAD_LEN, encrypted, len, form, &made) ==
        SIVKA_ERROR_OPEN, "decrypted with a wrong key");
    must(sivka_keyset_decrypt(master, AAD, 0, encrypted, len, form, &made) ==
        SIVKA_ERROR_OPEN, "decrypted with wrong AAD");
    must(sivka_keyset_decrypt(master, AAD, AAD_LEN, encrypted, len, form, &made) ==
        SIVKA_OK, "not decrypted");
    sivka_key_free(master);
    sivka_key_free(other);
    free(encrypted);
    return made;
}

/* Reads the keyset that who searches wrote in both forms; cut off before the end of the last
   line, if it is to be refused. */
static void keyset(const char *act, size_t len) {
    const char *endings[] = {".binary", ".json"};
    int refused = strcmp(act, "keyset-refused") == 0;
    FILE *out = fopen(getenv("SIVKA_SEALED_FILE"), "wb");
    must(out != NULL, "not written");
    for (uint32_t form = SIVKA_KEYSET_BINARY; form <= SIVKA_KEYSET_JSON; form++) {
        sivka_keyset *read;
        size_t bytes_len;
        uint8_t *bytes = content(endings[form], &bytes_len);
        sivka_status status = sivka_keyset_from_insecure(bytes, bytes_len - (refused ? 2 : 0), form,
            &read);
        set(bytes, 0, bytes_len);
        free(bytes);
        must(status == (refused ? SIVKA_ERROR_KEYSET : SIVKA_OK), "not read as it should");
        if (refused) continue;
        sivka_keyset *each[] = {read, again(read, form), decrypted(read, form)};
        for (int i = 0; i < 3; i++) {
            keyset_messages(each[i], len, out);
            sivka_keyset_free(each[i]);
        }
    }
    must(fclose(out) == 0, "not written");
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
        else if (strncmp(algorithm, "keyset:", 7) == 0) {
            set(request + WORDS_LEN, 0, REQUEST_LEN - WORDS_LEN);
            keyset(act, len);
        }
        else
            message(algorithm, act, len, request + WORDS_LEN, key_len);
        puts("freed 0 0");
        fflush(stdout);
        if (read(0, &go_on, 1) != 1) return 0;
    }
}
