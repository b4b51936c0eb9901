/*
 * Seals and opens streams under keysets: every length around the ends of segments, sources and
 * targets that fail, and misuse. The matrix plays the vectors.
 */
#include "check.h"

/* Memory that functions read from and write to, in pieces of an odd length. */
typedef struct {
    unsigned char *bytes;
    size_t len, at, fails_at, calls;
} end;

static int32_t read_end(void *context, uint8_t *buffer, size_t buffer_len, size_t *read_len)
{
    end *it = context;
    size_t len = it->len - it->at;

    it->calls++;
    if (it->at >= it->fails_at)
        return 5;
    if (len > buffer_len)
        len = buffer_len;
    if (len > 1001)
        len = 1001;
    memcpy(buffer, it->bytes + it->at, len);
    it->at += len;
    *read_len = len;
    return 0;
}

static int32_t write_end(void *context, const uint8_t *bytes, size_t bytes_len)
{
    end *it = context;

    it->calls++;
    if (it->len + bytes_len > it->fails_at)
        return 6;
    memcpy(it->bytes + it->len, bytes, bytes_len);
    it->len += bytes_len;
    return 0;
}

/* Exactly so much memory that a checker sees who goes beyond it. */
static unsigned char *memory(size_t len)
{
    unsigned char *bytes = malloc(len > 0 ? len : 1);

    CHECK(bytes != NULL);
    return bytes;
}

/* Seals in pieces of 999 bytes; without an end if `finish` is 0. */
static end seal(const sivka_keyset *keyset, const unsigned char *text, size_t len, int finish)
{
    end output = {memory(len + 4096), 0, 0, SIZE_MAX, 0};
    sivka_sealer *sealer = NULL;
    size_t at;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(write_end, &output, keyset, "aad", 3, &sealer));
    for (at = 0; at < len; at += 999)
        CHECK_STATUS(SIVKA_OK,
                     sivka_sealer_write(sealer, text + at, len - at < 999 ? len - at : 999));
    /* Nothing is written before a segment is full. */
    CHECK(len > 4000 || output.calls == 0);
    if (finish) {
        CHECK_STATUS(SIVKA_OK, sivka_sealer_finish(sealer));
        CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_finish(sealer));
        CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_write(sealer, text, len));
    }
    sivka_sealer_free(sealer);
    return output;
}

/* What comes out before the end or a failure, which is returned. */
static sivka_status open(const sivka_keyset *keyset, end input, const char *aad, unsigned char *out,
                         size_t *out_len)
{
    sivka_opener *opener = NULL;
    sivka_status status = SIVKA_OK;
    size_t len = 1;

    input.at = *out_len = 0;
    CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(read_end, &input, keyset, aad, strlen(aad),
                                                   &opener));
    CHECK(input.calls == 0);
    while (status == SIVKA_OK && len > 0) {
        unsigned char part[777];

        status = sivka_opener_read(opener, part, sizeof part, &len);
        if (status == SIVKA_OK) {
            memcpy(out + *out_len, part, len);
            *out_len += len;
        } else {
            /* It stays so, and the function is not asked again, even if it could go on. */
            const size_t calls = input.calls;

            input.fails_at = SIZE_MAX;
            CHECK(len == 0);
            CHECK_STATUS(SIVKA_ERROR_READ, sivka_opener_read(opener, part, sizeof part, &len));
            CHECK(len == 0 && input.calls == calls);
            CHECK_STATUS(SIVKA_OK, sivka_opener_read(opener, part, 0, &len));
        }
    }
    sivka_opener_free(opener);
    return status;
}

