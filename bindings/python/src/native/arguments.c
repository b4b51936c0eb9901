#include "arguments.h"

#include <stdint.h>

/* Arrow's own interface for arrays, and for those in several chunks. */
int is_arrow(PyObject *object)
{
    return PyObject_HasAttrString(object, "__arrow_c_array__") ||
           PyObject_HasAttrString(object, "__arrow_c_stream__");
}

int refuse_type(PyObject *object, const char *what, const char *expected)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__qualname__");

    if (name == NULL)
        PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: %s expected, %S given%s", what, expected,
                 name != NULL ? name : Py_None,
                 is_arrow(object) ? "; the buffers of an Arrow array go to "
                                    "encrypt_batch_contiguous() and decrypt_batch_contiguous()"
                                  : "");
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

int view_buffer(PyObject *object, const char *what, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) == 0)
        return 0;
    view_nothing(view);
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Clear();
        return refuse_type(object, what, "a bytes-like object");
    }
    return refuse_buffer(what);
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

int check_apart(const Py_buffer *from, const char *from_name, const Py_buffer *to,
                const char *to_name)
{
    const uintptr_t a = (uintptr_t)from->buf, b = (uintptr_t)to->buf;

    if (a == b || from->len == 0 || to->len == 0 || a >= b + (size_t)to->len ||
        b >= a + (size_t)from->len)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s overlaps %s and begins elsewhere", to_name, from_name);
    return -1;
}

int number_of(PyObject *object, const char *what, uint64_t most, PyObject *refusal,
              uint64_t *number)
{
    PyObject *given = PyNumber_Index(object);

    if (given == NULL)
        return -1;
    *number = PyLong_AsUnsignedLongLong(given);
    if (PyErr_Occurred() != NULL || *number > most) {
        PyErr_Clear();
        PyErr_Format(refusal, "%s: a number from 0 to %llu expected, %S given", what,
                     (unsigned long long)most, given);
        Py_DECREF(given);
        return -1;
    }
    Py_DECREF(given);
    return 0;
}

PyObject *const *sort_arguments(const char *method, const signature *it, PyObject *const *args,
                                Py_ssize_t count, PyObject *keywords, PyObject **room)
{
    const Py_ssize_t named = keywords != NULL ? PyTuple_Size(keywords) : 0;
    Py_ssize_t i, k;

    if (count > it->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional arguments, %zd given",
                     method, it->positional, count);
        return NULL;
    }
    for (i = 0; i < it->total; i++)
        room[i] = i < count ? args[i] : NULL;
    for (k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(keywords, k);

        for (i = 0; i < it->total; i++)
            if (PyUnicode_CompareWithASCIIString(name, it->names[i]) == 0)
                break;
        if (i == it->total || room[i] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         i == it->total ? "%s() got an unexpected keyword argument '%U'"
                                        : "%s() got multiple values for argument '%U'",
                         method, name);
            return NULL;
        }
        room[i] = args[count + k];
    }
    for (i = 0; i < it->required; i++) {
        if (room[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'", method,
                         it->names[i]);
            return NULL;
        }
    }
    return room;
}
