/* Kuznyechik: the block cipher, CTR, CTR-ACPKM and OMAC, called wrongly. */
#include "check.h"

static void block_misuse(void)
{
    static const unsigned char zeros[32];
    unsigned char block[SIVKA_KUZNYECHIK_BLOCK_LEN] = {0};
    sivka_kuznyechik *key = (sivka_kuznyechik *)block;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_new(zeros, 31, &key));
    CHECK(key == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_new(zeros, 32, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_new(zeros, 32, &key));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_encrypt_blocks(key, block, 15));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_encrypt_blocks(key, NULL, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_decrypt_blocks(NULL, block, 16));
    CHECK(is_zeros(block, sizeof block));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_encrypt_blocks(key, NULL, 0));
    sivka_kuznyechik_free(key);
    sivka_kuznyechik_free(NULL);
}

static void ctr_misuse(void)
{
    static const unsigned char zeros[32];
    unsigned char text[3] = {0};
    sivka_kuznyechik_ctr *ctr = (sivka_kuznyechik_ctr *)text;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_ctr_new(zeros, 31, zeros, 8, &ctr));
    CHECK(ctr == NULL);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 16, &ctr));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_new(zeros, 32, NULL, 8, &ctr));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 8, NULL));
    CHECK_STATUS(SIVKA_ERROR_LENGTH,
                 sivka_kuznyechik_ctr_acpkm_new(zeros, 32, zeros, 8, 0, &ctr));
    CHECK_STATUS(SIVKA_ERROR_LENGTH,
                 sivka_kuznyechik_ctr_acpkm_new(zeros, 32, zeros, 8, 24, &ctr));
    CHECK(ctr == NULL);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 8, &ctr));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_apply_keystream(ctr, NULL, 3));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_apply_keystream(NULL, text, 3));
    CHECK(is_zeros(text, sizeof text));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_apply_keystream(ctr, NULL, 0));
    sivka_kuznyechik_ctr_free(ctr);
    sivka_kuznyechik_ctr_free(NULL);
}

static void omac_misuse(void)
{
    static const unsigned char zeros[32];
    unsigned char tag[17] = {0};
    sivka_kuznyechik_omac *omac = (sivka_kuznyechik_omac *)tag;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 33, 16, &omac));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 32, 3, &omac));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 32, 17, &omac));
    CHECK(omac == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_new(zeros, 32, 16, NULL));
    CHECK(sivka_kuznyechik_omac_tag_len(NULL) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_new(zeros, 32, 16, &omac));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_tag(omac, zeros, 1, tag, 17));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_kuznyechik_omac_tag(omac, tag + 15, 2, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_tag(omac, NULL, 1, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_tag(NULL, zeros, 1, tag, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_verify(omac, zeros, 1, NULL, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_update(omac, NULL, 1));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_update(NULL, zeros, 1));
    /* A call that is wrong does not end the message. */
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_update(omac, zeros, 1));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_finish(omac, tag, 15));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_finish_and_verify(omac, NULL, 16));
    CHECK(is_zeros(tag, sizeof tag));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_finish(omac, tag, 16));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_verify(omac, zeros, 1, tag, 16));
    /* No other length is taken, though the bytes are right. */
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_verify(omac, zeros, 1, tag, 15));
    CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_kuznyechik_omac_finish_and_verify(omac, tag, 16));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_tag(omac, NULL, 0, tag, 16));
    sivka_kuznyechik_omac_free(omac);
    sivka_kuznyechik_omac_free(NULL);
}

int main(void)
{
    block_misuse();
    ctr_misuse();
    omac_misuse();
    printf("%lu checks\n", checks);
    return 0;
}
