/* Python objects that hold a handle of the library: keys, and readers of files. */
#ifndef SIVKA_PYTHON_HANDLE_H
#define SIVKA_PYTHON_HANDLE_H

#include "binding.h"

/* What messages call it, and how the library frees it. */
typedef struct {
    const char *what;
    void (*free_pointer)(void *);
} handle_kind;

/*
 * close() may come while other threads are in calls that handed the interpreter over:
 * the last of them frees the handle then.
 */
typedef struct {
    PyObject_HEAD
    const handle_kind *kind;
    void *pointer;
    Py_ssize_t users;
    int closed;
#ifdef Py_GIL_DISABLED
    PyMutex mutex;
#endif
} handle;

/* With the interpreter lock these run undisturbed; without it they need a lock. */
#ifdef Py_GIL_DISABLED
#define HANDLE_LOCK(it) PyMutex_Lock(&(it)->mutex)
#define HANDLE_UNLOCK(it) PyMutex_Unlock(&(it)->mutex)
#else
#define HANDLE_LOCK(it) ((void)(it))
#define HANDLE_UNLOCK(it) ((void)(it))
#endif

/* Of what is closed: ValueError, and NULL. */
void *handle_refuse(const handle *it);
void handle_free(handle *it);

/* The pointer, which stays until handle_leave(); NULL and ValueError if it is closed. */
static inline void *handle_enter(handle *it)
{
    int closed;

    HANDLE_LOCK(it);
    closed = it->closed;
    it->users += !closed;
    HANDLE_UNLOCK(it);
    return closed ? handle_refuse(it) : it->pointer;
}

static inline void handle_leave(handle *it)
{
    int last;

    HANDLE_LOCK(it);
    last = --it->users == 0 && it->closed;
    HANDLE_UNLOCK(it);
    if (last)
        handle_free(it);
}

/* The same for handles that calls change: RuntimeError if another thread is in a call. */
void *handle_enter_alone(handle *it);

/* A new object that holds `pointer`, which is freed if there is none. */
PyObject *handle_new(PyTypeObject *type, const handle_kind *kind, void *pointer);
void handle_dealloc(PyObject *self);
/* The method close(), and the end of a `with`: frees now, or when the last user leaves. */
PyObject *handle_close(PyObject *self, PyObject *unused);
/* The beginning of a `with`. */
PyObject *handle_with(PyObject *self, PyObject *unused);

#define HANDLE_METHODS(close_doc)                                                          \
    {"close", handle_close, METH_NOARGS, "close($self)\n--\n\n" close_doc},                \
    {"__enter__", handle_with, METH_NOARGS, "__enter__($self)\n--\n\nThe key."},           \
    {"__exit__", handle_close, METH_VARARGS, "__exit__($self, *args)\n--\n\nclose()."},    \
    {NULL, NULL, 0, NULL}

/* Adds a type under its own name; `base` may be NULL. The module's reference, or NULL. */
PyObject *add_type(PyObject *module, PyType_Spec *spec, PyObject *base);

#endif
