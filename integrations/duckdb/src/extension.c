/*
 * The extension's entry: which functions there are, with which parameters.
 *
 * Each form of a function has its row of the table, with the keys of the database that loaded it.
 */
#include "sivka_duckdb.h"

#include <stdlib.h>

static const struct function functions[] = {
    {"sivka_seal", SIVKA_AES_256_GCM_SIV, false, false, NULL},
    {"sivka_open", SIVKA_AES_256_GCM_SIV, true, false, NULL},
    {"sivka_try_open", SIVKA_AES_256_GCM_SIV, true, true, NULL},
    {"sivka_token", SIVKA_XCHACHA20_BLAKE2B_SIV, false, false, NULL},
    {"sivka_open_token", SIVKA_XCHACHA20_BLAKE2B_SIV, true, false, NULL},
    {"sivka_try_open_token", SIVKA_XCHACHA20_BLAKE2B_SIV, true, true, NULL},
};

/*
 * A call that draws a nonce may be run neither once for a constant nor once for two calls. A token is
 * the same each time: one of a constant is made once, and pushed to where rows are stored.
 *
 * DuckDB 1 takes all functions of this interface for such as never fail, and runs them on values
 * of a dictionary that no row has; being volatile keeps it from that. DuckDB 2 knows better.
 */
static bool is_volatile(const struct function *function)
{
    if (function->opens)
        return !function->tries && strncmp(duckdb_library_version(), "v1.", 3) == 0;
    return sivka_inspect_algorithm(function->algorithm)->nonce_len > 0;
}

static void free_function(void *data)
{
    struct function *function = data;
    release_keyring(function->keyring);
    free(function);
}

static bool add_form(duckdb_scalar_function_set set, const struct function *function,
                     const duckdb_type *parameters, size_t count)
{
    struct function *own = malloc(sizeof *own);
    if (!own)
        return false;
    *own = *function;
    __atomic_add_fetch(&own->keyring->users, 1, __ATOMIC_RELAXED);
    duckdb_scalar_function form = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(form, function->name);
    for (size_t i = 0; i < count; i++) {
        duckdb_logical_type type = duckdb_create_logical_type(parameters[i]);
        duckdb_scalar_function_add_parameter(form, type);
        duckdb_destroy_logical_type(&type);
    }
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_scalar_function_set_return_type(form, blob);
    duckdb_destroy_logical_type(&blob);
    duckdb_scalar_function_set_extra_info(form, own, free_function);
    duckdb_scalar_function_set_bind(form, bind_key);
    duckdb_scalar_function_set_init(form, make_rows);
    /* A null is not always a null's result: see rows.c. */
    duckdb_scalar_function_set_special_handling(form);
    duckdb_scalar_function_set_function(form, run_rows);
    if (is_volatile(function))
        duckdb_scalar_function_set_volatile(form);
    duckdb_state added = duckdb_add_scalar_function_to_set(set, form);
    duckdb_destroy_scalar_function(&form);
    return added == DuckDBSuccess;
}

/* A value or sealed value, the name of a key, and perhaps a context. */
static bool register_function(duckdb_connection connection, const struct function *function)
{
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(function->name);
    const duckdb_type values[] = {DUCKDB_TYPE_BLOB, DUCKDB_TYPE_VARCHAR};
    bool registered = true;
    /* A value that opens was sealed, and is no text. */
    for (size_t i = 0; i < (function->opens ? 1 : 2); i++) {
        duckdb_type parameters[] = {values[i], DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BLOB};
        registered &= add_form(set, function, parameters, 2) && add_form(set, function, parameters, 3);
        parameters[2] = DUCKDB_TYPE_VARCHAR;
        registered &= add_form(set, function, parameters, 3);
    }
    registered = registered && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_scalar_function_set(&set);
    return registered;
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    char message[MESSAGE_LEN] = "sivka: a function or setting of this name is there already";
    struct keyring *keyring = sivka_abi_version() == SIVKA_ABI_VERSION ? make_keyring(message) : NULL;
    /* With a keys file there is no setting: no statement may change names, places or rights. */
    bool registered = keyring && (keyring->is_operators || register_key_setting(connection));
    for (size_t i = 0; registered && i < sizeof functions / sizeof *functions; i++) {
        struct function function = functions[i];
        function.keyring = keyring;
        registered = register_function(connection, &function);
    }
    release_keyring(keyring);
    if (!registered)
        access->set_error(info, message);
    return registered;
}
