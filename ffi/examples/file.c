/* Seals a file for a key file and a passphrase, opens it, and reads a part of it.
 *
 *     file FOLDER        (a folder to work in)
 */
#include <sivka.h>

#include <stdio.h>
#include <string.h>

static char plain[512], sealed[512], opened[512];

static int failed(const char *what, sivka_status status)
{
    fprintf(stderr, "%s: %s: %s\n", what, sivka_status_message(status), sivka_last_error()->detail);
    return 1;
}

int main(int argc, char **argv)
{
    char key_text[SIVKA_MAX_KEY_FILE_LEN];
    unsigned char part[9];
    size_t key_len = 0, part_len = 0;
    sivka_file_keys *keys = NULL;
    sivka_file_reader *reader = NULL;
    sivka_status status;
    FILE *file;

    if (argc != 2)
        return 2;
    snprintf(plain, sizeof plain, "%s/letter.txt", argv[1]);
    snprintf(sealed, sizeof sealed, "%s/letter.txt.sivka", argv[1]);
    snprintf(opened, sizeof opened, "%s/opened.txt", argv[1]);
    file = fopen(plain, "wb");
    if (file == NULL || fputs("meet at noon, at the gate", file) < 0 || fclose(file) != 0)
        return 1;

    /* Keep key_text where only you can read; without it, what you seal is lost. */
    status = sivka_generate_key_file("laptop", key_text, sizeof key_text, &key_len);
    if (status == SIVKA_OK)
        status = sivka_file_keys_new(&keys);
    if (status == SIVKA_OK)
        status = sivka_file_keys_add_key_file(keys, key_text, key_len, NULL, 0);
    if (status == SIVKA_OK)
        status = sivka_file_keys_add_passphrase(keys, "correct horse", strlen("correct horse"));
    /* So cheap that this example ends at once. Leave this line out: the default is 256 MiB. */
    if (status == SIVKA_OK)
        status = sivka_file_keys_set_cost(keys, 64, 1, 1);
    if (status != SIVKA_OK)
        return failed("keys", status);

    status = sivka_seal_file(plain, sealed, keys, 0, 0, NULL, NULL);
    if (status != SIVKA_OK)
        return failed("seal", status);
    status = sivka_verify_file(sealed, keys, NULL, NULL);
    if (status != SIVKA_OK)
        return failed("verify", status);
    status = sivka_open_file(sealed, opened, keys, 0, NULL, NULL);
    if (status != SIVKA_OK)
        return failed("open", status);

    /* Any part can be read without the rest. */
    status = sivka_file_reader_new(sealed, keys, &reader);
    if (status == SIVKA_OK)
        status = sivka_file_reader_read(reader, 14, part, sizeof part, &part_len);
    if (status != SIVKA_OK)
        return failed("read", status);
    printf("bytes 14 to %d of %d: %.*s\n", (int)(14 + part_len - 1),
           (int)sivka_file_reader_len(reader), (int)part_len, (const char *)part);
    if (part_len != sizeof part || memcmp(part, "at the ga", sizeof part) != 0)
        return 1;
    sivka_file_reader_free(reader);

    sivka_file_keys_free(keys);
    return 0;
}