/* One text under one keyset: whole, cut, longer, changed, and from a source that fails. */
static void one(const sivka_keyset *keyset, const unsigned char *text, size_t len)
{
    end sealed = seal(keyset, text, len, 1), broken = seal(keyset, text, len, 0);
    unsigned char *out = memory(len + 4096);
    size_t out_len, cut;

    sealed.calls = broken.calls = 0;
    CHECK_STATUS(SIVKA_OK, open(keyset, sealed, "aad", out, &out_len));
    CHECK(out_len == len && memcmp(out, text, len) == 0);
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, sealed, "AAD", out, &out_len));
    CHECK(out_len == 0);
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, broken, "aad", out, &out_len));
    CHECK(out_len <= len && memcmp(out, text, out_len) == 0);
    for (cut = 1; cut <= sealed.len; cut += cut) {
        end shorter = sealed;

        shorter.len -= cut;
        CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, shorter, "aad", out, &out_len));
        CHECK(out_len < len || len == 0);
        sealed.bytes[sealed.len - cut] ^= 1;
        CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, sealed, "aad", out, &out_len));
        CHECK(out_len <= len && memcmp(out, text, out_len) == 0);
        sealed.bytes[sealed.len - cut] ^= 1;
        shorter = sealed;
        shorter.fails_at = sealed.len - cut;
        CHECK_STATUS(SIVKA_ERROR_READ, open(keyset, shorter, "aad", out, &out_len));
        CHECK(out_len <= len && memcmp(out, text, out_len) == 0);
        CHECK(strstr(sivka_last_error()->detail, "an earlier read failed") != NULL);
    }
    sealed.bytes[sealed.len++] = 0;
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, sealed, "aad", out, &out_len));
    free(out);
    free(sealed.bytes);
    free(broken.bytes);
}

static void keysets(const char *template_name, const unsigned char *text)
{
    static const size_t lens[] = {0, 1, 999, 4000, 4096, 8191, 20000};
    sivka_keyset *keyset = NULL, *rotated = NULL;
    unsigned char out[8192];
    size_t i, out_len;
    end sealed;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(template_name, &keyset));
    CHECK(sivka_keyset_primitive(keyset) == SIVKA_KEYSET_STREAMING_AEAD);
    CHECK(sivka_keyset_seal_len(keyset, 9) == 0 && sivka_keyset_open_len(keyset, 99) == 0);
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        one(keyset, text, lens[i]);
    /* What the old key sealed opens under the keyset after its rotation, and not the reverse. */
    CHECK_STATUS(SIVKA_OK, sivka_keyset_copy(keyset, &rotated));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_rotate(rotated, "AES128_CTR_HMAC_SHA256_4KB", NULL));
    sealed = seal(keyset, text, 5000, 1);
    sealed.calls = 0;
    CHECK_STATUS(SIVKA_OK, open(rotated, sealed, "aad", out, &out_len));
    CHECK(out_len == 5000 && memcmp(out, text, out_len) == 0);
    free(sealed.bytes);
    sealed = seal(rotated, text, 5000, 1);
    sealed.calls = 0;
    CHECK_STATUS(SIVKA_ERROR_OPEN, open(keyset, sealed, "aad", out, &out_len));
    CHECK(out_len == 0);
    free(sealed.bytes);
    sivka_keyset_free(rotated);
    sivka_keyset_free(keyset);
}

/* A target that fails, and the keyset freed and changed under a stream. */
static void lifetimes(const unsigned char *text)
{
    end output = {memory(30000), 0, 0, 9000, 0};
    sivka_keyset *keyset = NULL, *copy = NULL;
    sivka_sealer *sealer = NULL;
    sivka_opener *opener = NULL;
    unsigned char out[9000];
    char aad[] = "aad";
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM_HKDF_4KB", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_copy(keyset, &copy));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(write_end, &output, keyset, aad, 3, &sealer));
    CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_write(sealer, text, 20000));
    CHECK(strstr(sivka_last_error()->detail, "answered 6") != NULL);
    /* It can't be ended any more, though the function could go on. */
    output.fails_at = SIZE_MAX;
    len = output.len;
    CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_finish(sealer));
    CHECK(output.len == len);
    sivka_sealer_free(sealer);

    output.len = 0;
    CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(write_end, &output, keyset, aad, 3, &sealer));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_rotate(keyset, "AES256_GCM_HKDF_4KB", NULL));
    sivka_keyset_free(keyset);
    memset(aad, 'x', 3);
    CHECK_STATUS(SIVKA_OK, sivka_sealer_write(sealer, text, 9000));
    CHECK_STATUS(SIVKA_OK, sivka_sealer_finish(sealer));
    sivka_sealer_free(sealer);
    memcpy(aad, "aad", 3);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(read_end, &output, copy, aad, 3, &opener));
    sivka_keyset_free(copy);
    memset(aad, 'x', 3);
    CHECK_STATUS(SIVKA_OK, sivka_opener_read(opener, out, sizeof out, &len));
    CHECK(len > 4000 && memcmp(out, text, len) == 0);
    sivka_opener_free(opener);
    free(output.bytes);
}

