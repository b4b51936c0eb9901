/*
 * From the library's keyring to a key in locked memory. A program runs here, and not in the library: it is
 * in the session's process group, so that what cancels a query or ends the session also ends the program.
 */
#include "sivka_postgresql.h"

#include "miscadmin.h"
#include "storage/fd.h"

#include <errno.h>
#include <unistd.h>

/* More than the library allocates for any one key, beside what grows with a keyset's text. */
#define KEY_ROOM_LEN ((size_t)8 << 10)
/* One more than a text has, so that a longer one is noticed. */
#define CAPACITY ((size_t)SIVKA_KEYRING_MAX_TEXT_LEN + 1)

#define NO_ROOM "has a key that locked memory has no room for"

static FILE *start(const struct function *function, const char *name, const char *path)
{
    FILE *program = OpenPipeStream(psprintf("exec '%s'", path), "r");
    if (!program)
        ereport(ERROR, (errcode_for_file_access(),
                        errmsg("%s: the program of key \"%s\" cannot be run: %m", function->name, name)));
    ereport(LOG, (errmsg("sivka: the program \"%s\" gives key \"%s\"", path, name)));
    return program;
}

/* Without a buffer of the C library, which would keep a copy. Nothing here may throw: there is
 * locked memory that nobody knows yet. */
static const char *read_program(FILE *program, char *text, size_t *len)
{
    ssize_t got = 1;
    for (*len = 0; text && got != 0 && *len < CAPACITY;) {
        got = read(fileno(program), text + *len, CAPACITY - *len);
        if (got < 0 && errno != EINTR)
            break;
        *len += got < 0 ? 0 : (size_t)got;
    }
    int closed = ClosePipeStream(program);
    if (!text)
        return NO_ROOM;
    if (closed != 0 && *len < CAPACITY)
        return "failed";
    return got < 0 ? "cannot be read" : NULL;
}

struct column_keys load_key(const struct function *function, const sivka_keyring *keyring, const char *name,
                            const char *place)
{
    const bool is_program = *place == '|';
    prepare_locked_memory(KEY_ROOM_LEN + (is_program ? CAPACITY : SIVKA_MAX_KEY_FILE_LEN));
    struct column_keys made = {NULL, NULL};
    char *text = NULL;
    const char *reason = NULL;
    size_t len = 0;
    if (is_program) {
        FILE *program = start(function, name, place + 1);
        text = locked_alloc(CAPACITY);
        reason = read_program(program, text, &len);
    }
    begin_locked_memory();
    sivka_status status = SIVKA_OK;
    if (!reason)
        status = sivka_keyring_take(keyring, name, strlen(name), SIVKA_KEYRING_SEAL, (uint8_t *)text, len,
                                    &made.sealing, &made.tokens);
    if (!end_locked_memory() && status == SIVKA_OK && !reason)
        reason = NO_ROOM;
    if (text)
        locked_free(text);
    if (reason || status != SIVKA_OK) {
        free_column_keys(&made);
        /* Cancelling a query also ends its program. */
        CHECK_FOR_INTERRUPTS();
        /* Only the server's log gets the path. */
        ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
                        reason ? errmsg("%s: the %s of key \"%s\" %s", function->name,
                                        is_program ? "program" : "file", name, reason)
                               : errmsg("%s: %s", function->name, sivka_last_error()->detail),
                        errdetail_log("The path is \"%s\".", place + is_program)));
    }
    return made;
}
