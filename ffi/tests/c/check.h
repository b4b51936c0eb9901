/* What every C test uses. */
#ifndef SIVKA_TEST_CHECK_H
#define SIVKA_TEST_CHECK_H

#include <sivka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long checks;

/* Counts a condition, and ends the program on one that does not hold. */
#define CHECK(condition)                                                           \
    do {                                                                           \
        checks++;                                                                  \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* The same for a status, and says which one it is. */
#define CHECK_STATUS(expected, call)                                               \
    do {                                                                           \
        const sivka_status found_ = (call);                                        \
        checks++;                                                                  \
        if (found_ != (expected)) {                                                \
            fprintf(stderr, "%s:%d: %s: %d (%s; %s)\n", __FILE__, __LINE__, #call, \
                    (int)found_, sivka_status_message(found_),                      \
                    sivka_last_error()->detail);                                   \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

static inline int is_zeros(const unsigned char *bytes, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        if (bytes[i] != 0)
            return 0;
    return 1;
}

#endif
