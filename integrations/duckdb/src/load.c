/* From the text of a key file, or of a Tink keyset in JSON or binary, to keys. */
#include "sivka_duckdb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#ifdef _WIN32
#include <io.h>
#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#else
#define O_BINARY 0
#endif

void wipe(void *bytes, size_t len)
{
    volatile uint8_t *byte = bytes;
    while (len--)
        *byte++ = 0;
}

/* Without a buffer of the C library, which would keep a copy. */
int64_t read_guarded_file(const char *path, bool is_secret, uint8_t *text, size_t capacity, const char **reason)
{
    /* A pipe would otherwise be waited for, and nothing ends that. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_BINARY);
    struct stat status;
    *reason = "cannot be read";
    if (file < 0)
        return -1;
    int64_t len = 0;
    if (fstat(file, &status) != 0 || !is_guarded(&status, is_secret)) {
        *reason = is_secret ? "can be read by others than this process, or is no ordinary file"
                            : "can be written by others than this process, or is no ordinary file";
        len = -1;
    }
    for (int64_t got = 1; len >= 0 && got > 0 && (size_t)len < capacity;) {
        got = read(file, text + len, (unsigned)(capacity - (size_t)len));
        if (got >= 0)
            len += got;
        else if (errno == EINTR)
            got = 1;
        else
            len = -1;
    }
    close(file);
    return len;
}

struct bound_key *make_key(const char *name, const uint8_t *text, size_t len, const char **reason)
{
    struct bound_key *bound = calloc(1, sizeof *bound);
    if (!bound) {
        *reason = "has a key that there is no memory for";
        return NULL;
    }
    bound->users = 1;
    strcpy(bound->name, name);
    *reason = make_column_keys(text, len, &bound->keys);
    if (*reason) {
        release_key(bound);
        return NULL;
    }
    return bound;
}

void *share_key(void *data)
{
    struct bound_key *bound = data;
    __atomic_add_fetch(&bound->users, 1, __ATOMIC_RELAXED);
    return bound;
}

void release_key(void *data)
{
    struct bound_key *bound = data;
    if (__atomic_sub_fetch(&bound->users, 1, __ATOMIC_ACQ_REL) == 0) {
        free_column_keys(&bound->keys);
        free(bound);
    }
}
