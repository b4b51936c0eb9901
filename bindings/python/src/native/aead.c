/* The classes of AEADs: their keys, lengths and methods. */
#include "aead.h"
#include "arguments.h"
#include "library.h"
#include "status.h"

static void free_key(void *key)
{
    sivka_key_free(key);
}

static const handle_kind KEY = {"the key", free_key};

aead *aead_of(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);

    /* Only what handle_new() made has this destructor, and a kind; classes in Python have
     * one of their own before it. */
    while (type != NULL && PyType_GetSlot(type, Py_tp_dealloc) != (void *)handle_dealloc)
        type = PyType_GetSlot(type, Py_tp_base);
    return type != NULL && ((handle *)object)->kind == &KEY ? (aead *)object : NULL;
}

static PyObject *aead_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *name, *bytes, *self;
    Py_buffer view;
    sivka_algorithm algorithm;
    sivka_key *key = NULL;
    sivka_status status;
    int of_columns = 0;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "UO|p", &name, &bytes, &of_columns) ||
        algorithm_from_name(name, &algorithm) < 0 ||
        view_bytes(bytes, of_columns ? "key_file" : "key", &view) < 0)
        return NULL;
    status = of_columns ? sivka_column_key_new(algorithm, view.buf, (size_t)view.len, &key)
                        : sivka_key_new(algorithm, view.buf, (size_t)view.len, &key);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    self = handle_new(type, &KEY, key);
    if (self != NULL) {
        ((aead *)self)->algorithm = algorithm;
        ((aead *)self)->nonce_len = sivka_nonce_len(algorithm);
        ((aead *)self)->tag_len = sivka_tag_len(algorithm);
        ((aead *)self)->tag_first = sivka_tag_first(algorithm);
    }
    return self;
}

static PyObject *aead_random_nonces(PyObject *object, PyObject *argument)
{
    aead *self = (aead *)object;
    const size_t nonce_len = self->nonce_len > 0 ? self->nonce_len : 1;
    PyObject *nonces;
    sivka_status status;
    uint64_t count;

    if (number_of(argument, "count", (size_t)PY_SSIZE_T_MAX / nonce_len, PyExc_ValueError,
                  &count) < 0)
        return NULL;
    /* The nonces need no key, but whoever closed it seals no more. */
    if (handle_enter(&self->key) == NULL)
        return NULL;
    handle_leave(&self->key);
    nonces = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)count * self->nonce_len));
    if (nonces == NULL)
        return NULL;
    status = sivka_random_nonces(self->algorithm, (uint8_t *)PyBytes_AsString(nonces),
                                 (size_t)count * self->nonce_len);
    if (status != SIVKA_OK) {
        Py_DECREF(nonces);
        return raise_status(status);
    }
    return nonces;
}

static PyObject *aead_algorithm(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(sivka_algorithm_name(((aead *)self)->algorithm));
}

static PyObject *aead_nonce_length(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((aead *)self)->nonce_len);
}

static PyObject *aead_tag_length(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((aead *)self)->tag_len);
}

