/* Sealed files. Paths are bytes, as os.fsencode() makes them. */
#include "binding.h"

/* The keys of one call: made and used by one function of sivka._file, and not shared. */
typedef struct {
    PyObject_HEAD
    sivka_file_keys *keys;
} file_keys;

typedef struct {
    PyObject_HEAD
    handle reader;
} file_reader;

static void free_reader(void *reader)
{
    sivka_file_reader_free(reader);
}

static PyObject *keys_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    file_keys *self;
    sivka_status status;

    (void)keywords;
    if (!PyArg_ParseTuple(args, ""))
        return NULL;
    self = (file_keys *)PyType_GenericAlloc(type, 0);
    if (self == NULL)
        return NULL;
    status = sivka_file_keys_new(&self->keys);
    if (status != SIVKA_OK) {
        Py_DECREF(self);
        return raise_status(status);
    }
    return (PyObject *)self;
}

static void keys_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    sivka_file_keys_free(((file_keys *)object)->keys);
    free_object(object);
    Py_DECREF(type);
}

static PyObject *none_or_raise(sivka_status status)
{
    if (status != SIVKA_OK)
        return raise_status(status);
    return none();
}

static PyObject *add_secret(PyObject *self, PyObject *object, const char *what,
                            sivka_status (*add)(sivka_file_keys *, const char *, size_t))
{
    Py_buffer view;
    sivka_status status;

    if (view_bytes(object, what, &view) < 0)
        return NULL;
    status = add(((file_keys *)self)->keys, view.buf, (size_t)view.len);
    view_release(&view);
    return none_or_raise(status);
}

static PyObject *add_key_file(PyObject *self, PyObject *text)
{
    return add_secret(self, text, "key", sivka_file_keys_add_key_file);
}

static PyObject *add_passphrase(PyObject *self, PyObject *passphrase)
{
    return add_secret(self, passphrase, "passphrase", sivka_file_keys_add_passphrase);
}

static PyObject *set_cost(PyObject *self, PyObject *args)
{
    unsigned int memory_kib, passes, lanes;

    if (!PyArg_ParseTuple(args, "III", &memory_kib, &passes, &lanes))
        return NULL;
    return none_or_raise(
        sivka_file_keys_set_cost(((file_keys *)self)->keys, memory_kib, passes, lanes));
}

static PyObject *set_max_cost(PyObject *self, PyObject *args)
{
    unsigned int memory_kib, passes;

    if (!PyArg_ParseTuple(args, "II", &memory_kib, &passes))
        return NULL;
    return none_or_raise(
        sivka_file_keys_set_max_cost(((file_keys *)self)->keys, memory_kib, passes));
}

/* A path without a zero inside. */
static int c_path(PyObject *bytes, char **path)
{
    return PyBytes_AsStringAndSize(bytes, path, NULL);
}

static PyObject *seal_file(PyObject *self, PyObject *args)
{
    PyObject *input, *output, *suite_name;
    char *from, *to;
    const char *name = NULL;
    sivka_suite suite = 0;
    int overwrite;
    sivka_status status = SIVKA_OK;

    if (!PyArg_ParseTuple(args, "SSOp", &input, &output, &suite_name, &overwrite) ||
        c_path(input, &from) < 0 || c_path(output, &to) < 0)
        return NULL;
    if (suite_name != Py_None) {
        if (!PyArg_Parse(suite_name, "s;suite: a name expected", &name))
            return NULL;
        status = sivka_suite_from_name(name, &suite);
    }
    if (status == SIVKA_OK) {
        const uint32_t flags = overwrite ? SIVKA_OVERWRITE : 0;

        Py_BEGIN_ALLOW_THREADS
        status = sivka_seal_file(from, to, ((file_keys *)self)->keys, suite, flags);
        Py_END_ALLOW_THREADS
    }
    if (status != SIVKA_OK)
        return raise_file_status(status, input, output);
    return none();
}

