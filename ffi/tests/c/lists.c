/*
 * Lists of associated data: in one piece and with the tag by itself, apart and in place, which
 * all make the same; and lists that are refused. The matrix plays the vectors.
 */
#include "check.h"

#define TEXT_LEN 33

static unsigned char *aads[SIVKA_MAX_STRINGS + 1];
static size_t aad_lens[SIVKA_MAX_STRINGS + 1], count;

struct bytes {
    unsigned char *at;
    size_t len;
};

static const unsigned char *const *list(void)
{
    return (const unsigned char *const *)aads;
}

static unsigned char *exactly(size_t len)
{
    unsigned char *bytes = malloc(len > 0 ? len : 1);

    CHECK(bytes != NULL);
    return bytes;
}

/* Tag and ciphertext in one buffer: apart, and in place. */
static void joined(const sivka_key *key, struct bytes plaintext, struct bytes ciphertext,
                   struct bytes tag)
{
    const size_t n = plaintext.len, room = tag.len + n;
    unsigned char *sealed = exactly(room), *text = exactly(n), *in_place = sealed + tag.len;
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_seal_with_list(key, list(), aad_lens, count, plaintext.at, n,
                                                sealed, room, &len));
    CHECK(len == room && memcmp(sealed, tag.at, tag.len) == 0);
    CHECK(memcmp(in_place, ciphertext.at, n) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_open_with_list(key, list(), aad_lens, count, sealed, room, text, n,
                                                &len));
    CHECK(len == n && memcmp(text, plaintext.at, n) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_open_with_list(key, list(), aad_lens, count, sealed, room,
                                                in_place, n, NULL));
    CHECK(memcmp(in_place, plaintext.at, n) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_seal_with_list(key, list(), aad_lens, count, in_place, n, sealed,
                                                room, NULL));
    CHECK(memcmp(in_place, ciphertext.at, n) == 0);
    /* One string more, though it is empty, is another list. */
    if (count < SIVKA_MAX_STRINGS)
        CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_open_with_list(key, list(), aad_lens, count + 1, sealed,
                                                            room, text, n, NULL));
    CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_open_with_list(key, list(), aad_lens, count, sealed,
                                                        tag.len - 1, text, n, NULL));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                 sivka_seal_with_list(key, list(), aad_lens, count, plaintext.at, n, sealed,
                                      room - 1, NULL));
    free(sealed);
    free(text);
}

static void detached(const sivka_key *key, struct bytes plaintext, struct bytes ciphertext,
                     struct bytes expected)
{
    const size_t n = plaintext.len, tag_len = expected.len;
    unsigned char *text = exactly(n), *tag = exactly(tag_len);

    CHECK_STATUS(SIVKA_OK, sivka_seal_detached_with_list(key, list(), aad_lens, count, plaintext.at,
                                                         n, text, n, tag, tag_len));
    CHECK(memcmp(text, ciphertext.at, n) == 0 && memcmp(tag, expected.at, tag_len) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_open_detached_with_list(key, list(), aad_lens, count, text, n, tag,
                                                         tag_len, text, n));
    CHECK(memcmp(text, plaintext.at, n) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_seal_detached_with_list(key, list(), aad_lens, count, text, n, text,
                                                         n, tag, tag_len));
    CHECK(memcmp(text, ciphertext.at, n) == 0);
    tag[8] ^= 0x80;
    CHECK_STATUS(SIVKA_ERROR_OPEN,
                 sivka_open_detached_with_list(key, list(), aad_lens, count, text, n, tag, tag_len,
                                               text, n));
    CHECK(is_zeros(text, n));
    CHECK_STATUS(SIVKA_ERROR_LENGTH,
                 sivka_seal_detached_with_list(key, list(), aad_lens, count, text, n, text, n, tag,
                                               tag_len - 1));
    free(text);
    free(tag);
}

/* Lists and keys that are refused, with nothing written. */
static void misuse(void)
{
    unsigned char zeros[64] = {0}, text[17] = "seventeen bytes!!", tag[16] = {0};
    sivka_key *key = NULL, *other = NULL;

    count = 0;
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_SIV_512, zeros, 64, &key));
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, zeros, 32, &other));
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, sivka_seal_detached_with_list(other, NULL, NULL, 0, text, 17,
                                                                      text, 17, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM,
                 sivka_open_with_list(other, NULL, NULL, 0, text, 17, text, 17, NULL));
    CHECK_STATUS(SIVKA_ERROR_TOO_LONG,
                 sivka_seal_detached_with_list(key, list(), aad_lens, SIVKA_MAX_STRINGS + 1, text, 17,
                                               text, 17, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_detached_with_list(key, NULL, aad_lens, 1, text, 17,
                                                                 text, 17, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_seal_detached_with_list(NULL, NULL, NULL, 0, text, 17, text, 17, tag, 16));
    aads[0] = NULL;
    aad_lens[0] = 1;
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_detached_with_list(key, list(), aad_lens, 1, text, 17,
                                                                 text, 17, tag, 16));
    /* The output lies on a string of the list, or on the list itself. */
    aads[0] = text + 16;
    CHECK_STATUS(SIVKA_ERROR_OVERLAP,
                 sivka_seal_detached_with_list(key, list(), aad_lens, 1, text, 17, text, 17, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP,
                 sivka_seal_detached_with_list(key, list(), aad_lens, 1, text, 2, (unsigned char *)aads,
                                               2, tag, 16));
    CHECK(memcmp(text, "seventeen bytes!!", 17) == 0 && is_zeros(tag, 16));
    sivka_key_free(key);
    sivka_key_free(other);
}

/* In every way with as many strings, of 0, 1, 2 and so on bytes. */
static void with_strings(const sivka_key *key, size_t strings)
{
    static unsigned char plain[TEXT_LEN] = "lists, in every way", string[SIVKA_MAX_STRINGS];
    const size_t tag_len = sivka_tag_len(sivka_key_algorithm(key)), room = tag_len + TEXT_LEN;
    unsigned char *sealed = exactly(room);
    const struct bytes plaintext = {plain, TEXT_LEN}, tag = {sealed, tag_len},
                       ciphertext = {sealed + tag_len, TEXT_LEN};

    for (count = 0; count < strings; count++) {
        aads[count] = string;
        aad_lens[count] = count;
    }
    aads[count] = NULL;
    aad_lens[count] = 0;
    CHECK_STATUS(SIVKA_OK, sivka_seal_with_list(key, list(), aad_lens, count, plain, TEXT_LEN,
                                                sealed, room, NULL));
    joined(key, plaintext, ciphertext, tag);
    detached(key, plaintext, ciphertext, tag);
    free(sealed);
}

int main(void)
{
    static const sivka_algorithm algorithms[] = {SIVKA_AES_SIV_256, SIVKA_AES_SIV_384,
                                                 SIVKA_AES_SIV_512};
    static const size_t strings[] = {0, 1, 2, 17, SIVKA_MAX_STRINGS};
    static const unsigned char bytes[64] = {7};
    size_t i, j;

    for (i = 0; i < 3; i++) {
        sivka_key *key = NULL;

        CHECK_STATUS(SIVKA_OK, sivka_key_new(algorithms[i], bytes, sivka_key_len(algorithms[i]),
                                             &key));
        for (j = 0; j < sizeof strings / sizeof *strings; j++)
            with_strings(key, strings[j]);
        sivka_key_free(key);
    }
    misuse();
    printf("%lu checks\n", checks);
    return 0;
}
