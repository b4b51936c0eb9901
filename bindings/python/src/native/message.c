/* One message: into new bytes, or into the caller's buffer. */
#include "aead.h"
#include "arguments.h"
#include "status.h"

/* What a call does, and where the nonce is. */
typedef enum {
    SEAL, /* the library draws it, or there is none */
    OPEN,
    SEAL_WITH_NONCE,
    OPEN_WITH_NONCE
} operation;

/* In the order in which the methods take them. */
enum { NONCE, DATA, AAD, BUF, ARGUMENTS };
static const char *const NAMES[ARGUMENTS] = {"nonce", "data", "associated_data", "buf"};
/* Without a nonce and with one; into new bytes, where associated data may be left out. */
static const signature SIGNATURES[2][2] = {
    {{NAMES + DATA, 1, 2, 2}, {NAMES + DATA, 3, 3, 3}},
    {{NAMES, 2, 3, 3}, {NAMES, 4, 4, 4}},
};

static inline Py_ALWAYS_INLINE size_t room_for(operation what, sivka_algorithm algorithm, size_t len)
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

static inline Py_ALWAYS_INLINE sivka_status run(operation what, const sivka_key *key, const Py_buffer *v,
                               uint8_t *out, size_t room, size_t *len)
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
static inline Py_ALWAYS_INLINE sivka_status run_long(operation what, const sivka_key *key, const Py_buffer *v,
                                    uint8_t *out, size_t room, size_t *len)
{
    PyThreadState *state;
    sivka_status status;

    state = hand_over((size_t)(v[DATA].len > v[AAD].len ? v[DATA].len : v[AAD].len));
    status = run(what, key, v, out, room, len);
    take_back(state);
    return status;
}

/* The result in new bytes. */
static inline Py_ALWAYS_INLINE PyObject *to_bytes(aead *self, operation what, const Py_buffer *v,
                                 const sivka_key *key)
{
    const size_t room = room_for(what, self->algorithm, (size_t)v[DATA].len);
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    sivka_status status;

    if (out == NULL)
        return NULL;
    status = run_long(what, key, v, (uint8_t *)PyBytes_AsString(out), room, NULL);
    if (status == SIVKA_OK)
        return out;
    Py_DECREF(out);
    return raise_status(status);
}

/* What sivka.h calls the output. */
static inline Py_ALWAYS_INLINE const char *output_of(operation what)
{
    if (what == OPEN || what == OPEN_WITH_NONCE)
        return "plaintext";
    return what == SEAL ? "sealed" : "ciphertext";
}

/* The result in the caller's buffer, which has just its length. */
static inline Py_ALWAYS_INLINE PyObject *to_buffer(aead *self, operation what, const Py_buffer *v,
                                  const sivka_key *key)
{
    const size_t room = room_for(what, self->algorithm, (size_t)v[DATA].len);
    const int opening = what == OPEN || what == OPEN_WITH_NONCE;
    const int fits = room == (size_t)v[BUF].len;
    sivka_status status = SIVKA_OK;
    size_t len = 0;

    /* What is too short to open is forged, whatever `buf` is. */
    if (fits || (opening && room == 0))
        status = run_long(what, key, v, v[BUF].buf, (size_t)v[BUF].len, &len);
    if (status != SIVKA_OK)
        return raise_status_named(status, output_of(what), NAMES[BUF]);
    if (fits)
        return PyLong_FromSize_t(len);
    PyErr_Format(PyExc_ValueError, "buf: %zu bytes expected, %zd given", room, v[BUF].len);
    return NULL;
}

/* Views of the arguments, of which `given` has those from `first` on. */
static inline Py_ALWAYS_INLINE int view_arguments(PyObject *const *given, int first, int into,
                                                  Py_buffer *v)
{
    int i;

    for (i = 0; i < ARGUMENTS; i++)
        view_nothing(&v[i]);
    if ((first == NONCE && view_bytes(given[NONCE], NAMES[NONCE], &v[NONCE]) < 0) ||
        view_bytes(given[DATA - first], NAMES[DATA], &v[DATA]) < 0 ||
        view_optional_bytes(given[AAD - first], NAMES[AAD], &v[AAD]) < 0)
        return -1;
    return into ? view_writable(given[BUF - first], NAMES[BUF], &v[BUF]) : 0;
}

/* One copy for each method, whose constants are then in place. */
static inline Py_ALWAYS_INLINE PyObject *method(PyObject *self, PyObject *const *args,
                                                Py_ssize_t count, PyObject *keywords,
                                                const char *name, operation what, int into)
{
    const int with_nonce = what == SEAL_WITH_NONCE || what == OPEN_WITH_NONCE;
    const int first = with_nonce ? NONCE : DATA;
    PyObject *room[ARGUMENTS], *result = NULL;
    PyObject *const *given =
        take_arguments(name, &SIGNATURES[with_nonce][into], args, count, keywords, room);
    aead *key = (aead *)self;
    Py_buffer v[ARGUMENTS];
    sivka_key *entered;

    if (given == NULL)
        return NULL;
    if (view_arguments(given, first, into, v) == 0 && (entered = handle_enter(&key->key)) != NULL) {
        result = into ? to_buffer(key, what, v, entered) : to_bytes(key, what, v, entered);
        handle_leave(&key->key);
    }
    views_release(v + first, (into ? ARGUMENTS : BUF) - first);
    return result;
}

DEFINE_METHOD(aead_encrypt, method, "encrypt", SEAL_WITH_NONCE, 0)
DEFINE_METHOD(aead_decrypt, method, "decrypt", OPEN_WITH_NONCE, 0)
DEFINE_METHOD(aead_encrypt_into, method, "encrypt_into", SEAL_WITH_NONCE, 1)
DEFINE_METHOD(aead_decrypt_into, method, "decrypt_into", OPEN_WITH_NONCE, 1)
DEFINE_METHOD(siv_encrypt, method, "encrypt", SEAL, 0)
DEFINE_METHOD(siv_decrypt, method, "decrypt", OPEN, 0)
DEFINE_METHOD(siv_encrypt_into, method, "encrypt_into", SEAL, 1)
DEFINE_METHOD(siv_decrypt_into, method, "decrypt_into", OPEN, 1)
DEFINE_METHOD(aead_seal, method, "seal", SEAL, 0)
DEFINE_METHOD(aead_open, method, "open", OPEN, 0)
