/* What every part of the extension uses; it includes none of them. */
#ifndef SIVKA_PYTHON_BINDING_H
#define SIVKA_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sivka.h>

/*
 * A new reference to None. Py_RETURN_NONE counts none with the headers of 3.12 and 3.13,
 * where None is never freed; but what is built with them runs in 3.11 too.
 */
static inline PyObject *none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

/* A method that gets its arguments one by one, those by name after the others. */
typedef PyObject *fast_method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                              PyObject *keywords);
#define FAST_METHOD(name, function, doc) \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc }
/* The method that calls `function` with its arguments and these. */
#define DEFINE_METHOD(name, function, ...)                                                 \
    PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count,                \
                   PyObject *keywords)                                                     \
    {                                                                                      \
        return function(self, args, count, keywords, __VA_ARGS__);                         \
    }

/*
 * Calls on this many bytes or more let other threads of Python run meanwhile. To hand
 * the interpreter over and to get it back costs about as much as sealing some KiB, and
 * far more if another thread took it.
 */
#ifndef SIVKA_RELEASE_GIL_LEN
#define SIVKA_RELEASE_GIL_LEN 65536
#endif

/* Before a call on `len` bytes; the result goes to take_back() after it. */
static inline PyThreadState *hand_over(size_t len)
{
    return len < SIVKA_RELEASE_GIL_LEN ? NULL : PyEval_SaveThread();
}

static inline void take_back(PyThreadState *state)
{
    if (state != NULL)
        PyEval_RestoreThread(state);
}

/* What each part adds to the module, which no part knows. 0, or -1 and an exception. */
int add_statuses(PyObject *module);
int add_library(PyObject *module);
int add_aeads(PyObject *module);
int add_kuznyechik(PyObject *module);
int add_files(PyObject *module);
int add_keysets(PyObject *module);
int add_slots(PyObject *module);
int add_streams(PyObject *module);

#endif
