/*
 * Keys by name. The setting sivka.keys says where the file of each is; a relation sivka_key.NAME
 * says who may use it: INSERT is the right to seal, SELECT the right to open.
 *
 * No key is ever a value of SQL, so none is in a plan, a log, a statistic or an error. A session
 * reads a file when it first needs the key, and again after the server reloaded its configuration.
 */
#include "sivka_postgresql.h"

#include "catalog/namespace.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define RIGHTS_SCHEMA "sivka_key"

/* A key of this session for one algorithm. */
struct loaded_key {
    struct loaded_key *next;
    sivka_key *key;
    sivka_algorithm algorithm;
    char name[MAX_KEY_NAME_LEN + 1];
};

/* What a call found, kept for the next one of the same expression. */
struct found_key {
    const sivka_key *key;
    uint64 generation;
    Oid user;
    size_t name_len;
    char name[MAX_KEY_NAME_LEN + 1];
};

static char *setting;
static struct loaded_key *loaded_keys;
static bool files_may_differ;
/* Counts what may change the answer of a look-up: files, names, rights and roles. */
static uint64 generation = 1;

static void free_keys(void)
{
    while (loaded_keys) {
        struct loaded_key *key = loaded_keys;
        loaded_keys = key->next;
        sivka_key_free(key->key);
        locked_free(key);
    }
}

static void free_keys_at_exit(int code, Datum argument)
{
    (void)code;
    (void)argument;
    free_keys();
}

static bool is_name(const char *name, size_t len)
{
    return len > 0 && len <= MAX_KEY_NAME_LEN &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") >= len;
}

/* One "name=path" of the setting, without spaces around it; after it the next. */
struct entry {
    const char *name, *path, *end;
    size_t name_len, path_len;
};

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static size_t len_without_spaces(const char *text, size_t len)
{
    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        len--;
    return len;
}

/* False if there is no entry at `text`, whatever else there is. */
static bool parse_entry(const char *text, struct entry *entry)
{
    text = skip_spaces(text);
    size_t len = strcspn(text, ","), name_len = strcspn(text, "=,");
    if (name_len == len)
        return false;
    entry->name = text;
    entry->name_len = len_without_spaces(text, name_len);
    entry->path = skip_spaces(text + name_len + 1);
    entry->path_len = entry->path < text + len ? len_without_spaces(entry->path, (size_t)(text + len - entry->path)) : 0;
    entry->end = text + len + (text[len] == ',');
    return is_name(entry->name, entry->name_len) && entry->path_len > 0 && entry->path_len < MAXPGPATH &&
           entry->path[0] == '/' && sivka_check_key_path(entry->path, entry->path_len) == SIVKA_OK;
}

/* GucStringCheckHook. Says nothing of the value: somebody may have put a key there. */
static bool check_setting(char **value, void **extra, GucSource source)
{
    (void)extra;
    (void)source;
    struct entry entry;
    for (const char *rest = skip_spaces(*value); *rest; rest = skip_spaces(entry.end)) {
        if (!parse_entry(rest, &entry)) {
            GUC_check_errmsg("sivka.keys is not a list of names and paths of key files");
            GUC_check_errdetail("It is \"name=/path, other=/path\". A name has 1 to %d letters, digits, \".\", \"_\" and "
                                "\"-\"; a path begins with \"/\" and has no comma.",
                                MAX_KEY_NAME_LEN);
            return false;
        }
    }
    return true;
}

/* GucStringAssignHook. The server calls it at each reload, also if the value is the same. */
static void assign_setting(const char *value, void *extra)
{
    (void)value;
    (void)extra;
    files_may_differ = true;
    generation++;
}

static const char *show_setting(void)
{
    return setting;
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
                               "", PGC_SIGHUP, GUC_SUPERUSER_ONLY, check_setting, assign_setting, show_setting);
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

/* Whoever may open a value may make its token; so may who seals it. */
static void check_right(const struct function *function, const char *name)
{
    AclMode seal = ACL_INSERT, open = ACL_SELECT, wanted = function->opens ? open : seal;
    if (!function->opens && sivka_nonce_len(function->algorithm) == 0)
        wanted = seal | open;
    Oid schema = get_namespace_oid(RIGHTS_SCHEMA, true);
    Oid relation = OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;
    if (superuser() || (OidIsValid(relation) && pg_class_aclmask(relation, GetUserId(), wanted, ACLMASK_ANY) != 0))
        return;
    ereport(ERROR,
            (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("%s: permission denied for key \"%s\"", function->name, name),
             OidIsValid(relation) ? 0 : errhint("A superuser makes the key known by sivka_create_key().")));
}

