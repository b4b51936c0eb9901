/* What the library says of itself: names, lengths, its version. */
#ifndef SIVKA_PYTHON_LIBRARY_H
#define SIVKA_PYTHON_LIBRARY_H

#include "binding.h"

/* The algorithm of a name in a str. 0, or -1 and an exception. */
int algorithm_from_name(PyObject *name, sivka_algorithm *algorithm);

#endif
