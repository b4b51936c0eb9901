/*
 * A vector at a time, in groups of rows whose results are one after the other in one piece
 * of the result vector's memory.
 *
 * DuckDB gives memory for a result only by copying a string into it. So one string of zeros is
 * assigned for a group, to its first row; the values are copied into it, sealed or opened where
 * they stand, and each row's string points to its part.
 */
#include "sivka_duckdb.h"

#include <stdio.h>
#include <stdlib.h>

/* A group: what a level-2 cache holds together with its input. */
#define GROUP_LEN ((size_t)256 << 10)
#define INLINED_LEN sizeof((duckdb_string_t *)0)->value.inlined.inlined
#define MAX_NONCE_LEN 24
#define MAX_TAG_LEN 64

/* What one thread needs for the rows of a group; arrays have a place for each row of a vector. */
struct rows {
    idx_t *places;
    const uint8_t **aads;
    size_t *aad_lens;
    /* Where the value of a row is, and then where it is worked on. */
    uint8_t **texts;
    size_t *text_lens;
    uint8_t *nonces;
    uint8_t *tags;
    sivka_status *statuses;
    /* Never written, so that they stay zeros and take no memory. */
    char *zeros;
    size_t zeros_len;
};

/* A call for one vector. */
struct call {
    duckdb_function_info info;
    const struct function *function;
    const struct bound_key *bound;
    struct rows *rows;
    struct argument values, contexts;
    bool has_contexts;
    idx_t row_count;
    duckdb_vector output;
    size_t nonce_len, tag_len;
};

/* The rows of a group, and the length of their results. */
struct group {
    idx_t end;
    size_t count, len;
};

static void free_rows(void *data)
{
    struct rows *rows = data;
    if (rows) {
        free(rows->places);
        free(rows->aads);
        free(rows->aad_lens);
        free(rows->texts);
        free(rows->text_lens);
        free(rows->nonces);
        free(rows->tags);
        free(rows->statuses);
        free(rows->zeros);
        free(rows);
    }
}

static bool ensure_zeros(struct rows *rows, size_t len)
{
    if (len > rows->zeros_len) {
        free(rows->zeros);
        rows->zeros = calloc(1, len);
        rows->zeros_len = rows->zeros ? len : 0;
    }
    return rows->zeros != NULL;
}

void make_rows(duckdb_init_info info)
{
    idx_t n = duckdb_vector_size();
    struct rows *rows = calloc(1, sizeof *rows);
    bool made = rows && (rows->places = calloc(n, sizeof *rows->places)) &&
                (rows->aads = calloc(n, sizeof *rows->aads)) &&
                (rows->aad_lens = calloc(n, sizeof *rows->aad_lens)) &&
                (rows->texts = calloc(n, sizeof *rows->texts)) &&
                (rows->text_lens = calloc(n, sizeof *rows->text_lens)) &&
                (rows->nonces = calloc(n, MAX_NONCE_LEN)) && (rows->tags = calloc(n, MAX_TAG_LEN)) &&
                (rows->statuses = calloc(n, sizeof *rows->statuses)) && ensure_zeros(rows, GROUP_LEN);
    if (made) {
        duckdb_scalar_function_init_set_state(info, rows, free_rows);
    } else {
        free_rows(rows);
        duckdb_scalar_function_init_set_error(info, "sivka: there is no memory for a vector of rows");
    }
}

static void fail(duckdb_function_info info, const char *reason)
{
    const struct function *function = duckdb_scalar_function_get_extra_info(info);
    const struct bound_key *bound = duckdb_scalar_function_get_bind_data(info);
    char message[MESSAGE_LEN];
    snprintf(message, sizeof message, "%s, key '%s': %s", function->name, bound->name, reason);
    duckdb_scalar_function_set_error(info, message);
}

void fail_rows(duckdb_function_info info, sivka_status status)
{
    fail(info, status == SIVKA_ERROR_OPEN
                   ? "a value does not open with this key and this context: it is forged, damaged, or was sealed with others"
                   : sivka_status_message(status));
}

