/* What the parts of the extension share. */
#ifndef SIVKA_DUCKDB_H
#define SIVKA_DUCKDB_H

#include <duckdb_extension.h>
#include <sivka.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

/* Room for a message of ours: a function, the name of a key, a path. */
#define MESSAGE_LEN 1024

/* A function of SQL: a row of the table in extension.c. */
struct function {
    const char *name;
    sivka_algorithm algorithm;
    bool opens;
    /* Gives NULL for what does not open, where others fail. */
    bool tries;
};

/* A key for as long as a plan that names it lives. */
struct bound_key {
    sivka_key *key;
    size_t plans;
    char name[];
};

/* duckdb_scalar_function_bind_t: takes the key that the second argument names. */
void bind_key(duckdb_bind_info info);

/* Registers the setting that says where keys are. */
bool register_key_setting(duckdb_connection connection);

/* duckdb_scalar_function_init_t: makes what one thread needs for a vector. */
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

/* Fails the query; the message never has any of a value. */
void fail_rows(duckdb_function_info info, sivka_status status);

#endif
