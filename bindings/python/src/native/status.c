#include "status.h"

#include "statuses.h"

int add_statuses(PyObject *module)
{
#define ADD(name)                                                                       \
    if (PyModule_AddIntConstant(module, "ERROR_" #name, SIVKA_ERROR_##name) < 0)        \
        return -1;
    STATUSES(ADD)
#undef ADD
    return 0;
}

PyObject *raise_status(sivka_status status)
{
    return raise_status_named(status, "", "");
}

PyObject *raise_status_named(sivka_status status, const char *argument, const char *name)
{
    const sivka_error *last = sivka_last_error();
    PyObject *errors = PyImport_ImportModule("sivka._errors"), *error = NULL;

    if (errors != NULL)
        error = PyObject_CallMethod(errors, "from_status", "iszzyiss", (int)status, last->detail,
                                    last->argument, last->overlapped, last->path,
                                    (int)last->os_code, argument, name);
    if (error != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(errors);
    return NULL;
}

void raise_message_status(sivka_status status, const char *where, Py_ssize_t number)
{
    PyErr_Format(status == SIVKA_ERROR_TOO_LONG ? PyExc_OverflowError : PyExc_ValueError, where,
                 sivka_status_message(status), number);
}
