/* What may be told of a keyset to everyone: all but the keys. */
#include "keyset.h"
#include "status.h"

/* The name of a key's type, as a str. */
static PyObject *type_of(const sivka_keyset *keys, size_t index)
{
    char usual[128], *text = usual;
    const size_t len = sivka_keyset_key_type(keys, index, usual, sizeof usual);
    PyObject *name;

    if (len >= sizeof usual) {
        /* Of a key that is not enabled it may be any. */
        text = PyMem_Malloc(len + 1);
        if (text == NULL)
            return PyErr_NoMemory();
        sivka_keyset_key_type(keys, index, text, len + 1);
    }
    name = PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, NULL);
    if (text != usual)
        PyMem_Free(text);
    return name;
}

/* (id, type, status, prefix) of each key, in a list. */
static PyObject *described(const sivka_keyset *keys)
{
    const size_t count = sivka_keyset_key_count(keys);
    PyObject *list = PyList_New(0);
    size_t i;

    for (i = 0; list != NULL && i < count; i++) {
        sivka_keyset_key key;
        const sivka_status status = sivka_keyset_key_at(keys, i, &key);
        PyObject *one;

        if (status == SIVKA_OK)
            one = Py_BuildValue("(INII)", (unsigned)key.id, type_of(keys, i),
                                (unsigned)key.status, (unsigned)key.prefix);
        else
            one = raise_status(status);
        if (one == NULL || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyObject *keyset_info(PyObject *self, void *unused)
{
    PyObject *state = keyset_state(self), *list, *module, *info = NULL;

    (void)unused;
    if (state == NULL)
        return NULL;
    list = described(keys_of(state));
    module = list == NULL ? NULL : PyImport_ImportModule("sivka._keyset");
    if (module != NULL)
        info = PyObject_CallMethod(module, "_info", "IIO",
                                   (unsigned)sivka_keyset_primary_key_id(keys_of(state)),
                                   (unsigned)sivka_keyset_primitive(keys_of(state)), list);
    Py_XDECREF(module);
    Py_XDECREF(list);
    Py_DECREF(state);
    return info;
}

PyObject *keyset_repr(PyObject *self)
{
    PyObject *info = keyset_info(self, NULL), *text;

    if (info == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError))
            return NULL;
        PyErr_Clear();
        return PyUnicode_FromString("<sivka.Keyset, closed>");
    }
    text = PyUnicode_FromFormat("<sivka.Keyset, %S>", info);
    Py_DECREF(info);
    return text;
}
