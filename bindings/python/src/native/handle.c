/* Handles of the library and who may free them, and secrets that are wiped. */
#include "binding.h"

#include <string.h>

/* With the interpreter lock these run undisturbed; without it they need a lock. */
#ifdef Py_GIL_DISABLED
#define LOCK(it) PyMutex_Lock(&(it)->mutex)
#define UNLOCK(it) PyMutex_Unlock(&(it)->mutex)
#else
#define LOCK(it) ((void)(it))
#define UNLOCK(it) ((void)(it))
#endif

void wipe(void *at, size_t len)
{
    /* A call through it is never left out: nobody knows where it points. */
    static void *(*const volatile set)(void *, int, size_t) = memset;

    if (len > 0)
        set(at, 0, len);
}

void *handle_enter(handle *it, const char *what)
{
    void *pointer;

    LOCK(it);
    pointer = it->closed ? NULL : it->pointer;
    if (pointer != NULL)
        it->users++;
    UNLOCK(it);
    if (pointer == NULL)
        PyErr_Format(PyExc_ValueError, "%s is closed", what);
    return pointer;
}

/* What is to be freed, if anything is by now. */
static void *to_be_freed(handle *it)
{
    void *pointer = NULL;

    if (it->closed && it->users == 0) {
        pointer = it->pointer;
        it->pointer = NULL;
    }
    return pointer;
}

void handle_leave(handle *it, void (*free_pointer)(void *))
{
    void *pointer;

    LOCK(it);
    it->users--;
    pointer = to_be_freed(it);
    UNLOCK(it);
    if (pointer != NULL)
        free_pointer(pointer);
}

void handle_close(handle *it, void (*free_pointer)(void *))
{
    void *pointer;

    LOCK(it);
    it->closed = 1;
    pointer = to_be_freed(it);
    UNLOCK(it);
    if (pointer != NULL)
        free_pointer(pointer);
}
