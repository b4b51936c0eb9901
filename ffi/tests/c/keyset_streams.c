/*
 * Streams under keysets: which live longer than the keyset and the AAD, are left without an end, or
 * are asked for wrongly. The matrix plays the vectors, and seals every length.
 */
#include "pieces.h"

enum { LEN = 9000, ROOM = LEN + 4096 };

static unsigned char text[LEN], sealed[ROOM], opened[LEN];

/* What comes out under an AAD before the end or a failure, which is returned. The AAD is changed
 * meanwhile, and the keyset freed if this is its last use. */
static sivka_status opens(sivka_keyset *keyset, const char *words, size_t sealed_len, size_t *len, int is_last)
{
    sivka_opener *opener = NULL;
    char aad[4];
    sivka_status status;

    strcpy(aad, words);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(keyset, aad, 3, &opener));
    memset(aad, 'x', 3);
    if (is_last)
        sivka_keyset_free(keyset);
    memset(opened, 0, sizeof opened);
    status = open_pieces(opener, sealed, sealed_len, opened, len);
    sivka_opener_free(opener);
    CHECK(*len <= LEN && memcmp(opened, text, *len) == 0);
    return status;
}

static void lifetimes(const char *template_name)
{
    sivka_keyset *keyset = NULL, *copy = NULL;
    sivka_sealer *sealer = NULL;
    char aad[] = "aad";
    size_t len, sealed_len, used, given;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(template_name, &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_copy(keyset, &copy));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(keyset, aad, 3, &sealer));
    /* Nothing is written before a segment is full. */
    CHECK(seal_pieces(sealer, text, 4000, sealed, ROOM, 0) == 0);
    sealed_len = seal_pieces(sealer, text + 4000, LEN - 4000, sealed, ROOM, 0);
    sivka_sealer_free(sealer);
    CHECK_STATUS(SIVKA_ERROR_OPEN, opens(copy, "aad", sealed_len, &len, 0));

    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(keyset, aad, 3, &sealer));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, template_name, SIVKA_KEYSET_AS_PRIMARY, NULL));
    sivka_keyset_free(keyset);
    memset(aad, 'x', 3);
    sealed_len = seal_pieces(sealer, text, LEN, sealed, ROOM, 1);
    CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_update(sealer, text, LEN, &used, opened, 9, &given));
    sivka_sealer_free(sealer);
    CHECK_STATUS(SIVKA_ERROR_OPEN, opens(copy, "AAD", sealed_len, &len, 0));
    CHECK(len == 0);
    CHECK_STATUS(SIVKA_OK, opens(copy, "aad", sealed_len, &len, 1));
    CHECK(len == LEN);
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
    CHECK_NAMED("keyset", SIVKA_ERROR_PRIMITIVE,
                sivka_keyset_sealer_new(messages, NULL, 0, &sealer));
    CHECK(sealer == NULL);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_opener_new(messages, NULL, 0, &opener));
    CHECK(opener == NULL);
    CHECK_NAMED("keyset", SIVKA_ERROR_NULL, sivka_keyset_sealer_new(NULL, NULL, 0, &sealer));
    CHECK_NAMED("aad", SIVKA_ERROR_NULL, sivka_keyset_sealer_new(streams, NULL, 1, &sealer));
    CHECK_STATUS(SIVKA_ERROR_TOO_LONG, sivka_keyset_sealer_new(streams, bytes, SIZE_MAX, &sealer));
    /* Messages, and the keys of a keyset, are no streams. */
    CHECK_NAMED("keyset", SIVKA_ERROR_PRIMITIVE,
                sivka_keyset_key(streams, SIVKA_KEYSET_AEAD, &key));
    CHECK(key == NULL);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(streams, SIVKA_KEYSET_STREAMING_AEAD, &key));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_add(streams, "AES256_GCM", 0, NULL));
    sivka_keyset_free(streams);
    sivka_keyset_free(messages);
}

int main(void)
{
    size_t i;

    for (i = 0; i < LEN; i++)
        text[i] = (unsigned char)(i * 7 + i / 256);
    lifetimes("AES128_CTR_HMAC_SHA256_4KB");
    lifetimes("AES256_GCM_HKDF_4KB");
    misuse();
    return report();
}
