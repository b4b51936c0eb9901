/* From statuses of the library to exceptions, which sivka._errors makes. */
#ifndef SIVKA_PYTHON_STATUS_H
#define SIVKA_PYTHON_STATUS_H

#include "binding.h"

/* Raises what a status means; both always return NULL. Paths are bytes, or NULL. */
PyObject *raise_status(sivka_status status);
PyObject *raise_file_status(sivka_status status, PyObject *input, PyObject *output);
/* Raises what became of one message of a batch; `where` is the argument and its number. */
void raise_message_status(sivka_status status, const char *where, Py_ssize_t number);

/* None, or what a status means. */
static inline PyObject *none_or_raise_of_files(sivka_status status, PyObject *input,
                                               PyObject *output)
{
    return status == SIVKA_OK ? none() : raise_file_status(status, input, output);
}

static inline PyObject *none_or_raise(sivka_status status)
{
    return none_or_raise_of_files(status, NULL, NULL);
}

#endif
