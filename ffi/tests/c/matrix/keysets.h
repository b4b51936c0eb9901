/* Tink keysets. */
#ifndef SIVKA_MATRIX_KEYSETS_H
#define SIVKA_MATRIX_KEYSETS_H

#include "words.h"

static int is_deterministic(const sivka_keyset *keyset)
{
    return sivka_keyset_primitive(keyset) == SIVKA_KEYSET_DETERMINISTIC_AEAD;
}

static const char *primitive_of(const sivka_keyset *keyset)
{
    switch (sivka_keyset_primitive(keyset)) {
    case SIVKA_KEYSET_AEAD:
        return "AEAD";
    case SIVKA_KEYSET_DETERMINISTIC_AEAD:
        return "deterministic AEAD";
    case SIVKA_KEYSET_STREAMING_AEAD:
        return "streaming AEAD";
    default:
        return "none";
    }
}

static sivka_keyset *keyset_of(const char *digits, uint32_t form)
{
    struct bytes bytes = parse(digits);
    sivka_keyset *made = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_from_insecure(bytes.at, bytes.len, form, &made));
    free(bytes.at);
    return made;
}

static void answer_keyset(const sivka_keyset *keyset, uint32_t form)
{
    struct bytes out = {NULL, 0};

    CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                 sivka_keyset_to_insecure(keyset, form, NULL, 0, &out.len));
    out = new_bytes(out.len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, form, out.at, out.len, NULL));
    answer(out.at, out.len);
    free(out.at);
}

static void keyset_encrypt(const sivka_keyset *master)
{
    struct bytes aad = parse(word()), out = {NULL, 0};
    sivka_keyset *keyset = keyset_of(word(), SIVKA_KEYSET_JSON);

    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_encrypt(keyset, master, aad.at, aad.len,
                                                            SIVKA_KEYSET_JSON, NULL, 0, &out.len));
    out = new_bytes(out.len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_encrypt(keyset, master, aad.at, aad.len, SIVKA_KEYSET_JSON,
                                                out.at, out.len, NULL));
    answer(out.at, out.len);
    sivka_keyset_free(keyset);
    free(aad.at);
    free(out.at);
}

static void keyset_decrypt(const sivka_keyset *master)
{
    struct bytes aad = parse(word()), in = parse(word());
    sivka_keyset *keyset = NULL;
    sivka_status status = sivka_keyset_decrypt(master, aad.at, aad.len, in.at, in.len,
                                               SIVKA_KEYSET_JSON, &keyset);

    if (status == SIVKA_ERROR_OPEN) {
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    }
    sivka_keyset_free(keyset);
    free(aad.at);
    free(in.at);
}

static void keyset_seal_or_open(const sivka_keyset *keyset, int sealing)
{
    struct bytes aad = parse(word()), in = parse(word()),
                 out = new_bytes(sealing ? sivka_keyset_seal_len(keyset, in.len)
                                         : sivka_keyset_open_len(keyset, in.len));
    sivka_status status;

    if (is_deterministic(keyset))
        status = (sealing ? sivka_keyset_seal_deterministically
                          : sivka_keyset_open_deterministically)(
            keyset, aad.at, aad.len, in.at, in.len, out.at, out.len, &out.len);
    else
        status = (sealing ? sivka_keyset_seal : sivka_keyset_open)(
            keyset, aad.at, aad.len, in.at, in.len, out.at, out.len, &out.len);
    answer_or_forged(status, out.at, out.len);
    free(aad.at);
    free(in.at);
    free(out.at);
}

/* What a stream is read from, or written to. */
struct stream_end {
    struct bytes bytes;
    size_t at;
};

static int32_t read_stream(void *context, uint8_t *buffer, size_t buffer_len, size_t *read_len)
{
    struct stream_end *end = (struct stream_end *)context;
    const size_t left = end->bytes.len - end->at;

    *read_len = left < buffer_len ? left : buffer_len;
    memcpy(buffer, end->bytes.at + end->at, *read_len);
    end->at += *read_len;
    return 0;
}

static int32_t write_stream(void *context, const uint8_t *bytes, size_t bytes_len)
{
    struct stream_end *end = (struct stream_end *)context;

    CHECK(bytes_len <= end->bytes.len - end->at);
    memcpy(end->bytes.at + end->at, bytes, bytes_len);
    end->at += bytes_len;
    return 0;
}

