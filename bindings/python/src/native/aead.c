/* Keys of AEADs: one message at a time. */
#include "binding.h"

static void free_key(void *key)
{
    sivka_key_free(key);
}

sivka_key *aead_enter(aead *self)
{
    return handle_enter(&self->key, "the key");
}

void aead_leave(aead *self)
{
    handle_leave(&self->key, free_key);
}

static PyObject *aead_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *name, *bytes;
    Py_buffer view;
    sivka_algorithm algorithm;
    sivka_key *key = NULL;
    sivka_status status;
    aead *self;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "UO", &name, &bytes) ||
        algorithm_from_name(name, &algorithm) < 0 || view_bytes(bytes, "key", &view) < 0)
        return NULL;
    status = sivka_key_new(algorithm, view.buf, (size_t)view.len, &key);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    self = (aead *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        sivka_key_free(key);
        return NULL;
    }
    self->key.pointer = key;
    self->algorithm = algorithm;
    return (PyObject *)self;
}

static void aead_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    handle_close(&((aead *)object)->key, free_key);
    free_object(object);
    Py_DECREF(type);
}

/* What a call does, and where the nonce is. */
typedef enum {
    SEAL, /* the library draws it, or there is none */
    OPEN,
    SEAL_WITH_NONCE,
    OPEN_WITH_NONCE
} operation;

enum { NONCE, DATA, AAD, OUT, VIEWS };

static size_t room_for(operation what, sivka_algorithm algorithm, size_t len)
{
    switch (what) {
    case SEAL:
        return sivka_seal_len(algorithm, len);
    case OPEN:
        return sivka_open_len(algorithm, len);
    case SEAL_WITH_NONCE:
        return sivka_seal_with_nonce_len(algorithm, len);
    case OPEN_WITH_NONCE:
        return sivka_open_with_nonce_len(algorithm, len);
    }
    return 0;
}

static sivka_status run(operation what, const sivka_key *key, const Py_buffer *v, uint8_t *out,
                        size_t room, size_t *len)
{
    const uint8_t *data = v[DATA].buf, *aad = v[AAD].buf, *nonce = v[NONCE].buf;
    const size_t data_len = (size_t)v[DATA].len, aad_len = (size_t)v[AAD].len,
                 nonce_len = (size_t)v[NONCE].len;

    switch (what) {
    case SEAL:
        return sivka_seal(key, aad, aad_len, data, data_len, out, room, len);
    case OPEN:
        return sivka_open(key, aad, aad_len, data, data_len, out, room, len);
    case SEAL_WITH_NONCE:
        return sivka_seal_with_nonce(key, nonce, nonce_len, aad, aad_len, data, data_len, out,
                                     room, len);
    case OPEN_WITH_NONCE:
        return sivka_open_with_nonce(key, nonce, nonce_len, aad, aad_len, data, data_len, out,
                                     room, len);
    }
    return SIVKA_ERROR_INTERNAL;
}

/* run(), with the interpreter free for others if it takes long. */
static sivka_status run_long(operation what, const sivka_key *key, const Py_buffer *v,
                             uint8_t *out, size_t room, size_t *len)
{
    sivka_status status;

    if (v[DATA].len < SIVKA_RELEASE_GIL_LEN && v[AAD].len < SIVKA_RELEASE_GIL_LEN)
        return run(what, key, v, out, room, len);
    Py_BEGIN_ALLOW_THREADS
    status = run(what, key, v, out, room, len);
    Py_END_ALLOW_THREADS
    return status;
}

/* The views of a call's inputs; `nonce` is NULL where the operation has none. */
static int view_inputs(PyObject *nonce, PyObject *data, PyObject *aad, Py_buffer *v)
{
    if (nonce == NULL)
        view_optional_bytes(NULL, "nonce", &v[NONCE]);
    else if (view_bytes(nonce, "nonce", &v[NONCE]) < 0)
        return -1;
    if (view_bytes(data, "data", &v[DATA]) < 0) {
        views_release(v, DATA);
        return -1;
    }
    if (view_optional_bytes(aad, "associated_data", &v[AAD]) < 0) {
        views_release(v, AAD);
        return -1;
    }
    return 0;
}

