/* Batches in one buffer with offsets, as NumPy and Arrow lay out strings. */
#include "aead.h"
#include "arguments.h"
#include "status.h"

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

/* One of the integers of a buffer; of one below 0, what C converts it to. */
static uint64_t number_at(const char *at, Py_ssize_t size, int is_signed)
{
    uint32_t narrow;
    uint64_t number;

    if (size == 4) {
        memcpy(&narrow, at, sizeof narrow);
        return is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

/* Whether an integer of such a format may be below 0. */
static int has_sign(const Py_buffer *view)
{
    return strpbrk(view->format, "ilqn") != NULL;
}

/* Refuses a number that the library would take for another: it knows one sort of integer. */
static void refuse_offset(const char *what, uint64_t number, int is_signed, size_t index)
{
    if (is_signed)
        PyErr_Format(PyExc_ValueError, "%s: 0 or more expected, %lld given (number %zu)", what,
                     (long long)number, index);
    else
        PyErr_Format(PyExc_ValueError, "%s: %llu is beyond every buffer (number %zu)", what,
                     (unsigned long long)number, index);
}

/* Whether a buffer's format is one integer of 32 or 64 bits in this machine's byte order. */
static int is_integer(const Py_buffer *view)
{
    const char *format = view->format != NULL ? view->format : "B";
    const uint16_t one = 1;

    if (*format == '@' || *format == '=' || *format == (*(const char *)&one == 1 ? '<' : '>'))
        format++;
    return (view->itemsize == 4 || view->itemsize == 8) && *format != '\0' &&
           strchr("iIlLqQnN", *format) != NULL && format[1] == '\0';
}

/* A view of integers in a row, of which there are some. 0, or -1 and an exception. */
static int view_offsets(PyObject *object, const char *what, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_ND | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        /* Says what is wrong with it. */
        if (view_bytes(object, what, view) < 0)
            return -1;
        view->ndim = 0;
        view->format = NULL;
    }
    /* Of what is empty, no shape is wrong. */
    if ((view->ndim == 1 || view->len == 0) && is_integer(view)) {
        if (view->len > 0)
            return 0;
        PyErr_Format(PyExc_ValueError, "%s: one more than messages expected, 0 given", what);
    } else {
        PyErr_Format(PyExc_TypeError, "%s: one row of integers of 32 or 64 bits expected", what);
    }
    view_release(view);
    return -1;
}

size_t *copy_offsets(PyObject *object, const char *what, size_t *count)
{
    size_t *offsets, i;
    Py_buffer view;
    int is_signed;

    if (view_offsets(object, what, &view) < 0)
        return NULL;
    is_signed = has_sign(&view);
    *count = (size_t)(view.len / view.itemsize);
    offsets = PyMem_Malloc(*count * sizeof *offsets);
    if (offsets == NULL)
        PyErr_NoMemory();
    for (i = 0; offsets != NULL && i < *count; i++) {
        const uint64_t number = number_at((const char *)view.buf + i * (size_t)view.itemsize,
                                          view.itemsize, is_signed);

        /* Beyond every buffer is what cannot be an offset. */
        offsets[i] = number > SIZE_MAX ? SIZE_MAX : (size_t)number;
        if (is_signed && number > INT64_MAX) {
            refuse_offset(what, number, is_signed, i);
            PyMem_Free(offsets);
            offsets = NULL;
        }
    }
    view_release(&view);
    return offsets;
}

void *copy_offsets_as_they_are(PyObject *object, const char *what, size_t *count, uint32_t *bits)
{
    Py_buffer view;
    int is_signed;
    char *offsets;
    size_t i;

    if (view_offsets(object, what, &view) < 0)
        return NULL;
    is_signed = has_sign(&view);
    *count = (size_t)(view.len / view.itemsize);
    *bits = (uint32_t)view.itemsize * 8;
    offsets = PyMem_Malloc((size_t)view.len);
    if (offsets != NULL)
        memcpy(offsets, view.buf, (size_t)view.len);
    else
        PyErr_NoMemory();
    for (i = 0; offsets != NULL && i < *count; i++) {
        const uint64_t number =
            number_at(offsets + i * (size_t)view.itemsize, view.itemsize, is_signed);

        if (number > (uint64_t)(view.itemsize == 4 ? INT32_MAX : INT64_MAX)) {
            refuse_offset(what, number, is_signed, i);
            PyMem_Free(offsets);
            offsets = NULL;
        }
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
    if (check_apart(data, "data", out, "out") < 0)
        return -1;
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
    raise_message_status(b->statuses[i], "data: %s (message %zd)", (Py_ssize_t)i);
}

static PyObject *finish(batch *b)
{
    sivka_key *key = handle_enter(&b->self->key);
    PyObject *second = NULL, *result = NULL;
    PyThreadState *state;
    sivka_status status;

    if (key == NULL)
        return NULL;
    state = hand_over((size_t)b->v[OUT].len);
    status = run(b, key);
    take_back(state);
    handle_leave(&b->self->key);
    if (b->opening && (status == SIVKA_OK || status == SIVKA_ERROR_BATCH)) {
        second = opened(b);
    } else if (status == SIVKA_OK) {
        Py_INCREF(b->tags);
        second = b->tags;
    } else if (status == SIVKA_ERROR_BATCH) {
        refuse_message(b);
        clear_output(b);
    } else {
        /* The library works on the output. */
        raise_status_named(status, "texts", "out");
        clear_output(b);
    }
    if (second != NULL)
        result = PyTuple_Pack(2, b->out, second);
    Py_XDECREF(second);
    return result;
}

/* The arguments: sealing takes them in this order, opening the tags after the data. */
enum { A_NONCES, A_DATA, A_OFFSETS, A_AADS, A_AAD_OFFSETS, A_OUT, A_TAGS, ARGUMENTS };
static const char *const NAMES[2][ARGUMENTS] = {
    {"nonces", "data", "offsets", "associated_data", "associated_data_offsets", "out", "tags"},
    {"nonces", "data", "tags", "offsets", "associated_data", "associated_data_offsets", "out"},
};
static const int ORDER[2][ARGUMENTS] = {
    {A_NONCES, A_DATA, A_OFFSETS, A_AADS, A_AAD_OFFSETS, A_OUT, A_TAGS},
    {A_NONCES, A_DATA, A_TAGS, A_OFFSETS, A_AADS, A_AAD_OFFSETS, A_OUT},
};

static int take(batch *b, PyObject *const *a)
{
    int taken;

    if ((a[A_NONCES] != NULL && view_bytes(a[A_NONCES], "nonces", &b->v[NONCES]) < 0) ||
        view_bytes(a[A_DATA], "data", &b->v[DATA]) < 0 ||
        take_offsets(b, a[A_OFFSETS], a[A_AAD_OFFSETS]) < 0 ||
        view_optional_bytes(a[A_AADS], "associated_data", &b->v[AADS]) < 0)
        return -1;
    if (b->opening)
        taken = view_bytes(a[A_TAGS], "tags", &b->v[TAGS]);
    else
        taken = take_output(a[A_TAGS], "tags", b->count * b->self->tag_len, &b->v[TAGS], &b->tags);
    if (taken < 0 ||
        take_output(a[A_OUT], "out", (size_t)b->v[DATA].len, &b->v[OUT], &b->out) < 0)
        return -1;
    b->statuses = PyMem_Calloc(b->count + 1, sizeof *b->statuses);
    if (b->statuses == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return move_in(b);
}

static PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, int opening, int without)
{
    const signature it = {NAMES[opening] + without, 3 + opening - without,
                          4 + opening - without, ARGUMENTS - without};
    PyObject *room[ARGUMENTS], *sorted[ARGUMENTS] = {NULL}, *result = NULL;
    PyObject *const *given =
        take_arguments(opening ? "decrypt_batch_contiguous" : "encrypt_batch_contiguous", &it,
                       args, count, keywords, room);
    batch b;
    int i;

    if (given == NULL)
        return NULL;
    for (i = without; i < ARGUMENTS; i++)
        sorted[ORDER[opening][i]] = given[i - without];
    memset(&b, 0, sizeof b);
    b.self = (aead *)self;
    b.opening = opening;
    if (take(&b, sorted) == 0)
        result = finish(&b);
    views_release(b.v, VIEWS);
    PyMem_Free(b.offsets);
    PyMem_Free(b.aad_offsets);
    PyMem_Free(b.statuses);
    Py_XDECREF(b.out);
    Py_XDECREF(b.tags);
    return result;
}

DEFINE_METHOD(aead_encrypt_contiguous, method, 0, 0)
DEFINE_METHOD(aead_decrypt_contiguous, method, 1, 0)
DEFINE_METHOD(siv_encrypt_contiguous, method, 0, 1)
DEFINE_METHOD(siv_decrypt_contiguous, method, 1, 1)