static sivka_status stream_opened(const sivka_keyset *keyset, const struct bytes *aad,
                                  struct stream_end *in, struct stream_end *out)
{
    sivka_opener *opener = NULL;
    sivka_status status;
    size_t len = 1;

    CHECK_STATUS(SIVKA_OK,
                 sivka_keyset_opener_new(read_stream, in, keyset, aad->at, aad->len, &opener));
    do {
        status = sivka_opener_read(opener, out->bytes.at + out->at, out->bytes.len - out->at, &len);
        out->at += len;
    } while (status == SIVKA_OK && len > 0);
    sivka_opener_free(opener);
    return status;
}

static void keyset_stream(const sivka_keyset *keyset, int sealing)
{
    struct bytes aad = parse(word());
    struct stream_end in = {parse(word()), 0}, out = {new_bytes(2 * in.bytes.len + 4096), 0};
    sivka_status status = SIVKA_OK;

    if (sealing) {
        sivka_sealer *sealer = NULL;

        CHECK_STATUS(SIVKA_OK,
                     sivka_keyset_sealer_new(write_stream, &out, keyset, aad.at, aad.len, &sealer));
        CHECK_STATUS(SIVKA_OK, sivka_sealer_write(sealer, in.bytes.at, in.bytes.len));
        CHECK_STATUS(SIVKA_OK, sivka_sealer_finish(sealer));
        sivka_sealer_free(sealer);
    } else {
        status = stream_opened(keyset, &aad, &in, &out);
    }
    answer_or_forged(status, out.bytes.at, out.at);
    free(aad.at);
    free(in.bytes.at);
    free(out.bytes.at);
}

/* Under a key, which is no keyset. */
static void keyset_decrypt_with(void)
{
    const char *name = word();
    struct bytes key = parse(word()), aad, in;
    const uint32_t form = strcmp(word(), "json") == 0 ? SIVKA_KEYSET_JSON : SIVKA_KEYSET_BINARY;
    sivka_key *master = NULL;
    sivka_keyset *keyset = NULL;
    sivka_status status;

    aad = parse(word());
    in = parse(word());
    CHECK_STATUS(SIVKA_OK, sivka_key_new_by_name(name, key.at, key.len, &master));
    status = sivka_keyset_decrypt_with_key(master, aad.at, aad.len, in.at, in.len, form, &keyset);
    if (status == SIVKA_ERROR_OPEN) {
        CHECK(keyset == NULL);
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    }
    sivka_keyset_free(keyset);
    sivka_key_free(master);
    free(key.at);
    free(aad.at);
    free(in.at);
}

/* The command without its `keyset-`. */
static void keyset(const char *command)
{
    sivka_keyset *keyset = NULL;

    if (strcmp(command, "new") == 0) {
        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(word(), &keyset));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "rotate") == 0) {
        const char *name = word();

        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_rotate(keyset, name, NULL));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "enable") == 0) {
        const uint32_t id = (uint32_t)strtoul(word(), NULL, 10);

        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_enable(keyset, id));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "decrypt-with") == 0) {
        keyset_decrypt_with();
    } else if (strcmp(command, "from-binary") == 0) {
        keyset = keyset_of(word(), SIVKA_KEYSET_BINARY);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else {
        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        if (strcmp(command, "to-binary") == 0)
            answer_keyset(keyset, SIVKA_KEYSET_BINARY);
        else if (strcmp(command, "to-json") == 0)
            answer_keyset(keyset, SIVKA_KEYSET_JSON);
        else if (strcmp(command, "primitive") == 0)
            printf("%s", primitive_of(keyset));
        else if (strcmp(command, "encrypt") == 0)
            keyset_encrypt(keyset);
        else if (strcmp(command, "decrypt") == 0)
            keyset_decrypt(keyset);
        else if (sivka_keyset_primitive(keyset) == SIVKA_KEYSET_STREAMING_AEAD)
            keyset_stream(keyset, command[0] == 's');
        else if (strcmp(command, "seal") == 0 || strcmp(command, "open") == 0)
            keyset_seal_or_open(keyset, command[0] == 's');
        else
            CHECK(!"a command of keysets");
    }
    sivka_keyset_free(keyset);
}

#endif
