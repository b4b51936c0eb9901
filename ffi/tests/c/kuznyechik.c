/*
 * The block cipher: misuse, and every line on standard input, which says how many times
 * over a text of whole blocks is encrypted with a key, and what becomes of it.
 */
#include "check.h"

#define MAX_LINE 4096
#define MAX_BYTES 1024

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

static void misuse(void)
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

int main(void)
{
    static char line[MAX_LINE], key_digits[MAX_LINE], plain_digits[MAX_LINE],
        sealed_digits[MAX_LINE];
    unsigned char key_bytes[MAX_BYTES], plain[MAX_BYTES], sealed[MAX_BYTES], blocks[MAX_BYTES];
    unsigned long vectors = 0;

    misuse();
    while (fgets(line, sizeof line, stdin) != NULL) {
        sivka_kuznyechik *key = NULL;
        unsigned long times, i;
        size_t len;

        CHECK(sscanf(line, "%lu %4095s %4095s %4095s", &times, key_digits, plain_digits,
                     sealed_digits) == 4);
        len = bytes_of(plain_digits, plain);
        CHECK(bytes_of(sealed_digits, sealed) == len);
        CHECK_STATUS(SIVKA_OK,
                     sivka_kuznyechik_new(key_bytes, bytes_of(key_digits, key_bytes), &key));
        memcpy(blocks, plain, len);
        for (i = 0; i < times; i++)
            CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_encrypt_blocks(key, blocks, len));
        CHECK(memcmp(blocks, sealed, len) == 0);
        for (i = 0; i < times; i++)
            CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_decrypt_blocks(key, blocks, len));
        CHECK(memcmp(blocks, plain, len) == 0);
        sivka_kuznyechik_free(key);
        vectors++;
    }
    printf("%lu vectors, %lu checks\n", vectors, checks);
    return vectors > 0 ? 0 : 1;
}
