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

/* What the last failed call of this thread was about; a new reference, or NULL. */
static PyObject *error_detail(sivka_status status)
{
    char text[512];
    const size_t len = sivka_error_detail(text, sizeof text);

    if (len == 0)
        return PyUnicode_FromString(sivka_status_message(status));
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)(len < sizeof text ? len : sizeof text - 1),
                                "ignore");
}

PyObject *raise_file_status(sivka_status status, PyObject *input, PyObject *output)
{
    /* Before anything else, which might fail in a call of its own. */
    const int code = sivka_error_os_code();
    PyObject *detail = error_detail(status), *errors = NULL, *error = NULL;

    if (detail != NULL)
        errors = PyImport_ImportModule("sivka._errors");
    if (errors != NULL)
        error = PyObject_CallMethod(errors, "from_status", "iOiOO", (int)status, detail, code,
                                    input != NULL ? input : Py_None,
                                    output != NULL ? output : Py_None);
    if (error != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(errors);
    Py_XDECREF(detail);
    return NULL;
}

PyObject *raise_status(sivka_status status)
{
    return raise_file_status(status, NULL, NULL);
}

void raise_message_status(sivka_status status, const char *where, Py_ssize_t number)
{
    PyErr_Format(status == SIVKA_ERROR_TOO_LONG ? PyExc_OverflowError : PyExc_ValueError, where,
                 sivka_status_message(status), number);
}
