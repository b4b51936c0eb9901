/*
 * Seals and opens streams under keysets: every length around the ends of segments, and misuse.
 * The matrix plays the vectors.
 */
#include "pieces.h"

/* A stream. */
typedef struct {
    unsigned char *bytes;
    size_t len;
} stream;

/* Exactly so much memory that a checker sees who goes beyond it. */
static unsigned char *memory(size_t len)
{
    unsigned char *bytes = malloc(len > 0 ? len : 1);

    CHECK(bytes != NULL);
    return bytes;
}

/* Without an end if `ends` is 0. */
static stream seal(const sivka_keyset *keyset, const unsigned char *text, size_t len, int ends)
{
    stream output = {memory(len + 4096), 0};
    sivka_sealer *sealer = NULL;
    unsigned char out[9];
    size_t used, given;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(keyset, (const uint8_t *)"aad", 3, &sealer));
    output.len = seal_pieces(sealer, text, len, output.bytes, len + 4096, ends);
    /* Nothing is written before a segment is full. */
    CHECK(ends || len > 4000 || output.len == 0);
    if (ends)
        CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_update(sealer, text, len, &used, out, 9, &given));
    sivka_sealer_free(sealer);
    return output;
}

/* What comes out before the end or a failure, which is returned. */
static sivka_status open(const sivka_keyset *keyset, stream input, const char *aad, unsigned char *out,
                         size_t *out_len)
{
    sivka_opener *opener = NULL;
    sivka_status status;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(keyset, (const uint8_t *)aad, strlen(aad), &opener));
    status = open_pieces(opener, input.bytes, input.len, out, out_len);
    sivka_opener_free(opener);
    return status;
}

/* Under one keyset; the matrix cuts and changes what others have sealed at every byte. */
static void one(const sivka_keyset *keyset, const unsigned char *text, size_t len)
{
    stream sealed = seal(keyset, text, len, 1), broken = seal(keyset, text, len, 0);
    unsigned char *out = memory(len + 4096);
    size_t out_len;

    CHECK_STATUS(SIVKA_OK, open(keyset, sealed, "aad", out, &out_len));
    CHECK(out_len == len && memcmp(out, text, len) == 0);
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, sealed, "AAD", out, &out_len));
    CHECK(out_len == 0);
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, broken, "aad", out, &out_len));
    CHECK(out_len <= len && memcmp(out, text, out_len) == 0);
    free(out);
    free(sealed.bytes);
    free(broken.bytes);
}

/* The keyset is freed and changed under a stream, and so is the AAD. */
static void lifetimes(const unsigned char *text)
{
    unsigned char *sealed = memory(30000), out[9000];
    sivka_keyset *keyset = NULL, *copy = NULL;
    sivka_sealer *sealer = NULL;
    sivka_opener *opener = NULL;
    unsigned char aad[] = "aad";
    size_t len = 0, sealed_len;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_HKDF_4KB", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_copy(keyset, &copy));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(keyset, aad, 3, &sealer));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, "AES256_GCM_HKDF_4KB", SIVKA_KEYSET_AS_PRIMARY, NULL));
    sivka_keyset_free(keyset);
    memset(aad, 'x', 3);
    sealed_len = seal_pieces(sealer, text, 9000, sealed, 30000, 1);
    sivka_sealer_free(sealer);
    memcpy(aad, "aad", 3);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(copy, aad, 3, &opener));
    sivka_keyset_free(copy);
    memset(aad, 'x', 3);
    CHECK_STATUS(SIVKA_OK, open_pieces(opener, sealed, sealed_len, out, &len));
    CHECK(len == 9000 && memcmp(out, text, len) == 0);
    sivka_opener_free(opener);
    free(sealed);
}

static void misuse(void)
{
    unsigned char bytes[64] = {0};
    sivka_keyset *streams = NULL, *messages = NULL;
    sivka_sealer *sealer = (sivka_sealer *)bytes;
    sivka_opener *opener = (sivka_opener *)bytes;
    sivka_key *key = (sivka_key *)bytes;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES128_GCM_HKDF_4KB", &streams));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM", &messages));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_sealer_new(messages, NULL, 0, &sealer));
    CHECK(sealer == NULL && strcmp(sivka_last_error()->argument, "keyset") == 0);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_opener_new(messages, NULL, 0, &opener));
    CHECK(opener == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_sealer_new(NULL, NULL, 0, &sealer));
    CHECK(strcmp(sivka_last_error()->argument, "keyset") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_sealer_new(streams, NULL, 1, &sealer));
    CHECK(strcmp(sivka_last_error()->argument, "aad") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_sealer_new(streams, NULL, 0, NULL));
    CHECK_STATUS(SIVKA_ERROR_TOO_LONG, sivka_keyset_sealer_new(streams, bytes, SIZE_MAX, &sealer));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_opener_new(NULL, NULL, 0, &opener));
    /* Messages, and the keys of a keyset, are no streams. */
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(streams, SIVKA_KEYSET_AEAD, &key));
    CHECK(key == NULL && strcmp(sivka_last_error()->argument, "keyset") == 0);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(streams, SIVKA_KEYSET_STREAMING_AEAD, &key));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_add(streams, "AES256_GCM", 0, NULL));
    sivka_keyset_free(streams);
    sivka_keyset_free(messages);
}

int main(void)
{
    static const size_t lens[] = {0, 1, 4000, 4096, 8191, 20000};
    unsigned char *text = memory(20000);
    sivka_keyset *keyset = NULL;
    size_t i;

    for (i = 0; i < 20000; i++)
        text[i] = (unsigned char)(i * 7 + i / 256);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES128_CTR_HMAC_SHA256_4KB", &keyset));
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        one(keyset, text, lens[i]);
    sivka_keyset_free(keyset);
    lifetimes(text);
    misuse();
    free(text);
    printf("%lu checks\n", checks);
    return 0;
}
