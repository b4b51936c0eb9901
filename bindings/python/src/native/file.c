/* Sealed files. Paths are bytes, as os.fsencode() makes them. */
#include "file.h"

#include "arguments.h"
#include "handle.h"
#include "progress.h"
#include "secret.h"
#include "status.h"

static void free_keys(void *keys)
{
    sivka_file_keys_free(keys);
}

static void free_reader(void *reader)
{
    sivka_file_reader_free(reader);
}

/* The keys of one call: made and used by one function of sivka._file, and not shared. */
static const handle_kind KEYS = {"the keys", free_keys};
static const handle_kind READER = {"the file", free_reader};

static PyObject *keys_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    sivka_file_keys *keys = NULL;
    sivka_status status;

    (void)keywords;
    if (!PyArg_ParseTuple(args, ""))
        return NULL;
    status = sivka_file_keys_new(&keys);
    return status == SIVKA_OK ? handle_new(type, &KEYS, keys) : raise_status(status);
}

static sivka_file_keys *keys_of(PyObject *self)
{
    return ((handle *)self)->pointer;
}

static PyObject *add_secret(PyObject *self, PyObject *object, const char *what,
                            sivka_status (*add)(sivka_file_keys *, const char *, size_t))
{
    Py_buffer view;
    sivka_status status;

    if (view_bytes(object, what, &view) < 0)
        return NULL;
    status = add(keys_of(self), view.buf, (size_t)view.len);
    view_release(&view);
    return none_or_raise(status);
}

/* Of KeyFile comes what is in the clear already. */
static PyObject *add_key_file(PyObject *self, PyObject *text)
{
    Py_buffer view;
    sivka_status status;

    if (view_bytes(text, "key", &view) < 0)
        return NULL;
    status = sivka_file_keys_add_key_file(keys_of(self), view.buf, (size_t)view.len, NULL, 0);
    view_release(&view);
    /* No argument of this call is the passphrase that the library misses. */
    if (status == SIVKA_ERROR_EMPTY_PASSPHRASE)
        PyErr_SetString(PyExc_ValueError, "key: a passphrase protects the key file; give "
                                          "sivka.KeyFile(path, passphrase)");
    else if (status != SIVKA_OK)
        raise_status(status);
    return status == SIVKA_OK ? none() : NULL;
}

static PyObject *add_passphrase(PyObject *self, PyObject *passphrase)
{
    return add_secret(self, passphrase, "passphrase", sivka_file_keys_add_passphrase);
}

static PyObject *add_recipients(PyObject *self, PyObject *text)
{
    return add_secret(self, text, "recipient", sivka_file_keys_add_recipients);
}

static PyObject *add_identities(PyObject *self, PyObject *text)
{
    return add_secret(self, text, "key", sivka_file_keys_add_identities);
}

static int cost_of(PyObject *object, const char *what, uint64_t *cost)
{
    return number_of(object, what, UINT32_MAX, PyExc_ValueError, cost);
}

static PyObject *set_cost(PyObject *self, PyObject *args)
{
    PyObject *given[3];
    uint64_t memory_kib, passes, lanes;

    if (!PyArg_ParseTuple(args, "OOO", &given[0], &given[1], &given[2]) ||
        cost_of(given[0], "cost: memory_kib", &memory_kib) < 0 ||
        cost_of(given[1], "cost: passes", &passes) < 0 ||
        cost_of(given[2], "cost: lanes", &lanes) < 0)
        return NULL;
    return none_or_raise(sivka_file_keys_set_cost(keys_of(self), (uint32_t)memory_kib,
                                                  (uint32_t)passes, (uint32_t)lanes));
}

static PyObject *set_room(PyObject *self, PyObject *object)
{
    uint64_t slots;

    if (number_of(object, "room", UINT32_MAX, PyExc_ValueError, &slots) < 0)
        return NULL;
    return none_or_raise(sivka_file_keys_set_room(keys_of(self), (size_t)slots));
}

static PyObject *set_max_cost(PyObject *self, PyObject *args)
{
    PyObject *given[2];
    uint64_t memory_kib, passes;

    if (!PyArg_ParseTuple(args, "OO", &given[0], &given[1]) ||
        cost_of(given[0], "max_cost: memory_kib", &memory_kib) < 0 ||
        cost_of(given[1], "max_cost: passes", &passes) < 0)
        return NULL;
    return none_or_raise(sivka_file_keys_set_max_cost(keys_of(self), (uint32_t)memory_kib,
                                                      (uint32_t)passes));
}

