/* Seals many short messages in one call, then opens them, one of them forged. */
#include <sivka.h>

#include <stdio.h>
#include <string.h>

enum { COUNT = 3, NONCE_LEN = 12, TAG_LEN = 16 };

int main(void)
{
    /* Message i is text[offsets[i]] up to text[offsets[i + 1]]. */
    unsigned char text[] = "onetwothree";
    const size_t offsets[COUNT + 1] = {0, 3, 6, 11};
    const unsigned char aad[] = {'v', '1'};
    unsigned char key_bytes[32], nonces[COUNT * NONCE_LEN], tags[COUNT * TAG_LEN];
    sivka_status statuses[COUNT], status;
    sivka_messages messages;
    sivka_key *key = NULL;
    size_t i;

    memset(&messages, 0, sizeof messages);
    messages.count = COUNT;
    messages.nonces = nonces;
    messages.nonces_len = sizeof nonces;
    messages.aads = aad; /* of every message */
    messages.aads_len = sizeof aad;
    messages.texts = text;
    messages.texts_len = offsets[COUNT];
    messages.text_offsets = offsets;
    messages.tags = tags;
    messages.tags_len = sizeof tags;
    messages.statuses = statuses;
    status = sivka_generate_key(SIVKA_AES_256_GCM_SIV, key_bytes, sizeof key_bytes);
    if (status == SIVKA_OK)
        status = sivka_key_new(SIVKA_AES_256_GCM_SIV, key_bytes, sizeof key_bytes, &key);
    if (status == SIVKA_OK)
        status = sivka_random_nonces(SIVKA_AES_256_GCM_SIV, nonces, sizeof nonces);
    if (status == SIVKA_OK)
        status = sivka_seal_many(key, &messages);
    if (status != SIVKA_OK) {
        fprintf(stderr, "%s\n", sivka_status_message(status));
        return 1;
    }

    tags[1 * TAG_LEN] ^= 1; /* forge the second message */
    status = sivka_open_many(key, &messages);
    for (i = 0; i < COUNT; i++)
        printf("message %d: %s\n", (int)i, sivka_status_message(statuses[i]));
    sivka_key_free(key);
    return status == SIVKA_ERROR_BATCH && statuses[1] == SIVKA_ERROR_OPEN &&
                   memcmp(text, "one\0\0\0three", offsets[COUNT]) == 0
               ? 0
               : 1;
}
