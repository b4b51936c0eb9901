/* Arguments: buffers, and names. */
#include "binding.h"

#include <stdint.h>
#include <string.h>

static void view_nothing(Py_buffer *view)
{
    memset(view, 0, sizeof *view);
}

/* The name of an object's type for messages; a new reference, or NULL. */
static PyObject *type_name(PyObject *object)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__qualname__");

    if (name == NULL)
        PyErr_Clear();
    return name;
}

static int refuse_type(PyObject *object, const char *what, const char *expected)
{
    PyObject *name = type_name(object);

    PyErr_Format(PyExc_TypeError, "%s: %s expected, %S given", what, expected,
                 name != NULL ? name : Py_None);
    Py_XDECREF(name);
    return -1;
}

/* An exporter's refusal, in our words: exporters differ in theirs and in its type. */
static int refuse_buffer(const char *what)
{
    if (PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_BufferError, "%s: a contiguous buffer expected", what);
    }
    return -1;
}

int view_bytes(PyObject *object, const char *what, Py_buffer *view)
{
    /* What most arguments are: the same, in half the time. */
    if (PyBytes_CheckExact(object)) {
        view->buf = PyBytes_AsString(object);
        view->len = PyBytes_Size(object);
        view->obj = object;
        Py_INCREF(object);
        return 0;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) == 0)
        return 0;
    view_nothing(view);
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Clear();
        return refuse_type(object, what, "a bytes-like object");
    }
    return refuse_buffer(what);
}

int view_optional_bytes(PyObject *object, const char *what, Py_buffer *view)
{
    if (object != NULL && object != Py_None)
        return view_bytes(object, what, view);
    view_nothing(view);
    return 0;
}

int view_writable(PyObject *object, const char *what, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE) == 0)
        return 0;
    PyErr_Clear();
    /* What could at least be read is contiguous, and so it is the writing. */
    if (view_bytes(object, what, view) == 0) {
        view_release(view);
        view_nothing(view);
        PyErr_Format(PyExc_TypeError, "%s: a writable buffer expected", what);
    }
    return -1;
}

void view_release(Py_buffer *view)
{
    if (view->obj != NULL && PyBytes_CheckExact(view->obj))
        Py_CLEAR(view->obj);
    else
        PyBuffer_Release(view);
}

void views_release(Py_buffer *views, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++)
        view_release(&views[i]);
}

int views_overlap(const Py_buffer *one, const Py_buffer *other)
{
    const uintptr_t a = (uintptr_t)one->buf, b = (uintptr_t)other->buf;

    if (one->len == 0 || other->len == 0)
        return 0;
    return a < b + (size_t)other->len && b < a + (size_t)one->len;
}

static int refuse_count(const signature *it, Py_ssize_t count)
{
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional arguments, %zd given",
                 it->method, it->positional, count);
    return -1;
}

int take_arguments(const signature *it, PyObject *const *args, Py_ssize_t count,
                   PyObject *keywords, PyObject **found)
{
    const Py_ssize_t named = keywords != NULL ? PyTuple_Size(keywords) : 0;
    Py_ssize_t i, k;

    if (count > it->positional)
        return refuse_count(it, count);
    for (i = 0; i < it->total; i++)
        found[i] = i < count ? args[i] : NULL;
    for (k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(keywords, k);

        for (i = 0; i < it->total; i++)
            if (PyUnicode_CompareWithASCIIString(name, it->names[i]) == 0)
                break;
        if (i == it->total || found[i] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         i == it->total ? "%s() got an unexpected keyword argument '%U'"
                                        : "%s() got multiple values for argument '%U'",
                         it->method, name);
            return -1;
        }
        found[i] = args[count + k];
    }
    for (i = 0; i < it->required; i++) {
        if (found[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'", it->method,
                         it->names[i]);
            return -1;
        }
    }
    return 0;
}