int path_of(PyObject *object, void *to)
{
    path *it = to;

    it->bytes = object;
    return PyBytes_AsStringAndSize(object, &it->at, NULL) == 0;
}

int file_keys_of(PyObject *object, void *to)
{
    sivka_file_keys **keys = to;

    /* Only what handle_new() made has this destructor, and a kind. */
    if (PyType_GetSlot(Py_TYPE(object), Py_tp_dealloc) != (void *)handle_dealloc ||
        ((handle *)object)->kind != &KEYS) {
        PyErr_SetString(PyExc_TypeError, "keys: FileKeys expected");
        return 0;
    }
    *keys = keys_of(object);
    return 1;
}

int suite_of(PyObject *object, void *to)
{
    const char *name;
    sivka_status status;

    *(sivka_suite *)to = 0;
    if (object == Py_None)
        return 1;
    if (!PyArg_Parse(object, "s;suite: a name expected", &name))
        return 0;
    status = sivka_suite_from_name(name, to);
    if (status != SIVKA_OK)
        raise_status_named(status, "name", "suite");
    return status == SIVKA_OK;
}

/* None, or what Python has raised, or what the status means. */
static PyObject *ended(listener *it, sivka_status status)
{
    return listener_end(it) < 0 ? NULL : none_or_raise(status);
}

static PyObject *seal_file(PyObject *self, PyObject *args)
{
    path input, output;
    sivka_suite suite;
    int overwrite;
    PyObject *progress;
    listener it;
    sivka_status status;

    if (!PyArg_ParseTuple(args, "O&O&O&pO", path_of, &input, path_of, &output, suite_of, &suite,
                          &overwrite, &progress))
        return NULL;
    listener_begin(&it, progress);
    status = sivka_seal_file_with_progress(input.at, output.at, keys_of(self), suite,
                                           overwrite ? SIVKA_OVERWRITE : 0, hear_progress, &it);
    return ended(&it, status);
}

static PyObject *open_file(PyObject *self, PyObject *args)
{
    path input, output;
    int overwrite;
    PyObject *progress;
    listener it;
    sivka_status status;

    if (!PyArg_ParseTuple(args, "O&O&pO", path_of, &input, path_of, &output, &overwrite,
                          &progress))
        return NULL;
    listener_begin(&it, progress);
    status = sivka_open_file_with_progress(input.at, output.at, keys_of(self),
                                           overwrite ? SIVKA_OVERWRITE : 0, hear_progress, &it);
    return ended(&it, status);
}

static PyObject *verify_file(PyObject *self, PyObject *args)
{
    path input;
    PyObject *progress;
    listener it;
    sivka_status status;

    if (!PyArg_ParseTuple(args, "O&O", path_of, &input, &progress))
        return NULL;
    listener_begin(&it, progress);
    status = sivka_verify_file_with_progress(input.at, keys_of(self), hear_progress, &it);
    return ended(&it, status);
}

static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    path input;
    sivka_file_keys *keys;
    sivka_file_reader *reader = NULL;
    sivka_status status;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "O&O&", path_of, &input, file_keys_of, &keys))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_file_reader_new(input.at, keys, &reader);
    Py_END_ALLOW_THREADS
    if (status != SIVKA_OK)
        return raise_status(status);
    return handle_new(type, &READER, reader);
}

static PyObject *read_into(PyObject *self, PyObject *args)
{
    uint64_t position;
    PyObject *given, *buffer, *written = NULL;
    sivka_file_reader *reader;
    Py_buffer view;

    if (!PyArg_ParseTuple(args, "OO", &given, &buffer) ||
        number_of(given, "position", UINT64_MAX, PyExc_ValueError, &position) < 0 ||
        view_writable(buffer, "buffer", &view) < 0)
        return NULL;
    reader = handle_enter((handle *)self);
    if (reader != NULL) {
        sivka_status status;
        size_t len = 0;

        /* Even a short read may wait for a disk. */
        Py_BEGIN_ALLOW_THREADS
        status = sivka_file_reader_read(reader, position, view.buf, (size_t)view.len, &len);
        Py_END_ALLOW_THREADS
        handle_leave((handle *)self);
        if (status == SIVKA_OK)
            written = PyLong_FromSize_t(len);
        else
            raise_status(status);
    }
    view_release(&view);
    return written;
}

static PyObject *reader_length(PyObject *self, void *unused)
{
    sivka_file_reader *reader = handle_enter((handle *)self);
    uint64_t len;

    (void)unused;
    if (reader == NULL)
        return NULL;
    len = sivka_file_reader_len(reader);
    handle_leave((handle *)self);
    return PyLong_FromUnsignedLongLong(len);
}