static PyObject *open_file(PyObject *self, PyObject *args)
{
    PyObject *input, *output;
    char *from, *to;
    int overwrite;
    sivka_status status;

    if (!PyArg_ParseTuple(args, "SSp", &input, &output, &overwrite) ||
        c_path(input, &from) < 0 || c_path(output, &to) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_open_file(from, to, ((file_keys *)self)->keys, overwrite ? SIVKA_OVERWRITE : 0);
    Py_END_ALLOW_THREADS
    if (status != SIVKA_OK)
        return raise_file_status(status, input, output);
    return none();
}

static PyObject *verify_file(PyObject *self, PyObject *input)
{
    sivka_status status;
    char *from;

    if (c_path(input, &from) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_verify_file(from, ((file_keys *)self)->keys);
    Py_END_ALLOW_THREADS
    if (status != SIVKA_OK)
        return raise_file_status(status, input, NULL);
    return none();
}

static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *input, *keys;
    sivka_file_reader *made = NULL;
    file_reader *self;
    sivka_status status;
    char *from;

    (void)keywords;
    if (!PyArg_ParseTuple(args, "SO", &input, &keys) || c_path(input, &from) < 0)
        return NULL;
    /* Both types end in this module, and only FileKeys has this destructor. */
    if (PyType_GetSlot(Py_TYPE(keys), Py_tp_dealloc) != (void *)keys_dealloc) {
        PyErr_SetString(PyExc_TypeError, "keys: FileKeys expected");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = sivka_file_reader_new(from, ((file_keys *)keys)->keys, &made);
    Py_END_ALLOW_THREADS
    if (status != SIVKA_OK)
        return raise_file_status(status, input, NULL);
    self = (file_reader *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        sivka_file_reader_free(made);
        return NULL;
    }
    self->reader.pointer = made;
    return (PyObject *)self;
}

static void reader_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    handle_close(&((file_reader *)object)->reader, free_reader);
    free_object(object);
    Py_DECREF(type);
}

static PyObject *read_into(PyObject *object, PyObject *args)
{
    handle *it = &((file_reader *)object)->reader;
    unsigned long long position;
    PyObject *buffer, *written = NULL;
    sivka_file_reader *reader;
    Py_buffer view;

    if (!PyArg_ParseTuple(args, "KO", &position, &buffer) ||
        view_writable(buffer, "buffer", &view) < 0)
        return NULL;
    reader = handle_enter(it, "the file");
    if (reader != NULL) {
        sivka_status status;
        size_t len = 0;

        /* Even a short read may wait for a disk. */
        Py_BEGIN_ALLOW_THREADS
        status = sivka_file_reader_read(reader, position, view.buf, (size_t)view.len, &len);
        Py_END_ALLOW_THREADS
        handle_leave(it, free_reader);
        if (status == SIVKA_OK)
            written = PyLong_FromSize_t(len);
        else
            raise_status(status);
    }
    view_release(&view);
    return written;
}

static PyObject *reader_length(PyObject *object, void *unused)
{
    handle *it = &((file_reader *)object)->reader;
    sivka_file_reader *reader = handle_enter(it, "the file");
    uint64_t len;

    (void)unused;
    if (reader == NULL)
        return NULL;
    len = sivka_file_reader_len(reader);
    handle_leave(it, free_reader);
    return PyLong_FromUnsignedLongLong(len);
}

static PyObject *reader_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    handle_close(&((file_reader *)object)->reader, free_reader);
    return none();
}

/* A key file's text in new bytes, from whichever function makes it. */
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
        result = PyBytes_FromStringAndSize(text, (Py_ssize_t)len);
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

static PyObject *suites(PyObject *module, PyObject *unused)
{
    const size_t count = sivka_suite_count();
    PyObject *names = PyTuple_New((Py_ssize_t)count);
    size_t i;

    (void)module;
    (void)unused;
    for (i = 0; names != NULL && i < count; i++) {
        PyObject *name = PyUnicode_FromString(sivka_suite_name(sivka_suite_at(i)));

        if (name == NULL || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

static PyMethodDef keys_methods[] = {
    {"add_key_file", add_key_file, METH_O,
     "add_key_file($self, text, /)\n--\n\nAdd the key of a key file with this text."},
    {"add_passphrase", add_passphrase, METH_O,
     "add_passphrase($self, passphrase, /)\n--\n\nAdd a passphrase in UTF-8."},
    {"set_cost", set_cost, METH_VARARGS,
     "set_cost($self, memory_kib, passes, lanes, /)\n--\n\nWhat a passphrase shall cost."},
    {"set_max_cost", set_max_cost, METH_VARARGS,
     "set_max_cost($self, memory_kib, passes, /)\n--\n\nWhat a passphrase may cost."},
    {"seal_file", seal_file, METH_VARARGS,
     "seal_file($self, input, output, suite, overwrite, /)\n--\n\nSeal a file into a new one."},
    {"open_file", open_file, METH_VARARGS,
     "open_file($self, input, output, overwrite, /)\n--\n\nOpen a file into a new one."},
    {"verify_file", verify_file, METH_O,
     "verify_file($self, input, /)\n--\n\nAuthenticate every byte of a file."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef reader_methods[] = {
    {"read_into", read_into, METH_VARARGS,
     "read_into($self, position, buffer, /)\n--\n\n"
     "Read plaintext until the buffer is full or the file ends. Returns the bytes read."},
    {"close", reader_close, METH_NOARGS, "close($self)\n--\n\nWipe and free the reader."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef reader_properties[] = {
    {"length", reader_length, NULL, "The length of the plaintext in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef functions[] = {
    {"suites", suites, METH_NOARGS, "suites()\n--\n\nThe names of all suites."},
    {"generate_key_text", generate_key_text, METH_O,
     "generate_key_text(name, /)\n--\n\nThe text of a key file with a new key."},
    {"key_text_from_bytes", key_text_from_bytes, METH_VARARGS,
     "key_text_from_bytes(key, name, /)\n--\n\nThe text of a key file with a given key."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot keys_slots[] = {
    {Py_tp_new, (void *)keys_new},
    {Py_tp_dealloc, (void *)keys_dealloc},
    {Py_tp_methods, keys_methods},
    {Py_tp_doc, (void *)"The keys and passphrases of one call."},
    {0, NULL},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_new, (void *)reader_new},
    {Py_tp_dealloc, (void *)reader_dealloc},
    {Py_tp_methods, reader_methods},
    {Py_tp_getset, reader_properties},
    {Py_tp_doc, (void *)"A sealed file that is read in parts, in any order."},
    {0, NULL},
};

static PyType_Spec keys_spec = {"sivka._native.FileKeys", sizeof(file_keys), 0,
                                Py_TPFLAGS_DEFAULT, keys_slots};
static PyType_Spec reader_spec = {"sivka._native.FileReader", sizeof(file_reader), 0,
                                  Py_TPFLAGS_DEFAULT, reader_slots};

int add_files(PyObject *module)
{
    PyObject *keys = add_type(module, &keys_spec, NULL), *reader = NULL;

    if (keys != NULL)
        reader = add_type(module, &reader_spec, NULL);
    Py_XDECREF(keys);
    Py_XDECREF(reader);
    return reader != NULL ? PyModule_AddFunctions(module, functions) : -1;
}