/* The result in new bytes. */
static PyObject *call(aead *self, operation what, PyObject *nonce, PyObject *data, PyObject *aad)
{
    Py_buffer v[VIEWS];
    PyObject *out = NULL;
    sivka_key *key;

    if (view_inputs(nonce, data, aad, v) < 0)
        return NULL;
    key = aead_enter(self);
    if (key != NULL) {
        const size_t room = room_for(what, self->algorithm, (size_t)v[DATA].len);

        out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
        if (out != NULL) {
            const sivka_status status =
                run_long(what, key, v, (uint8_t *)PyBytes_AsString(out), room, NULL);

            if (status != SIVKA_OK) {
                Py_CLEAR(out);
                raise_status(status);
            }
        }
        aead_leave(self);
    }
    views_release(v, OUT);
    return out;
}

/* The result in the caller's buffer, which has just its length. */
static PyObject *call_into(aead *self, operation what, PyObject *nonce, PyObject *data,
                           PyObject *aad, PyObject *buf)
{
    const int opening = what == OPEN || what == OPEN_WITH_NONCE;
    Py_buffer v[VIEWS];
    PyObject *written = NULL;
    sivka_key *key;

    if (view_inputs(nonce, data, aad, v) < 0)
        return NULL;
    if (view_writable(buf, "buf", &v[OUT]) < 0) {
        views_release(v, OUT);
        return NULL;
    }
    key = aead_enter(self);
    if (key != NULL) {
        const size_t room = room_for(what, self->algorithm, (size_t)v[DATA].len);
        const int fits = room == (size_t)v[OUT].len;
        sivka_status status = SIVKA_OK;
        size_t len = 0;

        /* What is too short to open is forged, whatever `buf` is. */
        if (fits || (opening && room == 0))
            status = run_long(what, key, v, v[OUT].buf, (size_t)v[OUT].len, &len);
        if (status != SIVKA_OK)
            raise_status(status);
        else if (!fits)
            PyErr_Format(PyExc_ValueError, "buf: %zu bytes expected, %zd given", room, v[OUT].len);
        else
            written = PyLong_FromSize_t(len);
        aead_leave(self);
    }
    views_release(v, VIEWS);
    return written;
}

/* The methods: each takes its arguments in order, or by name. */

static const char *const NONCE_DATA_AAD_BUF[] = {"nonce", "data", "associated_data", "buf"};
static const char *const DATA_AAD_BUF[] = {"data", "associated_data", "buf"};

static PyObject *with_nonce(PyObject *self, PyObject *const *args, Py_ssize_t count,
                            PyObject *keywords, const char *method, operation what)
{
    const signature it = {method, NONCE_DATA_AAD_BUF, 2, 3, 3};
    PyObject *found[3];

    if (take_arguments(&it, args, count, keywords, found) < 0)
        return NULL;
    return call((aead *)self, what, found[0], found[1], found[2]);
}

static PyObject *with_nonce_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *keywords, const char *method, operation what)
{
    const signature it = {method, NONCE_DATA_AAD_BUF, 4, 4, 4};
    PyObject *found[4];

    if (take_arguments(&it, args, count, keywords, found) < 0)
        return NULL;
    return call_into((aead *)self, what, found[0], found[1], found[2], found[3]);
}

static PyObject *without_nonce(PyObject *self, PyObject *const *args, Py_ssize_t count,
                               PyObject *keywords, const char *method, operation what)
{
    const signature it = {method, DATA_AAD_BUF, 1, 2, 2};
    PyObject *found[2];

    if (take_arguments(&it, args, count, keywords, found) < 0)
        return NULL;
    return call((aead *)self, what, NULL, found[0], found[1]);
}

static PyObject *without_nonce_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                    PyObject *keywords, const char *method, operation what)
{
    const signature it = {method, DATA_AAD_BUF, 3, 3, 3};
    PyObject *found[3];

    if (take_arguments(&it, args, count, keywords, found) < 0)
        return NULL;
    return call_into((aead *)self, what, NULL, found[0], found[1], found[2]);
}

#define METHOD(function, taking, name, what)                                               \
    static PyObject *function(PyObject *self, PyObject *const *args, Py_ssize_t count,     \
                              PyObject *keywords)                                          \
    {                                                                                      \
        return taking(self, args, count, keywords, name, what);                            \
    }
