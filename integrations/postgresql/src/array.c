/*
 * Many values in one array: the library seals or opens them as a column, in groups.
 */
#include "sivka_postgresql.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* A group: what a level-2 cache holds together with its results. */
#define GROUP_LEN ((size_t)256 << 10)

/* An argument that is an array: its elements, in order. */
struct elements {
    Datum *values;
    bool *nulls;
    int count;
};

/* Byte strings one after the other, with offsets between them. */
struct strings {
    uint8_t *bytes;
    size_t len, capacity;
    size_t *offsets;
};

/* A call for one array. Contexts are none but the one text, or one for each value. */
struct call {
    const struct function *function;
    const struct key *key;
    struct elements values, contexts;
    struct bytes one_context;
    bool has_contexts;
    struct elements results;
    /* The elements of a group: where they are in the array, what they are and what became of them. */
    int *places;
    struct strings texts, aads;
    uint8_t *out;
    size_t out_capacity;
    size_t *ends;
    sivka_status *statuses;
};

static struct elements elements_of(ArrayType *array)
{
    struct elements elements;
    int16 len;
    bool by_value;
    char alignment;
    get_typlenbyvalalign(ARR_ELEMTYPE(array), &len, &by_value, &alignment);
    deconstruct_array(array, ARR_ELEMTYPE(array), len, by_value, alignment, &elements.values, &elements.nulls,
                      &elements.count);
    return elements;
}

static void add_string(struct strings *strings, size_t index, struct bytes added)
{
    if (added.len > strings->capacity - strings->len) {
        strings->capacity = Max(strings->len + added.len, GROUP_LEN);
        strings->bytes = strings->bytes ? repalloc_huge(strings->bytes, strings->capacity)
                                        : MemoryContextAllocHuge(CurrentMemoryContext, strings->capacity);
    }
    if (added.len > 0)
        memcpy(strings->bytes + strings->len, added.start, added.len);
    strings->len += added.len;
    strings->offsets[index + 1] = strings->len;
}

/* Gathers elements from `*next` on while they fit a group; at least one that is not null. */
static size_t gather(struct call *call, int *next)
{
    enum form form = call->function->opens ? FORM_BYTES : call->function->form;
    size_t count = 0;
    call->texts.len = call->aads.len = 0;
    for (; *next < call->values.count && call->texts.len < GROUP_LEN; ++*next) {
        call->results.nulls[*next] = call->values.nulls[*next];
        if (call->values.nulls[*next])
            continue;
        if (call->has_contexts && call->contexts.nulls[*next])
            fail_null(call->function, "context");
        add_string(&call->texts, count, bytes_in_form(call->values.values[*next], form));
        if (call->has_contexts)
            add_string(&call->aads, count, bytes_in_form(call->contexts.values[*next], FORM_TEXT));
        call->places[count++] = *next;
    }
    return count;
}

static sivka_status run_group(struct call *call, size_t count)
{
    const sivka_column column = {.bytes = call->texts.bytes,
                                 .bytes_len = call->texts.len,
                                 .offsets = call->texts.offsets,
                                 .offset_bits = 8 * sizeof *call->texts.offsets};
    struct bytes aads = call->one_context;
    const size_t *aad_offsets = NULL;
    if (call->has_contexts) {
        aads = (struct bytes){call->aads.bytes, call->aads.len};
        aad_offsets = call->aads.offsets;
    }
    size_t len = 0;
    sivka_status status = call->function->opens ? sivka_opened_column_len(call->key->key, count, &column, &len)
                                                : sivka_sealed_column_len(call->key->key, count, &column, &len);
    if (status != SIVKA_OK)
        return status;
    if (len > call->out_capacity) {
        if (call->out)
            pfree(call->out);
        call->out_capacity = Max(len, 2 * GROUP_LEN);
        call->out = MemoryContextAllocHuge(CurrentMemoryContext, call->out_capacity);
    }
    if (call->function->opens)
        return sivka_open_column(call->key->key, count, &column, aads.start, aads.len, aad_offsets, call->out, len,
                                 call->ends, 8 * sizeof *call->ends, call->statuses);
    memset(call->statuses, 0, count * sizeof *call->statuses);
    return sivka_seal_column(call->key->key, count, &column, aads.start, aads.len, aad_offsets, NULL, 0, call->out, len,
                             call->ends, 8 * sizeof *call->ends);
}

static void finish_group(struct call *call, size_t count)
{
    sivka_status status = run_group(call, count);
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH)
        fail(call->function, status);
    for (size_t i = 0; i < count; i++) {
        int place = call->places[i];
        if (call->statuses[i] == SIVKA_ERROR_OPEN && call->function->tries) {
            call->results.nulls[place] = true;
            continue;
        }
        if (call->statuses[i] != SIVKA_OK)
            fail(call->function, call->statuses[i]);
        size_t len = call->ends[i + 1] - call->ends[i];
        if (len > MaxAllocSize - VARHDRSZ)
            fail(call->function, SIVKA_ERROR_TOO_LONG);
        bytea *result = palloc(VARHDRSZ + len);
        SET_VARSIZE(result, VARHDRSZ + len);
        memcpy(VARDATA(result), call->out + call->ends[i], len);
        call->results.values[place] =
            call->function->opens ? value_in_form(call->function, result) : PointerGetDatum(result);
    }
}

