/* Lies about a buffer by one byte. Every checker has to report this program, or its
 * silence about the others means nothing. */
#include "check.h"

int main(void)
{
    const unsigned char bytes[32] = {7}, nonce[12] = {0};
    unsigned char *sealed = malloc(16 + 3);
    sivka_key *key = NULL;

    CHECK(sealed != NULL);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, 32, &key));
    CHECK_STATUS(SIVKA_OK, SEAL_WITH_NONCE(key, nonce, 12, NULL, 0, bytes, 4, sealed, 16 + 4,
                                                 NULL));
    printf("%d\n", is_zeros(sealed + 16 + 3, 1));
    sivka_key_free(key);
    free(sealed);
    return 0;
}
