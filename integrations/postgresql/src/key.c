/*
 * Keys by name. The setting sivka.keys says where each is; a view sivka_key.NAME
 * says who may use it: SELECT on its column seal is the right to seal, on its column open to open.
 *
 * No key is ever a value of SQL, so none is in a plan, a log, a statistic or an error. A session
 * reads a key when it first needs it, and again after the server reloaded its configuration.
 */
#include "sivka_postgresql.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#define RIGHTS_SCHEMA "sivka_key"

/* A key of this session. */
struct loaded_key {
    struct loaded_key *next;
    struct column_keys keys;
    char name[SIVKA_KEYRING_MAX_NAME_LEN + 1];
};

/* The key of a call, kept for the next one of the same expression. */
struct found_key {
    const sivka_key *key;
    uint64 generation;
    Oid user;
    size_t name_len;
    char name[SIVKA_KEYRING_MAX_NAME_LEN + 1];
};

static char *setting;
/* What the setting says. */
static sivka_keyring *keyring;
static struct loaded_key *loaded_keys;
/* Counts changes that may change a look-up: of files, names, rights and roles. */
static uint64 generation = 1;

static void free_keys(void)
{
    while (loaded_keys) {
        struct loaded_key *key = loaded_keys;
        loaded_keys = key->next;
        free_column_keys(&key->keys);
        pfree(key);
    }
}

static void free_keys_at_exit(int code, Datum argument)
{
    (void)code;
    (void)argument;
    free_keys();
}

/* GucStringCheckHook. Says nothing of the value: somebody may have put a key there. */
static bool check_setting(char **value, void **extra, GucSource source)
{
    (void)extra;
    (void)source;
    sivka_keyring *made;
    if (sivka_keyring_parse(*value, strlen(*value), "sivka.keys", &made) == SIVKA_OK) {
        sivka_keyring_free(made);
        return true;
    }
    const sivka_error *error = sivka_last_error();
    GUC_check_errmsg("%s", error->detail);
    if (error->argument)
        GUC_check_errdetail("It is \"name=/path, other=|/program\". A name has 1 to %d letters, digits, \".\", \"_\" "
                            "and \"-\"; a path begins with \"/\", and has neither a comma nor an apostrophe.",
                            SIVKA_KEYRING_MAX_NAME_LEN);
    return false;
}

/* GucStringAssignHook. The server calls it at each reload, also if the value is the same, and between
 * two commands of a session: no function has a key in hand. */
static void assign_setting(const char *value, void *extra)
{
    (void)extra;
    free_keys();
    sivka_keyring_free(keyring);
    /* It was parsed before: only memory may lack, and then there are no names. */
    if (sivka_keyring_parse(value, strlen(value), "sivka.keys", &keyring) != SIVKA_OK)
        keyring = NULL;
    generation++;
}

static void note_changed_relation(Datum argument, Oid relation)
{
    (void)argument;
    (void)relation;
    generation++;
}

static void note_changed_roles(Datum argument, int cache, uint32 hash)
{
    (void)argument;
    (void)cache;
    (void)hash;
    generation++;
}

void define_key_setting(void)
{
    DefineCustomStringVariable("sivka.keys", "The key file of each name, for sivka_seal and its like.", NULL, &setting,
                               "", PGC_SIGHUP, GUC_SUPERUSER_ONLY, check_setting, assign_setting, NULL);
#if PG_VERSION_NUM >= 150000
    MarkGUCPrefixReserved("sivka");
#else
    EmitWarningsOnPlaceholders("sivka");
#endif
    CacheRegisterRelcacheCallback(note_changed_relation, (Datum)0);
    CacheRegisterSyscacheCallback(RELOID, note_changed_roles, (Datum)0);
    CacheRegisterSyscacheCallback(AUTHOID, note_changed_roles, (Datum)0);
    CacheRegisterSyscacheCallback(AUTHMEMROLEMEM, note_changed_roles, (Datum)0);
    CacheRegisterSyscacheCallback(NAMESPACEOID, note_changed_roles, (Datum)0);
}

/*
 * Whether somebody granted the user a right: SELECT on a column of the key's view. No default privileges
 * and no predefined role reach a column, so a restored key has no rights but those that were dumped.
 */
