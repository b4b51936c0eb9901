/* Streams under keysets. The file objects are Python's: sivka._stream. */
#include "arguments.h"
#include "keyset.h"

enum { OBJECT, AAD, ARGUMENTS };
static const char *const SEAL_NAMES[ARGUMENTS] = {"out", "associated_data"};
static const char *const OPEN_NAMES[ARGUMENTS] = {"source", "associated_data"};
static const signature SEAL = {SEAL_NAMES, 1, 2, 2};
static const signature OPEN = {OPEN_NAMES, 1, 2, 2};

static PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, const char *name, const signature *it,
                        const char *function)
{
    PyObject *room[ARGUMENTS], *module, *file;
    PyObject *const *given = take_arguments(name, it, args, count, keywords, room);

    if (given == NULL)
        return NULL;
    module = PyImport_ImportModule("sivka._stream");
    if (module == NULL)
        return NULL;
    file = PyObject_CallMethod(module, function, "OOO", given[OBJECT], self,
                               given[AAD] == NULL ? Py_None : given[AAD]);
    Py_DECREF(module);
    return file;
}

DEFINE_METHOD(keyset_seal_to, method, "seal_to", &SEAL, "_seal_under")
DEFINE_METHOD(keyset_open_from, method, "open_from", &OPEN, "_open_under")
