/*
 * Seals and opens every vector on standard input at all three levels and as a batch.
 *
 * A vector is one line: algorithm, key, nonce, aad, plaintext, ciphertext, tag, in
 * hexadecimal digits after the name, with a space before each field.
 */
#include "check.h"

#define MAX_LINE 65536

struct bytes {
    unsigned char *at;
    size_t len;
};

struct vector {
    sivka_algorithm algorithm;
    struct bytes key, nonce, aad, plaintext, ciphertext, tag;
};

/* A buffer of exactly this length, so that a checker sees every byte too many. */
static unsigned char *exactly(size_t len)
{
    unsigned char *bytes = malloc(len > 0 ? len : 1);

    CHECK(bytes != NULL);
    return len > 0 ? bytes : memset(bytes, 0, 1);
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

static struct vector parse(char *line)
{
    struct vector v;
    char *name = line;

    line += strcspn(line, " ");
    *line++ = '\0';
    CHECK_STATUS(SIVKA_OK, sivka_algorithm_from_name(name, &v.algorithm));
    v.key = field(&line);
    v.nonce = field(&line);
    v.aad = field(&line);
    v.plaintext = field(&line);
    v.ciphertext = field(&line);
    v.tag = field(&line);
    return v;
}

/* Where the ciphertext and the tag stand when they are in one buffer. */
static size_t text_at(const struct vector *v)
{
    return sivka_tag_first(v->algorithm) ? v->tag.len : 0;
}

static size_t tag_at(const struct vector *v)
{
    return sivka_tag_first(v->algorithm) ? 0 : v->plaintext.len;
}

static int same(const unsigned char *bytes, struct bytes expected)
{
    return memcmp(bytes, expected.at, expected.len) == 0;
}

/* Level three: apart, and in place. */
static void detached(const sivka_key *key, const struct vector *v)
{
    unsigned char *text = exactly(v->plaintext.len), *tag = exactly(v->tag.len);
    const size_t n = v->plaintext.len;

    CHECK_STATUS(SIVKA_OK, sivka_seal_detached(key, v->nonce.at, v->nonce.len, v->aad.at, v->aad.len,
                                               v->plaintext.at, n, text, n, tag, v->tag.len));
    CHECK(same(text, v->ciphertext) && same(tag, v->tag));
    CHECK_STATUS(SIVKA_OK, sivka_open_detached(key, v->nonce.at, v->nonce.len, v->aad.at, v->aad.len,
                                               text, n, tag, v->tag.len, text, n));
    CHECK(same(text, v->plaintext));
    CHECK_STATUS(SIVKA_OK, sivka_seal_detached(key, v->nonce.at, v->nonce.len, v->aad.at, v->aad.len,
                                               text, n, text, n, tag, v->tag.len));
    CHECK(same(text, v->ciphertext) && same(tag, v->tag));
    tag[0] ^= 1;
    CHECK_STATUS(SIVKA_ERROR_OPEN,
                 sivka_open_detached(key, v->nonce.at, v->nonce.len, v->aad.at, v->aad.len, text, n,
                                     tag, v->tag.len, text, n));
    CHECK(is_zeros(text, n));
    free(text);
    free(tag);
}

/* Level two: ciphertext and tag in one buffer, apart and in place. */
static void with_nonce(const sivka_key *key, const struct vector *v)
{
    const size_t n = v->plaintext.len, room = sivka_seal_with_nonce_len(v->algorithm, n);
    unsigned char *sealed = exactly(room), *text = exactly(n);
    unsigned char *in_place = sealed + text_at(v), *tag = sealed + tag_at(v);
    size_t len = 0;

    CHECK(room == n + v->tag.len && sivka_open_with_nonce_len(v->algorithm, room) == n);
    CHECK_STATUS(SIVKA_OK, sivka_seal_with_nonce(key, v->nonce.at, v->nonce.len, v->aad.at,
                                                 v->aad.len, v->plaintext.at, n, sealed, room, &len));
    CHECK(len == room && same(in_place, v->ciphertext) && same(tag, v->tag));
    CHECK_STATUS(SIVKA_OK, sivka_open_with_nonce(key, v->nonce.at, v->nonce.len, v->aad.at,
                                                 v->aad.len, sealed, room, text, n, &len));
    CHECK(len == n && same(text, v->plaintext));
    CHECK_STATUS(SIVKA_OK, sivka_open_with_nonce(key, v->nonce.at, v->nonce.len, v->aad.at,
                                                 v->aad.len, sealed, room, in_place, n, NULL));
    CHECK(same(in_place, v->plaintext) && same(tag, v->tag));
    CHECK_STATUS(SIVKA_OK, sivka_seal_with_nonce(key, v->nonce.at, v->nonce.len, v->aad.at,
                                                 v->aad.len, in_place, n, sealed, room, NULL));
    CHECK(same(in_place, v->ciphertext) && same(tag, v->tag));
    free(sealed);
    free(text);
}

/* Level one: what it seals is not known, but what it opens is. */
static void whole(const sivka_key *key, const struct vector *v)
{
    const size_t n = v->plaintext.len, room = sivka_seal_len(v->algorithm, n);
    unsigned char *sealed = exactly(room), *text = exactly(n);
    unsigned char *in_place = sealed + v->nonce.len + text_at(v);
    size_t len = 0, i;

    if (!sivka_random_nonces_allowed(v->algorithm)) {
        free(sealed);
        free(text);
        return;
    }
    CHECK(room == v->nonce.len + n + v->tag.len && sivka_open_len(v->algorithm, room) == n);
    memcpy(sealed, v->nonce.at, v->nonce.len);
    memcpy(in_place, v->ciphertext.at, n);
    memcpy(sealed + v->nonce.len + tag_at(v), v->tag.at, v->tag.len);
    CHECK_STATUS(SIVKA_OK, sivka_open(key, v->aad.at, v->aad.len, sealed, room, text, n, &len));
    CHECK(len == n && same(text, v->plaintext));
    /* In place: the plaintext where the ciphertext is. */
    CHECK_STATUS(SIVKA_OK,
                 sivka_open(key, v->aad.at, v->aad.len, sealed, room, in_place, n, NULL));
    CHECK(same(in_place, v->plaintext));
    CHECK_STATUS(SIVKA_OK,
                 sivka_seal(key, v->aad.at, v->aad.len, in_place, n, sealed, room, &len));
    CHECK(len == room);
    CHECK(v->nonce.len == 0 || !same(sealed, v->nonce));
    CHECK_STATUS(SIVKA_OK, sivka_open(key, v->aad.at, v->aad.len, sealed, room, text, n, &len));
    CHECK(same(text, v->plaintext));
    /* About 64 places of a long message are enough. */
    for (i = 0; i < room; i += room / 64 + 1) {
        sealed[i] ^= 0x20;
        CHECK_STATUS(SIVKA_ERROR_OPEN,
                     sivka_open(key, v->aad.at, v->aad.len, sealed, room, text, n, NULL));
        CHECK(is_zeros(text, n));
        sealed[i] ^= 0x20;
    }
    for (i = 0; i < room; i += room / 64 + 1) {
        unsigned char *cut = exactly(i);

        memcpy(cut, sealed, i);
        CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_open(key, v->aad.at, v->aad.len, cut, i, text, n, NULL));
        free(cut);
    }
    free(sealed);
    free(text);
}

