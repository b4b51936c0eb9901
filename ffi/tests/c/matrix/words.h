/* Lines of words, and bytes as hexadecimal digits, which are kept until the line is answered. */
#ifndef SIVKA_MATRIX_WORDS_H
#define SIVKA_MATRIX_WORDS_H

#include "../check.h"

struct bytes {
    unsigned char *at;
    size_t len;
};

static struct bytes new_bytes(size_t len)
{
    struct bytes bytes = {keep(len), len};

    return bytes;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef", *found = strchr(digits, c);

    CHECK(c != '\0' && found != NULL);
    return (int)(found - digits);
}

/* Painted, so that what was not written shows. */
static struct bytes painted(size_t len)
{
    struct bytes bytes = new_bytes(len);

    memset(bytes.at, 0xaa, len);
    return bytes;
}

/* The bytes of hexadecimal digits; `-` is none. */
static struct bytes parse(const char *word)
{
    struct bytes bytes = new_bytes(strcmp(word, "-") == 0 ? 0 : strlen(word) / 2);
    size_t i;

    for (i = 0; i < bytes.len; i++)
        bytes.at[i] = (unsigned char)(digit(word[2 * i]) << 4 | digit(word[2 * i + 1]));
    return bytes;
}

/* The next word, or NULL at the end of the line. */
static char *last_word(void)
{
    return strtok(NULL, " \n");
}

static char *word(void)
{
    char *next = last_word();

    CHECK(next != NULL);
    return next;
}

static void answer(const unsigned char *bytes, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        printf("%02x", bytes[i]);
    if (len == 0)
        printf("-");
}

/* Ciphertext or plaintext if all went well; else `forged`, or how the call was wrong. */
static void answer_or_forged(sivka_status status, const unsigned char *bytes, size_t len)
{
    if (status == SIVKA_ERROR_OPEN)
        printf("forged");
    else if (status != SIVKA_OK)
        printf("status %d: %s", (int)status, sivka_last_error()->detail);
    else
        answer(bytes, len);
}

/* NULL if there is none, which is answered. */
static sivka_key *key_of(const char *name, const char *digits)
{
    const char *of_columns = "column:";
    const size_t skipped = strncmp(digits, of_columns, 7) == 0 ? 7 : 0;
    struct bytes key = parse(digits + skipped);
    sivka_algorithm algorithm;
    sivka_key *made = NULL;
    sivka_status status = sivka_algorithm_from_name(name, &algorithm);

    if (status == SIVKA_OK)
        status = skipped > 0 ? sivka_column_key_new(algorithm, (const char *)key.at, key.len, &made)
                             : sivka_key_new(algorithm, key.at, key.len, &made);
    if (status != SIVKA_OK)
        answer_or_forged(status, NULL, 0);
    memset(key.at, 0, key.len);
    return made;
}

#endif
