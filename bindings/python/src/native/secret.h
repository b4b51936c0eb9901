/* Memory that held a secret. */
#ifndef SIVKA_PYTHON_SECRET_H
#define SIVKA_PYTHON_SECRET_H

#include <string.h>

/* Overwrites memory, and is not optimised away. */
static inline void wipe(void *at, size_t len)
{
    /* A call through it is never left out: nobody knows where it points. */
    static void *(*const volatile set)(void *, int, size_t) = memset;

    if (len > 0)
        set(at, 0, len);
}

#endif
