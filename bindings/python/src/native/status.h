/* From statuses of the library to exceptions, which sivka._errors makes. */
#ifndef SIVKA_PYTHON_STATUS_H
#define SIVKA_PYTHON_STATUS_H

#include "binding.h"

/* Raises what the status of this thread's last failure means; always returns NULL. */
PyObject *raise_status(sivka_status status);
/* The same, for a call in which an argument of sivka.h has another name than elsewhere. */
PyObject *raise_status_named(sivka_status status, const char *argument, const char *name);
/* Raises what became of one message of a batch; `where` is the argument and its number. */
void raise_message_status(sivka_status status, const char *where, Py_ssize_t number);

/* None, or what a status means. */
static inline PyObject *none_or_raise(sivka_status status)
{
    return status == SIVKA_OK ? none() : raise_status(status);
}

#endif
