#include "arguments.h"

#include <stdint.h>
#include <string.h>

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

/*
 * Refuses what gave no view. Of what is not contiguous in our words, for exporters differ
 * in theirs and in their type; what was released or closed says so itself. -1.
 */
static int refuse_buffer(PyObject *object, const char *what)
{
    PyObject *type, *value, *traceback;
    Py_buffer spread;

    if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_ValueError))
        return -1;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (PyObject_GetBuffer(object, &spread, PyBUF_INDIRECT) == 0) {
        PyBuffer_Release(&spread);
        PyErr_Format(PyExc_BufferError, "%s: a contiguous buffer expected, one with gaps given",
                     what);
    } else {
        PyErr_Clear();
        /* Not the type itself: one that derives from these may want other arguments. */
        PyErr_Format(PyErr_GivenExceptionMatches(type, PyExc_BufferError) ? PyExc_BufferError
                                                                          : PyExc_ValueError,
                     "%s: %S", what, value);
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return -1;
}

/* Whether a format, which may be NULL, has a pointer to an object. */
static int names_objects(const char *format)
{
    for (; format != NULL && *format != '\0'; format++) {
        if (*format == 'O')
            return 1;
        /* The name of a field is between colons. */
        if (*format == ':' && (format = strchr(format + 1, ':')) == NULL)
            break;
    }
    return 0;
}

/* Whether an array of NumPy has objects or strings that are elsewhere, as its type says. */
static int has_objects(PyObject *object)
{
    PyObject *type = PyObject_GetAttrString(object, "dtype"), *answer = NULL;
    int found;

    if (type != NULL)
        answer = PyObject_GetAttrString(type, "hasobject");
    found = answer != NULL ? PyObject_IsTrue(answer) : 0;
    PyErr_Clear();
    Py_XDECREF(answer);
    Py_XDECREF(type);
    return found > 0;
}

/*
 * A view of bytes that are no addresses of objects: to who opens them these mean nothing,
 * and Python follows what is written over them. `how` is PyBUF_SIMPLE or PyBUF_WRITABLE.
 * 0, or -1 and an exception.
 */
static int view_of(PyObject *object, const char *what, Py_buffer *view, int how)
{
    int objects;

    if (PyObject_GetBuffer(object, view, how) < 0)
        return -1;
    /* To ask for the format costs NumPy time, and smaller items have no room for an address. */
    if (view->itemsize < (Py_ssize_t)sizeof(PyObject *))
        return 0;
    PyBuffer_Release(view);
    if (PyObject_GetBuffer(object, view, how | PyBUF_ND | PyBUF_FORMAT) == 0) {
        objects = names_objects(view->format);
    } else {
        if (!PyErr_ExceptionMatches(PyExc_BufferError) &&
            !PyErr_ExceptionMatches(PyExc_ValueError))
            return -1;
        /* NumPy has types for which there is no format, such as dates. */
        PyErr_Clear();
        if (PyObject_GetBuffer(object, view, how) < 0)
            return -1;
        objects = has_objects(object);
    }
    if (!objects)
        return 0;
    PyBuffer_Release(view);
    PyErr_Format(PyExc_TypeError, "%s: bytes expected, addresses of objects of Python given", what);
    return -1;
}

int view_buffer(PyObject *object, const char *what, Py_buffer *view)
{
    if (view_of(object, what, view, PyBUF_SIMPLE) == 0)
        return 0;
    view_nothing(view);
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Clear();
        return refuse_type(object, what, "a bytes-like object");
    }
    return refuse_buffer(object, what);
}

int view_writable(PyObject *object, const char *what, Py_buffer *view)
{
    if (view_of(object, what, view, PyBUF_WRITABLE) == 0)
        return 0;
    PyErr_Clear();
    /* What could at least be read is contiguous, and so it is the writing. */
    if (view_bytes(object, what, view) == 0) {
        view_release(view);
        view_nothing(view);
        refuse_type(object, what, "a writable buffer");
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
