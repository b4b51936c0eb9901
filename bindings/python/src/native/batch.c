/*
 * Batches over sequences of buffers.
 *
 * Messages are gathered in memory of ours, some hundred at a time, sealed or opened
 * there while other threads may run, and handed out as bytes. The library wants the
 * texts apart from the tags, and finds texts in one buffer apart without sorting.
 */
#include "aead.h"
#include "arguments.h"
#include "secret.h"
#include "status.h"

/* A chunk ends before it has more of either; one message may be longer. */
#define CHUNK_COUNT 1024
#define CHUNK_LEN 262144

typedef struct {
    uint8_t *at;
    size_t len, capacity;
} bytes;

/* Makes room for `more` bytes; where others were, they are wiped. */
static int grow(bytes *it, size_t more)
{
    size_t capacity = it->capacity > 0 ? it->capacity : 4096;
    uint8_t *at;

    while (capacity - it->len < more) {
        if (capacity > (size_t)PY_SSIZE_T_MAX / 2) {
            PyErr_NoMemory();
            return -1;
        }
        capacity *= 2;
    }
    at = PyMem_Malloc(capacity);
    if (at == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (it->len > 0)
        memcpy(at, it->at, it->len);
    wipe(it->at, it->len);
    PyMem_Free(it->at);
    it->at = at;
    it->capacity = capacity;
    return 0;
}

static inline int reserve(bytes *it, size_t more)
{
    return more <= it->capacity - it->len ? 0 : grow(it, more);
}

static inline int append(bytes *it, const void *from, size_t len)
{
    if (reserve(it, len) < 0)
        return -1;
    if (len > 0)
        memcpy(it->at + it->len, from, len);
    it->len += len;
    return 0;
}

static void give_back(bytes *it)
{
    wipe(it->at, it->capacity);
    PyMem_Free(it->at);
}

/* Buffers for each message: a sequence, one buffer, or none. */
typedef struct {
    const char *what;
    PyObject *sequence; /* a list or a tuple, or NULL */
    Py_buffer all;
} list;

static void list_release(list *it)
{
    Py_CLEAR(it->sequence);
    view_release(&it->all);
}

static int list_of(list *it, PyObject *object, const char *what)
{
    it->what = what;
    /* Its items are no buffers, and their types would say less than its own. */
    if (!PyList_Check(object) && !PyTuple_Check(object) && is_arrow(object))
        return refuse_type(object, what, "a sequence of bytes-like objects");
    it->sequence = PySequence_Fast(object, what);
    if (it->sequence == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: a sequence of bytes-like objects expected", what);
    }
    return it->sequence != NULL ? 0 : -1;
}

static int list_or_buffer(list *it, PyObject *object, const char *what)
{
    it->what = what;
    if (object == NULL || object == Py_None)
        return 0;
    return PyObject_CheckBuffer(object) ? view_bytes(object, what, &it->all)
                                        : list_of(it, object, what);
}

static Py_ssize_t list_size(const list *it)
{
    return PySequence_Size(it->sequence);
}

/*
 * A new reference, or NULL and IndexError: another thread may have made a list shorter
 * since it was counted.
 */
static PyObject *list_item(const list *it, Py_ssize_t index)
{
    PyObject *item;

#ifdef Py_GIL_DISABLED
    if (PyList_Check(it->sequence))
        return PyList_GetItemRef(it->sequence, index);
#endif
    item = PyList_Check(it->sequence) ? PyList_GetItem(it->sequence, index)
                                      : PyTuple_GetItem(it->sequence, index);
    Py_XINCREF(item);
    return item;
}

static int check_count(const list *it, Py_ssize_t count)
{
    if (it->sequence == NULL || list_size(it) == count)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s: %zd expected, one for each message, %zd given", it->what,
                 count, list_size(it));
    return -1;
}

typedef struct {
    aead *self;
    const sivka_key *key;
    int opening;
    list nonces, messages, aads;
    Py_ssize_t count;
    PyObject *results;
    /* The chunk: `first` is the number of its first message. */
    Py_ssize_t first;
    size_t chunk_count;
    bytes chunk_nonces, texts, chunk_aads, tags;
    size_t text_offsets[CHUNK_COUNT + 1], aad_offsets[CHUNK_COUNT + 1];
    sivka_status statuses[CHUNK_COUNT];
    /* Shorter than a tag, and so forged. */
    unsigned char too_short[CHUNK_COUNT];
} batch;

/*
 * The exception about one part of a list, raised again with its number. Any other than those of
 * view_bytes() is the part's own, and stays as it is.
 */
