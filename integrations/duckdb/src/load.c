/* From the text of a key file, or of a Tink keyset in JSON or binary, to keys. */
#include "sivka_duckdb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <io.h>
#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#else
#include <unistd.h>
#define O_BINARY 0
#endif

void wipe(void *bytes, size_t len)
{
    volatile uint8_t *byte = bytes;
    while (len--)
        *byte++ = 0;
}

bool is_name(const char *name)
{
    size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    return len > 0 && len <= MAX_NAME_LEN && name[len] == 0;
}

/* Windows has other rights, which are not looked at. */
static bool is_guarded(const struct stat *status, bool is_secret)
{
#ifdef _WIN32
    (void)is_secret;
    return S_ISREG(status->st_mode);
#else
    bool is_roots = status->st_uid == 0;
    mode_t others = S_IWGRP | S_IWOTH;
    if (is_secret)
        others |= S_IXGRP | S_IRWXO | (is_roots ? 0 : S_IRGRP);
    return S_ISREG(status->st_mode) && (is_roots || status->st_uid == geteuid()) && (status->st_mode & others) == 0;
#endif
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

/* A keyset in JSON begins with a brace, one in binary with its first field. */
static const char *make_keys(struct bound_key *bound, const uint8_t *text, size_t len)
{
    bool is_json = len > 0 && text[0] == '{', is_binary = len > 0 && text[0] == 8;
    if (len > MAX_TEXT_LEN)
        return "is too long";
    if (!is_json && !is_binary) {
        if (sivka_column_key_new(SIVKA_AES_256_GCM_SIV, (const char *)text, len, &bound->sealing) != SIVKA_OK ||
            sivka_column_key_new(SIVKA_XCHACHA20_BLAKE2B_SIV, (const char *)text, len, &bound->tokens) != SIVKA_OK)
            return "is not a key file";
        return NULL;
    }
    uint32_t form = is_json ? SIVKA_KEYSET_JSON : SIVKA_KEYSET_BINARY;
    sivka_keyset *keyset;
    if (sivka_keyset_from_insecure(text, len, form, &keyset) != SIVKA_OK)
        return "is not a keyset whose keys are known here";
    sivka_keyset_purpose purpose = sivka_keyset_primitive(keyset);
    sivka_key **place = purpose == SIVKA_KEYSET_AEAD ? &bound->sealing : &bound->tokens;
    sivka_status status = sivka_keyset_key(keyset, purpose, place);
    sivka_keyset_free(keyset);
    return status == SIVKA_OK ? NULL : "has a keyset that cannot seal";
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
    *reason = make_keys(bound, text, len);
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
        sivka_key_free(bound->sealing);
        sivka_key_free(bound->tokens);
        free(bound);
    }
}
