/* Keysets as they are kept: in binary or JSON, in the clear or encrypted. */
#include "aead.h"
#include "arguments.h"
#include "keyset.h"
#include "secret.h"
#include "status.h"

/* The flags of a form by its name in a str. 0, or -1 and an exception. */
static int form_of(PyObject *object, uint32_t *flags)
{
    if (!PyUnicode_Check(object))
        return refuse_type(object, "form", "a str");
    *flags = SIVKA_KEYSET_BINARY;
    if (PyUnicode_CompareWithASCIIString(object, "binary") == 0)
        return 0;
    *flags = SIVKA_KEYSET_JSON;
    if (PyUnicode_CompareWithASCIIString(object, "json") == 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "form: 'binary' or 'json' expected, %R given", object);
    return -1;
}

/* JSON is a str, too; the caller keeps it. */
static int view_data(PyObject *object, uint32_t flags, Py_buffer *view)
{
    if (!PyUnicode_Check(object) || !(flags & SIVKA_KEYSET_JSON))
        return view_bytes(object, "data", view);
    view_nothing(view);
    view->buf = (void *)PyUnicode_AsUTF8AndSize(object, &view->len);
    if (view->buf != NULL)
        return 0;
    view_nothing(view);
    if (PyErr_ExceptionMatches(PyExc_UnicodeError)) {
        /* This one has the keys in its attribute `object`. */
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, "data: text without lone surrogates expected");
    }
    return -1;
}

static int allow_duplicates(PyObject *object, uint32_t *flags)
{
    const int allow = object == NULL ? 0 : PyObject_IsTrue(object);

    if (allow > 0)
        *flags |= SIVKA_KEYSET_DUPLICATE_IDS;
    return allow < 0 ? -1 : 0;
}

/* What a keyset is encrypted under: the state of another one, a key, or a service. */
typedef struct {
    PyObject *state;
    const sivka_keyset *keys;
    aead *owner;
    const sivka_key *key;
    PyObject *service;
} master;

/* Whether an object has the two methods of Tink's Aead, which clients of a service have. */
static int is_service(PyObject *object)
{
    return PyObject_HasAttrString(object, "encrypt") && PyObject_HasAttrString(object, "decrypt");
}

static int master_enter(PyObject *object, master *it)
{
    it->state = NULL;
    it->service = NULL;
    it->owner = aead_of(object);
    if (it->owner != NULL) {
        it->key = handle_enter(&it->owner->key);
        return it->key != NULL ? 0 : -1;
    }
    if (!is_keyset(object) && is_service(object)) {
        it->service = object;
        return 0;
    }
    if (!is_keyset(object))
        return refuse_type(object, "master",
                           "a Keyset, the key of an AEAD, or an object with the methods encrypt "
                           "and decrypt");
    it->state = keyset_state(object);
    if (it->state == NULL)
        return -1;
    it->keys = keys_of(it->state);
    return 0;
}

static void master_leave(master *it)
{
    if (it->owner != NULL)
        handle_leave(&it->owner->key);
    Py_XDECREF(it->state);
}

static int is_asked(const master *over)
{
    return over != NULL && over->service != NULL;
}

/* What a method of a service makes of the input; its exception stays for the caller. */
static int32_t ask(PyObject *service, const char *method, const uint8_t *input, size_t input_len,
                   const uint8_t *aad, size_t aad_len, uint8_t *output, size_t capacity,
                   size_t *written_len)
{
    /* Formats with lengths differ between the oldest CPython and the newest. */
    PyObject *given = PyBytes_FromStringAndSize((const char *)input, (Py_ssize_t)input_len);
    PyObject *data = PyBytes_FromStringAndSize((const char *)aad, (Py_ssize_t)aad_len);
    PyObject *answer = NULL;
    int32_t failed = 1;
    Py_buffer bytes;

    if (given != NULL && data != NULL)
        answer = PyObject_CallMethod(service, method, "OO", given, data);
    /* What a service encrypts is in the clear: nothing of it stays, unless the service keeps it. */
    if (given != NULL && Py_REFCNT(given) == 1)
        wipe(PyBytes_AsString(given), input_len);
    Py_XDECREF(given);
    Py_XDECREF(data);
    if (answer == NULL)
        return failed;
    if (view_bytes(answer, method, &bytes) == 0) {
        *written_len = (size_t)bytes.len;
        failed = *written_len > capacity;
        if (failed)
            PyErr_Format(PyExc_ValueError, "%s of the master answered %zd bytes", method, bytes.len);
        else
            memcpy(output, bytes.buf, *written_len);
        view_release(&bytes);
    }
    Py_DECREF(answer);
    return failed;
}

