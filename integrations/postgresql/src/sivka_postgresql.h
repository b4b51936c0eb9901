/* The common part of the extension's files. */
#ifndef SIVKA_POSTGRESQL_H
#define SIVKA_POSTGRESQL_H

#include "postgres.h"

#include "fmgr.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#include "../../column_keys.h"

/* The server loads libraries into one name space; only what it calls by name is to be seen. */
#pragma GCC visibility push(hidden)

/* The form of a value outside: its bytes, text in UTF-8, or the text of JSON. */
enum form { FORM_BYTES, FORM_TEXT, FORM_JSONB };

/* A function of SQL: a row of the table in value.c. */
struct function {
    const char *name;
    sivka_algorithm algorithm;
    enum form form;
    bool opens;
    /* Gives NULL for what does not open, where others fail. */
    bool tries;
};

/* The key that a function's second argument names, for the current user: memory of this process,
 * good for this call of the function only. */
const sivka_key *key_for(FunctionCallInfo fcinfo, const struct function *function);

/* Whether a function makes tokens or opens them. */
static inline bool is_for_tokens(const struct function *function)
{
    return function->algorithm == SIVKA_XCHACHA20_BLAKE2B_SIV;
}

/* Takes the key of a name from the keyring, which has its place: a path, or "|" and the path of a program.
 * Makes it in locked memory. Fails the query if it cannot. */
struct column_keys load_key(const struct function *function, const sivka_keyring *keyring, const char *name,
                            const char *place);

/* Defines the setting sivka.keys, and says when rights have to be looked up again. */
void define_key_setting(void);

/* An argument that is text, in UTF-8: its bytes, which may be those of the argument. */
struct bytes {
    const uint8_t *start;
    size_t len;
};
struct bytes utf8_of(text *argument);

/* The argument of a function in a form, and the form of its opened value. */
struct bytes bytes_in_form(Datum value, enum form form);
Datum value_in_form(const struct function *function, bytea *opened);

/* Fails the query; the message never has any of a value. */
_Noreturn void fail(const struct function *function, sivka_status status);
_Noreturn void fail_null(const struct function *function, const char *what);

/*
 * Memory for keys: locked, in no core dump, not inherited, wiped when it is freed. It is prepared
 * before each key, which fails the query if there is no room for so much. Between begin and end, what the
 * library allocates is there too; end says whether all of it was.
 */
void prepare_locked_memory(size_t len);
void begin_locked_memory(void);
bool end_locked_memory(void);
void *locked_alloc(size_t len);
void locked_free(void *memory);

#pragma GCC visibility pop

#endif
