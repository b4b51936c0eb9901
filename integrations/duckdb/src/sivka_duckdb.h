/* The common part of the extension's files. */
#ifndef SIVKA_DUCKDB_H
#define SIVKA_DUCKDB_H

#include <duckdb_extension.h>

#include "../../column_keys.h"

DUCKDB_EXTENSION_EXTERN

/* The longest of our messages: a function, the name of a key, a path. */
#define MESSAGE_LEN 1024

/* The operator's file of keys; see keys_file.c. */
struct keys_file;

/* A function of SQL: a row of the table in extension.c, and the keys that a database has for it. */
struct function {
    const char *name;
    sivka_algorithm algorithm;
    bool opens;
    /* Gives NULL for what does not open, where others fail. */
    bool tries;
    /* NULL if the setting says where keys are. */
    struct keys_file *keys_file;
};

/* A key for as long as a plan that names it lives. */
struct bound_key {
    struct column_keys keys;
    size_t users;
    char name[MAX_KEY_NAME_LEN + 1];
};

/* Overwrites bytes in a way that a compiler keeps. */
void wipe(void *bytes, size_t len);

/* Makes a key of a text, for which the caller has one use; NULL and a reason if it cannot. */
struct bound_key *make_key(const char *name, const uint8_t *text, size_t len, const char **reason);
void *share_key(void *bound);
void release_key(void *bound);

/* Reads up to `capacity` bytes of a file that only its owner changes and, if it is a secret, reads. Gives
 * their count; -1 and a reason if it cannot. */
int64_t read_guarded_file(const char *path, bool is_secret, uint8_t *text, size_t capacity, const char **reason);

/* Reads up to `capacity` bytes of a program's standard output; -1 and a reason if it fails. */
int64_t run_program(const char *path, uint8_t *text, size_t capacity, const char **reason);

/* Reads the file that the environment names; NULL in `made` if it names none. False and a message if the
 * file, or a program that it names, fails. */
bool read_keys_file(struct keys_file **made, char *message);
struct keys_file *share_keys_file(struct keys_file *file);
void release_keys_file(struct keys_file *file);

/* The key of a name, if the file allows it to a function; NULL and a message if not. */
struct bound_key *take_from_keys_file(const struct function *function, const char *name, char *message);

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
