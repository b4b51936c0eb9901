/* The types sealed and sealed_token: bytes that are written in hexadecimal and no other way. */
#include "sivka_postgresql.h"

#include "commands/vacuum.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

/* So many bytes have a text that fits a value of the server, also in a message or a row of COPY. */
#define MAX_TEXT_OF_LEN ((size_t)511 << 20)

PG_FUNCTION_INFO_V1(sealed_in);
PG_FUNCTION_INFO_V1(sealed_out);

/* Text that nobody sealed is refused, and not repeated in the message. */
Datum sealed_in(PG_FUNCTION_ARGS)
{
    const char *text = PG_GETARG_CSTRING(0);
    size_t digits = 0;
    if (strncmp(text, "\\x", 2) == 0)
        digits = strspn(text + 2, "0123456789abcdefABCDEF");
    if (strncmp(text, "\\x", 2) != 0 || text[2 + digits] != 0 || digits % 2 != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                        errmsg("a sealed value is \"\\x\" and hexadecimal digits"),
                        errhint("Values are sealed by sivka_seal() and sivka_token().")));
    bytea *sealed = palloc(VARHDRSZ + digits / 2);
    SET_VARSIZE(sealed, VARHDRSZ + digits / 2);
    hex_decode(text + 2, digits, VARDATA(sealed));
    PG_RETURN_BYTEA_P(sealed);
}

Datum sealed_out(PG_FUNCTION_ARGS)
{
    bytea *sealed = PG_GETARG_BYTEA_PP(0);
    size_t len = VARSIZE_ANY_EXHDR(sealed);
    if (len > MAX_TEXT_OF_LEN)
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                        errmsg("a sealed value of %zu bytes is too long for text, which has room for %zu", len,
                               MAX_TEXT_OF_LEN),
                        errhint("Take it in the binary format.")));
    char *text = palloc(2 * len + 3);
    memcpy(text, "\\x", 2);
    text[2 + hex_encode(VARDATA_ANY(sealed), len, text + 2)] = 0;
    PG_RETURN_CSTRING(text);
}

/* AnalyzeAttrComputeStatsFunc. Sealed values say nothing: none is kept in the catalog. */
static void compute_width(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int sampled, double total)
{
    double width = 0;
    int nulls = 0;
    for (int row = 0; row < sampled; row++) {
        bool is_null = false;
        Datum value = fetch(stats, row, &is_null);
        if (is_null)
            nulls++;
        else
            width += VARSIZE_ANY(DatumGetPointer(value));
    }
    stats->stats_valid = sampled > 0;
    stats->stanullfrac = sampled > 0 ? (float4)(nulls / (double)sampled) : 0;
    stats->stawidth = sampled > nulls ? (int32)(width / (sampled - nulls)) : 0;
    /* All are different. */
    stats->stadistinct = nulls < sampled ? (float4)(nulls / (double)sampled) - 1 : 0;
}

PG_FUNCTION_INFO_V1(sealed_analyze);
Datum sealed_analyze(PG_FUNCTION_ARGS)
{
    VacAttrStats *stats = (VacAttrStats *)PG_GETARG_POINTER(0);
    stats->compute_stats = compute_width;
    stats->minrows = 300;
    PG_RETURN_BOOL(true);
}

/*
 * For the rest, values are bytea. The server's functions are called from here, since it looks for a
 * function of the language "internal" by its name, among thousands, for each query.
 */
#define AS_BYTEA(symbol, function)                                                                                     \
    PG_FUNCTION_INFO_V1(symbol);                                                                                       \
    Datum symbol(PG_FUNCTION_ARGS)                                                                                     \
    {                                                                                                                  \
        return function(fcinfo);                                                                                       \
    }

AS_BYTEA(sealed_recv, bytearecv)
AS_BYTEA(sealed_send, byteasend)
AS_BYTEA(token_eq, byteaeq)
AS_BYTEA(token_ne, byteane)
AS_BYTEA(token_lt, bytealt)
AS_BYTEA(token_le, byteale)
AS_BYTEA(token_gt, byteagt)
AS_BYTEA(token_ge, byteage)
AS_BYTEA(token_cmp, byteacmp)
AS_BYTEA(token_sort, bytea_sortsupport)
AS_BYTEA(token_hash, hashvarlena)
AS_BYTEA(token_hash_extended, hashvarlenaextended)