static void misuse(void)
{
    end nothing = {NULL, 0, 0, 0, 0};
    sivka_keyset *streams = NULL, *messages = NULL;
    sivka_sealer *sealer = (sivka_sealer *)&nothing;
    sivka_opener *opener = (sivka_opener *)&nothing;
    unsigned char bytes[64] = {0};
    size_t len = 0;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES128_GCM_HKDF_4KB", &streams));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_GCM", &messages));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE,
                 sivka_keyset_sealer_new(write_end, &nothing, messages, NULL, 0, &sealer));
    CHECK(sealer == NULL && strcmp(sivka_last_error()->argument, "keyset") == 0);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE,
                 sivka_keyset_opener_new(read_end, &nothing, messages, NULL, 0, &opener));
    CHECK(opener == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_sealer_new(NULL, &nothing, streams, NULL, 0, &sealer));
    CHECK(strcmp(sivka_last_error()->argument, "write") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_sealer_new(write_end, &nothing, NULL, NULL, 0, &sealer));
    CHECK(strcmp(sivka_last_error()->argument, "keyset") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_sealer_new(write_end, &nothing, streams, NULL, 1, &sealer));
    CHECK(strcmp(sivka_last_error()->argument, "aad") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_sealer_new(write_end, &nothing, streams, NULL, 0, NULL));
    CHECK_STATUS(SIVKA_ERROR_TOO_LONG, sivka_keyset_sealer_new(write_end, &nothing, streams, bytes,
                                                               SIZE_MAX, &sealer));
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_opener_new(NULL, &nothing, streams, NULL, 0, &opener));
    CHECK(strcmp(sivka_last_error()->argument, "read") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL,
                 sivka_keyset_opener_new(read_end, &nothing, NULL, NULL, 0, &opener));
    /* Messages, and the keys of a keyset, are no streams. */
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE,
                 sivka_keyset_seal(streams, NULL, 0, bytes, 1, bytes + 8, 50, &len));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE,
                 sivka_keyset_open(streams, NULL, 0, bytes, 1, bytes + 8, 50, &len));
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE,
                 sivka_keyset_encrypt(messages, streams, NULL, 0, 0, bytes, 64, &len));
    CHECK(strcmp(sivka_last_error()->argument, "master") == 0);
    CHECK_STATUS(SIVKA_ERROR_PRIMITIVE, sivka_keyset_add(streams, "AES256_GCM", NULL));
    sivka_keyset_free(streams);
    sivka_keyset_free(messages);
}

int main(void)
{
    static const char *const templates[] = {"AES128_GCM_HKDF_4KB", "AES256_GCM_HKDF_4KB",
                                            "AES128_CTR_HMAC_SHA256_4KB",
                                            "AES256_CTR_HMAC_SHA256_4KB", "AES256_GCM_HKDF_1MB",
                                            "AES256_CTR_HMAC_SHA256_1MB"};
    unsigned char *text = memory(20000);
    size_t i;

    for (i = 0; i < 20000; i++)
        text[i] = (unsigned char)(i * 7 + i / 256);
    for (i = 0; i < 4; i++)
        keysets(templates[i], text);
    for (; i < sizeof templates / sizeof *templates; i++) {
        sivka_keyset *keyset = NULL;

        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(templates[i], &keyset));
        sivka_keyset_free(keyset);
    }
    lifetimes(text);
    misuse();
    free(text);
    printf("%lu checks\n", checks);
    return 0;
}
