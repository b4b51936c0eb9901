/* Batches in one buffer with offsets, as NumPy and Arrow lay out strings. */
#include "binding.h"

#include <stdint.h>
#include <string.h>

enum { NONCES, DATA, AADS, TAGS, OUT, VIEWS };

typedef struct {
    aead *self;
    int opening;
    Py_buffer v[VIEWS];
    size_t count;
    size_t *offsets, *aad_offsets;
    sivka_status *statuses;
    /* What is returned: the caller's objects, or new ones. */
    PyObject *out, *tags;
} batch;

/* One of the integers of a buffer; what cannot be an offset is beyond every buffer. */
static size_t offset_at(const char *at, Py_ssize_t size, int is_signed)
{
    uint64_t value = 0;

    if (size == 4) {
        uint32_t narrow;

        memcpy(&narrow, at, sizeof narrow);
        value = is_signed && narrow > INT32_MAX ? UINT64_MAX : narrow;
    } else {
        memcpy(&value, at, sizeof value);
    }
    return value > SIZE_MAX ? SIZE_MAX : (size_t)value;
}

/* Whether a format is one integer of this machine's byte order. */
static int is_integer(const Py_buffer *view)
{
    const char *format = view->format != NULL ? view->format : "B";
    const uint16_t one = 1;

    if (*format == '@' || *format == '=' || *format == (*(const char *)&one == 1 ? '<' : '>'))
        format++;
    return (view->itemsize == 4 || view->itemsize == 8) && *format != '\0' &&
           strchr("iIlLqQnN", *format) != NULL && format[1] == '\0';
}

/*
 * Copies offsets, so that nobody changes them after they were checked. Their number goes
 * to `count`. NULL and an exception if they are no offsets.
 */
static size_t *copy_offsets(PyObject *object, const char *what, size_t *count)
{
    size_t *offsets = NULL;
    Py_buffer view;
    size_t i;

    if (PyObject_GetBuffer(object, &view, PyBUF_ND | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        /* Says what is wrong with it. */
        if (view_bytes(object, what, &view) < 0)
            return NULL;
        view.ndim = 0;
    }
    if (view.ndim != 1 || !is_integer(&view)) {
        PyErr_Format(PyExc_TypeError, "%s: one row of integers of 32 or 64 bits expected", what);
    } else if (view.shape[0] < 1) {
        PyErr_Format(PyExc_ValueError, "%s: one more than messages expected, 0 given", what);
    } else {
        const int is_signed = strpbrk(view.format, "ilqn") != NULL;

        *count = (size_t)view.shape[0];
        offsets = PyMem_Malloc(*count * sizeof *offsets);
        for (i = 0; offsets != NULL && i < *count; i++)
            offsets[i] = offset_at((const char *)view.buf + i * (size_t)view.itemsize,
                                   view.itemsize, is_signed);
        if (offsets == NULL)
            PyErr_NoMemory();
    }
    view_release(&view);
    return offsets;
}

static int take_offsets(batch *b, PyObject *offsets, PyObject *aad_offsets)
{
    size_t numbers, aad_numbers;

    b->offsets = copy_offsets(offsets, "offsets", &numbers);
    if (b->offsets == NULL)
        return -1;
    b->count = numbers - 1;
    if (aad_offsets == NULL || aad_offsets == Py_None)
        return 0;
    b->aad_offsets = copy_offsets(aad_offsets, "associated_data_offsets", &aad_numbers);
    if (b->aad_offsets == NULL)
        return -1;
    if (aad_numbers != numbers) {
        PyErr_Format(PyExc_ValueError, "associated_data_offsets: %zu expected, %zu given", numbers,
                     aad_numbers);
        return -1;
    }
    return 0;
}

/* The caller's buffer, or a new one of zeros; what is returned goes to `owner`. */
static int take_output(PyObject *given, const char *what, size_t len, Py_buffer *view,
                       PyObject **owner)
{
    if (given != NULL && given != Py_None) {
        Py_INCREF(given);
        *owner = given;
        return view_writable(given, what, view);
    }
    *owner = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)len);
    if (*owner == NULL || view_writable(*owner, what, view) < 0)
        return -1;
    if (len > 0)
        memset(view->buf, 0, len);
    return 0;
}