/* A vector many times over as a batch, with one forgery in it, by pointers. */
static void batch(const sivka_key *key, const struct vector *v)
{
    enum { COUNT = 300, FORGED = 257 };
    const size_t n = v->plaintext.len, nonces_len = COUNT * v->nonce.len,
                 tags_len = COUNT * v->tag.len;
    unsigned char *nonces = exactly(nonces_len), *tags = exactly(tags_len), *texts[COUNT];
    const unsigned char *aads[COUNT];
    size_t lens[COUNT], aad_lens[COUNT], i;
    sivka_status statuses[COUNT];

    for (i = 0; i < COUNT; i++) {
        memcpy(nonces + i * v->nonce.len, v->nonce.at, v->nonce.len);
        texts[i] = exactly(n);
        memcpy(texts[i], v->plaintext.at, n);
        lens[i] = n;
        aads[i] = v->aad.at;
        aad_lens[i] = v->aad.len;
        statuses[i] = -1;
    }
    CHECK_STATUS(SIVKA_OK, sivka_seal_batch(key, COUNT, nonces, nonces_len, aads, aad_lens, texts,
                                            lens, tags, tags_len, statuses));
    for (i = 0; i < COUNT; i++) {
        CHECK(statuses[i] == SIVKA_OK && same(texts[i], v->ciphertext));
        CHECK(same(tags + i * v->tag.len, v->tag));
    }
    tags[FORGED * v->tag.len] ^= 1;
    CHECK_STATUS(SIVKA_ERROR_BATCH, sivka_open_batch(key, COUNT, nonces, nonces_len, aads, aad_lens,
                                                     texts, lens, tags, tags_len, statuses));
    for (i = 0; i < COUNT; i++) {
        CHECK(statuses[i] == (i == FORGED ? SIVKA_ERROR_OPEN : SIVKA_OK));
        CHECK(i == FORGED ? is_zeros(texts[i], n) : same(texts[i], v->plaintext));
        free(texts[i]);
    }
    free(nonces);
    free(tags);
}