METHOD(aead_encrypt, with_nonce, "encrypt", SEAL_WITH_NONCE)
METHOD(aead_decrypt, with_nonce, "decrypt", OPEN_WITH_NONCE)
METHOD(aead_encrypt_into, with_nonce_into, "encrypt_into", SEAL_WITH_NONCE)
METHOD(aead_decrypt_into, with_nonce_into, "decrypt_into", OPEN_WITH_NONCE)
METHOD(siv_encrypt, without_nonce, "encrypt", SEAL)
METHOD(siv_decrypt, without_nonce, "decrypt", OPEN)
METHOD(siv_encrypt_into, without_nonce_into, "encrypt_into", SEAL)
METHOD(siv_decrypt_into, without_nonce_into, "decrypt_into", OPEN)
METHOD(aead_seal, without_nonce, "seal", SEAL)
METHOD(aead_open, without_nonce, "open", OPEN)
#undef METHOD

static PyObject *aead_random_nonces(PyObject *object, PyObject *argument)
{
    const sivka_algorithm algorithm = ((aead *)object)->algorithm;
    const size_t nonce_len = sivka_nonce_len(algorithm);
    const Py_ssize_t count = PyLong_AsSsize_t(argument);
    PyObject *nonces;
    sivka_status status;

    if (count == -1 && PyErr_Occurred() != NULL)
        return NULL;
    if (count < 0 || (size_t)count > (size_t)PY_SSIZE_T_MAX / nonce_len) {
        PyErr_Format(PyExc_ValueError, "count: a number of nonces expected, %zd given", count);
        return NULL;
    }
    nonces = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)nonce_len);
    if (nonces == NULL)
        return NULL;
    status = sivka_random_nonces(algorithm, (uint8_t *)PyBytes_AsString(nonces),
                                 (size_t)count * nonce_len);
    if (status != SIVKA_OK) {
        Py_DECREF(nonces);
        return raise_status(status);
    }
    return nonces;
}

static PyObject *aead_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    handle_close(&((aead *)self)->key, free_key);
    return none();
}

static PyObject *aead_enter_with(PyObject *self, PyObject *unused)
{
    (void)unused;
    Py_INCREF(self);
    return self;
}

static PyObject *aead_exit_with(PyObject *self, PyObject *args)
{
    (void)args;
    return aead_close(self, NULL);
}

static PyObject *aead_algorithm(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(sivka_algorithm_name(((aead *)self)->algorithm));
}

static PyObject *aead_nonce_length(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(sivka_nonce_len(((aead *)self)->algorithm));
}

static PyObject *aead_tag_length(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(sivka_tag_len(((aead *)self)->algorithm));
}

