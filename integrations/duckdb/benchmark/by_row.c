/*
 * The functions of src/rows.c as they would be with one call of the library a row, to measure
 * beside. `build.py --rows` takes this file in place of that one.
 */
#include "../src/sivka_duckdb.h"

#include <stdio.h>
#include <stdlib.h>

/* A row on its way, in one thread. */
struct row {
    uint8_t *bytes;
    size_t capacity;
};

static void free_row(void *data)
{
    free(((struct row *)data)->bytes);
    free(data);
}

void make_rows(duckdb_init_info info)
{
    struct row *row = calloc(1, sizeof *row);
    if (row)
        duckdb_scalar_function_init_set_state(info, row, free_row);
    else
        duckdb_scalar_function_init_set_error(info, "sivka: there is no memory for a row");
}

void fail_rows(duckdb_function_info info, sivka_status status)
{
    const struct function *function = duckdb_scalar_function_get_extra_info(info);
    const struct bound_key *bound = duckdb_scalar_function_get_bind_data(info);
    char message[MESSAGE_LEN];
    snprintf(message, sizeof message, "%s, key '%s': %s", function->name, bound->name, sivka_status_message(status));
    duckdb_scalar_function_set_error(info, message);
}

static sivka_status run_row(const struct function *function, const sivka_key *key, struct row *row,
                            const duckdb_string_t *value, const duckdb_string_t *context, size_t *len)
{
    const uint8_t *aad = context ? string_bytes(context) : NULL, *bytes = string_bytes(value);
    size_t aad_len = context ? string_len(context) : 0, value_len = string_len(value);
    size_t needed = value_len + SIVKA_MAX_KEY_FILE_LEN;
    const sivka_algorithm_info *info = sivka_inspect_algorithm(function->algorithm);
    if (!key)
        return SIVKA_ERROR_PRIMITIVE;
    if (needed > row->capacity) {
        free(row->bytes);
        row->bytes = malloc(needed);
        row->capacity = row->bytes ? needed : 0;
        if (!row->bytes)
            return SIVKA_ERROR_NO_MEMORY;
    }
    if (function->opens && value_len < info->nonce_len + info->tag_len)
        return SIVKA_ERROR_OPEN;
    const sivka_message message = {.aad = aad, .aad_len = aad_len, .input = bytes, .input_len = value_len,
                                   .output = row->bytes, .output_len = row->capacity};
    return (function->opens ? sivka_open : sivka_seal)(key, &message, len);
}

void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const struct function *function = duckdb_scalar_function_get_extra_info(info);
    const struct bound_key *bound = duckdb_scalar_function_get_bind_data(info);
    struct row *row = duckdb_scalar_function_get_state(info);
    bool has_contexts = duckdb_data_chunk_get_column_count(input) == 3;
    struct argument values = argument_at(input, 0), contexts = {0};
    if (has_contexts)
        contexts = argument_at(input, 2);
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++) {
        size_t len;
        bool null = is_null(&values, i);
        sivka_status status = SIVKA_OK;
        if (!null && has_contexts && is_null(&contexts, i)) {
            duckdb_scalar_function_set_error(info, "the context of a value is NULL");
            return;
        }
        if (!null)
            status = run_row(function, column_key(bound, function), row, &values.strings[i],
                             has_contexts ? &contexts.strings[i] : NULL, &len);
        if (null || (status == SIVKA_ERROR_OPEN && function->tries)) {
            duckdb_vector_ensure_validity_writable(output);
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), i);
        } else if (status != SIVKA_OK) {
            fail_rows(info, status);
            return;
        } else {
            duckdb_unsafe_vector_assign_string_element_len(output, i, (const char *)row->bytes, len);
        }
    }
}
