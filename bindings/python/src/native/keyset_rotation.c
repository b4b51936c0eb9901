/* How keysets come about and change: new keys, and others in another state. */
#include "arguments.h"
#include "keyset.h"
#include "status.h"

/* A name of the library's in bytes, which the caller keeps; NULL and an exception. */
static PyObject *template_of(PyObject *object, const char **name)
{
    PyObject *bytes;
    char *text = NULL;

    if (!PyUnicode_Check(object)) {
        refuse_type(object, "template", "a str");
        return NULL;
    }
    bytes = PyUnicode_AsUTF8String(object);
    /* No template has a zero in its name: ValueError. */
    if (bytes != NULL && PyBytes_AsStringAndSize(bytes, &text, NULL) < 0)
        Py_CLEAR(bytes);
    *name = text;
    return bytes;
}

PyObject *keyset_generate(PyObject *type, PyObject *object)
{
    const char *name;
    PyObject *bytes = template_of(object, &name);
    sivka_keyset *keys = NULL;
    sivka_status status;

    if (bytes == NULL)
        return NULL;
    status = sivka_keyset_generate(name, &keys);
    Py_DECREF(bytes);
    return status == SIVKA_OK ? keyset_new((PyTypeObject *)type, keys) : raise_status(status);
}

static PyObject *with_template(PyObject *self, PyObject *object, keyset_change *change)
{
    keyset_argument argument = {0};
    PyObject *bytes = template_of(object, &argument.template_name);
    int applied;

    if (bytes == NULL)
        return NULL;
    applied = keyset_apply(self, change, &argument);
    Py_DECREF(bytes);
    return applied == 0 ? PyLong_FromUnsignedLong(argument.id) : NULL;
}

static PyObject *with_id(PyObject *self, PyObject *object, keyset_change *change)
{
    keyset_argument argument = {0};
    uint64_t id;

    if (number_of(object, "key_id", UINT32_MAX, PyExc_ValueError, &id) < 0)
        return NULL;
    argument.id = (uint32_t)id;
    return keyset_apply(self, change, &argument) == 0 ? none() : NULL;
}

#define WITH_TEMPLATE(name)                                                                \
    static sivka_status name##_now(sivka_keyset *keys, keyset_argument *argument)          \
    {                                                                                      \
        return sivka_keyset_##name(keys, argument->template_name, &argument->id);          \
    }                                                                                      \
    PyObject *keyset_##name(PyObject *self, PyObject *object)                              \
    {                                                                                      \
        return with_template(self, object, name##_now);                                    \
    }

#define WITH_ID(name)                                                                      \
    static sivka_status name##_now(sivka_keyset *keys, keyset_argument *argument)          \
    {                                                                                      \
        return sivka_keyset_##name(keys, argument->id);                                    \
    }                                                                                      \
    PyObject *keyset_##name(PyObject *self, PyObject *object)                              \
    {                                                                                      \
        return with_id(self, object, name##_now);                                          \
    }

WITH_TEMPLATE(add)
WITH_TEMPLATE(rotate)
WITH_ID(promote)
WITH_ID(enable)
WITH_ID(disable)
WITH_ID(destroy)
WITH_ID(remove)
