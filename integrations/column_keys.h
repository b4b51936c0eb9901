/* The common part of DuckDB and PostgreSQL: names of keys, rights of their files, and loading keys. */
#ifndef SIVKA_COLUMN_KEYS_H
#define SIVKA_COLUMN_KEYS_H

#include <sivka.h>
#include <string.h>
#include <sys/stat.h>
#ifndef _WIN32
#include <unistd.h>
#endif

/* Shorter than 32 bytes in base64, so that a key given by mistake is in no message. */
#define MAX_KEY_NAME_LEN 40

/* The longest keyset that is read. A key file is shorter. */
#define MAX_KEY_TEXT_LEN ((size_t)16 << 10)

/* The keys that a key file gives columns, or that of a Tink keyset. The other is NULL. */
struct column_keys {
    sivka_key *sealing, *tokens;
};

static inline bool is_key_name(const char *name, size_t len)
{
    return len > 0 && len <= MAX_KEY_NAME_LEN &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") >= len;
}

/* Whether only this process's user or root changes a file and, if it is a secret, reads it; root's may be read by
 * its group, as a server's certificate. Windows has other rights, which are not looked at. */
static inline bool is_guarded(const struct stat *status, bool is_secret)
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

/* Makes the keys of a text, both at once, since a program may run for it; NULL, or the reason why it cannot. The
 * caller frees them also then. A keyset in JSON begins with a brace, one in binary with its first field. */
static inline const char *make_column_keys(const uint8_t *text, size_t len, struct column_keys *made)
{
    bool is_json = len > 0 && text[0] == '{', is_binary = len > 0 && text[0] == 8;
    if (len > MAX_KEY_TEXT_LEN)
        return "is too long";
    if (!is_json && !is_binary) {
        sivka_status status = sivka_column_key_new(SIVKA_AES_256_GCM_SIV, (const char *)text, len, &made->sealing);
        if (status == SIVKA_OK)
            status = sivka_column_key_new(SIVKA_XCHACHA20_BLAKE2B_SIV, (const char *)text, len, &made->tokens);
        return status == SIVKA_OK ? NULL : "is not a key file";
    }
    uint32_t form = is_json ? SIVKA_KEYSET_JSON : SIVKA_KEYSET_BINARY;
    sivka_keyset *keyset;
    if (sivka_keyset_from_insecure(text, len, form, &keyset) != SIVKA_OK)
        return "is not a keyset whose keys are known here";
    sivka_keyset_purpose purpose = sivka_keyset_primitive(keyset);
    sivka_key **place = purpose == SIVKA_KEYSET_AEAD ? &made->sealing : &made->tokens;
    sivka_status status = sivka_keyset_key(keyset, purpose, place);
    sivka_keyset_free(keyset);
    return status == SIVKA_OK ? NULL : "has a keyset that cannot seal";
}

static inline void free_column_keys(struct column_keys *keys)
{
    sivka_key_free(keys->sealing);
    sivka_key_free(keys->tokens);
    *keys = (struct column_keys){NULL, NULL};
}

/* The key for values, or for tokens; NULL if it is a keyset's for the others. */
static inline const sivka_key *column_key_of(const struct column_keys *keys, sivka_algorithm algorithm)
{
    return algorithm == SIVKA_AES_256_GCM_SIV ? keys->sealing : keys->tokens;
}

#endif
