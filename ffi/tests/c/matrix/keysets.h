/* Tink keysets. */
#ifndef SIVKA_MATRIX_KEYSETS_H
#define SIVKA_MATRIX_KEYSETS_H

#include "../pieces.h"
#include "words.h"

static sivka_key *key_of_keyset(const sivka_keyset *keyset)
{
    sivka_key *key = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_key(keyset, sivka_keyset_primitive(keyset), &key));
    return key;
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

static void keyset_encrypt(const sivka_key *master)
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

static void keyset_decrypt(const sivka_key *master, uint32_t form)
{
    struct bytes aad = parse(word()), in = parse(word());
    sivka_keyset *keyset = NULL;
    sivka_status status = sivka_keyset_decrypt(master, aad.at, aad.len, in.at, in.len, form, &keyset);

    if (status == SIVKA_ERROR_OPEN) {
        CHECK(keyset == NULL);
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    }
    sivka_keyset_free(keyset);
    free(aad.at);
    free(in.at);
}

static void keyset_seal_or_open(const sivka_key *key, int sealing)
{
    struct bytes aad = parse(word()), in = parse(word()),
                 out = new_bytes(sealing ? sivka_key_seal_len(key, in.len) : sivka_key_open_len(key, in.len));
    sivka_status status = crypt_message(sealing, key, NULL, 0, aad.at, aad.len, in.at, in.len, out.at, out.len,
                                        NULL, 0, &out.len);

    answer_or_forged(status, out.at, out.len);
    free(aad.at);
    free(in.at);
    free(out.at);
}

static void keyset_stream(const sivka_keyset *keyset, int sealing)
{
    struct bytes aad = parse(word()), in = parse(word()), out = new_bytes(2 * in.len + 4096);
    sivka_status status = SIVKA_OK;

    if (sealing) {
        sivka_sealer *sealer = NULL;

        CHECK_STATUS(SIVKA_OK, sivka_keyset_sealer_new(keyset, aad.at, aad.len, &sealer));
        out.len = seal_pieces(sealer, in.at, in.len, out.at, out.len, 1);
        sivka_sealer_free(sealer);
    } else {
        sivka_opener *opener = NULL;

        CHECK_STATUS(SIVKA_OK, sivka_keyset_opener_new(keyset, aad.at, aad.len, &opener));
        status = open_pieces(opener, in.at, in.len, out.at, &out.len);
        sivka_opener_free(opener);
    }
    answer_or_forged(status, out.at, out.len);
    free(aad.at);
    free(in.at);
    free(out.at);
}

/* Under a key, which is no keyset. */
static void keyset_decrypt_with(void)
{
    const char *name = word();
    struct bytes key = parse(word());
    sivka_algorithm algorithm;
    sivka_key *master = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_algorithm_from_name(name, &algorithm));
    CHECK_STATUS(SIVKA_OK, sivka_key_new(algorithm, key.at, key.len, &master));
    keyset_decrypt(master, strcmp(word(), "json") == 0 ? SIVKA_KEYSET_JSON : SIVKA_KEYSET_BINARY);
    sivka_key_free(master);
    free(key.at);
}

/* The command without its `keyset-`. */
static void keyset(const char *command)
{
    sivka_keyset *keyset = NULL;
    sivka_key *key = NULL;

    if (strcmp(command, "new") == 0) {
        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(word(), &keyset));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "rotate") == 0) {
        const char *name = word();

        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, name, SIVKA_KEYSET_AS_PRIMARY, NULL));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "enable") == 0) {
        const uint32_t id = (uint32_t)strtoul(word(), NULL, 10);

        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_change(keyset, SIVKA_KEYSET_ENABLE, id));
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
            keyset_encrypt(key = key_of_keyset(keyset));
        else if (strcmp(command, "decrypt") == 0)
            keyset_decrypt(key = key_of_keyset(keyset), SIVKA_KEYSET_JSON);
        else if (sivka_keyset_primitive(keyset) == SIVKA_KEYSET_STREAMING_AEAD)
            keyset_stream(keyset, command[0] == 's');
        else if (strcmp(command, "seal") == 0 || strcmp(command, "open") == 0)
            keyset_seal_or_open(key = key_of_keyset(keyset), command[0] == 's');
        else
            CHECK(!"a command of keysets");
    }
    sivka_key_free(key);
    sivka_keyset_free(keyset);
}

#endif
