/* Tink keysets. */
#ifndef SIVKA_MATRIX_KEYSETS_H
#define SIVKA_MATRIX_KEYSETS_H

#include "../pieces.h"
#include "words.h"

static const char *primitive_of(const sivka_keyset *keyset)
{
    static const char *const names[] = {"none", "AEAD", "deterministic AEAD", "streaming AEAD"};
    const size_t primitive = sivka_keyset_primitive(keyset);

    CHECK(primitive < sizeof names / sizeof *names);
    return names[primitive];
}

static sivka_keyset *keyset_of(const char *digits, uint32_t form)
{
    struct bytes bytes = parse(digits);
    sivka_keyset *made = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_from_insecure(bytes.at, bytes.len, form, &made));
    memset(bytes.at, 0, bytes.len);
    return made;
}

static void answer_keyset(const sivka_keyset *keyset, uint32_t form)
{
    struct bytes out = {NULL, 0};

    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_to_insecure(keyset, form, NULL, 0, &out.len));
    out = new_bytes(out.len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, form, out.at, out.len, NULL));
    answer(out.at, out.len);
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
}

static void keyset_seal_or_open(const sivka_key *key, int sealing)
{
    struct bytes aad = parse(word()), in = parse(word()),
                 out = new_bytes(sealing ? sivka_key_seal_len(key, in.len) : sivka_key_open_len(key, in.len));
    sivka_status status = crypt_message(sealing, key, NULL, 0, aad.at, aad.len, in.at, in.len, out.at, out.len,
                                        NULL, 0, &out.len);

    answer_or_forged(status, out.at, out.len);
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
}

/* Under a key, which is no keyset. */
static void keyset_decrypt_with(void)
{
    const char *name = word();
    sivka_key *master = key_of(name, word());

    CHECK(master != NULL);
    keyset_decrypt(master, strcmp(word(), "json") == 0 ? SIVKA_KEYSET_JSON : SIVKA_KEYSET_BINARY);
    sivka_key_free(master);
}

/* The command without its `keyset-`. */
static void keyset(const char *command)
{
#define IS(name) (strcmp(command, name) == 0)
    const int seals = IS("seal"), reads = IS("from-binary"), writes = IS("to-binary");
    const char *of = IS("new") || IS("rotate") || IS("enable") ? word() : NULL;
    sivka_keyset *keyset = NULL;
    sivka_key *key = NULL;

    if (IS("decrypt-with")) {
        keyset_decrypt_with();
        return;
    }
    if (IS("new"))
        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(of, &keyset));
    else
        keyset = keyset_of(word(), reads ? SIVKA_KEYSET_BINARY : SIVKA_KEYSET_JSON);
    if (IS("rotate"))
        CHECK_STATUS(SIVKA_OK, sivka_keyset_add(keyset, of, SIVKA_KEYSET_AS_PRIMARY, NULL));
    else if (IS("enable"))
        CHECK_STATUS(SIVKA_OK, sivka_keyset_change(keyset, SIVKA_KEYSET_ENABLE,
                                                   (uint32_t)strtoul(of, NULL, 10)));
    if (IS("primitive")) {
        printf("%s", primitive_of(keyset));
    } else if (IS("encrypt")) {
        keyset_encrypt(key = key_of_keyset(keyset));
    } else if (IS("decrypt")) {
        keyset_decrypt(key = key_of_keyset(keyset), SIVKA_KEYSET_JSON);
    } else if (!seals && !IS("open")) {
        CHECK(of != NULL || reads || writes || IS("to-json"));
        answer_keyset(keyset, writes ? SIVKA_KEYSET_BINARY : SIVKA_KEYSET_JSON);
    } else if (sivka_keyset_primitive(keyset) == SIVKA_KEYSET_STREAMING_AEAD) {
        keyset_stream(keyset, seals);
    } else {
        keyset_seal_or_open(key = key_of_keyset(keyset), seals);
    }
    sivka_key_free(key);
    sivka_keyset_free(keyset);
}

#endif
