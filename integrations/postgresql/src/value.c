/* One value: a call of the library for each row. */
#include "sivka_postgresql.h"

#include "utils/memutils.h"

/* Where the result of a value begins and how long it is at most. */
static bytea *allocate(const struct function *function, size_t len)
{
    size_t result_len = len + sivka_overhead(function->algorithm);
    if (function->opens)
        result_len = len - sivka_overhead(function->algorithm);
    if (result_len > MaxAllocSize - VARHDRSZ)
        fail(function, SIVKA_ERROR_TOO_LONG);
    bytea *result = palloc(VARHDRSZ + result_len);
    SET_VARSIZE(result, VARHDRSZ + result_len);
    return result;
}

static sivka_status run(const struct function *function, const sivka_key *key, struct bytes value, struct bytes context,
                        bytea *result)
{
    uint8_t *out = (uint8_t *)VARDATA(result);
    size_t capacity = VARSIZE(result) - VARHDRSZ;
    bool has_nonce = sivka_nonce_len(function->algorithm) > 0;
    if (function->opens && has_nonce)
        return sivka_open(key, context.start, context.len, value.start, value.len, out, capacity, NULL);
    if (function->opens)
        return sivka_open_with_nonce(key, NULL, 0, context.start, context.len, value.start, value.len, out, capacity,
                                     NULL);
    if (has_nonce)
        return sivka_seal(key, context.start, context.len, value.start, value.len, out, capacity, NULL);
    return sivka_seal_with_nonce(key, NULL, 0, context.start, context.len, value.start, value.len, out, capacity, NULL);
}

static Datum run_value(FunctionCallInfo fcinfo, const struct function *function)
{
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    /* A value without its context or key would be lost, so that is no NULL. */
    if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
        fail_null(function, PG_ARGISNULL(1) ? "key" : "context");
    const sivka_key *key = key_for(fcinfo, function);
    struct bytes value = bytes_in_form(PG_GETARG_DATUM(0), function->opens ? FORM_BYTES : function->form);
    struct bytes context = utf8_of(PG_GETARG_TEXT_PP(2));
    bytea *result = NULL;
    sivka_status status = SIVKA_ERROR_OPEN;
    if (!function->opens || value.len >= sivka_overhead(function->algorithm)) {
        result = allocate(function, value.len);
        status = run(function, key, value, context, result);
    }
    if (status == SIVKA_ERROR_OPEN && function->tries)
        PG_RETURN_NULL();
    if (status != SIVKA_OK)
        fail(function, status);
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
