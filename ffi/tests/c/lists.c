/*
 * Seals and opens every vector on standard input with its list of associated data, and gives
 * the calls lists that they must refuse.
 *
 * A vector is one line: algorithm, key, the number of strings, each of them, plaintext,
 * ciphertext, tag, in hexadecimal digits after the name, with a space before each field.
 */
#include "check.h"

#define MAX_LINE 65536

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

static int digit(char c)
{
    const char *digits = "0123456789abcdef", *found = strchr(digits, c);

    CHECK(c != '\0' && found != NULL);
    return (int)(found - digits);
}

/* Reads the next field of a line. */
static struct bytes field(char **line)
{
    size_t i, digits = strcspn(*line, " \n");
    struct bytes bytes;

    CHECK(digits % 2 == 0);
    bytes.len = digits / 2;
    bytes.at = exactly(bytes.len);
    for (i = 0; i < bytes.len; i++)
        bytes.at[i] = (unsigned char)(digit((*line)[2 * i]) << 4 | digit((*line)[2 * i + 1]));
    *line += digits + 1;
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

int main(void)
{
    static char line[MAX_LINE];
    unsigned long vectors = 0;
    size_t i;

    while (fgets(line, sizeof line, stdin) != NULL) {
        struct bytes bytes, texts[3];
        sivka_key *key = NULL;
        char *rest = line;

        CHECK(strchr(line, '\n') != NULL);
        rest += strcspn(rest, " ");
        *rest++ = '\0';
        bytes = field(&rest);
        CHECK_STATUS(SIVKA_OK, sivka_key_new_by_name(line, bytes.at, bytes.len, &key));
        free(bytes.at);
        count = strtoul(rest, &rest, 10);
        CHECK(count <= SIVKA_MAX_STRINGS && *rest++ == ' ');
        for (i = 0; i < count; i++) {
            bytes = field(&rest);
            aads[i] = bytes.at;
            aad_lens[i] = bytes.len;
        }
        aads[count] = NULL;
        aad_lens[count] = 0;
        for (i = 0; i < 3; i++)
            texts[i] = field(&rest);
        joined(key, texts[0], texts[1], texts[2]);
        detached(key, texts[0], texts[1], texts[2]);
        sivka_key_free(key);
        for (i = 0; i < count; i++)
            free(aads[i]);
        for (i = 0; i < 3; i++)
            free(texts[i].at);
        vectors++;
    }
    misuse();
    printf("%lu vectors, %lu checks, tier %s\n", vectors, checks, sivka_tier());
    return vectors > 0 ? 0 : 1;
}