static int32_t ask_to_encrypt(void *service, const uint8_t *input, size_t input_len,
                              const uint8_t *aad, size_t aad_len, uint8_t *output,
                              size_t capacity, size_t *written_len)
{
    return ask(service, "encrypt", input, input_len, aad, aad_len, output, capacity, written_len);
}

static int32_t ask_to_decrypt(void *service, const uint8_t *input, size_t input_len,
                              const uint8_t *aad, size_t aad_len, uint8_t *output,
                              size_t capacity, size_t *written_len)
{
    return ask(service, "decrypt", input, input_len, aad, aad_len, output, capacity, written_len);
}

/* Everything that reads; without a master what is in the clear. */
static PyObject *read_keyset(PyObject *type, const Py_buffer *data, uint32_t flags,
                             const master *over, const Py_buffer *aad)
{
    const size_t len = (size_t)data->len;
    /* A service is called by a thread that has the interpreter. */
    PyThreadState *state = is_asked(over) ? NULL : hand_over(len);
    sivka_keyset *keys = NULL;
    sivka_status status;

    if (is_asked(over))
        status = sivka_keyset_decrypt_with_service(ask_to_decrypt, over->service, aad->buf,
                                                   (size_t)aad->len, data->buf, len, flags, &keys);
    else if (over == NULL)
        status = sivka_keyset_from_insecure(data->buf, len, flags, &keys);
    else if (over->owner != NULL)
        status = sivka_keyset_decrypt_with_key(over->key, aad->buf, (size_t)aad->len, data->buf,
                                               len, flags, &keys);
    else
        status = sivka_keyset_decrypt(over->keys, aad->buf, (size_t)aad->len, data->buf, len,
                                      flags, &keys);
    take_back(state);
    if (status == SIVKA_OK)
        return keyset_new((PyTypeObject *)type, keys);
    return status == SIVKA_ERROR_SERVICE ? NULL : raise_status(status);
}

static sivka_status write_to(uint8_t *out, size_t room, size_t *len, const sivka_keyset *keys,
                             uint32_t flags, const master *over, const Py_buffer *aad)
{
    PyThreadState *state = is_asked(over) ? NULL : hand_over(room);
    sivka_status status;

    if (is_asked(over))
        status = sivka_keyset_encrypt_with_service(keys, ask_to_encrypt, over->service, aad->buf,
                                                   (size_t)aad->len, flags, out, room, len);
    else if (over == NULL)
        status = sivka_keyset_to_insecure(keys, flags, out, room, len);
    else if (over->owner != NULL)
        status = sivka_keyset_encrypt_with_key(keys, over->key, aad->buf, (size_t)aad->len, flags,
                                               out, room, len);
    else
        status = sivka_keyset_encrypt(keys, over->keys, aad->buf, (size_t)aad->len, flags, out,
                                      room, len);
    take_back(state);
    return status;
}

/* What a service encrypts, which is asked once: with all the room that can be needed. */
static PyObject *written_by_service(const sivka_keyset *keys, uint32_t flags, const master *over,
                                    const Py_buffer *aad)
{
    uint8_t *out = PyMem_Malloc(SIVKA_KEYSET_MAX_LEN);
    PyObject *bytes = NULL;
    sivka_status status;
    size_t len = 0;

    if (out == NULL)
        return PyErr_NoMemory();
    status = write_to(out, SIVKA_KEYSET_MAX_LEN, &len, keys, flags, over, aad);
    if (status == SIVKA_OK)
        bytes = PyBytes_FromStringAndSize((const char *)out, (Py_ssize_t)len);
    else if (status != SIVKA_ERROR_SERVICE)
        raise_status(status);
    PyMem_Free(out);
    return bytes;
}

