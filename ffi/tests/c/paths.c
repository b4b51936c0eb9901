/* Errors of files name the path that the caller gave, and never a temporary one. */
#include "check.h"

static void names(const char *path, sivka_status status, sivka_status expected)
{
    const sivka_error *error = sivka_last_error();
    const size_t len = strlen(path);

    CHECK_STATUS(expected, status);
    CHECK(strncmp(error->detail, path, len) == 0 && error->detail[len] == ':');
    CHECK(strstr(error->detail, "partial") == NULL);
    CHECK(len == 1 || strstr(error->detail + 1, path) == NULL);
    CHECK(error->path != NULL && strcmp(error->path, path) == 0 && error->argument == NULL);
}

/* The text of a key in the place of a path is refused, and no field of the error has it. */
static void hides(const char *secret, sivka_status status)
{
    const sivka_error *error = sivka_last_error();

    CHECK_STATUS(SIVKA_ERROR_KEY_TEXT, status);
    CHECK(strstr(error->detail, secret) == NULL);
    CHECK(error->path == NULL && error->argument != NULL);
}

int main(int argc, char **argv)
{
    const char *nowhere = "/nowhere/file", *here = argc > 0 ? argv[0] : "";
    char key_text[SIVKA_MAX_KEY_FILE_LEN + 1], *secret;
    size_t key_len = 0;
    sivka_file_keys *keys = NULL;
    sivka_file_reader *reader = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_generate_key_file("key", key_text, sizeof key_text - 1, &key_len));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, key_text, key_len, NULL, 0));
    names(nowhere, sivka_seal_file(nowhere, "out", keys, 0, 0, NULL, NULL), SIVKA_ERROR_READ);
    names(nowhere, sivka_seal_file(here, nowhere, keys, 0, 0, NULL, NULL), SIVKA_ERROR_WRITE);
    names("/", sivka_seal_file(here, "/", keys, 0, SIVKA_OVERWRITE, NULL, NULL), SIVKA_ERROR_WRITE);
    names(here, sivka_seal_file(here, here, keys, 0, 0, NULL, NULL), SIVKA_ERROR_EXISTS);
    names(nowhere, sivka_open_file(nowhere, "out", keys, 0, NULL, NULL), SIVKA_ERROR_READ);
    names(nowhere, sivka_verify_file(nowhere, keys, NULL, NULL), SIVKA_ERROR_READ);
    names(here, sivka_open_file(here, "out", keys, 0, NULL, NULL), SIVKA_ERROR_NOT_SIVKA);
    names(here, sivka_verify_file(here, keys, NULL, NULL), SIVKA_ERROR_NOT_SIVKA);
    names(nowhere, sivka_add_slot(nowhere, keys, keys, NULL), SIVKA_ERROR_READ);
    names(here, sivka_file_reader_new(here, keys, &reader), SIVKA_ERROR_NOT_SIVKA);
    names(nowhere, sivka_file_reader_new(nowhere, keys, &reader), SIVKA_ERROR_READ);

    key_text[key_len] = '\0';
    secret = strstr(key_text, "key: ") + strlen("key: ");
    hides(secret, sivka_check_key_path(key_text, key_len));
    hides(secret, sivka_check_key_path(secret, 64));
    hides(secret, sivka_seal_file(key_text, "out", keys, 0, 0, NULL, NULL));
    hides(secret, sivka_seal_file(here, key_text, keys, 0, 0, NULL, NULL));
    hides(secret, sivka_verify_file(key_text, keys, NULL, NULL));
    hides(secret, sivka_add_slot(key_text, keys, keys, NULL));
    hides(secret, sivka_file_reader_new(key_text, keys, &reader));
    CHECK_STATUS(SIVKA_OK, sivka_check_key_path(here, strlen(here)));
    CHECK_STATUS(SIVKA_OK, sivka_check_key_path(secret, 63));
    sivka_file_keys_free(keys);
    return report();
}