static void say_number(Py_ssize_t index)
{
    PyObject *type = PyErr_Occurred(), *value, *traceback;

    if (type != PyExc_TypeError && type != PyExc_ValueError && type != PyExc_BufferError)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyErr_Format(type, "%S (number %zd)", value, index);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/*
 * A view of one part, and the reference that keeps it. None is empty, unless there
 * `must_be` a buffer. 0, or -1 and an exception with the part's number.
 */
static int view_item(const list *it, Py_ssize_t index, int must_be, PyObject **item,
                     Py_buffer *view)
{
    int result;

    *item = list_item(it, index);
    if (*item == NULL)
        return -1;
    result = must_be ? view_bytes(*item, it->what, view)
                     : view_optional_bytes(*item, it->what, view);
    if (result < 0) {
        say_number(index);
        Py_CLEAR(*item);
    }
    return result;
}

static void release_item(PyObject *item, Py_buffer *view)
{
    view_release(view);
    Py_DECREF(item);
}

/* Adds number `index` of a list to `to`; all have `expected` bytes, unless that is 0. */
static int gather(const list *it, Py_ssize_t index, size_t expected, bytes *to)
{
    PyObject *item;
    Py_buffer view;
    int result = -1;

    if (view_item(it, index, expected > 0, &item, &view) < 0)
        return -1;
    if (expected > 0 && (size_t)view.len != expected)
        PyErr_Format(PyExc_ValueError, "%s: %zu bytes expected, %zd given (number %zd)", it->what,
                     expected, view.len, index);
    else
        result = append(to, view.buf, (size_t)view.len);
    release_item(item, &view);
    return result;
}

/* Adds a message, of which the tag is apart if it is sealed. */
static int gather_message(batch *b, const Py_buffer *view)
{
    const size_t slot = b->chunk_count, sealed_len = (size_t)view->len;
    const uint8_t *from = view->buf;
    size_t text_len = sealed_len;

    b->too_short[slot] = 0;
    if (b->opening) {
        text_len = sivka_open_with_nonce_len(b->self->algorithm, sealed_len);
        b->too_short[slot] =
            sivka_seal_with_nonce_len(b->self->algorithm, text_len) != sealed_len;
    }
    if (reserve(&b->tags, b->self->tag_len) < 0)
        return -1;
    if (b->too_short[slot]) {
        text_len = 0;
        memset(b->tags.at + b->tags.len, 0, b->self->tag_len);
    } else if (b->opening) {
        memcpy(b->tags.at + b->tags.len, from + tag_at(b->self, text_len), b->self->tag_len);
        from += text_at(b->self);
    }
    b->tags.len += b->self->tag_len;
    return append(&b->texts, from, text_len);
}

static int finish_chunk(batch *b);

/* Whether the chunk takes one more message of this length. */
static int has_room(const batch *b, size_t len)
{
    return b->chunk_count == 0 || (b->chunk_count < CHUNK_COUNT &&
                                   b->texts.len + b->chunk_aads.len + len <= CHUNK_LEN);
}

/* Adds message `index`, which is read once, to the chunk, or to a new one if there is no room. */
static int gather_one(batch *b, Py_ssize_t index)
{
    PyObject *item;
    Py_buffer view;
    int result = 0;

    if (view_item(&b->messages, index, 1, &item, &view) < 0)
        return -1;
    if (!has_room(b, (size_t)view.len))
        result = finish_chunk(b);
    if (result == 0)
        result = gather_message(b, &view);
    release_item(item, &view);
    if (result < 0)
        return -1;
    if ((b->nonces.sequence != NULL &&
         gather(&b->nonces, index, b->self->nonce_len, &b->chunk_nonces) < 0) ||
        (b->aads.sequence != NULL && gather(&b->aads, index, 0, &b->chunk_aads) < 0))
        return -1;
    b->chunk_count++;
    b->text_offsets[b->chunk_count] = b->texts.len;
    b->aad_offsets[b->chunk_count] = b->chunk_aads.len;
    return 0;
}

static sivka_status run_chunk(batch *b)
{
    const uint8_t *nonces = b->chunk_nonces.at, *aads = b->aads.all.buf;
    const size_t nonces_len = b->chunk_count * b->self->nonce_len;
    size_t aads_len = (size_t)b->aads.all.len;
    const size_t *aad_offsets = NULL;

    if (b->nonces.sequence == NULL && nonces_len > 0)
        nonces = (const uint8_t *)b->nonces.all.buf + (size_t)b->first * b->self->nonce_len;
    if (b->aads.sequence != NULL) {
        aads = b->chunk_aads.at;
        aads_len = b->chunk_aads.len;
        aad_offsets = b->aad_offsets;
    }
    if (b->opening)
        return sivka_open_batch_contiguous(b->key, b->chunk_count, nonces, nonces_len, aads,
                                           aads_len, aad_offsets, b->texts.at, b->texts.len,
                                           b->text_offsets, b->tags.at, b->tags.len, b->statuses);
    return sivka_seal_batch_contiguous(b->key, b->chunk_count, nonces, nonces_len, aads, aads_len,
                                       aad_offsets, b->texts.at, b->texts.len, b->text_offsets,
                                       b->tags.at, b->tags.len, b->statuses);
}

/* The result of a message: bytes, None, or NULL and an exception. */
static PyObject *result_of(const batch *b, size_t slot)
{
    const sivka_status status = b->statuses[slot];
    const size_t at = b->text_offsets[slot], text_len = b->text_offsets[slot + 1] - at;
    const size_t len =
        b->opening ? text_len : sivka_seal_with_nonce_len(b->self->algorithm, text_len);
    PyObject *result;
    char *to;

    if (b->opening && (status == SIVKA_ERROR_OPEN || b->too_short[slot]))
        return none();
    if (status != SIVKA_OK) {
        raise_message_status(status, "messages: %s (number %zd)", b->first + (Py_ssize_t)slot);
        return NULL;
    }
    result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
    if (result == NULL)
        return NULL;
    to = PyBytes_AsString(result);
    if (!b->opening) {
        memcpy(to + tag_at(b->self, text_len), b->tags.at + slot * b->self->tag_len,
               b->self->tag_len);
        to += text_at(b->self);
    }
    if (text_len > 0)
        memcpy(to, b->texts.at + at, text_len);
    return result;
}

static int finish_chunk(batch *b)
{
    PyThreadState *state = hand_over(b->texts.len + b->chunk_aads.len);
    const sivka_status status = run_chunk(b);
    size_t slot;

    take_back(state);
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH) {
        raise_status(status);
        return -1;
    }
    for (slot = 0; slot < b->chunk_count; slot++) {
        PyObject *result = result_of(b, slot);

        if (result == NULL ||
            PyList_SetItem(b->results, b->first + (Py_ssize_t)slot, result) < 0)
            return -1;
    }
    b->first += (Py_ssize_t)b->chunk_count;
    b->chunk_count = 0;
    b->chunk_nonces.len = b->texts.len = b->chunk_aads.len = b->tags.len = 0;
    return 0;
}

