/* The block cipher Kuznyechik, CTR and OMAC. */
#ifndef SIVKA_MATRIX_KUZNYECHIK_H
#define SIVKA_MATRIX_KUZNYECHIK_H

#include "words.h"

static void blocks(int encrypting)
{
    struct bytes key = parse(word()), text;
    unsigned long times = strtoul(word(), NULL, 10);
    sivka_kuznyechik *made = NULL;
    sivka_status status;

    text = parse(word());
    status = sivka_kuznyechik_new(key.at, key.len, &made);
    for (; times > 0 && status == SIVKA_OK; times--)
        status = (encrypting ? sivka_kuznyechik_encrypt_blocks : sivka_kuznyechik_decrypt_blocks)(made, text.at,
                                                                                                  text.len);
    answer_or_forged(status, text.at, text.len);
    sivka_kuznyechik_free(made);
}

static size_t piece_at(const struct bytes *text, size_t at, size_t piece)
{
    return text->len - at < piece ? text->len - at : piece;
}

static void ctr(void)
{
    struct bytes key = parse(word()), iv = parse(word()), text;
    const unsigned long section_len = strtoul(word(), NULL, 10), piece = strtoul(word(), NULL, 10);
    sivka_kuznyechik_ctr *made = NULL;
    size_t at;

    text = parse(word());
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_new(key.at, key.len, iv.at, iv.len, section_len,
                                                    &made));
    for (at = 0; at < text.len; at += piece)
        CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_apply_keystream(made, text.at + at,
                                                                    piece_at(&text, at, piece)));
    answer(text.at, text.len);
    sivka_kuznyechik_ctr_free(made);
}

static void omac(int verifying)
{
    struct bytes key = parse(word()), message, tag;
    const size_t tag_len = verifying ? 0 : strtoul(word(), NULL, 10),
                 piece = strtoul(word(), NULL, 10);
    sivka_kuznyechik_omac *made = NULL;
    sivka_status status;
    size_t at;

    message = parse(word());
    tag = verifying ? parse(word()) : new_bytes(tag_len);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_new(key.at, key.len, tag.len, &made));
    for (at = 0; at < message.len; at += piece)
        CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_update(made, message.at + at, piece_at(&message, at, piece)));
    status = verifying ? sivka_kuznyechik_omac_finish_and_verify(made, tag.at, tag.len)
                       : sivka_kuznyechik_omac_finish(made, tag.at, tag.len);
    if (verifying && status == SIVKA_OK)
        printf("verified");
    else
        answer_or_forged(status, tag.at, tag.len);
    sivka_kuznyechik_omac_free(made);
}

#endif
