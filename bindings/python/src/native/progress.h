/* Python hears how far a file is, and stops it. */
#ifndef SIVKA_PYTHON_PROGRESS_H
#define SIVKA_PYTHON_PROGRESS_H

#include "binding.h"

/*
 * Who hears of one call of the library: `progress` of Python, or None, and signals. The
 * library tells it from threads of its own too, one at a time; Python is asked in the
 * thread of the call only, which runs its signal handlers, and not more often than every
 * SIVKA_PROGRESS_MILLISECONDS: waiting for the interpreter holds up the others. The last
 * number is always told, before an output appears.
 */
typedef struct {
    PyObject *progress;
    PyThreadState *state;
    unsigned long thread;
    /* Milliseconds. */
    int64_t next;
    uint64_t told, done;
    /* Whether Python has raised. */
    int failed;
} listener;

#define SIVKA_PROGRESS_MILLISECONDS 50

/* Hands the interpreter over, until listener_end(). */
void listener_begin(listener *it, PyObject *progress);
/* A sivka_progress_function, whose context is a listener. */
int32_t hear_progress(void *context, uint64_t plaintext_len);
/* Takes the interpreter back. 0, or -1 where Python has raised: that goes before a status. */
int listener_end(listener *it);

#endif
