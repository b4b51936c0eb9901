/* The extension's entry, and the forms of values that its functions share. */
#include "sivka_postgresql.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"

PG_MODULE_MAGIC;

void _PG_init(void);

/*
 * Seals once with a key that is used for nothing else. The library checks its known answers before
 * a first use; a postmaster that did so has done it for every session.
 */
static void check_library(void)
{
    uint8_t bytes[32], sealed[64];
    const sivka_message message = {.output = sealed, .output_len = sizeof sealed};
    sivka_key *key = NULL;
    sivka_status status = sivka_generate_key(SIVKA_AES_256_GCM_SIV, bytes, sizeof bytes);
    if (status == SIVKA_OK)
        status = sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, sizeof bytes, &key);
    if (status == SIVKA_OK)
        status = sivka_seal(key, &message, NULL);
    sivka_key_free(key);
    if (status != SIVKA_OK)
        ereport(FATAL, (errmsg("sivka: %s", sivka_status_message(status))));
}

void _PG_init(void)
{
    if (sivka_abi_version() != SIVKA_ABI_VERSION)
        ereport(ERROR, (errmsg("sivka: the extension was built for another library")));
    define_key_setting();
    if (process_shared_preload_libraries_in_progress)
        check_library();
}

void fail(const struct function *function, sivka_status status)
{
    if (status == SIVKA_ERROR_OPEN)
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("%s: a value does not open with this key and this context", function->name),
                        errdetail("It is forged, damaged, or was sealed with others.")));
    ereport(ERROR, (errcode(status == SIVKA_ERROR_NO_MEMORY  ? ERRCODE_OUT_OF_MEMORY
                            : status == SIVKA_ERROR_TOO_LONG ? ERRCODE_PROGRAM_LIMIT_EXCEEDED
                                                             : ERRCODE_INTERNAL_ERROR),
                    errmsg("%s: %s", function->name, sivka_status_message(status))));
}

void fail_null(const struct function *function, const char *what)
{
    ereport(ERROR,
            (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s: the %s of a value is NULL", function->name, what)));
}

/* PostgreSQL's message would quote the bytes that no UTF-8 stands for; ours must not. */
static char *convert_to_utf8(const char *start, size_t len)
{
    MemoryContext context = CurrentMemoryContext;
    char *volatile converted = NULL;
    PG_TRY();
    {
        converted = pg_server_to_any(start, (int)len, PG_UTF8);
    }
    PG_CATCH();
    {
        MemoryContextSwitchTo(context);
        int code = geterrcode();
        if (code != ERRCODE_CHARACTER_NOT_IN_REPERTOIRE && code != ERRCODE_UNTRANSLATABLE_CHARACTER)
            PG_RE_THROW();
        FlushErrorState();
    }
    PG_END_TRY();
    if (!converted)
        ereport(ERROR, (errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
                        errmsg("sivka: a value or context is not text in UTF-8, and has no equivalent there")));
    return converted;
}

struct bytes utf8_of(text *argument)
{
    const char *start = VARDATA_ANY(argument);
    size_t len = VARSIZE_ANY_EXHDR(argument);
    if (GetDatabaseEncoding() != PG_UTF8) {
        char *converted = convert_to_utf8(start, len);
        /* Text that needs no conversion is returned as it is, without a zero at its end. */
        if (converted != start) {
            start = converted;
            len = strlen(converted);
        }
    }
    return (struct bytes){(const uint8_t *)start, len};
}

struct bytes bytes_in_form(Datum value, enum form form)
{
    if (form == FORM_JSONB) {
        Jsonb *jsonb = DatumGetJsonbP(value);
        char *text = JsonbToCString(NULL, &jsonb->root, VARSIZE(jsonb));
        return utf8_of(cstring_to_text(text));
    }
    struct varlena *argument = PG_DETOAST_DATUM_PACKED(value);
    if (form == FORM_TEXT)
        return utf8_of((text *)argument);
    return (struct bytes){(const uint8_t *)VARDATA_ANY(argument), VARSIZE_ANY_EXHDR(argument)};
}

static Datum convert(enum form form, bytea *opened)
{
    size_t len = VARSIZE(opened) - VARHDRSZ;
    if (form == FORM_TEXT && GetDatabaseEncoding() == PG_UTF8)
        return PointerGetDatum(opened);
    char *text = pnstrdup(VARDATA(opened), len);
    char *converted = pg_any_to_server(text, (int)len, PG_UTF8);
    if (form == FORM_TEXT)
        return PointerGetDatum(cstring_to_text(converted));
    return DirectFunctionCall1(jsonb_in, CStringGetDatum(converted));
}

/* The messages of PostgreSQL's own conversions quote the value; ours must not. */
Datum value_in_form(const struct function *function, bytea *opened)
{
    MemoryContext context = CurrentMemoryContext;
    volatile Datum value = (Datum)0;
    volatile bool is_valid = function->form == FORM_BYTES ||
                             pg_verify_mbstr(PG_UTF8, VARDATA(opened), (int)(VARSIZE(opened) - VARHDRSZ), true);
    if (function->form == FORM_BYTES || (is_valid && function->form == FORM_TEXT && GetDatabaseEncoding() == PG_UTF8))
        return PointerGetDatum(opened);
    if (is_valid) {
        PG_TRY();
        {
            value = convert(function->form, opened);
        }
        PG_CATCH();
        {
            MemoryContextSwitchTo(context);
            int code = geterrcode();
            if (ERRCODE_TO_CATEGORY(code) != ERRCODE_DATA_EXCEPTION && code != ERRCODE_UNTRANSLATABLE_CHARACTER)
                PG_RE_THROW();
            FlushErrorState();
            is_valid = false;
        }
        PG_END_TRY();
    }
    if (!is_valid)
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("%s: a value opened and is not %s", function->name,
                               function->form == FORM_JSONB ? "JSON" : "text in the encoding of the database")));
    return value;
}
