/*
 * Files, and streams of keysets, sealed as a program writes and opened as it reads. The library calls back in the
 * thread that called it, which has handed the interpreter over meanwhile.
 */
#include "arguments.h"
#include "file.h"
#include "handle.h"
#include "keyset.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/* What the library wrote and Python has not taken yet. */
typedef struct {
    sivka_sealer *sealer;
    uint8_t *sealed;
    size_t len, capacity;
    int no_memory;
} sealing;

/* What Python gave and the library has not read yet: `given` from `at` on. */
typedef struct {
    sivka_opener *opener;
    PyObject *read, *given;
    Py_ssize_t at;
    PyThreadState *state;
} opening;

static void free_sealing(void *pointer)
{
    sealing *it = pointer;

    sivka_sealer_free(it->sealer);
    free(it->sealed);
    free(it);
}

static void free_opening(void *pointer)
{
    opening *it = pointer;

    sivka_opener_free(it->opener);
    Py_XDECREF(it->read);
    Py_XDECREF(it->given);
    free(it);
}

static const handle_kind SEALING = {"the file", free_sealing};
static const handle_kind OPENING = {"the file", free_opening};

static int keep(void *context, const uint8_t *bytes, size_t bytes_len)
{
    sealing *it = context;

    if (bytes_len > it->capacity - it->len) {
        const size_t capacity = 2 * it->capacity + bytes_len;
        uint8_t *more = realloc(it->sealed, capacity);

        it->no_memory = more == NULL;
        if (more == NULL)
            return 1;
        it->sealed = more;
        it->capacity = capacity;
    }
    memcpy(it->sealed + it->len, bytes, bytes_len);
    it->len += bytes_len;
    return 0;
}

/* What was kept, or NULL and what the status means. */
static PyObject *taken(sealing *it, sivka_status status)
{
    PyObject *sealed;

    if (status != SIVKA_OK)
        return it->no_memory ? PyErr_NoMemory() : raise_status(status);
    sealed = PyBytes_FromStringAndSize((const char *)it->sealed, (Py_ssize_t)it->len);
    if (sealed != NULL)
        it->len = 0;
    return sealed;
}

static PyObject *sealer_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    sivka_file_keys *keys;
    sivka_suite suite;
    sivka_status status;
    sealing *it;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "O&O&", file_keys_of, &keys, suite_of, &suite))
        return NULL;
    it = calloc(1, sizeof *it);
    if (it == NULL)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    status = sivka_sealer_new(keep, it, keys, suite, &it->sealer);
    Py_END_ALLOW_THREADS
    if (status == SIVKA_OK)
        return handle_new(type, &SEALING, it);
    free_sealing(it);
    return raise_status(status);
}

/* The keyset and the associated data of a stream, which are used until they are released. */
typedef struct {
    PyObject *state;
    Py_buffer aad;
} keyset_arguments;

static int keyset_arguments_of(PyObject *keyset, PyObject *associated_data, keyset_arguments *to)
{
    if (!is_keyset(keyset))
        return refuse_type(keyset, "keyset", "a Keyset");
    if (view_optional_bytes(associated_data, "associated_data", &to->aad) < 0)
        return -1;
    to->state = keyset_state(keyset);
    if (to->state == NULL)
        view_release(&to->aad);
    return to->state == NULL ? -1 : 0;
}

static void keyset_arguments_release(keyset_arguments *given)
{
    view_release(&given->aad);
    Py_DECREF(given->state);
}

static PyObject *sealer_of_keyset(PyObject *type, PyObject *args)
{
    PyObject *keyset, *associated_data;
    keyset_arguments given;
    sivka_status status;
    sealing *it;

    if (!PyArg_ParseTuple(args, "OO", &keyset, &associated_data) ||
        keyset_arguments_of(keyset, associated_data, &given) < 0)
        return NULL;
    it = calloc(1, sizeof *it);
    if (it == NULL) {
        keyset_arguments_release(&given);
        return PyErr_NoMemory();
    }
    status = sivka_keyset_sealer_new(keep, it, keys_of(given.state), given.aad.buf,
                                     (size_t)given.aad.len, &it->sealer);
    keyset_arguments_release(&given);
    if (status == SIVKA_OK)
        return handle_new((PyTypeObject *)type, &SEALING, it);
    free_sealing(it);
    return raise_status(status);
}

