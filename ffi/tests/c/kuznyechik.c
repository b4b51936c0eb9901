/* Kuznyechik: the block cipher, CTR, CTR-ACPKM and OMAC, called wrongly. The matrix plays the vectors. */
#include "check.h"

int main(void)
{
    static const unsigned char zeros[32];
    unsigned char block[SIVKA_KUZNYECHIK_BLOCK_LEN] = {0}, out[17] = {0};
    sivka_kuznyechik *cipher = (sivka_kuznyechik *)block;
    sivka_kuznyechik_ctr *ctr = (sivka_kuznyechik_ctr *)block;
    sivka_kuznyechik_omac *omac = (sivka_kuznyechik_omac *)block;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_new(zeros, 31, &cipher));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_ctr_new(zeros, 31, zeros, 8, 0, &ctr));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 16, 0, &ctr));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_new(zeros, 32, NULL, 8, 0, &ctr));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 8, 24, &ctr));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 33, 16, &omac));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 32, 3, &omac));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_new(zeros, 32, 17, &omac));
    CHECK(cipher == NULL && ctr == NULL && omac == NULL);

    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_new(zeros, 32, &cipher));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_encrypt_blocks(cipher, block, 15));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_decrypt_blocks(NULL, block, 16));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_encrypt_blocks(cipher, NULL, 0));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_new(zeros, 32, zeros, 8, 0, &ctr));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_ctr_apply_keystream(ctr, NULL, 3));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_apply_keystream(ctr, NULL, 0));

    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_new(zeros, 32, 16, &omac));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_update(omac, NULL, 1));
    /* A call that is wrong does not end the message. */
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_update(omac, zeros, 1));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_finish(omac, out, 15));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_omac_finish_and_verify(omac, NULL, 16));
    CHECK(is_zeros(out, sizeof out) && is_zeros(block, sizeof block));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_finish(omac, out, 16));
    /* No other length is taken, though the bytes are right. */
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_update(omac, zeros, 1));
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_omac_finish_and_verify(omac, out, 15));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_finish_and_verify(omac, out, 16));
    CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_kuznyechik_omac_finish_and_verify(omac, out, 16));
    sivka_kuznyechik_free(cipher);
    sivka_kuznyechik_ctr_free(ctr);
    sivka_kuznyechik_omac_free(omac);
    return report();
}
