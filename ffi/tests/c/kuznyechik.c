/* The block cipher: the example of RFC 7801, section 5. */
#include "check.h"

int main(void)
{
    static const unsigned char key_bytes[32] = {
        0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    static const unsigned char plain[16] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x00,
                                            0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88};
    static const unsigned char sealed[16] = {0x7f, 0x67, 0x9d, 0x90, 0xbe, 0xbc, 0x24, 0x30,
                                             0x5a, 0x46, 0x8d, 0x42, 0xb9, 0xd4, 0xed, 0xcd};
    unsigned char blocks[100 * SIVKA_KUZNYECHIK_BLOCK_LEN];
    sivka_kuznyechik *key = (sivka_kuznyechik *)blocks;
    size_t i;

    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_new(key_bytes, 31, &key));
    CHECK(key == NULL && is_zeros(plain, 0));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_new(key_bytes, 32, NULL));
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_new(key_bytes, 32, &key));
    for (i = 0; i < sizeof blocks; i += 16)
        memcpy(blocks + i, plain, 16);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_kuznyechik_encrypt_blocks(key, blocks, 15));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_encrypt_blocks(key, NULL, 16));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_kuznyechik_decrypt_blocks(NULL, blocks, 16));
    CHECK(memcmp(blocks, plain, 16) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_encrypt_blocks(key, blocks, sizeof blocks));
    for (i = 0; i < sizeof blocks; i += 16)
        CHECK(memcmp(blocks + i, sealed, 16) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_decrypt_blocks(key, blocks, sizeof blocks));
    for (i = 0; i < sizeof blocks; i += 16)
        CHECK(memcmp(blocks + i, plain, 16) == 0);
    CHECK_STATUS(SIVKA_OK, sivka_kuznyechik_encrypt_blocks(key, NULL, 0));
    sivka_kuznyechik_free(key);
    sivka_kuznyechik_free(NULL);
    printf("%lu checks\n", checks);
    return 0;
}
