/* The types sealed and sealed_token: bytes that are written in hexadecimal and no other way. */
#include "sivka_postgresql.h"

#include "utils/builtins.h"

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
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("a sealed value is \"\\x\" and hexadecimal digits"),
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
    char *text = MemoryContextAllocHuge(CurrentMemoryContext, 2 * len + 3);
    memcpy(text, "\\x", 2);
    text[2 + hex_encode(VARDATA_ANY(sealed), len, text + 2)] = 0;
    PG_RETURN_CSTRING(text);
}
