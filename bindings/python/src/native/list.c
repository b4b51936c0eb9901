/* One message with a list of associated data. */
#include "aead.h"
#include "arguments.h"
#include "status.h"

/* Views of the strings of a list, and what the library is told of them. */
typedef struct {
    PyObject *sequence;
    Py_ssize_t count;
    Py_buffer views[SIVKA_MAX_STRINGS];
    const uint8_t *at[SIVKA_MAX_STRINGS];
    size_t lens[SIVKA_MAX_STRINGS];
} strings;

/* A copy of the list, so that no other thread makes it shorter, and a view of each string. */
static int take_strings(strings *it, PyObject *list)
{
    Py_ssize_t i;

    if (PyObject_CheckBuffer(list) || PyUnicode_Check(list) || list == Py_None)
        return refuse_type(list, "associated_data", "a list of bytes-like objects");
    it->sequence = PySequence_Tuple(list);
    if (it->sequence == NULL)
        return -1;
    if (PyTuple_Size(it->sequence) > SIVKA_MAX_STRINGS) {
        PyErr_Format(PyExc_ValueError, "associated_data: at most %d buffers expected, %zd given",
                     SIVKA_MAX_STRINGS, PyTuple_Size(it->sequence));
        return -1;
    }
    for (i = 0; i < PyTuple_Size(it->sequence); i++) {
        Py_buffer *view = &it->views[i];

        if (view_bytes(PyTuple_GetItem(it->sequence, i), "associated_data", view) < 0)
            return -1;
        it->count++;
        it->at[i] = view->buf;
        it->lens[i] = (size_t)view->len;
    }
    return 0;
}

static void release_strings(strings *it)
{
    views_release(it->views, (size_t)it->count);
    Py_XDECREF(it->sequence);
}

static PyObject *run(aead *self, const sivka_key *key, const strings *aads, const Py_buffer *data,
                     int opening)
{
    const size_t len = (size_t)data->len;
    const size_t room = opening ? sivka_open_len(self->algorithm, len)
                                : sivka_seal_len(self->algorithm, len);
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    PyThreadState *state;
    sivka_status status;

    if (out == NULL)
        return NULL;
    state = hand_over(len);
    status = (opening ? sivka_open_with_list : sivka_seal_with_list)(
        key, aads->at, aads->lens, (size_t)aads->count, data->buf, len,
        (uint8_t *)PyBytes_AsString(out), room, NULL);
    take_back(state);
    if (status == SIVKA_OK)
        return out;
    Py_DECREF(out);
    return raise_status(status);
}

static PyObject *method(PyObject *object, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords, int opening)
{
    static const char *const names[] = {"data", "associated_data"};
    static const signature it = {names, 2, 2, 2};
    PyObject *room[2], *result = NULL;
    PyObject *const *given =
        take_arguments(opening ? "decrypt_with_list" : "encrypt_with_list", &it, args, count,
                       keywords, room);
    aead *self = (aead *)object;
    const sivka_key *key;
    strings aads;
    Py_buffer data;

    if (given == NULL || view_bytes(given[0], "data", &data) < 0)
        return NULL;
    aads.sequence = NULL;
    aads.count = 0;
    if (take_strings(&aads, given[1]) == 0 && (key = handle_enter(&self->key)) != NULL) {
        result = run(self, key, &aads, &data, opening);
        handle_leave(&self->key);
    }
    release_strings(&aads);
    view_release(&data);
    return result;
}

DEFINE_METHOD(siv_encrypt_with_list, method, 0)
DEFINE_METHOD(siv_decrypt_with_list, method, 1)
