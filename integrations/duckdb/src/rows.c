/*
 * A vector at a time, in groups of rows. Their values are copied into one piece of memory, and
 * become a column of the library's. Its results are one after the other in one piece of the
 * result vector's memory.
 *
 * DuckDB gives memory for a result only by copying a string into it. So one string of zeros is
 * assigned for a group, to its first row, and each row's string points to its part.
 */
#include "sivka_duckdb.h"

#include <stdio.h>
#include <stdlib.h>

/* A group: as much as a level-2 cache holds together with its results. */
#define GROUP_LEN ((size_t)256 << 10)
#define INLINED_LEN sizeof((duckdb_string_t *)0)->value.inlined.inlined
#define MAX_NONCE_LEN 24
#define MAX_TAG_LEN 64

/* Strings one after the other, with offsets between them. */
struct strings {
    uint8_t *bytes;
    size_t len, capacity;
    size_t *offsets;
};

/* The memory of one thread for the rows of a group; arrays have an element for each row of a vector. */
struct rows {
    idx_t *places;
    struct strings values, contexts;
    size_t *ends;
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
};

/* The rows of a group. */
struct group {
    idx_t end;
    size_t count;
    bool has_one_context;
};

static void free_rows(void *data)
{
    struct rows *rows = data;
    if (rows) {
        free(rows->places);
        free(rows->values.bytes);
        free(rows->values.offsets);
        free(rows->contexts.bytes);
        free(rows->contexts.offsets);
        free(rows->ends);
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
                (rows->values.offsets = calloc(n + 1, sizeof *rows->values.offsets)) &&
                (rows->contexts.offsets = calloc(n + 1, sizeof *rows->contexts.offsets)) &&
                (rows->ends = calloc(n + 1, sizeof *rows->ends)) &&
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

/* Fails the query; the message never has any of a value. */
static void fail_rows(duckdb_function_info info, sivka_status status)
{
    fail(info, status == SIVKA_ERROR_OPEN
                   ? "a value does not open with this key and this context: it is forged, damaged, or was sealed with others"
                   : sivka_status_message(status));
}

static void set_null(struct call *call, idx_t row)
{
    duckdb_vector_ensure_validity_writable(call->output);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(call->output), row);
}

/* Adds a string as number `index`. It is read once: who made it may change it meanwhile. */
static bool add_string(struct strings *strings, size_t index, const duckdb_string_t *string)
{
    size_t len = string_len(string);
    if (len > strings->capacity - strings->len) {
        size_t capacity = strings->len + len > GROUP_LEN ? strings->len + len : GROUP_LEN;
        uint8_t *bytes = realloc(strings->bytes, capacity);
        if (!bytes)
            return false;
        strings->bytes = bytes;
        strings->capacity = capacity;
    }
    if (len)
        memcpy(strings->bytes + strings->len, string_bytes(string), len);
    strings->len += len;
    strings->offsets[index + 1] = strings->len;
    return true;
}

/* Whether string number `index` is the one before it. */
static bool is_repeated(const struct strings *strings, size_t index)
{
    if (index == 0)
        return true;
    const size_t *offsets = strings->offsets + index;
    size_t len = offsets[1] - offsets[0];
    return len == offsets[0] - offsets[-1] &&
           (len == 0 || memcmp(strings->bytes + offsets[0], strings->bytes + offsets[-1], len) == 0);
}

/* Adds the row after the others of a group. Fails the query for a value without its context: a
 * null in its place would lose the value. */
static bool add_row(struct call *call, struct group *group, idx_t row)
{
    struct rows *rows = call->rows;
    bool added = add_string(&rows->values, group->count, &call->values.strings[row]);
    if (added && call->has_contexts) {
        if (is_null(&call->contexts, row)) {
            fail(call->info, "the context of a value is NULL");
            return false;
        }
        added = add_string(&rows->contexts, group->count, &call->contexts.strings[row]);
        group->has_one_context &= added && is_repeated(&rows->contexts, group->count);
    }
    if (!added)
        fail_rows(call->info, SIVKA_ERROR_NO_MEMORY);
    rows->places[group->count++] = row;
    return added;
}

/* Adds rows from `first` on until the group is full; always one that is not null. */
static bool gather(struct call *call, idx_t first, struct group *group)
{
    struct rows *rows = call->rows;
    rows->values.len = rows->contexts.len = 0;
    group->has_one_context = true;
    for (group->end = first; group->end < call->row_count; group->end++) {
        idx_t row = group->end;
        if (is_null(&call->values, row)) {
            set_null(call, row);
            continue;
        }
        size_t len = string_len(&call->values.strings[row]);
        if (!call->function->opens && len > UINT32_MAX - MAX_NONCE_LEN - MAX_TAG_LEN) {
            fail_rows(call->info, SIVKA_ERROR_TOO_LONG);
            return false;
        }
        if (group->count && rows->values.len + len > GROUP_LEN)
            break;
        if (!add_row(call, group, row))
            return false;
    }
    return true;
}

/* Memory of the result vector, which is long enough not to be inlined. */
static uint8_t *result_bytes(struct call *call, size_t len)
{
    size_t room = len > INLINED_LEN ? len : INLINED_LEN + 1;
    if (!ensure_zeros(call->rows, room)) {
        fail_rows(call->info, SIVKA_ERROR_NO_MEMORY);
        return NULL;
    }
    idx_t first = call->rows->places[0];
    duckdb_unsafe_vector_assign_string_element_len(call->output, first, call->rows->zeros, room);
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

/* Seals or opens a group into `results`, and says where each result ends and what became of it. */
static sivka_status run_group(struct call *call, const struct group *group, const sivka_column *column,
                              uint8_t *results, size_t len)
{
    struct rows *rows = call->rows;
    const sivka_key *key = column_key(call->bound, call->function);
    const struct strings *contexts = &rows->contexts;
    size_t aads_len = contexts->len;
    const size_t *aad_offsets = NULL;
    if (call->has_contexts && group->has_one_context)
        aads_len = contexts->offsets[1];
    else if (call->has_contexts)
        aad_offsets = contexts->offsets;
    if (call->function->opens)
        return sivka_open_column(key, group->count, column, contexts->bytes, aads_len, aad_offsets, results,
                                 len, rows->ends, 8 * sizeof *rows->ends, rows->statuses);
    memset(rows->statuses, 0, group->count * sizeof *rows->statuses);
    return sivka_seal_column(key, group->count, column, contexts->bytes, aads_len, aad_offsets, NULL, 0,
                             results, len, rows->ends, 8 * sizeof *rows->ends);
}

static bool finish_group(struct call *call, const struct group *group)
{
    struct rows *rows = call->rows;
    const sivka_column column = {.bytes = rows->values.bytes,
                                 .bytes_len = rows->values.len,
                                 .offsets = rows->values.offsets,
                                 .offset_bits = 8 * sizeof *rows->values.offsets};
    size_t len = 0;
    sivka_status status = (call->function->opens ? sivka_opened_column_len : sivka_sealed_column_len)(
        column_key(call->bound, call->function), group->count, &column, &len);
    uint8_t *results = NULL;
    if (status == SIVKA_OK) {
        if (!(results = result_bytes(call, len)))
            return false;
        status = run_group(call, group, &column, results, len);
    }
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH) {
        fail_rows(call->info, status);
        return false;
    }
    for (size_t i = 0; i < group->count; i++) {
        sivka_status row = rows->statuses[i];
        if (row == SIVKA_OK) {
            set_string(call, rows->places[i], results + rows->ends[i], rows->ends[i + 1] - rows->ends[i]);
        } else if (row == SIVKA_ERROR_OPEN && call->function->tries) {
            set_null(call, rows->places[i]);
        } else {
            fail_rows(call->info, row);
            return false;
        }
    }
    return true;
}

void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
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
    for (idx_t row = 0; row < call.row_count;) {
        struct group group = {0};
        if (!gather(&call, row, &group) || (group.count && !finish_group(&call, &group)))
            return;
        row = group.end;
    }
}
