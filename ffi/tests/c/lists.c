/*
 * Lists of associated data: in one piece and with the tag by itself, apart and in place, which
 * all make the same; and lists that are refused. The matrix plays the vectors.
 */
#include "check.h"

#define TEXT_LEN 33

static unsigned char *aads[SIVKA_MAX_STRINGS + 1];
static size_t aad_lens[SIVKA_MAX_STRINGS + 1];

/* A message with a list of the first `count` strings; with the tag by itself if there is one. */
static sivka_status run(int seals, const sivka_key *key, size_t count, const void *in, size_t in_len, void *out,
                        size_t out_len, void *tag)
{
    const sivka_message message = {.aads = (const uint8_t *const *)aads, .aad_lens = aad_lens,
                                   .aad_count = count, .input = in, .input_len = in_len, .output = out,
                                   .output_len = out_len, .tag = tag, .tag_len = tag != NULL ? 16 : 0};
    size_t len = 0;
    const sivka_status status = (seals ? sivka_seal : sivka_open)(key, &message, &len);

    CHECK(len == (status == SIVKA_OK ? out_len : 0));
    return status;
}

static void with_strings(const sivka_key *key, size_t count)
{
    static const unsigned char plain[TEXT_LEN] = "lists, in every way";
    unsigned char sealed[16 + TEXT_LEN], both[16 + TEXT_LEN], text[TEXT_LEN], tag[16], *in_place = both + 16;

    CHECK_STATUS(SIVKA_OK, run(1, key, count, plain, TEXT_LEN, sealed, sizeof sealed, NULL));
    CHECK_STATUS(SIVKA_OK, run(0, key, count, sealed, sizeof sealed, text, TEXT_LEN, NULL));
    CHECK(memcmp(text, plain, TEXT_LEN) == 0);
    memcpy(in_place, plain, TEXT_LEN);
    CHECK_STATUS(SIVKA_OK, run(1, key, count, in_place, TEXT_LEN, both, sizeof both, NULL));
    CHECK(memcmp(both, sealed, sizeof both) == 0);
    CHECK_STATUS(SIVKA_OK, run(0, key, count, both, sizeof both, in_place, TEXT_LEN, NULL));
    CHECK(memcmp(in_place, plain, TEXT_LEN) == 0);

    CHECK_STATUS(SIVKA_OK, run(1, key, count, plain, TEXT_LEN, text, TEXT_LEN, tag));
    CHECK(memcmp(tag, sealed, 16) == 0 && memcmp(text, sealed + 16, TEXT_LEN) == 0);
    CHECK_STATUS(SIVKA_OK, run(0, key, count, text, TEXT_LEN, text, TEXT_LEN, tag));
    CHECK(memcmp(text, plain, TEXT_LEN) == 0);
    CHECK_STATUS(SIVKA_OK, run(1, key, count, text, TEXT_LEN, text, TEXT_LEN, tag));
    CHECK(memcmp(text, sealed + 16, TEXT_LEN) == 0);
    tag[8] ^= 0x80;
    CHECK_STATUS(SIVKA_ERROR_OPEN, run(0, key, count, text, TEXT_LEN, text, TEXT_LEN, tag));
    CHECK(is_zeros(text, TEXT_LEN));

    /* One string more, though it is empty, is another list. */
    if (count < SIVKA_MAX_STRINGS)
        CHECK_STATUS(SIVKA_ERROR_OPEN, run(0, key, count + 1, sealed, sizeof sealed, text, TEXT_LEN, NULL));
    CHECK_STATUS(SIVKA_ERROR_OPEN, run(0, key, count, sealed, 15, text, TEXT_LEN, NULL));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, run(1, key, count, plain, TEXT_LEN, sealed, sizeof sealed - 1, NULL));
}

/* Lists and keys that are refused, with nothing written. */
static void misuse(const sivka_key *key)
{
    static const unsigned char bytes[32] = {7};
    unsigned char text[17] = "seventeen bytes!!", tag[16] = {0};
    sivka_message message = {.input = text, .input_len = 17, .output = text, .output_len = 17, .tag = tag,
                             .tag_len = 16, .aad_lens = aad_lens, .aad_count = 1};
    sivka_key *other = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, 32, &other));
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, run(1, other, 0, text, 17, text, 17, tag));
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, run(0, other, 0, text, 17, text, 17, NULL));
    CHECK_STATUS(SIVKA_ERROR_NULL, run(1, NULL, 0, text, 17, text, 17, tag));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal(key, &message, NULL));
    message.aads = (const uint8_t *const *)aads;
    message.aad = bytes;
    message.aad_len = 1;
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_seal(key, &message, NULL));
    aads[0] = NULL;
    aad_lens[0] = 1;
    CHECK_NAMED("aads", SIVKA_ERROR_NULL, run(1, key, 1, text, 17, text, 17, tag));
    /* The output lies on a string of the list, or on the list itself. */
    aads[0] = text + 16;
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, run(1, key, 1, text, 17, text, 17, tag));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, run(1, key, 1, text, 2, aads, 2, tag));
    CHECK(memcmp(text, "seventeen bytes!!", 17) == 0 && is_zeros(tag, 16));
    sivka_key_free(other);
}

int main(void)
{
    static const sivka_algorithm algorithms[] = {SIVKA_AES_SIV_256, SIVKA_AES_SIV_384, SIVKA_AES_SIV_512};
    static const size_t counts[] = {0, 1, 2, 17, SIVKA_MAX_STRINGS};
    static unsigned char bytes[SIVKA_MAX_STRINGS] = {7};
    size_t i, j;

    for (i = 0; i < 3; i++) {
        const size_t key_len = sivka_inspect_algorithm(algorithms[i])->key_len;
        sivka_key *key = NULL;

        CHECK_STATUS(SIVKA_OK, sivka_key_new(algorithms[i], bytes, key_len, &key));
        for (j = 0; j < SIVKA_MAX_STRINGS; j++) {
            aads[j] = bytes;
            aad_lens[j] = j;
        }
        for (j = 0; j < sizeof counts / sizeof *counts; j++) {
            aad_lens[counts[j]] = 0;
            with_strings(key, counts[j]);
            aad_lens[counts[j]] = counts[j];
        }
        misuse(key);
        sivka_key_free(key);
    }
    return report();
}