/* A key file's text, from whichever function makes it, for a caller who can wipe it. */
static PyObject *key_text(const char *name, const Py_buffer *key)
{
    char text[SIVKA_MAX_KEY_FILE_LEN];
    PyObject *result = NULL;
    size_t len = 0;
    const sivka_status status =
        key == NULL ? sivka_generate_key_file(name, text, sizeof text, &len)
                    : sivka_key_file_from_bytes(key->buf, (size_t)key->len, name, text,
                                                sizeof text, &len);

    if (status == SIVKA_OK)
        result = PyByteArray_FromStringAndSize(text, (Py_ssize_t)len);
    else
        raise_status(status);
    wipe(text, sizeof text);
    return result;
}

static PyObject *generate_key_text(PyObject *module, PyObject *name)
{
    const char *text;

    (void)module;
    if (!PyArg_Parse(name, "s;name: a str expected", &text))
        return NULL;
    return key_text(text, NULL);
}

static PyObject *key_text_from_bytes(PyObject *module, PyObject *args)
{
    PyObject *key, *result;
    const char *name;
    Py_buffer view;

    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &key, &name) || view_bytes(key, "key", &view) < 0)
        return NULL;
    result = key_text(name, &view);
    view_release(&view);
    return result;
}

static PyMethodDef keys_methods[] = {
    {"add_key_file", add_key_file, METH_O,
     "add_key_file($self, text, /)\n--\n\nAdd the key of a key file with this text."},
    {"add_passphrase", add_passphrase, METH_O,
     "add_passphrase($self, passphrase, /)\n--\n\nAdd a passphrase in UTF-8."},
    {"add_recipients", add_recipients, METH_O,
     "add_recipients($self, text, /)\n--\n\nAdd recipients of age, one a line."},
    {"add_identities", add_identities, METH_O,
     "add_identities($self, text, /)\n--\n\nAdd identities of age, one a line."},
    {"set_cost", set_cost, METH_VARARGS,
     "set_cost($self, memory_kib, passes, lanes, /)\n--\n\nWhat a passphrase shall cost."},
    {"set_room", set_room, METH_O,
     "set_room($self, slots, /)\n--\n\nFor how many more slots a file has room."},
    {"set_max_cost", set_max_cost, METH_VARARGS,
     "set_max_cost($self, memory_kib, passes, /)\n--\n\nWhat a passphrase may cost."},
    {"seal_file", seal_file, METH_VARARGS,
     "seal_file($self, input, output, suite, overwrite, progress, /)\n--\n\n"
     "Seal a file into a new one."},
    {"open_file", open_file, METH_VARARGS,
     "open_file($self, input, output, overwrite, progress, /)\n--\n\n"
     "Open a file into a new one."},
    {"verify_file", verify_file, METH_VARARGS,
     "verify_file($self, input, progress, /)\n--\n\nAuthenticate every byte of a file."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef reader_methods[] = {
    {"read_into", read_into, METH_VARARGS,
     "read_into($self, position, buffer, /)\n--\n\n"
     "Read plaintext until the buffer is full or the file ends. Returns the bytes read."},
    {"close", handle_close, METH_NOARGS, "close($self)\n--\n\nWipe and free the reader."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef reader_properties[] = {
    {"length", reader_length, NULL, "The length of the plaintext in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef functions[] = {
    {"generate_key_text", generate_key_text, METH_O,
     "generate_key_text(name, /)\n--\n\nThe text of a key file with a new key."},
    {"key_text_from_bytes", key_text_from_bytes, METH_VARARGS,
     "key_text_from_bytes(key, name, /)\n--\n\nThe text of a key file with a given key."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot keys_slots[] = {
    {Py_tp_new, (void *)keys_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, keys_methods},
    {Py_tp_doc, (void *)"The keys and passphrases of one call."},
    {0, NULL},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_new, (void *)reader_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, reader_methods},
    {Py_tp_getset, reader_properties},
    {Py_tp_doc, (void *)"A sealed file that is read in parts, in any order."},
    {0, NULL},
};

static PyType_Spec keys_spec = {"sivka._native.FileKeys", sizeof(handle), 0,
                                Py_TPFLAGS_DEFAULT, keys_slots};
static PyType_Spec reader_spec = {"sivka._native.FileReader", sizeof(handle), 0,
                                  Py_TPFLAGS_DEFAULT, reader_slots};

int add_files(PyObject *module)
{
    if (add_type(module, &keys_spec, NULL) == NULL || add_type(module, &reader_spec, NULL) == NULL)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
