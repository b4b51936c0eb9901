/* Arguments: buffers, and names. */
#ifndef SIVKA_PYTHON_ARGUMENTS_H
#define SIVKA_PYTHON_ARGUMENTS_H

#include "binding.h"

/* Whether it is an array of Arrow, or several. */
int is_arrow(PyObject *object);
/* Raises TypeError: which type was given, and for an array of Arrow where it goes. -1. */
int refuse_type(PyObject *object, const char *what, const char *expected);

/*
 * Views of buffers: contiguous, with no addresses of objects in them, and protected from
 * being resized until view_release().
 * `what` is the argument's name. 0, or -1 and an exception. A view that could not be
 * taken, and one of None, may be released like any other. A view of bytes does not keep
 * them: whoever calls keeps the object.
 */
int view_buffer(PyObject *object, const char *what, Py_buffer *view);
int view_writable(PyObject *object, const char *what, Py_buffer *view);

static inline void view_nothing(Py_buffer *view)
{
    view->buf = NULL;
    view->len = 0;
    view->obj = NULL;
}

/* Of bytes, which most arguments are, the same in half the time. */
static inline int view_bytes(PyObject *object, const char *what, Py_buffer *view)
{
    char *at = NULL;
    int result;

    if (!PyBytes_CheckExact(object))
        return view_buffer(object, what, view);
    result = PyBytes_AsStringAndSize(object, &at, &view->len);
    view->buf = at;
    view->obj = NULL;
    return result;
}

static inline int view_optional_bytes(PyObject *object, const char *what, Py_buffer *view)
{
    if (object != NULL && object != Py_None)
        return view_bytes(object, what, view);
    view_nothing(view);
    return 0;
}

static inline void view_release(Py_buffer *view)
{
    if (view->obj != NULL)
        PyBuffer_Release(view);
}

static inline void views_release(Py_buffer *views, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++)
        view_release(&views[i]);
}

/*
 * Refuses views that share bytes and do not begin at one place. 0, or -1 and ValueError,
 * with the names of both.
 */
int check_apart(const Py_buffer *from, const char *from_name, const Py_buffer *to,
                const char *to_name);

/*
 * A whole number from 0 to `most`; another one raises `refusal`, with `what`, the argument's
 * name, and what is no number TypeError. 0, or -1.
 */
int number_of(PyObject *object, const char *what, uint64_t most, PyObject *refusal,
              uint64_t *number);

/* What a method takes: `required` of `total` names, `positional` of them without a name. */
typedef struct {
    const char *const *names;
    Py_ssize_t required, positional, total;
} signature;

PyObject *const *sort_arguments(const char *method, const signature *it, PyObject *const *args,
                                Py_ssize_t count, PyObject *keywords, PyObject **room);

/*
 * The `total` arguments of a FAST_METHOD in the order of `names`, NULL for what was not
 * given: where they are, or in `room`. NULL and TypeError if they do not fit.
 */
static inline PyObject *const *take_arguments(const char *method, const signature *it,
                                              PyObject *const *args, Py_ssize_t count,
                                              PyObject *keywords, PyObject **room)
{
    if (keywords == NULL && count == it->positional && count == it->total)
        return args;
    return sort_arguments(method, it, args, count, keywords, room);
}

#endif
