/* Columns: values in one buffer, as Arrow lays them out, to rows that are ready to store. */
#include "aead.h"
#include "arguments.h"
#include "status.h"

#include <string.h>

enum { DATA, AADS, VIEWS };

typedef struct {
    aead *self;
    int opening;
    Py_buffer v[VIEWS];
    size_t count;
    void *offsets;
    size_t *aad_offsets;
    char *validity;
    sivka_column column;
    /* What is returned. */
    PyObject *out, *ends, *opened;
} column;

static int take_offsets(column *c, PyObject *object)
{
    c->offsets =
        copy_offsets_as_they_are(object, "offsets", &c->count, &c->column.offset_bits);
    if (c->offsets == NULL)
        return -1;
    c->count--;
    c->column.offsets = c->offsets;
    return 0;
}

static int take_aads(column *c, PyObject *aads, PyObject *offsets)
{
    size_t numbers;

    if (view_optional_bytes(aads, "associated_data", &c->v[AADS]) < 0)
        return -1;
    if (offsets == NULL || offsets == Py_None)
        return 0;
    c->aad_offsets = copy_offsets(offsets, "associated_data_offsets", &numbers);
    if (c->aad_offsets == NULL)
        return -1;
    if (numbers != c->count + 1) {
        PyErr_Format(PyExc_ValueError, "associated_data_offsets: %zu expected, %zu given",
                     c->count + 1, numbers);
        return -1;
    }
    return 0;
}

/* The bytes of a bitmap that have the bits of values, as nobody changes them meanwhile. */
static int copy_validity(column *c, const Py_buffer *bitmap, size_t first)
{
    const size_t bits = (size_t)bitmap->len * 8, from = first / 8;
    const size_t len = (first % 8 + c->count + 7) / 8;

    if (first > bits || bits - first < c->count) {
        PyErr_Format(PyExc_ValueError, "validity: %zu bits from number %zu on expected, %zu given",
                     c->count, first, bits);
        return -1;
    }
    if (c->count == 0)
        return 0;
    c->validity = PyMem_Malloc(len);
    if (c->validity == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(c->validity, (const char *)bitmap->buf + from, len);
    c->column.validity = (const uint8_t *)c->validity;
    c->column.first_bit = first % 8;
    return 0;
}

static int take_validity(column *c, PyObject *bitmap, PyObject *first_bit)
{
    uint64_t first = 0;
    Py_buffer view;
    int result;

    if (first_bit != NULL &&
        number_of(first_bit, "first_bit", SIZE_MAX, PyExc_ValueError, &first) < 0)
        return -1;
    if (bitmap == NULL || bitmap == Py_None)
        return 0;
    if (view_bytes(bitmap, "validity", &view) < 0)
        return -1;
    result = copy_validity(c, &view, (size_t)first);
    view_release(&view);
    return result;
}

static char *new_bytes(PyObject **object, size_t len)
{
    *object = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
    return *object == NULL ? NULL : PyBytes_AsString(*object);
}

static sivka_status run(const column *c, const sivka_key *key, char *out, size_t len, char *ends,
                        sivka_status *statuses)
{
    const sivka_column *in = &c->column;
    const Py_buffer *aads = &c->v[AADS];

    if (c->opening)
        return sivka_open_column(key, c->count, in, aads->buf, (size_t)aads->len, c->aad_offsets,
                                 (uint8_t *)out, len, ends, in->offset_bits, statuses);
    return sivka_seal_column(key, c->count, in, aads->buf, (size_t)aads->len, c->aad_offsets, NULL,
                             0, (uint8_t *)out, len, ends, in->offset_bits);
}

/* Makes what is returned, and fills it. 0, or -1 and an exception. */
static int fill(column *c, const sivka_key *key)
{
    sivka_status *statuses = NULL, status;
    PyThreadState *state;
    char *out, *ends, *opened;
    size_t len = 0, i;

    status = c->opening ? sivka_opened_column_len(key, c->count, &c->column, &len)
                        : sivka_sealed_column_len(key, c->count, &c->column, &len);
    if (status != SIVKA_OK) {
        raise_status(status);
        return -1;
    }
    out = new_bytes(&c->out, len);
    ends = new_bytes(&c->ends, (c->count + 1) * (c->column.offset_bits / 8));
    opened = new_bytes(&c->opened, c->opening ? c->count : 0);
    if (out == NULL || ends == NULL || opened == NULL)
        return -1;
    if (c->opening) {
        statuses = PyMem_Malloc((c->count + 1) * sizeof *statuses);
        if (statuses == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    state = hand_over(len);
    status = run(c, key, out, len, ends, statuses);
    take_back(state);
    if (status == SIVKA_OK || (c->opening && status == SIVKA_ERROR_BATCH)) {
        for (i = 0; c->opening && i < c->count; i++)
            opened[i] = statuses[i] == SIVKA_OK;
        status = SIVKA_OK;
    } else {
        raise_status(status);
    }
    PyMem_Free(statuses);
    return status == SIVKA_OK ? 0 : -1;
}

static PyObject *finish(column *c)
{
    sivka_key *key = handle_enter(&c->self->key);
    PyObject *result = NULL;
    int filled;

    if (key == NULL)
        return NULL;
    filled = fill(c, key);
    handle_leave(&c->self->key);
    if (filled == 0)
        result = PyTuple_Pack(2 + c->opening, c->out, c->ends, c->opened);
    Py_XDECREF(c->out);
    Py_XDECREF(c->ends);
    Py_XDECREF(c->opened);
    return result;
}

enum { A_DATA, A_OFFSETS, A_AADS, A_AAD_OFFSETS, A_VALIDITY, A_FIRST_BIT, ARGUMENTS };
static const char *const NAMES[ARGUMENTS] = {
    "data", "offsets", "associated_data", "associated_data_offsets", "validity", "first_bit",
};

static PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, int opening)
{
    static const signature it = {NAMES, 2, 3, ARGUMENTS};
    PyObject *room[ARGUMENTS], *result = NULL;
    PyObject *const *a = take_arguments(opening ? "open_column" : "seal_column", &it, args, count,
                                        keywords, room);
    column c = {0};

    if (a == NULL)
        return NULL;
    c.self = (aead *)self;
    c.opening = opening;
    if (view_bytes(a[A_DATA], "data", &c.v[DATA]) == 0 && take_offsets(&c, a[A_OFFSETS]) == 0 &&
        take_aads(&c, a[A_AADS], a[A_AAD_OFFSETS]) == 0 &&
        take_validity(&c, a[A_VALIDITY], a[A_FIRST_BIT]) == 0) {
        c.column.bytes = c.v[DATA].buf;
        c.column.bytes_len = (size_t)c.v[DATA].len;
        result = finish(&c);
    }
    views_release(c.v, VIEWS);
    PyMem_Free(c.offsets);
    PyMem_Free(c.aad_offsets);
    PyMem_Free(c.validity);
    return result;
}

DEFINE_METHOD(aead_seal_column, method, 0)
DEFINE_METHOD(aead_open_column, method, 1)
