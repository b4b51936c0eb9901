/* A function of SQL that only copies its value: the floor of all measurements. */
#include "postgres.h"

#include "fmgr.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(copy_value);

Datum copy_value(PG_FUNCTION_ARGS)
{
    bytea *value = PG_GETARG_BYTEA_PP(0);
    size_t len = VARSIZE_ANY_EXHDR(value);
    bytea *copy = palloc(VARHDRSZ + len);
    SET_VARSIZE(copy, VARHDRSZ + len);
    memcpy(VARDATA(copy), VARDATA_ANY(value), len);
    PG_RETURN_BYTEA_P(copy);
}
