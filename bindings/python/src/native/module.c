/* The module sivka._native. */
#include "binding.h"

PyObject *add_type(PyObject *module, PyType_Spec *spec, PyObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, base);

    if (type != NULL && PyModule_AddType(module, (PyTypeObject *)type) < 0)
        Py_CLEAR(type);
    return type;
}

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
            raise_status(status);
    }
    Py_XDECREF(bytes);
    return result;
}

static PyObject *algorithms(PyObject *module, PyObject *unused)
{
    const size_t count = sivka_algorithm_count();
    PyObject *names = PyTuple_New((Py_ssize_t)count);
    size_t i;

    (void)module;
    (void)unused;
    for (i = 0; names != NULL && i < count; i++) {
        PyObject *name = PyUnicode_FromString(sivka_algorithm_name(sivka_algorithm_at(i)));

        if (name == NULL || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
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
    {"key_length", key_length, METH_O,
     "key_length(algorithm, /)\n--\n\nThe length of a key in bytes."},
    {"tag_length", tag_length, METH_O,
     "tag_length(algorithm, /)\n--\n\nThe length of a tag in bytes."},
    {"generate_key", generate_key, METH_O,
     "generate_key(algorithm, /)\n--\n\nA random key, as bytes."},
    {"version", version, METH_NOARGS, "version()\n--\n\nThe version of the library."},
    {"tier", tier, METH_NOARGS,
     "tier()\n--\n\nThe tier that new keys run on: the widest that this CPU has."},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    if (sivka_abi_version() != SIVKA_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError, "libsivka has interface %u, %u expected",
                     (unsigned)sivka_abi_version(), (unsigned)SIVKA_ABI_VERSION);
        return -1;
    }
    if (add_statuses(module) < 0 || add_aeads(module) < 0 || add_kuznyechik(module) < 0)
        return -1;
    return add_files(module);
}

/*
 * The module has no state and no object that interpreters share, so each may have its
 * own, with its own lock or with none. The stable interface of 3.11 has no names for
 * saying so: they are later slots, which older interpreters refuse.
 */
#ifndef Py_mod_multiple_interpreters
#define Py_mod_multiple_interpreters 3
#endif
#ifndef Py_MOD_PER_INTERPRETER_GIL_SUPPORTED
#define Py_MOD_PER_INTERPRETER_GIL_SUPPORTED ((void *)2)
#endif

static PyModuleDef_Slot slots_3_11[] = {
    {Py_mod_exec, (void *)execute},
    {0, NULL},
};

static PyModuleDef_Slot slots_3_12[] = {
    {Py_mod_exec, (void *)execute},
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sivka._native",
    .m_doc = "The C interface of Sivka, as sivka uses it; not for others.",
    .m_methods = functions,
    .m_slots = slots_3_11,
};

PyMODINIT_FUNC PyInit__native(void)
{
    if (Py_Version >= 0x030C0000)
        definition.m_slots = slots_3_12;
    return PyModuleDef_Init(&definition);
}