static bool is_granted(Oid relation, const char *right)
{
    HeapTuple tuple = SearchSysCacheAttName(relation, right);
    if (!HeapTupleIsValid(tuple))
        return false;
    bool is_none = false;
    Datum list = SysCacheGetAttr(ATTNAME, tuple, Anum_pg_attribute_attacl, &is_none);
    bool allowed = !is_none && aclmask(DatumGetAclP(list), GetUserId(), InvalidOid, ACL_SELECT, ACLMASK_ANY) != 0;
    ReleaseSysCache(tuple);
    return allowed;
}

/* The view of a key. Only one that a superuser owns counts: its owner grants its rights. */
static Oid key_view(const char *name)
{
    Oid schema = get_namespace_oid(RIGHTS_SCHEMA, true);
    Oid relation = OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;
    HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
    if (!HeapTupleIsValid(tuple))
        return InvalidOid;
    Oid owner = ((Form_pg_class)GETSTRUCT(tuple))->relowner;
    ReleaseSysCache(tuple);
    return superuser_arg(owner) ? relation : InvalidOid;
}

/* Users who may open or seal a value may make its token. */
static void check_right(const struct function *function, const char *name)
{
    if (superuser())
        return;
    bool is_token = is_for_tokens(function) && !function->opens;
    const char *right = function->opens ? "open" : "seal";
    Oid view = key_view(name);
    if (OidIsValid(view) && (is_granted(view, right) || (is_token && is_granted(view, "open"))))
        return;
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("%s: permission denied for key \"%s\"", function->name, name),
                    OidIsValid(view) ? errhint("The right is SELECT (%s) on " RIGHTS_SCHEMA ".\"%s\".", right, name)
                                     : errhint("A superuser makes the key known by sivka_create_key().")));
}

static const struct column_keys *load(const struct function *function, const char *name, const char *place)
{
    if (!place)
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
                        errmsg("%s: there is no key \"%s\" in the setting sivka.keys", function->name, name)));
    struct loaded_key *made = MemoryContextAlloc(TopMemoryContext, sizeof *made);
    PG_TRY();
    {
        made->keys = load_key(function, keyring, name, place);
    }
    PG_CATCH();
    {
        pfree(made);
        PG_RE_THROW();
    }
    PG_END_TRY();
    strlcpy(made->name, name, sizeof made->name);
    made->next = loaded_keys;
    loaded_keys = made;
    return &made->keys;
}

static const struct column_keys *find_or_load(const struct function *function, const char *name, const char *place)
{
    static bool exit_is_known = false;
    if (!exit_is_known) {
        on_proc_exit(free_keys_at_exit, (Datum)0);
        exit_is_known = true;
    }
    for (const struct loaded_key *key = loaded_keys; key; key = key->next) {
        if (strcmp(key->name, name) == 0)
            return &key->keys;
    }
    return load(function, name, place);
}

/* A key file is for all functions, a keyset for one kind of them. */
static const sivka_key *of_purpose(const struct function *function, const struct column_keys *keys, const char *name)
{
    const sivka_key *wanted = column_key_of(keys, function->algorithm);
    if (!wanted)
        ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                        errmsg("%s: key \"%s\" is a keyset that is not for %s", function->name, name,
                               is_for_tokens(function) ? "deterministic AEAD" : "AEAD")));
    return wanted;
}

const sivka_key *key_for(FunctionCallInfo fcinfo, const struct function *function)
{
    text *argument = PG_GETARG_TEXT_PP(1);
    const char *given = VARDATA_ANY(argument);
    size_t len = VARSIZE_ANY_EXHDR(argument);
    struct found_key *found = fcinfo->flinfo->fn_extra;
    if (found && found->generation == generation && found->user == GetUserId() && found->name_len == len &&
        memcmp(found->name, given, len) == 0)
        return found->key;
    const char *place;
    if (sivka_keyring_path(keyring, given, len, &place) != SIVKA_OK)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_NAME), errmsg("%s: %s", function->name, sivka_last_error()->detail)));
    char name[SIVKA_KEYRING_MAX_NAME_LEN + 1] = {0};
    memcpy(name, given, len);
    /* A look-up may hear of changes, which then count for the next call. */
    uint64 before = generation;
    check_right(function, name);
    const sivka_key *key = of_purpose(function, find_or_load(function, name, place), name);
    if (!found)
        found = fcinfo->flinfo->fn_extra = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof *found);
    found->key = key;
    found->generation = before;
    found->user = GetUserId();
    found->name_len = len;
    memcpy(found->name, name, sizeof name);
    return key;
}