/* Moves the messages, and nothing around them, to where they are worked on. */
static int move_in(batch *b)
{
    const size_t first = b->offsets[0], last = b->offsets[b->count];
    Py_buffer *data = &b->v[DATA], *out = &b->v[OUT];

    if (out->len != data->len) {
        PyErr_Format(PyExc_ValueError, "out: %zd bytes expected, as data has, %zd given",
                     data->len, out->len);
        return -1;
    }
    if (out->buf == data->buf)
        return 0;
    if (views_overlap(data, out)) {
        PyErr_SetString(PyExc_ValueError, "out overlaps data and begins elsewhere");
        return -1;
    }
    /* Other offsets are wrong, and the library says in which way. */
    if (first < last && last <= (size_t)data->len)
        memcpy((char *)out->buf + first, (const char *)data->buf + first, last - first);
    return 0;
}

static sivka_status run(batch *b, const sivka_key *key)
{
    const Py_buffer *v = b->v;

    if (b->opening)
        return sivka_open_batch_contiguous(
            key, b->count, v[NONCES].buf, (size_t)v[NONCES].len, v[AADS].buf,
            (size_t)v[AADS].len, b->aad_offsets, v[OUT].buf, (size_t)v[OUT].len, b->offsets,
            v[TAGS].buf, (size_t)v[TAGS].len, b->statuses);
    return sivka_seal_batch_contiguous(key, b->count, v[NONCES].buf, (size_t)v[NONCES].len,
                                       v[AADS].buf, (size_t)v[AADS].len, b->aad_offsets,
                                       v[OUT].buf, (size_t)v[OUT].len, b->offsets, v[TAGS].buf,
                                       (size_t)v[TAGS].len, b->statuses);
}

/* A call that did nothing leaves no plaintext in a buffer that had none. */
static void clear_output(batch *b)
{
    const size_t first = b->offsets[0], last = b->offsets[b->count];

    if (b->v[OUT].buf != b->v[DATA].buf && first < last && last <= (size_t)b->v[OUT].len)
        memset((char *)b->v[OUT].buf + first, 0, last - first);
}

/* Which messages were opened: a byte for each. */
static PyObject *opened(const batch *b)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)b->count);
    char *at;
    size_t i;

    if (result == NULL)
        return NULL;
    at = PyBytes_AsString(result);
    for (i = 0; i < b->count; i++)
        at[i] = b->statuses[i] == SIVKA_OK;
    return result;
}

/* After a batch that was sealed in part: one message was refused. */
static void refuse_message(batch *b)
{
    size_t i = 0;

    while (i + 1 < b->count && b->statuses[i] == SIVKA_OK)
        i++;
    PyErr_Format(b->statuses[i] == SIVKA_ERROR_TOO_LONG ? PyExc_OverflowError : PyExc_ValueError,
                 "data: %s (message %zu)", sivka_status_message(b->statuses[i]), i);
}

static PyObject *finish(batch *b)
{
    sivka_key *key = aead_enter(b->self);
    PyObject *second = NULL, *result = NULL;
    sivka_status status;

    if (key == NULL)
        return NULL;
    if (b->v[OUT].len < SIVKA_RELEASE_GIL_LEN) {
        status = run(b, key);
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = run(b, key);
        Py_END_ALLOW_THREADS
    }
    aead_leave(b->self);
    if (b->opening && (status == SIVKA_OK || status == SIVKA_ERROR_BATCH)) {
        second = opened(b);
    } else if (status == SIVKA_OK) {
        Py_INCREF(b->tags);
        second = b->tags;
    } else if (status == SIVKA_ERROR_BATCH) {
        refuse_message(b);
        clear_output(b);
    } else {
        raise_status(status);
        clear_output(b);
    }
    if (second != NULL)
        result = PyTuple_Pack(2, b->out, second);
    Py_XDECREF(second);
    return result;
}

