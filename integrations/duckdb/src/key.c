/*
 * Keys by name: a plan that uses a key takes it from the library's keyring when it is bound. The keyring is
 * the operator's keys file, read when the extension is loaded: no statement changes what it says. Where there
 * is none, the setting sivka_keys has the path of a key for each name.
 *
 * No key is ever a value of SQL, so none is in a plan, a log, a profile or an error. Files of the
 * setting are read through DuckDB's file system, so that its limits on what SQL may read hold for
 * them.
 */
#include "sivka_duckdb.h"

#include <stdio.h>
#include <stdlib.h>

#define SETTING "sivka_keys"
#define VARIABLE "SIVKA_DUCKDB_KEYS"

struct keyring *make_keyring(char *message)
{
    const char *path = getenv(VARIABLE);
    struct keyring *keyring = calloc(1, sizeof *keyring);
    if (!keyring) {
        snprintf(message, MESSAGE_LEN, "sivka: there is no memory for keys");
        return NULL;
    }
    keyring->users = 1;
    keyring->is_operators = path != NULL;
    sivka_status status = path ? sivka_keyring_read(path, "the file that " VARIABLE " names", &keyring->names)
                               : sivka_keyring_parse(NULL, 0, "the setting " SETTING, &keyring->names);
    if (status == SIVKA_OK)
        return keyring;
    snprintf(message, MESSAGE_LEN, "sivka: %s", sivka_last_error()->detail);
    release_keyring(keyring);
    return NULL;
}

void release_keyring(struct keyring *keyring)
{
    if (keyring && __atomic_sub_fetch(&keyring->users, 1, __ATOMIC_ACQ_REL) == 0) {
        sivka_keyring_free(keyring->names);
        free(keyring);
    }
}

static void *share_key(void *data)
{
    struct bound_key *bound = data;
    __atomic_add_fetch(&bound->users, 1, __ATOMIC_RELAXED);
    return bound;
}

static void release_key(void *data)
{
    struct bound_key *bound = data;
    if (__atomic_sub_fetch(&bound->users, 1, __ATOMIC_ACQ_REL) == 0) {
        free_column_keys(&bound->keys);
        free(bound);
    }
}

bool register_key_setting(duckdb_connection connection)
{
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type map = duckdb_create_map_type(text, text);
    duckdb_value none = duckdb_create_map_value(map, NULL, NULL, 0);
    duckdb_config_option option = duckdb_create_config_option();
    duckdb_config_option_set_name(option, SETTING);
    duckdb_config_option_set_type(option, map);
    duckdb_config_option_set_default_value(option, none);
    duckdb_config_option_set_default_scope(option, DUCKDB_CONFIG_OPTION_SCOPE_GLOBAL);
    duckdb_config_option_set_description(option, "The key file of each name, for sivka_seal and its like");
    duckdb_state registered = duckdb_register_config_option(connection, option);
    duckdb_destroy_config_option(&option);
    duckdb_destroy_value(&none);
    duckdb_destroy_logical_type(&map);
    duckdb_destroy_logical_type(&text);
    return registered == DuckDBSuccess;
}

/* The name, which the caller frees with duckdb_free(), or NULL and a message. */
static char *name_in(duckdb_bind_info info, duckdb_client_context context, char *message)
{
    duckdb_expression argument = duckdb_scalar_function_bind_get_argument(info, 1);
    duckdb_value value = NULL;
    char *name = NULL;
    if (duckdb_expression_is_foldable(argument)) {
        duckdb_error_data error = duckdb_expression_fold(context, argument, &value);
        duckdb_destroy_error_data(&error);
    }
    if (value && !duckdb_is_null_value(value))
        name = duckdb_get_varchar(value);
    duckdb_destroy_value(&value);
    duckdb_destroy_expression(&argument);
    if (!name)
        snprintf(message, MESSAGE_LEN, "the name of the key must be a constant");
    return name;
}

/* The path for a name, which the caller frees with duckdb_free(), or NULL, with a message if that is not for
 * want of the name. Only the global setting counts: one of a session hides it, even after RESET, until the
 * connection ends. */
static char *path_of(duckdb_client_context context, const char *name, char *message)
{
    duckdb_config_option_scope scope = DUCKDB_CONFIG_OPTION_SCOPE_INVALID;
    duckdb_value keys = duckdb_client_context_get_config_option(context, SETTING, &scope);
    char *path = NULL;
    if (scope == DUCKDB_CONFIG_OPTION_SCOPE_SESSION || scope == DUCKDB_CONFIG_OPTION_SCOPE_LOCAL) {
        snprintf(message, MESSAGE_LEN,
                 SETTING " was set or reset for this session, which hides it: use SET GLOBAL in a new connection");
        duckdb_destroy_value(&keys);
        return NULL;
    }
    bool is_set = keys && scope == DUCKDB_CONFIG_OPTION_SCOPE_GLOBAL && !duckdb_is_null_value(keys);
    idx_t count = is_set ? duckdb_get_map_size(keys) : 0;
    for (idx_t i = 0; i < count && !path; i++) {
        duckdb_value key = duckdb_get_map_key(keys, i), value = duckdb_get_map_value(keys, i);
        char *found = duckdb_get_varchar(key);
        if (found && strcmp(found, name) == 0 && !duckdb_is_null_value(value))
            path = duckdb_get_varchar(value);
        duckdb_free(found);
        duckdb_destroy_value(&value);
        duckdb_destroy_value(&key);
    }
    duckdb_destroy_value(&keys);
    return path;
}