static struct call call_for(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    struct call call = {
        .info = info,
        .function = duckdb_scalar_function_get_extra_info(info),
        .bound = duckdb_scalar_function_get_bind_data(info),
        .rows = duckdb_scalar_function_get_state(info),
        .values = argument_at(input, 0),
        .has_contexts = duckdb_data_chunk_get_column_count(input) == 3,
        .row_count = duckdb_data_chunk_get_size(input),
        .output = output,
    };
    if (call.has_contexts)
        call.contexts = argument_at(input, 2);
    call.nonce_len = sivka_nonce_len(call.function->algorithm);
    call.tag_len = sivka_tag_len(call.function->algorithm);
    return call;
}

static void set_null(struct call *call, idx_t row)
{
    duckdb_vector_ensure_validity_writable(call->output);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(call->output), row);
}

/* Fails the query for a value without its context: a null in its place would lose the value. */
static bool has_context(const struct call *call, idx_t row)
{
    if (!call->has_contexts || !is_null(&call->contexts, row))
        return true;
    fail(call->info, "the context of a value is NULL");
    return false;
}

/* Nothing of the input's strings is read again: who made them may change them meanwhile. */
static void add_row(struct call *call, struct group *group, idx_t row, size_t len, size_t text_len)
{
    struct rows *rows = call->rows;
    rows->places[group->count] = row;
    rows->texts[group->count] = (uint8_t *)string_bytes(&call->values.strings[row]);
    rows->text_lens[group->count] = text_len;
    if (call->has_contexts) {
        rows->aads[group->count] = string_bytes(&call->contexts.strings[row]);
        rows->aad_lens[group->count] = string_len(&call->contexts.strings[row]);
    }
    group->count++;
    group->len += len;
}

/* Memory of the result vector for a group, which is long enough not to be inlined. */
static uint8_t *group_bytes(struct call *call, const struct group *group)
{
    size_t len = group->len > INLINED_LEN ? group->len : INLINED_LEN + 1;
    if (!ensure_zeros(call->rows, len)) {
        fail_rows(call->info, SIVKA_ERROR_NO_MEMORY);
        return NULL;
    }
    idx_t first = call->rows->places[0];
    duckdb_unsafe_vector_assign_string_element_len(call->output, first, call->rows->zeros, len);
    return (uint8_t *)((duckdb_string_t *)duckdb_vector_get_data(call->output))[first].value.pointer.ptr;
}

/* Lets a row's string be `len` bytes of the group's. */
static void set_string(struct call *call, idx_t row, uint8_t *bytes, size_t len)
{
    duckdb_string_t *string = (duckdb_string_t *)duckdb_vector_get_data(call->output) + row;
    memset(string, 0, sizeof *string);
    string->value.inlined.length = (uint32_t)len;
    if (len <= INLINED_LEN) {
        memcpy(string->value.inlined.inlined, bytes, len);
    } else {
        memcpy(string->value.pointer.prefix, bytes, sizeof string->value.pointer.prefix);
        string->value.pointer.ptr = (char *)bytes;
    }
}

/* Adds rows from `first` on while their results fit a group; always one that is not null. */
static bool gather_values(struct call *call, idx_t first, struct group *group)
{
    size_t overhead = call->nonce_len + call->tag_len;
    for (group->end = first; group->end < call->row_count; group->end++) {
        idx_t row = group->end;
        if (is_null(&call->values, row)) {
            set_null(call, row);
            continue;
        }
        if (!has_context(call, row))
            return false;
        size_t len = string_len(&call->values.strings[row]);
        if (len > UINT32_MAX - overhead) {
            fail_rows(call->info, SIVKA_ERROR_TOO_LONG);
            return false;
        }
        if (group->count && group->len + len + overhead > GROUP_LEN)
            break;
        add_row(call, group, row, len + overhead, len);
    }
    return true;
}

