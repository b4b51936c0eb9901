/* One value: a call of the library for each row. */
#include "sivka_postgresql.h"

#include "utils/memutils.h"

/* NULL if it does not open. */
static bytea *run_one(const struct function *function, const sivka_key *key, struct bytes value, struct bytes context)
{
    size_t capacity = function->opens ? sivka_key_open_len(key, value.len) : sivka_key_seal_len(key, value.len), len = 0;
    if (capacity > MaxAllocSize - VARHDRSZ)
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                        errmsg("%s: a value of %zu bytes is too long: its result has at most %zu", function->name,
                               value.len, MaxAllocSize - VARHDRSZ)));
    bytea *result = palloc(VARHDRSZ + capacity);
    const sivka_message message = {.aad = context.start,
                                   .aad_len = context.len,
                                   .input = value.start,
                                   .input_len = value.len,
                                   .output = (uint8_t *)VARDATA(result),
                                   .output_len = capacity};
    sivka_status status = (function->opens ? sivka_open : sivka_seal)(key, &message, &len);
    if (status == SIVKA_ERROR_OPEN)
        return NULL;
    if (status != SIVKA_OK)
        fail(function, status);
    SET_VARSIZE(result, VARHDRSZ + len);
    return result;
}

static Datum run_value(FunctionCallInfo fcinfo, const struct function *function)
{
    /* A value without its context or key would be lost, so that is no NULL. */
    if (!PG_ARGISNULL(0) && (PG_ARGISNULL(1) || PG_ARGISNULL(2)))
        fail_null(function, PG_ARGISNULL(1) ? "key" : "context");
    /* Also for a NULL, so that a wrong name is noticed before there are values. */
    const sivka_key *key = PG_ARGISNULL(1) ? NULL : key_for(fcinfo, function);
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    struct bytes value = bytes_in_form(PG_GETARG_DATUM(0), function->opens ? FORM_BYTES : function->form);
    bytea *result = run_one(function, key, value, utf8_of(PG_GETARG_TEXT_PP(2)));
    if (!result && function->tries)
        PG_RETURN_NULL();
    if (!result)
        fail(function, SIVKA_ERROR_OPEN);
    return function->opens ? value_in_form(function, result) : PointerGetDatum(result);
}

/* A C function for a function of SQL. */
#define FUNCTION(symbol, ...)                                                                                          \
    PG_FUNCTION_INFO_V1(symbol);                                                                                       \
    Datum symbol(PG_FUNCTION_ARGS)                                                                                     \
    {                                                                                                                  \
        static const struct function function = {__VA_ARGS__};                                                         \
        return run_value(fcinfo, &function);                                                                           \
    }

#define SEAL SIVKA_AES_256_GCM_SIV
#define TOKEN SIVKA_XCHACHA20_BLAKE2B_SIV

FUNCTION(value_seal, "sivka_seal", SEAL, FORM_BYTES, false, false)
FUNCTION(value_seal_text, "sivka_seal", SEAL, FORM_TEXT, false, false)
FUNCTION(value_seal_jsonb, "sivka_seal", SEAL, FORM_JSONB, false, false)
FUNCTION(value_open, "sivka_open", SEAL, FORM_BYTES, true, false)
FUNCTION(value_open_text, "sivka_open_text", SEAL, FORM_TEXT, true, false)
FUNCTION(value_open_jsonb, "sivka_open_jsonb", SEAL, FORM_JSONB, true, false)
FUNCTION(value_try_open, "sivka_try_open", SEAL, FORM_BYTES, true, true)
FUNCTION(value_try_open_text, "sivka_try_open_text", SEAL, FORM_TEXT, true, true)
FUNCTION(value_try_open_jsonb, "sivka_try_open_jsonb", SEAL, FORM_JSONB, true, true)
FUNCTION(value_token, "sivka_token", TOKEN, FORM_BYTES, false, false)
FUNCTION(value_token_text, "sivka_token", TOKEN, FORM_TEXT, false, false)
FUNCTION(value_open_token, "sivka_open_token", TOKEN, FORM_BYTES, true, false)
FUNCTION(value_open_token_text, "sivka_open_token_text", TOKEN, FORM_TEXT, true, false)
FUNCTION(value_try_open_token, "sivka_try_open_token", TOKEN, FORM_BYTES, true, true)
FUNCTION(value_try_open_token_text, "sivka_try_open_token_text", TOKEN, FORM_TEXT, true, true)