static PyObject *sealer_update(PyObject *self, PyObject *object)
{
    PyObject *sealed = NULL;
    Py_buffer data;
    sealing *it;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    it = handle_enter_alone((handle *)self);
    if (it != NULL) {
        PyThreadState *state = hand_over((size_t)data.len);
        const sivka_status status = sivka_sealer_write(it->sealer, data.buf, (size_t)data.len);

        take_back(state);
        sealed = taken(it, status);
        handle_leave((handle *)self);
    }
    view_release(&data);
    return sealed;
}

static PyObject *sealer_finalize(PyObject *self, PyObject *unused)
{
    sealing *it = handle_enter_alone((handle *)self);
    PyObject *sealed;

    (void)unused;
    if (it == NULL)
        return NULL;
    sealed = taken(it, sivka_sealer_finish(it->sealer));
    handle_leave((handle *)self);
    return sealed;
}

/* Asks Python for more if nothing is left. 0, or 1 with an exception. */
static int ask(opening *it, size_t len)
{
    PyObject *given;

    if (it->given != NULL && it->at < PyBytes_Size(it->given))
        return 0;
    Py_CLEAR(it->given);
    it->at = 0;
    given = PyObject_CallFunction(it->read, "n", (Py_ssize_t)len);
    if (given == NULL)
        return 1;
    if (!PyBytes_Check(given)) {
        refuse_type(given, "what was read", "bytes");
        Py_DECREF(given);
        return 1;
    }
    it->given = given;
    return 0;
}

static int fill(void *context, uint8_t *buffer, size_t buffer_len, size_t *read_len)
{
    opening *it = context;
    int failed;

    PyEval_RestoreThread(it->state);
    failed = ask(it, buffer_len);
    if (!failed) {
        size_t len = (size_t)(PyBytes_Size(it->given) - it->at);

        len = len < buffer_len ? len : buffer_len;
        memcpy(buffer, PyBytes_AsString(it->given) + it->at, len);
        it->at += (Py_ssize_t)len;
        *read_len = len;
    }
    it->state = PyEval_SaveThread();
    return failed;
}

static PyObject *opener_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    sivka_file_keys *keys;
    sivka_status status;
    PyObject *read;
    opening *it;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "OO&", &read, file_keys_of, &keys))
        return NULL;
    it = calloc(1, sizeof *it);
    if (it == NULL)
        return PyErr_NoMemory();
    Py_INCREF(read);
    it->read = read;
    it->state = PyEval_SaveThread();
    status = sivka_opener_new(fill, it, keys, &it->opener);
    PyEval_RestoreThread(it->state);
    if (status == SIVKA_OK)
        return handle_new(type, &OPENING, it);
    /* What Python raised stays; freeing raises nothing. */
    if (!PyErr_Occurred())
        raise_status(status);
    free_opening(it);
    return NULL;
}

/* Nothing is read before something is asked for. */
static PyObject *opener_of_keyset(PyObject *type, PyObject *args)
{
    PyObject *read, *keyset, *associated_data;
    keyset_arguments given;
    sivka_status status;
    opening *it;

    if (!PyArg_ParseTuple(args, "OOO", &read, &keyset, &associated_data) ||
        keyset_arguments_of(keyset, associated_data, &given) < 0)
        return NULL;
    it = calloc(1, sizeof *it);
    if (it == NULL) {
        keyset_arguments_release(&given);
        return PyErr_NoMemory();
    }
    Py_INCREF(read);
    it->read = read;
    status = sivka_keyset_opener_new(fill, it, keys_of(given.state), given.aad.buf,
                                     (size_t)given.aad.len, &it->opener);
    keyset_arguments_release(&given);
    if (status == SIVKA_OK)
        return handle_new((PyTypeObject *)type, &OPENING, it);
    free_opening(it);
    return raise_status(status);
}