/* The same in one buffer, with gaps before the first and after the last message. */
static void batch_contiguous(const sivka_key *key, const struct vector *v)
{
    enum { COUNT = 3, GAP = 5 };
    const size_t n = v->plaintext.len, len = GAP + COUNT * n + GAP,
                 nonces_len = COUNT * v->nonce.len, tags_len = COUNT * v->tag.len;
    unsigned char *nonces = exactly(nonces_len), *tags = exactly(tags_len), *texts = exactly(len);
    size_t offsets[COUNT + 1], i;
    sivka_status statuses[COUNT];

    memset(texts, 0xAA, len);
    offsets[0] = GAP;
    for (i = 0; i < COUNT; i++) {
        memcpy(nonces + i * v->nonce.len, v->nonce.at, v->nonce.len);
        memcpy(texts + offsets[i], v->plaintext.at, n);
        offsets[i + 1] = offsets[i] + n;
    }
    CHECK_STATUS(SIVKA_OK,
                 sivka_seal_batch_contiguous(key, COUNT, nonces, nonces_len, v->aad.at, v->aad.len,
                                             NULL, texts, len, offsets, tags, tags_len, statuses));
    for (i = 0; i < COUNT; i++)
        CHECK(same(texts + offsets[i], v->ciphertext) && same(tags + i * v->tag.len, v->tag));
    for (i = 0; i < GAP; i++)
        CHECK(texts[i] == 0xAA && texts[len - 1 - i] == 0xAA);
    CHECK_STATUS(SIVKA_OK,
                 sivka_open_batch_contiguous(key, COUNT, nonces, nonces_len, v->aad.at, v->aad.len,
                                             NULL, texts, len, offsets, tags, tags_len, statuses));
    for (i = 0; i < COUNT; i++)
        CHECK(same(texts + offsets[i], v->plaintext) && statuses[i] == SIVKA_OK);
    free(nonces);
    free(tags);
    free(texts);
}

int main(void)
{
    static char line[MAX_LINE];
    unsigned long vectors = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        struct vector v;
        sivka_key *key = NULL;

        CHECK(strchr(line, '\n') != NULL);
        v = parse(line);
        CHECK(v.key.len == sivka_key_len(v.algorithm));
        CHECK(v.nonce.len == sivka_nonce_len(v.algorithm));
        CHECK(v.tag.len == sivka_tag_len(v.algorithm));
        CHECK_STATUS(SIVKA_OK, sivka_key_new(v.algorithm, v.key.at, v.key.len, &key));
        CHECK(sivka_key_algorithm(key) == v.algorithm);
        detached(key, &v);
        with_nonce(key, &v);
        whole(key, &v);
        if (v.plaintext.len <= 64)
            batch(key, &v);
        batch_contiguous(key, &v);
        sivka_key_free(key);
        free(v.key.at);
        free(v.nonce.at);
        free(v.aad.at);
        free(v.plaintext.at);
        free(v.ciphertext.at);
        free(v.tag.at);
        vectors++;
    }
    printf("%lu vectors, %lu checks, tier %s\n", vectors, checks, sivka_tier());
    return vectors > 0 ? 0 : 1;
}
