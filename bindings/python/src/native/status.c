#include "status.h"

/* Every status but OK and BATCH, which are no exceptions. */
#define STATUSES(each)                                                                  \
    each(OPEN) each(NULL) each(LENGTH) each(CAPACITY) each(TOO_LONG) each(OVERLAP)      \
    each(ALIGNMENT) each(ALGORITHM) each(NO_RANDOM_NONCE) each(OFFSETS) each(TEXT)      \
    each(FLAGS) each(SUITE) each(EMPTY_PASSPHRASE) each(COST) each(KEY_NAME)            \
    each(KEY_COUNT) each(USAGE_BOUND) each(REFUSED) each(RANDOM) each(SELF_CHECK)       \
    each(NO_MEMORY) each(INTERNAL) each(NOT_SIVKA) each(NEWER) each(DAMAGED)            \
    each(TRUNCATED) each(WRONG_KEY) each(COST_LIMIT) each(FILE_TOO_LONG) each(KEY_FILE) \
    each(READ) each(WRITE) each(EXISTS) each(SLOT) each(CANCELLED) each(TEMPLATE)       \
    each(KEY_ID) each(KEY_STATE) each(PRIMITIVE) each(KEYSET) each(KEY_TYPE)

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
    const sivka_error *last = sivka_last_error();
    PyObject *errors = PyImport_ImportModule("sivka._errors"), *error = NULL;

    if (errors != NULL)
        error = PyObject_CallMethod(errors, "from_status", "iszyi", (int)status, last->detail,
                                    last->argument, last->path, (int)last->os_code);
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
