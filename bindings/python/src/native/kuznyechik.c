/* The Kuznyechik block cipher. */
#include "arguments.h"
#include "handle.h"
#include "status.h"

#include <string.h>

typedef sivka_status (*block_function)(const sivka_kuznyechik *, void *, size_t);

static void free_key(void *key)
{
    sivka_kuznyechik_free(key);
}

static const handle_kind KEY = {"the key", free_key};

static PyObject *kuznyechik_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", NULL};
    sivka_kuznyechik *key = NULL;
    PyObject *bytes;
    Py_buffer view;
    sivka_status status;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O", names, &bytes) ||
        view_bytes(bytes, "key", &view) < 0)
        return NULL;
    status = sivka_kuznyechik_new(view.buf, (size_t)view.len, &key);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    return handle_new(type, &KEY, key);
}

/* From `from` to `to`, which is as long, and the same buffer or apart from it. */
static int work(PyObject *self, block_function function, const void *from, void *to,
                Py_ssize_t len)
{
    sivka_kuznyechik *key = handle_enter((handle *)self);
    PyThreadState *state;
    sivka_status status;

    if (key == NULL)
        return -1;
    if (from != to && len > 0)
        memcpy(to, from, (size_t)len);
    state = hand_over((size_t)len);
    status = function(key, to, (size_t)len);
    take_back(state);
    handle_leave((handle *)self);
    if (status == SIVKA_OK)
        return 0;
    raise_status(status);
    return -1;
}

static PyObject *blocks(PyObject *self, PyObject *object, block_function function)
{
    Py_buffer data;
    PyObject *out;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    out = PyBytes_FromStringAndSize(NULL, data.len);
    if (out != NULL && work(self, function, data.buf, PyBytes_AsString(out), data.len) < 0)
        Py_CLEAR(out);
    view_release(&data);
    return out;
}

static PyObject *blocks_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *keywords, const char *method, block_function function)
{
    static const char *const names[] = {"data", "buf"};
    static const signature it = {names, 2, 2, 2};
    PyObject *room[2], *written = NULL;
    PyObject *const *given = take_arguments(method, &it, args, count, keywords, room);
    Py_buffer data, buf;

    if (given == NULL || view_bytes(given[0], "data", &data) < 0)
        return NULL;
    if (view_writable(given[1], "buf", &buf) == 0) {
        if (buf.len != data.len)
            PyErr_Format(PyExc_ValueError, "buf: %zd bytes expected, %zd given", data.len, buf.len);
        else if (check_apart(&data, "data", &buf, "buf") == 0 &&
                 work(self, function, data.buf, buf.buf, data.len) == 0)
            written = PyLong_FromSsize_t(buf.len);
    }
    view_release(&buf);
    view_release(&data);
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

static DEFINE_METHOD(encrypt_blocks_into, blocks_into, "encrypt_blocks_into",
                     sivka_kuznyechik_encrypt_blocks)
static DEFINE_METHOD(decrypt_blocks_into, blocks_into, "decrypt_blocks_into",
                     sivka_kuznyechik_decrypt_blocks)

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
    HANDLE_METHODS("Wipe the key. Later calls raise ValueError."),
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)kuznyechik_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, (void *)"A key of a block cipher: what Kuznyechik is."},
    {0, NULL},
};

static PyType_Spec spec = {"sivka.BlockCipher", sizeof(handle), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int add_kuznyechik(PyObject *module)
{
    return add_type(module, &spec, NULL) != NULL ? 0 : -1;
}
