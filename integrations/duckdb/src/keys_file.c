/*
 * The keys file: which names a database has, where their keys are, and who may do what with them. The
 * environment says where it is, and it is read when the extension is loaded: no statement of SQL changes
 * what it says. Its keys are not read through DuckDB's file system, so SQL needs no right to read them.
 */
#include "sivka_duckdb.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define VARIABLE "SIVKA_DUCKDB_KEYS"
#define MAX_FILE_LEN ((size_t)64 << 10)
#define SPACES " \t"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A line of the file. A program has run when the file was read; its key stays. */
struct line {
    struct line *next;
    bool may_seal, may_open;
    struct bound_key *key;
    const char *path;
    char name[MAX_KEY_NAME_LEN + 1];
};

struct keys_file {
    size_t users;
    struct line *lines;
    /* The memory of the lines' paths. */
    char text[];
};

struct keys_file *share_keys_file(struct keys_file *file)
{
    if (file)
        __atomic_add_fetch(&file->users, 1, __ATOMIC_RELAXED);
    return file;
}

void release_keys_file(struct keys_file *file)
{
    if (!file || __atomic_sub_fetch(&file->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    while (file->lines) {
        struct line *line = file->lines;
        file->lines = line->next;
        if (line->key)
            release_key(line->key);
        free(line);
    }
    free(file);
}

static bool is_absolute(const char *path)
{
#ifdef _WIN32
    if (isalpha((unsigned char)path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/'))
        return true;
#endif
    return path[0] == '/';
}

static bool parse_rights(const char *rights, struct line *line)
{
    line->may_seal = strcmp(rights, "seal") == 0;
    line->may_open = strcmp(rights, "open") == 0;
    if (strcmp(rights, "seal,open") == 0)
        line->may_seal = line->may_open = true;
    return line->may_seal || line->may_open;
}

/* The next word of a line, ended by a zero; `*rest` is what comes after it. */
static char *take_word(char **rest)
{
    char *word = *rest + strspn(*rest, SPACES);
    char *end = word + strcspn(word, SPACES);
    *rest = end + strspn(end, SPACES);
    *end = 0;
    return word;
}

static const struct line *find_line(const struct keys_file *file, const char *name)
{
    const struct line *line = file->lines;
    while (line && strcmp(line->name, name) != 0)
        line = line->next;
    return line;
}

/* Runs a line's program, and names it where the process writes its errors: DuckDB's C interface cannot
 * write to DuckDB's log. */
static bool take_from_program(struct line *line, const char *path, char *message)
{
    uint8_t text[MAX_KEY_TEXT_LEN + 1];
    const char *reason;
    fprintf(stderr, "sivka: the program \"%s\" gives key \"%s\"\n", path, line->name);
    fflush(stderr);
    int64_t len = run_program(path, text, sizeof text, &reason);
    if (len >= 0)
        line->key = make_key(line->name, text, (size_t)len, &reason);
    wipe(text, sizeof text);
    if (!line->key)
        snprintf(message, MESSAGE_LEN, "sivka: the program of key '%s' %s", line->name, reason);
    return line->key != NULL;
}

/* Reads the key of a line's file; NULL and a message if it cannot. */
static struct bound_key *read_key(const struct line *line, char *message)
{
    uint8_t text[MAX_KEY_TEXT_LEN + 1];
    const char *reason;
    struct bound_key *key = NULL;
    int64_t len = read_guarded_file(line->path, true, text, sizeof text, &reason);
    if (len >= 0)
        key = make_key(line->name, text, (size_t)len, &reason);
    if (!key)
        snprintf(message, MESSAGE_LEN, "the file of key '%s' %s", line->name, reason);
    wipe(text, sizeof text);
    return key;
}

/* A key that cannot be read now is noticed now, and not by the first query. */
static bool can_be_read(const struct line *line, char *message)
{
    struct bound_key *key = read_key(line, message);
    if (key)
        release_key(key);
    return key != NULL;
}

/* "name rights place", where a place is the path of a file, or "|" and that of a program. Nothing of a
 * line is in the message: somebody may have put a key there. */
static bool parse_line(struct keys_file *file, char *text, size_t number, char *message)
{
    char *name = take_word(&text), *rights = take_word(&text), *place = text;
    for (size_t len = strlen(place); len > 0 && strchr(SPACES, place[len - 1]); len--)
        place[len - 1] = 0;
    if (*name == 0 || *name == '#')
        return true;
    struct line *line = calloc(1, sizeof *line);
    const char *wrong = NULL;
    bool is_program = *place == '|';
    if (!line)
        wrong = "there is no memory for it";
    else if (!is_key_name(name, strlen(name)))
        wrong = "the name of a key has 1 to 40 letters, digits, '.', '_' and '-'";
    else if (find_line(file, name))
        wrong = "another line has this name";
    else if (!parse_rights(rights, line))
        wrong = "rights are seal, open or seal,open";
    else if (!is_absolute(place + is_program) || sivka_check_key_path(place, strlen(place)) != SIVKA_OK)
        wrong = "the absolute path of a key file, or '|' and that of a program, is expected";
    if (wrong) {
        snprintf(message, MESSAGE_LEN, "sivka: line %zu of the file that " VARIABLE " names: %s", number, wrong);
        free(line);
        return false;
    }
    strcpy(line->name, name);
    line->next = file->lines;
    file->lines = line;
    line->path = place + is_program;
    return is_program ? take_from_program(line, line->path, message) : can_be_read(line, message);
}

bool read_keys_file(struct keys_file **made, char *message)
{
    const char *path = getenv(VARIABLE), *reason = NULL;
    *made = NULL;
    if (!path)
        return true;
    struct keys_file *file = calloc(1, sizeof *file + MAX_FILE_LEN + 1);
    if (!file) {
        snprintf(message, MESSAGE_LEN, "sivka: there is no memory for the file that " VARIABLE " names");
        return false;
    }
    file->users = 1;
    int64_t len = read_guarded_file(path, false, (uint8_t *)file->text, MAX_FILE_LEN + 1, &reason);
    bool is_text = len >= 0 && (size_t)len <= MAX_FILE_LEN && strlen(file->text) == (size_t)len;
    if (!is_text)
        snprintf(message, MESSAGE_LEN, "sivka: the file that " VARIABLE " names %s",
                 len < 0 ? reason : "is too long, or no text");
    bool is_read = is_text;
    char *next = file->text;
    /* Editors of Windows write one, and key files may begin with it, too. */
    if (strncmp(next, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        next += strlen(BYTE_ORDER_MARK);
    for (size_t number = 1; is_read && next; number++) {
        char *text = next, *end = strchr(text, '\n');
        next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        size_t text_len = strlen(text);
        if (text_len > 0 && text[text_len - 1] == '\r')
            text[text_len - 1] = 0;
        is_read = parse_line(file, text, number, message);
    }
    if (is_read)
        *made = file;
    else
        release_keys_file(file);
    return is_read;
}

/* Users who may open or seal a value may make its token. */
static bool is_allowed(const struct line *line, const struct function *function)
{
    if (function->opens)
        return line->may_open;
    return line->may_seal || (line->may_open && sivka_inspect_algorithm(function->algorithm)->nonce_len == 0);
}

struct bound_key *take_from_keys_file(const struct function *function, const char *name, char *message)
{
    const struct line *line = find_line(function->keys_file, name);
    if (!line) {
        snprintf(message, MESSAGE_LEN, "there is no key '%s' in the file that " VARIABLE " names", name);
        return NULL;
    }
    if (!is_allowed(line, function)) {
        snprintf(message, MESSAGE_LEN, "permission denied for key '%s'", name);
        return NULL;
    }
    return line->key ? share_key(line->key) : read_key(line, message);
}