/* Everything else that writes. */
static PyObject *written(PyObject *self, uint32_t flags, const master *over, const Py_buffer *aad)
{
    PyObject *state = keyset_state(self), *out = NULL;
    sivka_status status;
    size_t len = 0;

    if (state == NULL)
        return NULL;
    if (is_asked(over)) {
        out = written_by_service(keys_of(state), flags, over, aad);
        Py_DECREF(state);
        return out;
    }
    /* Without room, it answers how much it needs. */
    status = write_to(NULL, 0, &len, keys_of(state), flags, over, aad);
    if (status == SIVKA_ERROR_CAPACITY) {
        out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
        status = out == NULL ? SIVKA_OK
                             : write_to((uint8_t *)PyBytes_AsString(out), len, &len,
                                        keys_of(state), flags, over, aad);
    }
    if (status != SIVKA_OK) {
        raise_status(status);
        Py_CLEAR(out);
    }
    Py_DECREF(state);
    return out;
}

PyObject *keyset_from_insecure(PyObject *type, PyObject *const *args, Py_ssize_t count,
                               PyObject *keywords)
{
    enum { DATA, FORM, DUPLICATES, ARGUMENTS };
    static const char *const names[ARGUMENTS] = {"data", "form", "allow_duplicate_ids"};
    static const signature it = {names, 2, 2, ARGUMENTS};
    PyObject *room[ARGUMENTS], *result;
    PyObject *const *given = take_arguments("from_insecure", &it, args, count, keywords, room);
    Py_buffer data;
    uint32_t flags;

    if (given == NULL || form_of(given[FORM], &flags) < 0 ||
        allow_duplicates(given[DUPLICATES], &flags) < 0 ||
        view_data(given[DATA], flags, &data) < 0)
        return NULL;
    result = read_keyset(type, &data, flags, NULL, NULL);
    view_release(&data);
    return result;
}

PyObject *keyset_to_insecure(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *keywords)
{
    static const char *const names[] = {"form"};
    static const signature it = {names, 1, 1, 1};
    PyObject *room[1];
    PyObject *const *given = take_arguments("to_insecure", &it, args, count, keywords, room);
    uint32_t flags;

    if (given == NULL || form_of(given[0], &flags) < 0)
        return NULL;
    return written(self, flags, NULL, NULL);
}

PyObject *keyset_decrypt(PyObject *type, PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords)
{
    enum { DATA, FORM, MASTER, AAD, DUPLICATES, ARGUMENTS };
    static const char *const names[ARGUMENTS] = {"data", "form", "master", "associated_data",
                                                 "allow_duplicate_ids"};
    static const signature it = {names, 3, 4, ARGUMENTS};
    PyObject *room[ARGUMENTS], *result = NULL;
    PyObject *const *given = take_arguments("decrypt", &it, args, count, keywords, room);
    Py_buffer data, aad;
    uint32_t flags;
    master over;

    if (given == NULL || form_of(given[FORM], &flags) < 0 ||
        allow_duplicates(given[DUPLICATES], &flags) < 0 ||
        view_data(given[DATA], flags, &data) < 0)
        return NULL;
    if (view_optional_bytes(given[AAD], names[AAD], &aad) == 0 &&
        master_enter(given[MASTER], &over) == 0) {
        result = read_keyset(type, &data, flags, &over, &aad);
        master_leave(&over);
    }
    view_release(&aad);
    view_release(&data);
    return result;
}

PyObject *keyset_encrypt(PyObject *self, PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords)
{
    enum { FORM, MASTER, AAD, ARGUMENTS };
    static const char *const names[ARGUMENTS] = {"form", "master", "associated_data"};
    static const signature it = {names, 2, 3, ARGUMENTS};
    PyObject *room[ARGUMENTS], *result = NULL;
    PyObject *const *given = take_arguments("encrypt", &it, args, count, keywords, room);
    uint32_t flags;
    Py_buffer aad;
    master over;

    if (given == NULL || form_of(given[FORM], &flags) < 0 ||
        view_optional_bytes(given[AAD], names[AAD], &aad) < 0)
        return NULL;
    if (master_enter(given[MASTER], &over) == 0) {
        result = written(self, flags, &over, &aad);
        master_leave(&over);
    }
    view_release(&aad);
    return result;
}