static int run_batch(batch *b)
{
    Py_ssize_t index;

    for (index = 0; index < b->count; index++)
        if (gather_one(b, index) < 0)
            return -1;
    return b->chunk_count > 0 ? finish_chunk(b) : 0;
}

/* The lists, which fit together. */
static int take_lists(batch *b, PyObject *nonces, PyObject *messages, PyObject *aads)
{
    if ((nonces != NULL && list_or_buffer(&b->nonces, nonces, "nonces") < 0) ||
        list_of(&b->messages, messages, "messages") < 0 ||
        list_or_buffer(&b->aads, aads, "associated_data") < 0)
        return -1;
    b->count = list_size(&b->messages);
    if (check_count(&b->nonces, b->count) < 0 || check_count(&b->aads, b->count) < 0)
        return -1;
    if (b->nonces.sequence == NULL &&
        (size_t)b->nonces.all.len != (size_t)b->count * b->self->nonce_len) {
        PyErr_Format(PyExc_ValueError, "nonces: %zd of %zu bytes each expected, %zd bytes given",
                     b->count, b->self->nonce_len, b->nonces.all.len);
        return -1;
    }
    return 0;
}

static PyObject *run_lists(aead *self, PyObject *nonces, PyObject *messages, PyObject *aads,
                           int opening)
{
    PyObject *results = NULL;
    batch *b = PyMem_Calloc(1, sizeof *b);

    if (b == NULL)
        return PyErr_NoMemory();
    b->self = self;
    b->opening = opening;
    if (take_lists(b, nonces, messages, aads) == 0)
        b->key = handle_enter(&self->key);
    if (b->key != NULL) {
        b->results = PyList_New(b->count);
        if (b->results != NULL && run_batch(b) == 0) {
            results = b->results;
            b->results = NULL;
        }
        handle_leave(&self->key);
    }
    Py_XDECREF(b->results);
    list_release(&b->nonces);
    list_release(&b->messages);
    list_release(&b->aads);
    give_back(&b->chunk_nonces);
    give_back(&b->texts);
    give_back(&b->chunk_aads);
    give_back(&b->tags);
    PyMem_Free(b);
    return results;
}

static PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, int opening, int without)
{
    static const char *const names[] = {"nonces", "messages", "associated_data"};
    const signature it = {names + without, 2 - without, 3 - without, 3 - without};
    PyObject *room[3];
    PyObject *const *given = take_arguments(opening ? "decrypt_batch" : "encrypt_batch", &it, args,
                                            count, keywords, room);

    if (given == NULL)
        return NULL;
    return run_lists((aead *)self, without ? NULL : given[0], given[1 - without],
                     given[2 - without], opening);
}

DEFINE_METHOD(aead_encrypt_batch, method, 0, 0)
DEFINE_METHOD(aead_decrypt_batch, method, 1, 0)
DEFINE_METHOD(siv_encrypt_batch, method, 0, 1)
DEFINE_METHOD(siv_decrypt_batch, method, 1, 1)