static PyObject *opener_read_into(PyObject *self, PyObject *buffer)
{
    PyObject *result = NULL;
    Py_buffer view;
    opening *it;

    if (view_writable(buffer, "buffer", &view) < 0)
        return NULL;
    it = handle_enter_alone((handle *)self);
    if (it != NULL) {
        sivka_status status;
        size_t len = 0;

        it->state = PyEval_SaveThread();
        status = sivka_opener_read(it->opener, view.buf, (size_t)view.len, &len);
        PyEval_RestoreThread(it->state);
        handle_leave((handle *)self);
        if (status == SIVKA_OK)
            result = PyLong_FromSize_t(len);
        else if (!PyErr_Occurred())
            raise_status(status);
    }
    view_release(&view);
    return result;
}

/* A source may hold what reads it: the collector has to see through the opener. */
static int opener_traverse(PyObject *self, visitproc visit, void *arg)
{
    const opening *it = ((handle *)self)->pointer;

    Py_VISIT(Py_TYPE(self));
    if (it != NULL) {
        Py_VISIT(it->read);
        Py_VISIT(it->given);
    }
    return 0;
}

/* What a finalizer still reaches is closed, and says so. */
static int opener_clear(PyObject *self)
{
    Py_DECREF(handle_close(self, NULL));
    return 0;
}

static void opener_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    handle_dealloc(self);
}

static PyMethodDef sealer_methods[] = {
    {"of_keyset", sealer_of_keyset, METH_VARARGS | METH_CLASS,
     "of_keyset($type, keyset, associated_data, /)\n--\n\nA stream under a keyset."},
    {"update", sealer_update, METH_O,
     "update($self, data, /)\n--\n\nSeal the next bytes; what of the file is ready."},
    {"finalize", sealer_finalize, METH_NOARGS,
     "finalize($self)\n--\n\nEnd the file; its last bytes."},
    {"close", handle_close, METH_NOARGS, "close($self)\n--\n\nWipe and free the sealer."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef opener_methods[] = {
    {"of_keyset", opener_of_keyset, METH_VARARGS | METH_CLASS,
     "of_keyset($type, read, keyset, associated_data, /)\n--\n\nA stream under a keyset."},
    {"read_into", opener_read_into, METH_O,
     "read_into($self, buffer, /)\n--\n\nRead the next plaintext; the bytes read, 0 at the end."},
    {"close", handle_close, METH_NOARGS, "close($self)\n--\n\nWipe and free the opener."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot sealer_slots[] = {
    {Py_tp_new, (void *)sealer_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, sealer_methods},
    {Py_tp_doc, (void *)"A sealed file that is made from what is given to it."},
    {0, NULL},
};

static PyType_Slot opener_slots[] = {
    {Py_tp_new, (void *)opener_new},
    {Py_tp_dealloc, (void *)opener_dealloc},
    {Py_tp_traverse, (void *)opener_traverse},
    {Py_tp_clear, (void *)opener_clear},
    {Py_tp_methods, opener_methods},
    {Py_tp_doc, (void *)"The plaintext of a sealed file that a function reads."},
    {0, NULL},
};

static PyType_Spec sealer_spec = {"sivka._native.FileSealer", sizeof(handle), 0,
                                  Py_TPFLAGS_DEFAULT, sealer_slots};
static PyType_Spec opener_spec = {"sivka._native.FileOpener", sizeof(handle), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, opener_slots};

int add_streams(PyObject *module)
{
    if (add_type(module, &sealer_spec, NULL) == NULL)
        return -1;
    return add_type(module, &opener_spec, NULL) != NULL ? 0 : -1;
}
