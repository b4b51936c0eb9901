/* Seals and opens in the program's own buffers, with a nonce of its own: nothing is
 * allocated or copied. */
#include <sivka.h>

#include <stdio.h>
#include <string.h>

static int failed(const char *what, sivka_status status)
{
    fprintf(stderr, "%s: %s: %s\n", what, sivka_status_message(status), sivka_last_error()->detail);
    return 1;
}

int main(void)
{
    unsigned char key_bytes[32], nonce[12], tag[16], text[] = "a record, number 1";
    const unsigned char aad[] = "table 7";
    sivka_message message;
    sivka_key *key = NULL;
    sivka_status status;

    memset(&message, 0, sizeof message);
    message.nonce = nonce;
    message.nonce_len = sizeof nonce;
    message.aad = aad;
    message.aad_len = sizeof aad;
    message.input = text;
    message.input_len = sizeof text;
    message.output = text;
    message.output_len = sizeof text;
    message.tag = tag;
    message.tag_len = sizeof tag;
    status = sivka_generate_key(SIVKA_AES_256_GCM_SIV, key_bytes, sizeof key_bytes);
    if (status == SIVKA_OK)
        status = sivka_key_new(SIVKA_AES_256_GCM_SIV, key_bytes, sizeof key_bytes, &key);
    if (status == SIVKA_OK)
        status = sivka_random_nonces(SIVKA_AES_256_GCM_SIV, nonce, sizeof nonce);
    if (status != SIVKA_OK)
        return failed("key", status);

    status = sivka_seal(key, &message, NULL);
    if (status != SIVKA_OK)
        return failed("seal", status);

    status = sivka_open(key, &message, NULL);
    if (status != SIVKA_OK)
        return failed("open", status);
    printf("opened in place: %s\n", (const char *)text);

    /* A wrong call is another status than a forged message, and says what is wrong. */
    message.nonce_len = 11;
    status = sivka_open(key, &message, NULL);
    if (status != SIVKA_ERROR_LENGTH)
        return 1;
    failed("a nonce too short", status);
    sivka_key_free(key);
    return 0;
}
