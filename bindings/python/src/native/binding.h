/* What the parts of the extension share. */
#ifndef SIVKA_PYTHON_BINDING_H
#define SIVKA_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sivka.h>

/*
 * A new reference to None. Py_RETURN_NONE counts none with the headers of 3.12 and 3.13,
 * where None is never freed; but what is built with them runs in 3.11 too.
 */
static inline PyObject *none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

/*
 * Calls on this many bytes or more let other threads of Python run meanwhile. To hand
 * the interpreter over and to get it back costs about as much as sealing some KiB, and
 * far more if another thread took it: benchmark/gil.py measures both.
 */
#ifndef SIVKA_RELEASE_GIL_LEN
#define SIVKA_RELEASE_GIL_LEN 65536
#endif

/*
 * A handle of the library in a Python object. close() may come while other threads are
 * in calls that released the interpreter: the last of them frees the handle then.
 */
typedef struct {
    void *pointer;
    Py_ssize_t users;
    int closed;
#ifdef Py_GIL_DISABLED
    PyMutex mutex;
#endif
} handle;

/* The pointer, which stays until handle_leave(); NULL and ValueError if closed. */
void *handle_enter(handle *it, const char *what);
void handle_leave(handle *it, void (*free_pointer)(void *));
/* Frees the pointer now, or when the last user leaves. */
void handle_close(handle *it, void (*free_pointer)(void *));

/*
 * Views of buffers: contiguous, and protected from being resized until view_release().
 * `what` is the argument's name. 0, or -1 and an exception. A view that could not be
 * taken, and one of None, may be released like any other.
 */
int view_bytes(PyObject *object, const char *what, Py_buffer *view);
int view_optional_bytes(PyObject *object, const char *what, Py_buffer *view);
int view_writable(PyObject *object, const char *what, Py_buffer *view);
void view_release(Py_buffer *view);
void views_release(Py_buffer *views, size_t count);
/* Whether two views share any byte. */
int views_overlap(const Py_buffer *one, const Py_buffer *other);

/*
 * Arguments of a METH_FASTCALL | METH_KEYWORDS method: `found` gets `total` of them in
 * the order of `names`, NULL for what was not given behind the first `required`.
 * 0, or -1 and TypeError.
 */
typedef struct {
    const char *method;
    const char *const *names;
    Py_ssize_t required, positional, total;
} signature;
int take_arguments(const signature *it, PyObject *const *args, Py_ssize_t count,
                   PyObject *keywords, PyObject **found);

/* Overwrites memory that held a secret, and is not optimised away. */
void wipe(void *at, size_t len);

/* Raises what a status means; both always return NULL. Paths are bytes, or NULL. */
PyObject *raise_status(sivka_status status);
PyObject *raise_file_status(sivka_status status, PyObject *input, PyObject *output);
int add_statuses(PyObject *module);

/* The algorithm of a name in a str. 0, or -1 and an exception. */
int algorithm_from_name(PyObject *name, sivka_algorithm *algorithm);

/* A key of any AEAD. */
typedef struct {
    PyObject_HEAD
    handle key;
    sivka_algorithm algorithm;
} aead;

sivka_key *aead_enter(aead *self);
void aead_leave(aead *self);

typedef PyObject *(*fast_method)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
#define FAST_METHOD(name, function, doc) \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc }

/* Many messages: batch.c and contiguous.c; `_siv` is without nonces. */
PyObject *aead_encrypt_batch(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *aead_decrypt_batch(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *siv_encrypt_batch(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *siv_decrypt_batch(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *aead_encrypt_contiguous(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *aead_decrypt_contiguous(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *siv_encrypt_contiguous(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *siv_decrypt_contiguous(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* What each part adds to the module. 0, or -1 and an exception. */
int add_aeads(PyObject *module);
int add_kuznyechik(PyObject *module);
int add_files(PyObject *module);
/* Adds a type under its own name; `base` may be NULL. A new reference, or NULL. */
PyObject *add_type(PyObject *module, PyType_Spec *spec, PyObject *base);

#endif
