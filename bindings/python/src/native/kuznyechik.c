/* The Kuznyechik block cipher. */
#include "binding.h"

#include <string.h>

typedef struct {
    PyObject_HEAD
    handle key;
} kuznyechik;

typedef sivka_status (*block_function)(const sivka_kuznyechik *, uint8_t *, size_t);

static void free_key(void *key)
{
    sivka_kuznyechik_free(key);
}

static PyObject *kuznyechik_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", NULL};
    sivka_kuznyechik *key = NULL;
    PyObject *bytes;
    Py_buffer view;
    sivka_status status;
    kuznyechik *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O", names, &bytes) ||
        view_bytes(bytes, "key", &view) < 0)
        return NULL;
    status = sivka_kuznyechik_new(view.buf, (size_t)view.len, &key);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    self = (kuznyechik *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        sivka_kuznyechik_free(key);
        return NULL;
    }
    self->key.pointer = key;
    return (PyObject *)self;
}

static void kuznyechik_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    handle_close(&((kuznyechik *)object)->key, free_key);
    free_object(object);
    Py_DECREF(type);
}

/* From `from` to `to`, which is as long, and the same buffer or apart from it. */
static int work(kuznyechik *self, block_function function, const void *from, void *to,
                Py_ssize_t len)
{
    sivka_kuznyechik *key = handle_enter(&self->key, "the key");
    sivka_status status;

    if (key == NULL)
        return -1;
    if (from != to && len > 0)
        memcpy(to, from, (size_t)len);
    if (len < SIVKA_RELEASE_GIL_LEN) {
        status = function(key, to, (size_t)len);
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = function(key, to, (size_t)len);
        Py_END_ALLOW_THREADS
    }
    handle_leave(&self->key, free_key);
    if (status != SIVKA_OK) {
        raise_status(status);
        return -1;
    }
    return 0;
}

static PyObject *blocks(PyObject *self, PyObject *object, block_function function)
{
    Py_buffer data;
    PyObject *out;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    out = PyBytes_FromStringAndSize(NULL, data.len);
    if (out != NULL &&
        work((kuznyechik *)self, function, data.buf, PyBytes_AsString(out), data.len) < 0)
        Py_CLEAR(out);
    view_release(&data);
    return out;
}

static PyObject *blocks_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *keywords, const char *method, block_function function)
{
    static const char *const names[] = {"data", "buf"};
    const signature it = {method, names, 2, 2, 2};
    PyObject *found[2], *written = NULL;
    Py_buffer v[2];

    if (take_arguments(&it, args, count, keywords, found) < 0 ||
        view_bytes(found[0], "data", &v[0]) < 0)
        return NULL;
    if (view_writable(found[1], "buf", &v[1]) < 0) {
        view_release(&v[0]);
        return NULL;
    }
    if (v[1].len != v[0].len)
        PyErr_Format(PyExc_ValueError, "buf: %zd bytes expected, %zd given", v[0].len, v[1].len);
    else if (v[0].buf != v[1].buf && views_overlap(&v[0], &v[1]))
        PyErr_SetString(PyExc_ValueError, "buf overlaps data and begins elsewhere");
    else if (work((kuznyechik *)self, function, v[0].buf, v[1].buf, v[0].len) == 0)
        written = PyLong_FromSsize_t(v[1].len);
    views_release(v, 2);
    return written;
}

static PyObject *encrypt_blocks(PyObject *self, PyObject *data)
{
    return blocks(self, data, sivka_kuznyechik_encrypt_blocks);
}

static PyObject *decrypt_blocks(PyObject *self, PyObject *data)
{
    return blocks(self, data, sivka_kuznyechik_decrypt_blocks);
}

static PyObject *encrypt_blocks_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                     PyObject *keywords)
{
    return blocks_into(self, args, count, keywords, "encrypt_blocks_into",
                       sivka_kuznyechik_encrypt_blocks);
}

static PyObject *decrypt_blocks_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                     PyObject *keywords)
{
    return blocks_into(self, args, count, keywords, "decrypt_blocks_into",
                       sivka_kuznyechik_decrypt_blocks);
}

static PyObject *kuznyechik_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    handle_close(&((kuznyechik *)self)->key, free_key);
    return none();
}

static PyObject *enter_with(PyObject *self, PyObject *unused)
{
    (void)unused;
    Py_INCREF(self);
    return self;
}

static PyObject *block_size(PyObject *self, void *unused)
{
    (void)self;
    (void)unused;
    return PyLong_FromLong(SIVKA_KUZNYECHIK_BLOCK_LEN);
}

static PyGetSetDef properties[] = {
    {"block_size", block_size, NULL, "The length of a block in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"encrypt_blocks", encrypt_blocks, METH_O,
     "encrypt_blocks($self, data, /)\n--\n\n"
     "Encrypt each block of data on its own. Many blocks in one call are several times as\n"
     "fast a block. Raises ValueError for a part of a block."},
    {"decrypt_blocks", decrypt_blocks, METH_O,
     "decrypt_blocks($self, data, /)\n--\n\nDecrypt each block of data on its own."},
    FAST_METHOD("encrypt_blocks_into", encrypt_blocks_into,
                "encrypt_blocks_into($self, data, buf)\n--\n\n"
                "encrypt_blocks() into a buffer of the same length, which may be data itself.\n"
                "Returns the bytes written."),
    FAST_METHOD("decrypt_blocks_into", decrypt_blocks_into,
                "decrypt_blocks_into($self, data, buf)\n--\n\n"
                "decrypt_blocks() into a buffer of the same length, which may be data itself.\n"
                "Returns the bytes written."),
    {"close", kuznyechik_close, METH_NOARGS,
     "close($self)\n--\n\nWipe the key. Later calls raise ValueError."},
    {"__enter__", enter_with, METH_NOARGS, "__enter__($self)\n--\n\nThe key."},
    {"__exit__", kuznyechik_close, METH_VARARGS, "__exit__($self, *args)\n--\n\nclose()."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)kuznyechik_new},
    {Py_tp_dealloc, (void *)kuznyechik_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, (void *)"A key of the Kuznyechik block cipher."},
    {0, NULL},
};

static PyType_Spec spec = {"sivka._native.Kuznyechik", sizeof(kuznyechik), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int add_kuznyechik(PyObject *module)
{
    PyObject *type = add_type(module, &spec, NULL);

    Py_XDECREF(type);
    return type != NULL ? 0 : -1;
}