static bool seal_group(struct call *call, const struct group *group)
{
    struct rows *rows = call->rows;
    sivka_status status = SIVKA_OK;
    if (call->nonce_len)
        status = sivka_random_nonces(call->function->algorithm, rows->nonces, group->count * call->nonce_len);
    uint8_t *bytes = status == SIVKA_OK ? group_bytes(call, group) : NULL;
    if (!bytes) {
        if (status != SIVKA_OK)
            fail_rows(call->info, status);
        return false;
    }
    for (size_t i = 0; i < group->count; i++) {
        const uint8_t *value = rows->texts[i];
        memcpy(bytes, rows->nonces + i * call->nonce_len, call->nonce_len);
        rows->texts[i] = bytes + call->nonce_len;
        memcpy(rows->texts[i], value, rows->text_lens[i]);
        bytes = rows->texts[i] + rows->text_lens[i] + call->tag_len;
    }
    status = sivka_seal_batch(call->bound->key, group->count, rows->nonces, group->count * call->nonce_len,
                              call->has_contexts ? rows->aads : NULL, call->has_contexts ? rows->aad_lens : NULL,
                              rows->texts, rows->text_lens, rows->tags, group->count * call->tag_len, rows->statuses);
    if (status != SIVKA_OK) {
        fail_rows(call->info, status);
        return false;
    }
    for (size_t i = 0; i < group->count; i++) {
        memcpy(rows->texts[i] + rows->text_lens[i], rows->tags + i * call->tag_len, call->tag_len);
        set_string(call, rows->places[i], rows->texts[i] - call->nonce_len,
                   call->nonce_len + rows->text_lens[i] + call->tag_len);
    }
    return true;
}

void seal_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    struct call call = call_for(info, input, output);
    for (idx_t row = 0; row < call.row_count;) {
        struct group group = {0};
        if (!gather_values(&call, row, &group) || (group.count && !seal_group(&call, &group)))
            return;
        row = group.end;
    }
}

/* As gather_values(); what is too short to be sealed is dealt with here. */
static bool gather_sealed(struct call *call, idx_t first, struct group *group)
{
    size_t overhead = call->nonce_len + call->tag_len;
    for (group->end = first; group->end < call->row_count; group->end++) {
        idx_t row = group->end;
        bool null = is_null(&call->values, row);
        if (!null && !has_context(call, row))
            return false;
        size_t len = null ? 0 : string_len(&call->values.strings[row]);
        if (!null && len < overhead && !call->function->tries) {
            fail_rows(call->info, SIVKA_ERROR_OPEN);
            return false;
        }
        if (null || len < overhead) {
            set_null(call, row);
            continue;
        }
        if (group->count && group->len + len - overhead > GROUP_LEN)
            break;
        add_row(call, group, row, len - overhead, len - overhead);
    }
    return true;
}

static bool open_group(struct call *call, const struct group *group)
{
    struct rows *rows = call->rows;
    uint8_t *bytes = group_bytes(call, group);
    if (!bytes)
        return false;
    for (size_t i = 0; i < group->count; i++) {
        const uint8_t *sealed = rows->texts[i];
        memcpy(rows->nonces + i * call->nonce_len, sealed, call->nonce_len);
        memcpy(bytes, sealed + call->nonce_len, rows->text_lens[i]);
        memcpy(rows->tags + i * call->tag_len, sealed + call->nonce_len + rows->text_lens[i], call->tag_len);
        rows->texts[i] = bytes;
        bytes += rows->text_lens[i];
    }
    sivka_status status =
        sivka_open_batch(call->bound->key, group->count, rows->nonces, group->count * call->nonce_len,
                         call->has_contexts ? rows->aads : NULL, call->has_contexts ? rows->aad_lens : NULL,
                         rows->texts, rows->text_lens, rows->tags, group->count * call->tag_len, rows->statuses);
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH) {
        fail_rows(call->info, status);
        return false;
    }
    for (size_t i = 0; i < group->count; i++) {
        sivka_status row = rows->statuses[i];
        if (row == SIVKA_OK) {
            set_string(call, rows->places[i], rows->texts[i], rows->text_lens[i]);
        } else if (row == SIVKA_ERROR_OPEN && call->function->tries) {
            set_null(call, rows->places[i]);
        } else {
            fail_rows(call->info, row);
            return false;
        }
    }
    return true;
}

void open_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    struct call call = call_for(info, input, output);
    for (idx_t row = 0; row < call.row_count;) {
        struct group group = {0};
        if (!gather_sealed(&call, row, &group) || (group.count && !open_group(&call, &group)))
            return;
        row = group.end;
    }
}
