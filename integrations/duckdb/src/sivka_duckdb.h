/* The common part of the extension's files. */
#ifndef SIVKA_DUCKDB_H
#define SIVKA_DUCKDB_H

#include <duckdb_extension.h>

#include "../../column_keys.h"

DUCKDB_EXTENSION_EXTERN

/* The longest of our messages: a function, the name of a key, a path. */
#define MESSAGE_LEN 1024

/* The keyring of a database: the operator's, or an empty one if the setting says where keys are. */
struct keyring {
    sivka_keyring *names;
    bool is_operators;
    size_t users;
};

/* A function of SQL: a row of the table in extension.c, and the keys that a database has for it. */
struct function {
    const char *name;
    sivka_algorithm algorithm;
    bool opens;
    /* Gives NULL for what does not open, where others fail. */
    bool tries;
    struct keyring *keyring;
};

/* A key for as long as a plan that names it lives. */
struct bound_key {
    struct column_keys keys;
    size_t users;
    char name[SIVKA_KEYRING_MAX_NAME_LEN + 1];
};

/* Makes the keyring of the keys file that the environment names, or an empty one if it names none. NULL and
 * a message if the file, or a program that it names, fails. */
struct keyring *make_keyring(char *message);
void release_keyring(struct keyring *keyring);

/* duckdb_scalar_function_bind_t: takes the key that the second argument names. */
void bind_key(duckdb_bind_info info);

/* Registers the setting that says where keys are. */
bool register_key_setting(duckdb_connection connection);

/* duckdb_scalar_function_init_t: makes the memory of one thread for a vector. */
void make_rows(duckdb_init_info info);

/* duckdb_scalar_function_t: seals or opens a vector. */
void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

static inline const uint8_t *string_bytes(const duckdb_string_t *string)
{
    return (const uint8_t *)(string->value.inlined.length <= sizeof string->value.inlined.inlined
                                 ? string->value.inlined.inlined
                                 : string->value.pointer.ptr);
}

static inline size_t string_len(const duckdb_string_t *string)
{
    return string->value.inlined.length;
}

/* A parameter of a function, flat. */
struct argument {
    const duckdb_string_t *strings;
    const uint64_t *validity;
};

static inline struct argument argument_at(duckdb_data_chunk input, idx_t index)
{
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, index);
    struct argument argument = {duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
    return argument;
}

static inline bool is_null(const struct argument *argument, idx_t row)
{
    return argument->validity && !(argument->validity[row / 64] >> row % 64 & 1);
}

/* The key that a function uses; NULL if it is a keyset's for other functions. */
static inline const sivka_key *column_key(const struct bound_key *bound, const struct function *function)
{
    return column_key_of(&bound->keys, function->algorithm);
}

#endif
