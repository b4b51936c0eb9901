#include "progress.h"

#include <time.h>

static int64_t now(void)
{
    struct timespec at;

    timespec_get(&at, TIME_UTC);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

/* With the interpreter. */
static void notify(listener *it)
{
    if (it->progress != Py_None) {
        PyObject *answer = PyObject_CallFunction(it->progress, "K", (unsigned long long)it->done);

        it->failed = answer == NULL;
        Py_XDECREF(answer);
    }
    if (!it->failed)
        it->failed = PyErr_CheckSignals() < 0;
    it->told = it->done;
}

void listener_begin(listener *it, PyObject *progress)
{
    it->progress = progress;
    it->thread = PyThread_get_thread_ident();
    it->next = 0;
    it->told = it->done = 0;
    it->failed = 0;
    it->state = PyEval_SaveThread();
}

int32_t hear_progress(void *context, uint64_t plaintext_len)
{
    listener *it = context;
    /* The last number comes twice, the second time in the thread of the call. */
    const int is_last = plaintext_len == it->done && it->told != plaintext_len;
    int64_t at;

    it->done = plaintext_len;
    if (it->failed || PyThread_get_thread_ident() != it->thread)
        return it->failed;
    at = now();
    /* A clock that was set back has nobody wait for longer. */
    if (is_last || at >= it->next || it->next - at > SIVKA_PROGRESS_MILLISECONDS) {
        PyEval_RestoreThread(it->state);
        notify(it);
        it->state = PyEval_SaveThread();
        it->next = now() + SIVKA_PROGRESS_MILLISECONDS;
    }
    return it->failed;
}

int listener_end(listener *it)
{
    PyEval_RestoreThread(it->state);
    return it->failed ? -1 : 0;
}
