/* The common part of DuckDB and PostgreSQL: the keys of a name. The library's keyring gives them. */
#ifndef SIVKA_COLUMN_KEYS_H
#define SIVKA_COLUMN_KEYS_H

#include <sivka.h>
#include <string.h>

/* The keys that a key file gives columns, or that of a Tink keyset. The other is NULL. */
struct column_keys {
    sivka_key *sealing, *tokens;
};

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
