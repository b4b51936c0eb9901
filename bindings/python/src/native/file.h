/* Sealed files: what the parts that work with them share. */
#ifndef SIVKA_PYTHON_FILE_H
#define SIVKA_PYTHON_FILE_H

#include "binding.h"

/* A path, whose bytes have no zero inside. For "O&": 1, or 0 and an exception. */
typedef struct {
    PyObject *bytes;
    char *at;
} path;

int path_of(PyObject *object, void *to);
/* The keys in an object of FileKeys. For "O&", as above. */
int file_keys_of(PyObject *object, void *to);
/* The suite of a name in a str, or the default for None. For "O&", as above. */
int suite_of(PyObject *object, void *to);

#endif