static PyGetSetDef properties[] = {
    {"algorithm", aead_algorithm, NULL, "The algorithm's name.", NULL},
    {"nonce_length", aead_nonce_length, NULL, "The length of a nonce in bytes; 0: none.", NULL},
    {"tag_length", aead_tag_length, NULL, "The length of a tag in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define COMMON_METHODS                                                                     \
    {"close", aead_close, METH_NOARGS,                                                     \
     "close($self)\n--\n\n"                                                                \
     "Wipe the key, when calls under way in other threads have ended. Later calls raise\n" \
     "ValueError. A key that nobody refers to any more is wiped by itself."},              \
    {"__enter__", aead_enter_with, METH_NOARGS, "__enter__($self)\n--\n\nThe key."},       \
    {"__exit__", aead_exit_with, METH_VARARGS, "__exit__($self, *args)\n--\n\nclose()."},  \
    {NULL, NULL, 0, NULL}

#define RAISES_SEAL                                                                        \
    "Raises ValueError for a wrong length or a nonce or message that the algorithm\n"      \
    "refuses, OverflowError for more than it allows, TypeError and BufferError for what\n" \
    "is no contiguous buffer."
#define RAISES_OPEN                                                                        \
    "Raises InvalidTag if it does not open; there is no saying why, and no plaintext in\n" \
    "any buffer then. Other errors are those of encrypt()."

static PyMethodDef aead_methods[] = {
    FAST_METHOD("encrypt", aead_encrypt,
                "encrypt($self, nonce, data, associated_data=None)\n--\n\n"
                "Seal data under a nonce that seals nothing else with this key.\n\n"
                "Returns ciphertext and tag, one after another. Every argument is any\n"
                "contiguous buffer. " RAISES_SEAL),
    FAST_METHOD("decrypt", aead_decrypt,
                "decrypt($self, nonce, data, associated_data=None)\n--\n\n"
                "Open what encrypt() returned. " RAISES_OPEN),
    FAST_METHOD("encrypt_into", aead_encrypt_into,
                "encrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
                "encrypt() into a buffer as long as the result. Returns the bytes written.\n\n"
                "data may begin where buf begins, and may not overlap it otherwise."),
    FAST_METHOD("decrypt_into", aead_decrypt_into,
                "decrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
                "decrypt() into a buffer as long as the plaintext. Returns the bytes written.\n\n"
                "data may begin where buf begins, and may not overlap it otherwise. On\n"
                "InvalidTag buf holds zeros."),
    FAST_METHOD("encrypt_batch", aead_encrypt_batch,
                "encrypt_batch($self, nonces, messages, associated_data=None)\n--\n\n"
                "encrypt() of many messages at once: the same bytes, in a fraction of the time.\n\n"
                "nonces is a sequence of nonces, or one buffer of all, one after another.\n"
                "associated_data is one buffer for all messages, or a sequence. Returns a list.\n"
                "If one message is refused, the whole batch is: ValueError names it."),
    FAST_METHOD("decrypt_batch", aead_decrypt_batch,
                "decrypt_batch($self, nonces, messages, associated_data=None)\n--\n\n"
                "Open what encrypt_batch() returned. The list has None for a message that does\n"
                "not open, and the plaintext of every other."),
    FAST_METHOD("encrypt_batch_contiguous", aead_encrypt_contiguous,
                "encrypt_batch_contiguous($self, nonces, data, offsets, associated_data=None, *, "
                "associated_data_offsets=None, out=None, tags=None)\n--\n\n"
                "Seal messages that stand in one buffer: message i is\n"
                "data[offsets[i]:offsets[i + 1]].\n\n"
                "offsets is a buffer of integers of 32 or 64 bits, one more than messages. Nonces\n"
                "and tags stand one after another. associated_data is that of every message, or\n"
                "with offsets of its own a buffer like data. Returns (out, tags): the ciphertexts\n"
                "stand in out as the messages in data, which may be the same buffer. Both are\n"
                "new bytearrays if not given."),
    FAST_METHOD("decrypt_batch_contiguous", aead_decrypt_contiguous,
                "decrypt_batch_contiguous($self, nonces, data, tags, offsets, "
                "associated_data=None, *, associated_data_offsets=None, out=None)\n--\n\n"
                "Open what encrypt_batch_contiguous() returned. Returns (out, opened): opened has\n"
                "a byte for each message, 1 if it opened and 0 if not; its place in out holds\n"
                "zeros then."),
    {"random_nonces", aead_random_nonces, METH_O,
     "random_nonces($self, count, /)\n--\n\n"
     "Random nonces, one after another, as bytes. Raises ValueError for an algorithm whose\n"
     "nonces are too short to be random."},
    COMMON_METHODS,
};

static PyMethodDef random_nonce_methods[] = {
    FAST_METHOD("seal", aead_seal,
                "seal($self, data, associated_data=None)\n--\n\n"
                "Seal data under a random nonce, drawn here. Returns nonce, ciphertext and tag,\n"
                "one after another. " RAISES_SEAL),
    FAST_METHOD("open", aead_open,
                "open($self, data, associated_data=None)\n--\n\n"
                "Open what seal() returned. " RAISES_OPEN),
    {NULL, NULL, 0, NULL},
};

static PyMethodDef siv_methods[] = {
    FAST_METHOD("encrypt", siv_encrypt,
                "encrypt($self, data, associated_data=None)\n--\n\n"
                "Seal data. There is no nonce: equal messages give equal bytes.\n\n"
                "Returns ciphertext and tag, one after another. " RAISES_SEAL),
    FAST_METHOD("decrypt", siv_decrypt,
                "decrypt($self, data, associated_data=None)\n--\n\n"
                "Open what encrypt() returned. " RAISES_OPEN),
    FAST_METHOD("encrypt_into", siv_encrypt_into,
                "encrypt_into($self, data, associated_data, buf)\n--\n\n"
                "encrypt() into a buffer as long as the result. Returns the bytes written.\n\n"
                "data may begin where buf begins, and may not overlap it otherwise."),
    FAST_METHOD("decrypt_into", siv_decrypt_into,
                "decrypt_into($self, data, associated_data, buf)\n--\n\n"
                "decrypt() into a buffer as long as the plaintext. Returns the bytes written.\n\n"
                "data may begin where buf begins, and may not overlap it otherwise. On\n"
                "InvalidTag buf holds zeros."),
    FAST_METHOD("seal", siv_encrypt,
                "seal($self, data, associated_data=None)\n--\n\n"
                "The same as encrypt(), by the name that other algorithms have for it."),
    FAST_METHOD("open", siv_decrypt,
                "open($self, data, associated_data=None)\n--\n\nThe same as decrypt()."),
    FAST_METHOD("encrypt_batch", siv_encrypt_batch,
                "encrypt_batch($self, messages, associated_data=None)\n--\n\n"
                "encrypt() of many messages at once: the same bytes, in a fraction of the time.\n\n"
                "associated_data is one buffer for all messages, or a sequence. Returns a list.\n"
                "If one message is refused, the whole batch is: ValueError names it."),
    FAST_METHOD("decrypt_batch", siv_decrypt_batch,
                "decrypt_batch($self, messages, associated_data=None)\n--\n\n"
                "Open what encrypt_batch() returned. The list has None for a message that does\n"
                "not open, and the plaintext of every other."),
    FAST_METHOD("encrypt_batch_contiguous", siv_encrypt_contiguous,
                "encrypt_batch_contiguous($self, data, offsets, associated_data=None, *, "
                "associated_data_offsets=None, out=None, tags=None)\n--\n\n"
                "As that of the algorithms with nonces."),
    FAST_METHOD("decrypt_batch_contiguous", siv_decrypt_contiguous,
                "decrypt_batch_contiguous($self, data, tags, offsets, associated_data=None, *, "
                "associated_data_offsets=None, out=None)\n--\n\n"
                "As that of the algorithms with nonces."),
    COMMON_METHODS,
};

#define AEAD_SLOTS(type_methods, doc)                                                  \
    {                                                                                  \
        {Py_tp_new, (void *)aead_new}, {Py_tp_dealloc, (void *)aead_dealloc},          \
            {Py_tp_methods, type_methods}, {Py_tp_getset, properties},                 \
            {Py_tp_doc, (void *)(doc)}, {0, NULL},                                     \
    }

static PyType_Slot aead_slots[] = AEAD_SLOTS(aead_methods, "A key of an AEAD with nonces.");
static PyType_Slot siv_slots[] = AEAD_SLOTS(siv_methods, "A key of an AEAD without nonces.");
static PyType_Slot random_nonce_slots[] = {
    {Py_tp_methods, random_nonce_methods},
    {Py_tp_doc, (void *)"A key of an AEAD whose nonces may be random."},
    {0, NULL},
};

/* No collector: a key refers to no object. Classes in Python give the algorithm. */
#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE)
static PyType_Spec aead_spec = {"sivka._native.Aead", sizeof(aead), 0, FLAGS, aead_slots};
static PyType_Spec siv_spec = {"sivka._native.Siv", sizeof(aead), 0, FLAGS, siv_slots};
static PyType_Spec random_nonce_spec = {"sivka._native.RandomNonceAead", sizeof(aead), 0, FLAGS,
                                        random_nonce_slots};

int add_aeads(PyObject *module)
{
    PyObject *base = add_type(module, &aead_spec, NULL), *derived = NULL, *siv = NULL;

    if (base != NULL)
        derived = add_type(module, &random_nonce_spec, base);
    if (derived != NULL)
        siv = add_type(module, &siv_spec, NULL);
    Py_XDECREF(base);
    Py_XDECREF(derived);
    Py_XDECREF(siv);
    return siv != NULL ? 0 : -1;
}
