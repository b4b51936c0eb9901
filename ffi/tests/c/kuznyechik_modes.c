/*
 * Kuznyechik in CTR, CTR-ACPKM and OMAC: misuse, and every line on standard input, which is
 *
 *     ctr KEY IV SECTION_LEN PLAINTEXT CIPHERTEXT     (a section of 0 bytes is CTR without)
 *     omac KEY - TAG_LEN MESSAGE TAG
 *
 * Each message is done whole and in pieces of every length.
 */
#include "check.h"

#define MAX_LINE 4096
#define MAX_BYTES 512

static size_t bytes_of(const char *digits, unsigned char *bytes)
{
    const size_t len = strlen(digits) / 2;
    unsigned int byte;
    size_t i;

    CHECK(len <= MAX_BYTES);
    for (i = 0; i < len; i++) {
        CHECK(sscanf(digits + 2 * i, "%2x", &byte) == 1);
        bytes[i] = (unsigned char)byte;
    }
    return len;
}

static sivka_kuznyechik_ctr *start(const unsigned char *key, const unsigned char *iv,
                                   uint64_t section_len)
{
    sivka_kuznyechik_ctr *ctr = NULL;

    if (section_len == 0)
        CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_new(key, 32, iv, SIVKA_KUZNYECHIK_IV_LEN,
                                                        &ctr));
    else
        CHECK_STATUS(SIVKA_OK,
                     sivka_kuznyechik_ctr_acpkm_new(key, 32, iv, SIVKA_KUZNYECHIK_IV_LEN,
                                                    section_len, &ctr));
    return ctr;
}

static void ctr_vector(const unsigned char *key, const unsigned char *iv, uint64_t section_len,
                       const unsigned char *plain, const unsigned char *sealed, size_t len)
{
    unsigned char text[MAX_BYTES];
    size_t piece_len, at;

    for (piece_len = 1; piece_len <= len; piece_len++) {
        sivka_kuznyechik_ctr *ctr = start(key, iv, section_len);

        memcpy(text, plain, len);
        for (at = 0; at < len; at += piece_len)
            CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_ctr_apply_keystream(
                                       ctr, text + at,
                                       len - at < piece_len ? len - at : piece_len));
        CHECK(memcmp(text, sealed, len) == 0);
        sivka_kuznyechik_ctr_free(ctr);
    }
}

static void omac_vector(const unsigned char *key, size_t tag_len, const unsigned char *message,
                        size_t len, const unsigned char *tag)
{
    unsigned char made[SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN];
    sivka_kuznyechik_omac *omac = NULL;
    size_t piece_len, at;

    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_new(key, 32, tag_len, &omac));
    CHECK(sivka_kuznyechik_omac_tag_len(omac) == tag_len);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_tag(omac, message, len, made, tag_len));
    CHECK(memcmp(made, tag, tag_len) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_verify(omac, message, len, tag, tag_len));
    made[0] ^= 1;
    CHECK_STATUS(SIVKA_ERROR_OPEN,
                 sivka_kuznyechik_omac_verify(omac, message, len, made, tag_len));
    /* No other length is taken, though the bytes are right. */
    CHECK_STATUS(SIVKA_ERROR_LENGTH,
                 sivka_kuznyechik_omac_verify(omac, message, len, tag, tag_len - 1));
    for (piece_len = 1; piece_len <= len; piece_len++) {
        for (at = 0; at < len; at += piece_len)
            CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_update(
                                       omac, message + at,
                                       len - at < piece_len ? len - at : piece_len));
        if (piece_len % 2 == 0) {
            CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_finish_and_verify(omac, tag, tag_len));
            continue;
        }
        memset(made, 0, sizeof made);
        CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_finish(omac, made, tag_len));
        CHECK(memcmp(made, tag, tag_len) == 0);
    }
    sivka_kuznyechik_omac_free(omac);
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
    CHECK_STATUS(SIVKA_ERROR_OPEN, sivka_kuznyechik_omac_finish_and_verify(omac, tag, 16));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_omac_tag(omac, NULL, 0, tag, 16));
    sivka_kuznyechik_omac_free(omac);
    sivka_kuznyechik_omac_free(NULL);
}

int main(void)
{
    static char line[MAX_LINE], mode[8], key_digits[MAX_LINE], iv_digits[MAX_LINE],
        from_digits[MAX_LINE], to_digits[MAX_LINE];
    unsigned char key[MAX_BYTES], iv[MAX_BYTES], from[MAX_BYTES], to[MAX_BYTES];
    unsigned long vectors = 0, number;

    ctr_misuse();
    omac_misuse();
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t len;

        CHECK(sscanf(line, "%7s %4095s %4095s %lu %4095s %4095s", mode, key_digits, iv_digits,
                     &number, from_digits, to_digits) == 6);
        CHECK(bytes_of(key_digits, key) == 32);
        len = bytes_of(from_digits, from);
        if (strcmp(mode, "ctr") == 0) {
            CHECK(bytes_of(iv_digits, iv) == SIVKA_KUZNYECHIK_IV_LEN);
            CHECK(bytes_of(to_digits, to) == len);
            ctr_vector(key, iv, number, from, to, len);
        } else {
            CHECK(strcmp(mode, "omac") == 0 && bytes_of(to_digits, to) == number);
            omac_vector(key, number, from, len, to);
        }
        vectors++;
    }
    printf("%lu vectors, %lu checks\n", vectors, checks);
    return vectors > 0 ? 0 : 1;
}