static void copy_path(const struct function *function, const char *name, char *path)
{
    struct entry entry;
    for (const char *rest = setting; parse_entry(rest, &entry); rest = entry.end) {
        if (entry.name_len == strlen(name) && memcmp(entry.name, name, entry.name_len) == 0) {
            memcpy(path, entry.path, entry.path_len);
            path[entry.path_len] = 0;
            return;
        }
    }
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
                    errmsg("%s: there is no key \"%s\" in the setting sivka.keys", function->name, name)));
}

/* Fails the query. Only the server's log gets the path. */
static _Noreturn void fail_file(const struct function *function, const char *name, const char *path, const char *reason)
{
    ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
                    errmsg("%s: the file of key \"%s\" %s", function->name, name, reason),
                    errdetail_log("The path is \"%s\".", path)));
}

/* As the server asks of the key of its certificate. */
static bool is_private(const struct stat *status)
{
    mode_t others = status->st_uid == 0 ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
    return S_ISREG(status->st_mode) && (status->st_uid == geteuid() || status->st_uid == 0) &&
           (status->st_mode & others) == 0;
}

/* Reads up to `capacity` bytes; gives a reason if that fails. */
static const char *read_file(const char *path, char *text, size_t capacity, size_t *len)
{
    struct stat status;
    ssize_t got = 1;
    /* Nothing may throw while there is locked memory that nobody knows. */
    int file = BasicOpenFile(path, O_RDONLY | PG_BINARY);
    if (file < 0)
        return "cannot be read";
    bool is_safe = fstat(file, &status) == 0 && is_private(&status);
    for (*len = 0; is_safe && got > 0 && *len < capacity; *len += got < 0 ? 0 : (size_t)got)
        got = read(file, text + *len, capacity - *len);
    close(file);
    if (!is_safe)
        return "can be read by others than the server, or is no ordinary file";
    return got < 0 ? "cannot be read" : NULL;
}

static const sivka_key *load(const struct function *function, const char *name)
{
    char path[MAXPGPATH];
    copy_path(function, name, path);
    prepare_locked_memory();
    struct loaded_key *made = locked_alloc(sizeof *made);
    char *text = locked_alloc(SIVKA_MAX_KEY_FILE_LEN + 1);
    size_t len = 0;
    made->key = NULL;
    const char *reason = read_file(path, text, SIVKA_MAX_KEY_FILE_LEN + 1, &len);
    begin_locked_memory();
    if (!reason && sivka_column_key_new(function->algorithm, text, len, &made->key) != SIVKA_OK)
        reason = "is not a key file";
    if (!end_locked_memory() && !reason)
        reason = "gives a key that locked memory has no room for";
    locked_free(text);
    if (reason) {
        sivka_key_free(made->key);
        locked_free(made);
        fail_file(function, name, path, reason);
    }
    made->algorithm = function->algorithm;
    strlcpy(made->name, name, sizeof made->name);
    made->next = loaded_keys;
    loaded_keys = made;
    return made->key;
}

static const sivka_key *find_or_load(const struct function *function, const char *name)
{
    static bool exit_is_known = false;
    if (!exit_is_known) {
        on_proc_exit(free_keys_at_exit, (Datum)0);
        exit_is_known = true;
    }
    if (files_may_differ)
        free_keys();
    files_may_differ = false;
    for (const struct loaded_key *key = loaded_keys; key; key = key->next) {
        if (key->algorithm == function->algorithm && strcmp(key->name, name) == 0)
            return key->key;
    }
    return load(function, name);
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
    char name[MAX_KEY_NAME_LEN + 1] = {0};
    memcpy(name, given, Min(len, MAX_KEY_NAME_LEN));
    if (!is_name(name, len))
        ereport(ERROR, (errcode(ERRCODE_INVALID_NAME),
                        errmsg("%s: the name of a key has 1 to %d letters, digits, \".\", \"_\" and \"-\" (it is not the "
                               "key itself)",
                               function->name, MAX_KEY_NAME_LEN)));
    /* A look-up may hear of changes, which then count for the next call. */
    uint64 before = generation;
    check_right(function, name);
    const sivka_key *key = find_or_load(function, name);
    if (!found)
        found = fcinfo->flinfo->fn_extra = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof *found);
    found->key = key;
    found->generation = before;
    found->user = GetUserId();
    found->name_len = len;
    memcpy(found->name, name, sizeof name);
    return key;
}
