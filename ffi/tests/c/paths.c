/* Errors of files name the path that the caller gave, and never a temporary one. */
#include <sivka.h>

#include <stdio.h>
#include <string.h>

static int checks;

static int names(const char *path, sivka_status status, sivka_status expected)
{
    const sivka_error *error = sivka_last_error();
    const char *detail = error->detail;

    checks++;
    if (status == expected && strncmp(detail, path, strlen(path)) == 0 &&
        detail[strlen(path)] == ':' && strstr(detail, "partial") == NULL &&
        (path[1] == '\0' || strstr(detail + 1, path) == NULL) && error->path != NULL &&
        strcmp(error->path, path) == 0 && error->argument == NULL)
        return 1;
    fprintf(stderr, "status %d, not %d with %s: %s\n", (int)status, (int)expected, path, detail);
    return 0;
}

/* The text of a key in the place of a path is refused, and no field of the error has it. */
static int hides(const char *secret, sivka_status status)
{
    const sivka_error *error = sivka_last_error();

    checks++;
    if (status == SIVKA_ERROR_KEY_TEXT && strstr(error->detail, secret) == NULL &&
        error->path == NULL && error->argument != NULL)
        return 1;
    fprintf(stderr, "status %d: %s\n", (int)status, error->detail);
    return 0;
}

int main(int argc, char **argv)
{
    const char *nowhere = "/nowhere/file", *here = argc > 0 ? argv[0] : "";
    char key_text[SIVKA_MAX_KEY_FILE_LEN + 1], *secret;
    size_t key_len = 0;
    sivka_file_keys *keys = NULL;
    sivka_file_reader *reader = NULL;

    if (sivka_generate_key_file("key", key_text, SIVKA_MAX_KEY_FILE_LEN, &key_len) != SIVKA_OK ||
        sivka_file_keys_new(&keys) != SIVKA_OK ||
        sivka_file_keys_add_key_file(keys, key_text, key_len, NULL, 0) != SIVKA_OK)
        return 1;
    if (!names(nowhere, sivka_seal_file(nowhere, "out", keys, 0, 0, NULL, NULL), SIVKA_ERROR_READ) ||
        !names(nowhere, sivka_seal_file(here, nowhere, keys, 0, 0, NULL, NULL), SIVKA_ERROR_WRITE) ||
        !names("/", sivka_seal_file(here, "/", keys, 0, SIVKA_OVERWRITE, NULL, NULL), SIVKA_ERROR_WRITE) ||
        !names(here, sivka_seal_file(here, here, keys, 0, 0, NULL, NULL), SIVKA_ERROR_EXISTS) ||
        !names(nowhere, sivka_open_file(nowhere, "out", keys, 0, NULL, NULL), SIVKA_ERROR_READ) ||
        !names(nowhere, sivka_verify_file(nowhere, keys, NULL, NULL), SIVKA_ERROR_READ) ||
        !names(here, sivka_open_file(here, "out", keys, 0, NULL, NULL), SIVKA_ERROR_NOT_SIVKA) ||
        !names(here, sivka_verify_file(here, keys, NULL, NULL), SIVKA_ERROR_NOT_SIVKA) ||
        !names(nowhere, sivka_add_slot(nowhere, keys, keys, NULL), SIVKA_ERROR_READ) ||
        !names(here, sivka_file_reader_new(here, keys, &reader), SIVKA_ERROR_NOT_SIVKA) ||
        !names(nowhere, sivka_file_reader_new(nowhere, keys, &reader), SIVKA_ERROR_READ))
        return 1;

    key_text[key_len] = '\0';
    secret = strstr(key_text, "key: ") + strlen("key: ");
    if (!hides(secret, sivka_check_key_path(key_text, key_len)) ||
        !hides(secret, sivka_check_key_path(secret, 64)) ||
        !hides(secret, sivka_seal_file(key_text, "out", keys, 0, 0, NULL, NULL)) ||
        !hides(secret, sivka_seal_file(here, key_text, keys, 0, 0, NULL, NULL)) ||
        !hides(secret, sivka_verify_file(key_text, keys, NULL, NULL)) ||
        !hides(secret, sivka_add_slot(key_text, keys, keys, NULL)) ||
        !hides(secret, sivka_file_reader_new(key_text, keys, &reader)) ||
        sivka_check_key_path(here, strlen(here)) != SIVKA_OK ||
        sivka_check_key_path(secret, 63) != SIVKA_OK)
        return 1;
    sivka_file_keys_free(keys);
    printf("%d checks\n", checks);
    return 0;
}
