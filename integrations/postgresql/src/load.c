/*
 * From a file, or a program's standard output, to a key in locked memory: the text of a key file, or
 * a Tink keyset in JSON or binary.
 */
#include "sivka_postgresql.h"

#include "miscadmin.h"
#include "storage/fd.h"

#include <errno.h>
#include <fcntl.h>

/* More than the library allocates for any one key, beside what grows with a keyset's text. */
#define KEY_ROOM_LEN ((size_t)8 << 10)

#define NO_ROOM "has a key that locked memory has no room for"

/* Where a key comes from while it is read: a file, or a pipe from a program. */
struct source {
    const struct function *function;
    const char *name, *path;
    FILE *program;
    int file;
    size_t capacity;
};

/* Fails the query. Only the server's log gets the path. */
static _Noreturn void fail_source(const struct source *source, const char *reason)
{
    ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
                    errmsg("%s: the %s of key \"%s\" %s", source->function->name, source->program ? "program" : "file",
                           source->name, reason),
                    errdetail_log("The path is \"%s\".", source->path)));
}

static void open_file(struct source *source)
{
    struct stat status;
    /* Nothing ends a process that waits for somebody to write to a pipe. */
    source->file = BasicOpenFile(source->path, O_RDONLY | O_NONBLOCK | PG_BINARY);
    if (source->file < 0)
        fail_source(source, "cannot be read");
    if (fstat(source->file, &status) != 0 || !is_guarded(&status, true)) {
        close(source->file);
        fail_source(source, "can be read by others than the server, or is no ordinary file");
    }
    source->capacity = Min((size_t)status.st_size, MAX_KEY_TEXT_LEN) + 1;
}

static void open_program(struct source *source)
{
    char command[MAXPGPATH + 16];
    snprintf(command, sizeof command, "exec '%s'", source->path);
    source->program = OpenPipeStream(command, "r");
    if (!source->program)
        ereport(ERROR, (errcode_for_file_access(), errmsg("%s: the program of key \"%s\" cannot be run: %m",
                                                          source->function->name, source->name)));
    source->file = fileno(source->program);
    source->capacity = MAX_KEY_TEXT_LEN + 1;
    ereport(LOG, (errmsg("sivka: the program \"%s\" gives key \"%s\"", source->path, source->name)));
}

/* Without a buffer of the C library, which would keep a copy. Nothing here may throw: there is
 * locked memory that nobody knows yet. */
static const char *read_source(struct source *source, char *text, size_t *len)
{
    ssize_t got = 1;
    for (*len = 0; text && got != 0 && *len < source->capacity;) {
        got = read(source->file, text + *len, source->capacity - *len);
        if (got < 0 && errno != EINTR)
            break;
        *len += got < 0 ? 0 : (size_t)got;
    }
    int closed = source->program ? ClosePipeStream(source->program) : close(source->file);
    if (!text)
        return NO_ROOM;
    if (source->program && closed != 0 && *len < source->capacity)
        return "failed";
    if (got < 0)
        return "cannot be read";
    return *len == source->capacity ? "is too long, or changed while it was read" : NULL;
}

struct column_keys load_key(const struct function *function, const char *name, const char *place)
{
    struct source source = {.function = function, .name = name, .path = place + (*place == '|')};
    prepare_locked_memory(KEY_ROOM_LEN + (*place == '|' ? MAX_KEY_TEXT_LEN : SIVKA_MAX_KEY_FILE_LEN));
    if (*place == '|')
        open_program(&source);
    else
        open_file(&source);
    struct column_keys made = {NULL, NULL};
    size_t len = 0;
    char *text = locked_alloc(source.capacity);
    const char *reason = read_source(&source, text, &len);
    begin_locked_memory();
    if (!reason)
        reason = make_column_keys((const uint8_t *)text, len, &made);
    if (!end_locked_memory() && !reason)
        reason = NO_ROOM;
    if (text)
        locked_free(text);
    if (reason) {
        free_column_keys(&made);
        /* Cancelling a query also ends its program. */
        CHECK_FOR_INTERRUPTS();
        fail_source(&source, reason);
    }
    return made;
}