/* In the order in which the methods take them. */
enum {
    A_NONCES,
    A_DATA,
    A_TAGS_IN,
    A_OFFSETS,
    A_AADS,
    A_AAD_OFFSETS,
    A_OUT,
    A_TAGS_OUT,
    ARGUMENTS
};

static int take(batch *b, PyObject *const *a)
{
    if ((a[A_NONCES] != NULL && view_bytes(a[A_NONCES], "nonces", &b->v[NONCES]) < 0) ||
        view_bytes(a[A_DATA], "data", &b->v[DATA]) < 0 ||
        take_offsets(b, a[A_OFFSETS], a[A_AAD_OFFSETS]) < 0 ||
        view_optional_bytes(a[A_AADS], "associated_data", &b->v[AADS]) < 0)
        return -1;
    if (b->opening) {
        if (view_bytes(a[A_TAGS_IN], "tags", &b->v[TAGS]) < 0)
            return -1;
    } else if (take_output(a[A_TAGS_OUT], "tags", b->count * sivka_tag_len(b->self->algorithm),
                           &b->v[TAGS], &b->tags) < 0) {
        return -1;
    }
    if (take_output(a[A_OUT], "out", (size_t)b->v[DATA].len, &b->v[OUT], &b->out) < 0)
        return -1;
    b->statuses = PyMem_Calloc(b->count + 1, sizeof *b->statuses);
    if (b->statuses == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return move_in(b);
}

static PyObject *batch_call(PyObject *self, PyObject *const *arguments, int opening)
{
    batch b;
    PyObject *result = NULL;

    memset(&b, 0, sizeof b);
    b.self = (aead *)self;
    b.opening = opening;
    if (take(&b, arguments) == 0)
        result = finish(&b);
    views_release(b.v, VIEWS);
    PyMem_Free(b.offsets);
    PyMem_Free(b.aad_offsets);
    PyMem_Free(b.statuses);
    Py_XDECREF(b.out);
    Py_XDECREF(b.tags);
    return result;
}

static PyObject *encrypt(PyObject *self, PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords, int nonces)
{
    static const char *const names[] = {
        "nonces", "data", "offsets", "associated_data", "associated_data_offsets", "out", "tags"};
    const int without = !nonces;
    const signature it = {"encrypt_batch_contiguous", names + without, 3 - without, 4 - without,
                          7 - without};
    PyObject *found[7] = {NULL}, *a[ARGUMENTS] = {NULL};

    if (take_arguments(&it, args, count, keywords, found + without) < 0)
        return NULL;
    a[A_NONCES] = found[0];
    a[A_DATA] = found[1];
    a[A_OFFSETS] = found[2];
    a[A_AADS] = found[3];
    a[A_AAD_OFFSETS] = found[4];
    a[A_OUT] = found[5];
    a[A_TAGS_OUT] = found[6];
    return batch_call(self, a, 0);
}

static PyObject *decrypt(PyObject *self, PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords, int nonces)
{
    static const char *const names[] = {
        "nonces", "data", "tags", "offsets", "associated_data", "associated_data_offsets", "out"};
    const int without = !nonces;
    const signature it = {"decrypt_batch_contiguous", names + without, 4 - without, 5 - without,
                          7 - without};
    PyObject *found[7] = {NULL}, *a[ARGUMENTS] = {NULL};

    if (take_arguments(&it, args, count, keywords, found + without) < 0)
        return NULL;
    a[A_NONCES] = found[0];
    a[A_DATA] = found[1];
    a[A_TAGS_IN] = found[2];
    a[A_OFFSETS] = found[3];
    a[A_AADS] = found[4];
    a[A_AAD_OFFSETS] = found[5];
    a[A_OUT] = found[6];
    return batch_call(self, a, 1);
}

PyObject *aead_encrypt_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                  PyObject *keywords)
{
    return encrypt(self, args, count, keywords, 1);
}

PyObject *aead_decrypt_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                  PyObject *keywords)
{
    return decrypt(self, args, count, keywords, 1);
}

PyObject *siv_encrypt_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *keywords)
{
    return encrypt(self, args, count, keywords, 0);
}

PyObject *siv_decrypt_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *keywords)
{
    return decrypt(self, args, count, keywords, 0);
}