/* Reads up to `capacity` bytes; -1 if it cannot. */
static int64_t read_file(duckdb_client_context context, const char *path, uint8_t *bytes, size_t capacity)
{
    duckdb_file_system files = duckdb_client_context_get_file_system(context);
    duckdb_file_open_options options = duckdb_create_file_open_options();
    duckdb_file_open_options_set_flag(options, DUCKDB_FILE_FLAG_READ, true);
    duckdb_file_handle file = NULL;
    int64_t len = -1;
    if (duckdb_file_system_open(files, path, options, &file) == DuckDBSuccess) {
        len = 0;
        for (int64_t read = 1; read > 0 && (size_t)len < capacity; len = read < 0 ? -1 : len + read)
            read = duckdb_file_handle_read(file, bytes + len, (int64_t)capacity - len);
    }
    duckdb_destroy_file_handle(&file);
    duckdb_destroy_file_open_options(&options);
    duckdb_destroy_file_system(&files);
    return len;
}

/* Takes the key of a name, of `text` unless that is NULL; false and a message if the keyring does not give it. */
static bool take(const struct function *function, struct bound_key *bound, const uint8_t *text, size_t len,
                 char *message)
{
    /* Users who may open or seal a value may make its token. */
    const bool is_token = !function->opens && sivka_inspect_algorithm(function->algorithm)->nonce_len == 0;
    const uint32_t rights = (function->opens ? 0 : SIVKA_KEYRING_SEAL) |
                            (function->opens || is_token ? SIVKA_KEYRING_OPEN : 0);
    sivka_status status = sivka_keyring_take(function->keyring->names, bound->name, strlen(bound->name), rights, text,
                                             len, &bound->keys.sealing, &bound->keys.tokens);
    if (status != SIVKA_OK)
        snprintf(message, MESSAGE_LEN, "%s", sivka_last_error()->detail);
    return status == SIVKA_OK;
}

/* Takes the key of a name from where the setting says. */
static bool take_of_setting(const struct function *function, duckdb_client_context context, struct bound_key *bound,
                            char *message)
{
    uint8_t text[SIVKA_KEYRING_MAX_TEXT_LEN + 1];
    *message = 0;
    char *path = path_of(context, bound->name, message);
    if (!path)
        return *message == 0 && take(function, bound, NULL, 0, message);
    /* A key that somebody put there must not be in an error, too. A program would be run by anybody who
     * may write SQL: only the keys file has programs. */
    const bool is_key = sivka_check_key_path(path, strlen(path)) != SIVKA_OK;
    int64_t len = is_key ? 0 : read_file(context, path, text, sizeof text);
    bool taken = false;
    if (is_key)
        snprintf(message, MESSAGE_LEN, "key '%s' in the setting " SETTING " is a key, and not a path", bound->name);
    else if (len < 0)
        snprintf(message, MESSAGE_LEN, "the file of key '%s' cannot be read: %s", bound->name, path);
    else if (!(taken = take(function, bound, text, (size_t)len, message)))
        snprintf(message + strlen(message), MESSAGE_LEN - strlen(message), ": %s", path);
    sivka_wipe(text, sizeof text);
    duckdb_free(path);
    return taken;
}

/* Whether a key is for a function: always, unless it is a keyset for the other kind. */
static bool is_for(const struct bound_key *bound, const struct function *function, char *message)
{
    if (column_key(bound, function))
        return true;
    snprintf(message, MESSAGE_LEN, "key '%s' is a keyset that is not for %s", bound->name,
             sivka_inspect_algorithm(function->algorithm)->nonce_len > 0 ? "AEAD" : "deterministic AEAD");
    return false;
}

/* The key of a name for a function, with one use; NULL and a message if it cannot be. */
static struct bound_key *bind_name(const struct function *function, duckdb_client_context context, const char *name,
                                   char *message)
{
    const char *place;
    if (sivka_keyring_path(function->keyring->names, name, strlen(name), &place) != SIVKA_OK) {
        snprintf(message, MESSAGE_LEN, "%s", sivka_last_error()->detail);
        return NULL;
    }
    struct bound_key *bound = calloc(1, sizeof *bound);
    if (!bound) {
        snprintf(message, MESSAGE_LEN, "there is no memory for a key");
        return NULL;
    }
    bound->users = 1;
    strcpy(bound->name, name);
    if ((function->keyring->is_operators ? take(function, bound, NULL, 0, message)
                                         : take_of_setting(function, context, bound, message)) &&
        is_for(bound, function, message))
        return bound;
    release_key(bound);
    return NULL;
}

void bind_key(duckdb_bind_info info)
{
    const struct function *function = duckdb_scalar_function_bind_get_extra_info(info);
    char reason[MESSAGE_LEN], message[MESSAGE_LEN];
    duckdb_client_context context;
    duckdb_scalar_function_get_client_context(info, &context);
    char *name = name_in(info, context, reason);
    struct bound_key *bound = name ? bind_name(function, context, name, reason) : NULL;
    if (bound) {
        duckdb_scalar_function_set_bind_data(info, bound, release_key);
        duckdb_scalar_function_set_bind_data_copy(info, share_key);
    } else {
        snprintf(message, sizeof message, "%s: %.900s", function->name, reason);
        duckdb_scalar_function_bind_set_error(info, message);
    }
    /* It may be a key that was given by mistake. */
    if (name)
        sivka_wipe(name, strlen(name));
    duckdb_free(name);
    duckdb_destroy_client_context(&context);
}
