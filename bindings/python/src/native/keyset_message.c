/* Keysets at work: the primary seals, and every enabled key that may have sealed a message
 * is tried on it. */
#include "arguments.h"
#include "keyset.h"
#include "secret.h"
#include "status.h"

typedef sivka_status operation(const sivka_keyset *keys, const void *aad, size_t aad_len,
                               const void *data, size_t data_len, void *out, size_t room,
                               size_t *len);

enum { DATA, AAD, ARGUMENTS };
static const char *const NAMES[ARGUMENTS] = {"data", "associated_data"};
static const signature IT = {NAMES, 1, 2, 2};

/* `bytes` if it has just its length, or else its beginning; the rest held plaintext. */
static PyObject *cut(PyObject *bytes, size_t room, size_t len)
{
    char *at = PyBytes_AsString(bytes);
    PyObject *beginning;

    if (len == room)
        return bytes;
    beginning = PyBytes_FromStringAndSize(at, (Py_ssize_t)len);
    wipe(at, room);
    Py_DECREF(bytes);
    return beginning;
}

static PyObject *run(const sivka_keyset *keys, operation *call, int opening, const Py_buffer *v)
{
    const size_t len = (size_t)v[DATA].len, aad_len = (size_t)v[AAD].len;
    /* 0 for what neither seals nor opens, too: the call says why. */
    const size_t room =
        opening ? sivka_keyset_open_len(keys, len) : sivka_keyset_seal_len(keys, len);
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    PyThreadState *state;
    sivka_status status;
    size_t out_len = 0;
    uint8_t *at;

    if (out == NULL)
        return NULL;
    at = (uint8_t *)PyBytes_AsString(out);
    state = hand_over(len > aad_len ? len : aad_len);
    status = call(keys, v[AAD].buf, aad_len, v[DATA].buf, len, at, room, &out_len);
    take_back(state);
    if (status == SIVKA_OK)
        return cut(out, room, out_len);
    Py_DECREF(out);
    return raise_status(status);
}

static PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, const char *name, operation *call, int opening)
{
    PyObject *room[ARGUMENTS], *state, *result = NULL;
    PyObject *const *given = take_arguments(name, &IT, args, count, keywords, room);
    Py_buffer v[ARGUMENTS];

    if (given == NULL)
        return NULL;
    view_nothing(&v[AAD]);
    if (view_bytes(given[DATA], NAMES[DATA], &v[DATA]) == 0 &&
        view_optional_bytes(given[AAD], NAMES[AAD], &v[AAD]) == 0 &&
        (state = keyset_state(self)) != NULL) {
        result = run(keys_of(state), call, opening, v);
        Py_DECREF(state);
    }
    views_release(v, ARGUMENTS);
    return result;
}

DEFINE_METHOD(keyset_seal, method, "seal", sivka_keyset_seal, 0)
DEFINE_METHOD(keyset_open, method, "open", sivka_keyset_open, 1)
DEFINE_METHOD(keyset_seal_deterministically, method, "seal_deterministically",
              sivka_keyset_seal_deterministically, 0)
DEFINE_METHOD(keyset_open_deterministically, method, "open_deterministically",
              sivka_keyset_open_deterministically, 1)
