/* The module sivka._native. */
#include "binding.h"

static int execute(PyObject *module)
{
    if (sivka_abi_version() != SIVKA_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError, "libsivka has interface %u, %u expected",
                     (unsigned)sivka_abi_version(), (unsigned)SIVKA_ABI_VERSION);
        return -1;
    }
    if (add_statuses(module) < 0 || add_library(module) < 0 || add_aeads(module) < 0 ||
        add_kuznyechik(module) < 0 || add_files(module) < 0 || add_keysets(module) < 0 ||
        add_slots(module) < 0)
        return -1;
    return add_streams(module);
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
    .m_slots = slots_3_11,
};

PyMODINIT_FUNC PyInit__native(void)
{
    if (Py_Version >= 0x030C0000)
        definition.m_slots = slots_3_12;
    return PyModuleDef_Init(&definition);
}