static PyGetSetDef properties[] = {
    {"algorithm", aead_algorithm, NULL, "The algorithm's name.", NULL},
    {"nonce_length", aead_nonce_length, NULL, "The length of a nonce in bytes; 0: none.", NULL},
    {"tag_length", aead_tag_length, NULL, "The length of a tag in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define RAISES_SEAL                                                                        \
    "Raises ValueError for a wrong length or a nonce or message that the algorithm\n"      \
    "refuses, OverflowError for more than it allows, TypeError and BufferError for what\n" \
    "is no contiguous buffer."
#define RAISES_OPEN                                                                        \
    "Raises InvalidTag if it does not open; there is no saying why, and no plaintext in\n" \
    "any buffer then. Other errors are those of encrypt()."
#define IN_PLACE "The plaintext may stand where its ciphertext stands; nothing else overlaps."

/* What every key has, with the nonces in its signatures or without, and words on them. */
#define METHODS(kind, nonce, nonces, how, on_nonces)                                       \
    FAST_METHOD("encrypt", kind##_encrypt,                                                 \
                "encrypt($self, " nonce "data, associated_data=None)\n--\n\n" how          \
                "\n\nReturns ciphertext and tag, one after another. Every argument is\n"   \
                "any contiguous buffer. " RAISES_SEAL),                                    \
    FAST_METHOD("decrypt", kind##_decrypt,                                                 \
                "decrypt($self, " nonce "data, associated_data=None)\n--\n\n"              \
                "Open what encrypt() returned. " RAISES_OPEN),                             \
    FAST_METHOD("encrypt_into", kind##_encrypt_into,                                       \
                "encrypt_into($self, " nonce "data, associated_data, buf)\n--\n\n"         \
                "encrypt() into a buffer as long as the result. Returns the bytes\n"       \
                "written.\n\n" IN_PLACE),                                                  \
    FAST_METHOD("decrypt_into", kind##_decrypt_into,                                       \
                "decrypt_into($self, " nonce "data, associated_data, buf)\n--\n\n"         \
                "decrypt() into a buffer as long as the plaintext. Returns the bytes\n"    \
                "written.\n\n" IN_PLACE " On\nInvalidTag buf holds zeros."),               \
    FAST_METHOD("encrypt_batch", kind##_encrypt_batch,                                     \
                "encrypt_batch($self, " nonces "messages, associated_data=None)\n--\n\n"   \
                "encrypt() of many messages at once: the same bytes, in a fraction of\n"   \
                "the time.\n\n" on_nonces "associated_data is one buffer for all\n"        \
                "messages, or a sequence. Returns a list. If one message is refused, the\n"\
                "whole batch is: ValueError names it."),                                   \
    FAST_METHOD("decrypt_batch", kind##_decrypt_batch,                                     \
                "decrypt_batch($self, " nonces "messages, associated_data=None)\n--\n\n"   \
                "Open what encrypt_batch() returned. The list has None for a message that\n"\
                "does not open, and the plaintext of every other."),                       \
    FAST_METHOD("encrypt_batch_contiguous", kind##_encrypt_contiguous,                     \
                "encrypt_batch_contiguous($self, " nonces "data, offsets, "                \
                "associated_data=None, *, associated_data_offsets=None, out=None, "        \
                "tags=None)\n--\n\n"                                                       \
                "Seal messages that stand in one buffer: message i is\n"                   \
                "data[offsets[i]:offsets[i + 1]].\n\n"                                     \
                "offsets is a buffer of integers of 32 or 64 bits, one more than\n"        \
                "messages. Tags stand one after another, and so do nonces where there are\n"\
                "any. associated_data is that of every message, or with offsets of its\n"  \
                "own a buffer like data. Returns (out, tags): the ciphertexts stand in out\n"\
                "as the messages in data, which may be the same buffer. Both are new\n"    \
                "bytearrays if not given."),                                               \
    FAST_METHOD("decrypt_batch_contiguous", kind##_decrypt_contiguous,                     \
                "decrypt_batch_contiguous($self, " nonces "data, tags, offsets, "          \
                "associated_data=None, *, associated_data_offsets=None, out=None)\n--\n\n" \
                "Open what encrypt_batch_contiguous() returned. Returns (out, opened):\n"  \
                "opened has a byte for each message, 1 if it opened and 0 if not; its\n"   \
                "place in out holds zeros then.")

#define CLOSE_DOC                                                                          \
    "Wipe the key, when calls under way in other threads have ended. Later calls raise\n"  \
    "ValueError. A key that nobody refers to any more is wiped by itself."

/* What keys have whose nonces may be random, or that have none. */
#define COLUMN_METHODS                                                                     \
    FAST_METHOD("seal_column", aead_seal_column,                                           \
                "seal_column($self, data, offsets, associated_data=None, *, "              \
                "associated_data_offsets=None, validity=None, first_bit=0)\n--\n\n"        \
                "seal() every value of a column: the rows, ready to store.\n\n"            \
                "Value i is data[offsets[i]:offsets[i + 1]]; offsets is a buffer of\n"     \
                "integers of 32 or 64 bits, one more than values. Bit first_bit + i of\n"  \
                "validity, from the lowest of the first byte on, is 0 if value i is null;\n"\
                "without validity none is. associated_data is that of every value, or\n"   \
                "with offsets of its own a buffer like data. Neither of the two is copied,\n"\
                "and neither may be changed meanwhile. Returns (rows, offsets): the rows one\n"\
                "after the other, and as bytes integers as offsets has them, from 0 on. A\n"\
                "null has no bytes. Raises OverflowError if integers of 32 bits are too\n" \
                "short for the rows, and else what seal() raises."),                       \
    FAST_METHOD("open_column", aead_open_column,                                           \
                "open_column($self, data, offsets, associated_data=None, *, "              \
                "associated_data_offsets=None, validity=None, first_bit=0)\n--\n\n"        \
                "Open the rows of a column that seal_column() wrote. Returns (values,\n"   \
                "offsets, opened): opened has a byte for each row, 1 if it opened or is\n" \
                "null and 0 if not; its value is zeros then, or empty if it is too short.")

static PyMethodDef aead_methods[] = {
    METHODS(aead, "nonce, ", "nonces, ",
            "Seal data under a nonce that seals nothing else with this key.",
            "nonces is a sequence of nonces, or one buffer of all, one after another.\n"),
    {"random_nonces", aead_random_nonces, METH_O,
     "random_nonces($self, count, /)\n--\n\n"
     "Random nonces, one after another, as bytes. Raises ValueError for an algorithm whose\n"
     "nonces are too short to be random."},
    HANDLE_METHODS(CLOSE_DOC),
};

static PyMethodDef random_nonce_methods[] = {
    FAST_METHOD("seal", aead_seal,
                "seal($self, data, associated_data=None)\n--\n\n"
                "Seal data under a random nonce, drawn here. Returns nonce, ciphertext and tag,\n"
                "one after another. " RAISES_SEAL),
    FAST_METHOD("open", aead_open,
                "open($self, data, associated_data=None)\n--\n\n"
                "Open what seal() returned. " RAISES_OPEN),
    COLUMN_METHODS,
    {NULL, NULL, 0, NULL},
};

static PyMethodDef siv_methods[] = {
    METHODS(siv, "", "", "Seal data. There is no nonce: equal messages give equal bytes.", ""),
    FAST_METHOD("seal", siv_encrypt,
                "seal($self, data, associated_data=None)\n--\n\n"
                "The same as encrypt(), by the name that other algorithms have for it."),
    FAST_METHOD("open", siv_decrypt,
                "open($self, data, associated_data=None)\n--\n\nThe same as decrypt()."),
    COLUMN_METHODS,
    HANDLE_METHODS(CLOSE_DOC),
};

static PyMethodDef list_methods[] = {
    FAST_METHOD("encrypt_with_list", siv_encrypt_with_list,
                "encrypt_with_list($self, data, associated_data)\n--\n\n"
                "Seal data with a list of 0 to 126 buffers of associated data.\n\n"
                "Their number, order and bounds count: no buffer is not the same as an empty\n"
                "one, and encrypt() is the list of one. RFC 5297's nonce is the last of the\n"
                "list. Returns tag and ciphertext. " RAISES_SEAL),
    FAST_METHOD("decrypt_with_list", siv_decrypt_with_list,
                "decrypt_with_list($self, data, associated_data)\n--\n\n"
                "Open what encrypt_with_list() returned. " RAISES_OPEN),
    {NULL, NULL, 0, NULL},
};

#define AEAD_SLOTS(type_methods, doc)                                                      \
    {                                                                                      \
        {Py_tp_new, (void *)aead_new}, {Py_tp_dealloc, (void *)handle_dealloc},            \
            {Py_tp_methods, type_methods}, {Py_tp_getset, properties},                     \
            {Py_tp_doc, (void *)(doc)}, {0, NULL},                                         \
    }

static PyType_Slot aead_slots[] = AEAD_SLOTS(aead_methods, "A key of an AEAD with nonces: what their classes have in common.\n\n"
                                            "Make a key with one of them, not with this.");
static PyType_Slot siv_slots[] = AEAD_SLOTS(siv_methods, "A key of an AEAD without nonces: what their classes have in common.\n\n"
                                            "Make a key with one of them, not with this.");
static PyType_Slot random_nonce_slots[] = {
    {Py_tp_methods, random_nonce_methods},
    {Py_tp_doc, (void *)"A key of an AEAD whose nonces may be random: seal() draws them."},
    {0, NULL},
};

static PyType_Slot list_slots[] = {
    {Py_tp_methods, list_methods},
    {Py_tp_doc, (void *)"A key of an AEAD without nonces that takes lists of associated data."},
    {0, NULL},
};

/* No collector: a key refers to no object. Classes in Python give the algorithm. */
#define AEAD_SPEC(name, slots)                                                             \
    {                                                                                      \
        "sivka." name, sizeof(aead), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,  \
            slots                                                                          \
    }

int add_aeads(PyObject *module)
{
    static PyType_Spec aead_spec = AEAD_SPEC("Aead", aead_slots),
                       random_nonce_spec = AEAD_SPEC("RandomNonceAead", random_nonce_slots),
                       siv_spec = AEAD_SPEC("DeterministicAead", siv_slots),
                       list_spec = AEAD_SPEC("DeterministicListAead", list_slots);
    PyObject *base = add_type(module, &aead_spec, NULL), *siv;

    if (base == NULL || add_type(module, &random_nonce_spec, base) == NULL)
        return -1;
    siv = add_type(module, &siv_spec, NULL);
    if (siv == NULL || add_type(module, &list_spec, siv) == NULL)
        return -1;
    return 0;
}