static void allocate(struct call *call)
{
    size_t count = (size_t)call->values.count;
    call->results.values = palloc0(count * sizeof(Datum));
    call->results.nulls = palloc0(count * sizeof(bool));
    call->places = palloc(count * sizeof *call->places);
    call->texts.offsets = palloc0((count + 1) * sizeof(size_t));
    call->aads.offsets = palloc0((count + 1) * sizeof(size_t));
    call->ends = palloc((count + 1) * sizeof(size_t));
    call->statuses = palloc(count * sizeof(sivka_status));
}

/* A keyset has no columns: its values are sealed and opened one by one. */
static void run_singly(struct call *call)
{
    enum form form = call->function->opens ? FORM_BYTES : call->function->form;
    for (int i = 0; i < call->values.count; i++) {
        CHECK_FOR_INTERRUPTS();
        call->results.nulls[i] = call->values.nulls[i];
        if (call->values.nulls[i])
            continue;
        if (call->has_contexts && call->contexts.nulls[i])
            fail_null(call->function, "context");
        struct bytes context = call->one_context;
        if (call->has_contexts)
            context = bytes_in_form(call->contexts.values[i], FORM_TEXT);
        bytea *result = run_one(call->function, call->key, bytes_in_form(call->values.values[i], form), context);
        if (!result && !call->function->tries)
            fail(call->function, SIVKA_ERROR_OPEN);
        call->results.nulls[i] = result == NULL;
        if (result)
            call->results.values[i] =
                call->function->opens ? value_in_form(call->function, result) : PointerGetDatum(result);
    }
}

/* The contexts are the third argument: a text for all, or an array of as many as there are values. */
static void take_contexts(struct call *call, FunctionCallInfo fcinfo)
{
    call->has_contexts = type_is_array(get_fn_expr_argtype(fcinfo->flinfo, 2));
    if (!call->has_contexts) {
        call->one_context = utf8_of(PG_GETARG_TEXT_PP(2));
        return;
    }
    call->contexts = elements_of(PG_GETARG_ARRAYTYPE_P(2));
    if (call->contexts.count != call->values.count)
        ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
                        errmsg("%s: there are %d values and %d contexts", call->function->name, call->values.count,
                               call->contexts.count)));
}

static Datum run_array(FunctionCallInfo fcinfo, const struct function *function)
{
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
        fail_null(function, PG_ARGISNULL(1) ? "key" : "context");
    ArrayType *values = PG_GETARG_ARRAYTYPE_P(0);
    struct call call = {.function = function, .key = key_for(fcinfo, function), .values = elements_of(values)};
    take_contexts(&call, fcinfo);
    allocate(&call);
    if (call.key->keyset)
        run_singly(&call);
    for (int next = 0; call.key->key && next < call.values.count;) {
        CHECK_FOR_INTERRUPTS();
        size_t count = gather(&call, &next);
        if (count > 0)
            finish_group(&call, count);
    }
    Oid type = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
    return PointerGetDatum(construct_md_array(call.results.values, call.results.nulls, ARR_NDIM(values),
                                              ARR_DIMS(values), ARR_LBOUND(values), type, -1, false, TYPALIGN_INT));
}

#define FUNCTION(symbol, ...)                                                                                          \
    PG_FUNCTION_INFO_V1(symbol);                                                                                       \
    Datum symbol(PG_FUNCTION_ARGS)                                                                                     \
    {                                                                                                                  \
        static const struct function function = {__VA_ARGS__};                                                         \
        return run_array(fcinfo, &function);                                                                           \
    }

#define SEAL SIVKA_AES_256_GCM_SIV
#define TOKEN SIVKA_XCHACHA20_BLAKE2B_SIV

FUNCTION(array_seal, "sivka_seal", SEAL, FORM_BYTES, false, false)
FUNCTION(array_seal_text, "sivka_seal", SEAL, FORM_TEXT, false, false)
FUNCTION(array_open, "sivka_open", SEAL, FORM_BYTES, true, false)
FUNCTION(array_open_text, "sivka_open_text", SEAL, FORM_TEXT, true, false)
FUNCTION(array_try_open, "sivka_try_open", SEAL, FORM_BYTES, true, true)
FUNCTION(array_try_open_text, "sivka_try_open_text", SEAL, FORM_TEXT, true, true)
FUNCTION(array_token, "sivka_token", TOKEN, FORM_BYTES, false, false)
FUNCTION(array_token_text, "sivka_token", TOKEN, FORM_TEXT, false, false)
FUNCTION(array_open_token, "sivka_open_token", TOKEN, FORM_BYTES, true, false)
FUNCTION(array_open_token_text, "sivka_open_token_text", TOKEN, FORM_TEXT, true, false)
FUNCTION(array_try_open_token, "sivka_try_open_token", TOKEN, FORM_BYTES, true, true)
FUNCTION(array_try_open_token_text, "sivka_try_open_token_text", TOKEN, FORM_TEXT, true, true)
