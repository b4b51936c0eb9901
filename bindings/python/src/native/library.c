#include "library.h"

#include "arguments.h"
#include "status.h"

int algorithm_from_name(PyObject *name, sivka_algorithm *algorithm)
{
    PyObject *bytes = PyUnicode_AsUTF8String(name);
    char *text = NULL;
    int result = -1;

    if (bytes != NULL && PyBytes_AsStringAndSize(bytes, &text, NULL) == 0) {
        const sivka_status status = sivka_algorithm_from_name(text, algorithm);

        if (status == SIVKA_OK)
            result = 0;
        else
            raise_status_named(status, "name", "algorithm");
    }
    Py_XDECREF(bytes);
    return result;
}

/* A tuple of `count` names. */
static PyObject *names(size_t count, const char *(*name_at)(size_t))
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    size_t i;

    for (i = 0; tuple != NULL && i < count; i++) {
        PyObject *name = PyUnicode_FromString(name_at(i));

        if (name == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static const char *algorithm_name_at(size_t index)
{
    return sivka_algorithm_name(sivka_algorithm_at(index));
}

static PyObject *algorithms(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return names(sivka_algorithm_count(), algorithm_name_at);
}

static const char *suite_name_at(size_t index)
{
    return sivka_suite_name(sivka_suite_at(index));
}

static PyObject *suites(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return names(sivka_suite_count(), suite_name_at);
}

static PyObject *templates(PyObject *module, PyObject *unused)
{
    size_t count = 0;

    (void)module;
    (void)unused;
    while (sivka_template_name_at(count) != NULL)
        count++;
    return names(count, sivka_template_name_at);
}

static PyObject *length(PyObject *name, size_t (*length_of)(sivka_algorithm))
{
    sivka_algorithm algorithm;

    if (algorithm_from_name(name, &algorithm) < 0)
        return NULL;
    return PyLong_FromSize_t(length_of(algorithm));
}

static PyObject *key_length(PyObject *module, PyObject *name)
{
    (void)module;
    return length(name, sivka_key_len);
}

static PyObject *tag_length(PyObject *module, PyObject *name)
{
    (void)module;
    return length(name, sivka_tag_len);
}

static PyObject *generate_key(PyObject *module, PyObject *name)
{
    sivka_algorithm algorithm;
    sivka_status status;
    PyObject *key;
    size_t len;

    (void)module;
    if (algorithm_from_name(name, &algorithm) < 0)
        return NULL;
    len = sivka_key_len(algorithm);
    key = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
    if (key == NULL)
        return NULL;
    status = sivka_generate_key(algorithm, (uint8_t *)PyBytes_AsString(key), len);
    if (status != SIVKA_OK) {
        Py_DECREF(key);
        return raise_status(status);
    }
    return key;
}

static PyObject *buffer_length(PyObject *module, PyObject *args)
{
    const char *what;
    PyObject *object;
    Py_buffer view;

    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &object, &what) || view_bytes(object, what, &view) < 0)
        return NULL;
    view_release(&view);
    return PyLong_FromSsize_t(view.len);
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(sivka_version());
}

static PyObject *tier(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(sivka_tier());
}

static PyMethodDef functions[] = {
    {"algorithms", algorithms, METH_NOARGS,
     "algorithms()\n--\n\nThe names of all algorithms."},
    {"suites", suites, METH_NOARGS, "suites()\n--\n\nThe names of all suites."},
    {"templates", templates, METH_NOARGS,
     "templates()\n--\n\nThe names of all templates of keys for keysets."},
    {"key_length", key_length, METH_O,
     "key_length(algorithm, /)\n--\n\nThe length of a key in bytes."},
    {"tag_length", tag_length, METH_O,
     "tag_length(algorithm, /)\n--\n\nThe length of a tag in bytes."},
    {"generate_key", generate_key, METH_O,
     "generate_key(algorithm, /)\n--\n\nA random key, as bytes."},
    {"buffer_length", buffer_length, METH_VARARGS,
     "buffer_length(buffer, name, /)\n--\n\nThe length of a buffer in bytes; what is none that "
     "this package takes is refused, as the argument of this name."},
    {"version", version, METH_NOARGS, "version()\n--\n\nThe version of the library."},
    {"tier", tier, METH_NOARGS,
     "tier()\n--\n\nThe tier that new keys run on: the widest that this CPU has."},
    {NULL, NULL, 0, NULL},
};

int add_library(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
