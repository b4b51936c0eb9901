/* Seals a text that comes piece by piece, as from a socket, and opens it in the same way. */
#include <sivka.h>

#include <stdio.h>
#include <stdlib.h>

static unsigned char in[1000], out[700];

static void check(sivka_status status)
{
    if (status != SIVKA_OK) {
        fprintf(stderr, "%s\n", sivka_last_error()->detail);
        exit(1);
    }
}

/* Gives all that `from` has to a sealer, or to an opener if that is NULL, and `to` what comes. */
static void pass(sivka_sealer *sealer, sivka_opener *opener, FILE *from, FILE *to)
{
    const size_t room = sizeof out;
    size_t len, at, used, given;

    while ((len = fread(in, 1, sizeof in, from)) > 0) {
        /* If the output is full, the next call takes the rest. */
        for (at = 0; at < len; at += used) {
            const size_t rest = len - at;

            check(sealer ? sivka_sealer_update(sealer, in + at, rest, &used, out, room, &given)
                         : sivka_opener_update(opener, in + at, rest, &used, out, room, &given));
            fwrite(out, 1, given, to);
        }
    }
    /* Not after an error of `from`: what was not ended does not open. */
    do {
        check(sealer ? sivka_sealer_finish(sealer, out, room, &given)
                     : sivka_opener_finish(opener, out, room, &given));
        fwrite(out, 1, given, to);
    } while (given > 0);
}

int main(void)
{
    FILE *plain = tmpfile(), *sealed = tmpfile(), *opened = tmpfile();
    char key_text[SIVKA_MAX_KEY_FILE_LEN];
    size_t key_len, i;
    sivka_file_keys *keys;
    sivka_sealer *sealer;
    sivka_opener *opener;

    if (plain == NULL || sealed == NULL || opened == NULL)
        return 1;
    for (i = 0; i < 10000; i++)
        fputs("meet at noon\n", plain);
    rewind(plain);
    check(sivka_generate_key_file("laptop", key_text, sizeof key_text, &key_len));
    check(sivka_file_keys_new(&keys));
    check(sivka_file_keys_add_key_file(keys, key_text, key_len, NULL, 0));
    check(sivka_sealer_new(keys, 0, &sealer));
    pass(sealer, NULL, plain, sealed);
    rewind(sealed);
    check(sivka_opener_new(keys, &opener));
    pass(NULL, opener, sealed, opened);
    /* Only now is `opened` known to be all of it. */
    printf("%ld of %ld bytes\n", ftell(opened), ftell(plain));
    sivka_sealer_free(sealer);
    sivka_opener_free(opener);
    sivka_file_keys_free(keys);
    return ftell(opened) != ftell(plain) || ferror(plain) || ferror(sealed) || ferror(opened);
}
