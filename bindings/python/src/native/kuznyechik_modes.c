/* Kuznyechik in CTR, CTR-ACPKM and OMAC. */
#include "arguments.h"
#include "handle.h"
#include "status.h"

#include <string.h>

static void free_ctr(void *ctr)
{
    sivka_kuznyechik_ctr_free(ctr);
}

static void free_omac(void *omac)
{
    sivka_kuznyechik_omac_free(omac);
}

static const handle_kind CTR = {"the keystream", free_ctr};
static const handle_kind OMAC = {"the key", free_omac};

static PyObject *ctr_new(PyTypeObject *type, PyObject *key, PyObject *iv, int sections,
                         uint64_t section_len)
{
    sivka_kuznyechik_ctr *ctr = NULL;
    sivka_status status;
    Py_buffer views[2];

    if (view_bytes(key, "key", &views[0]) < 0)
        return NULL;
    if (view_bytes(iv, "iv", &views[1]) < 0) {
        view_release(&views[0]);
        return NULL;
    }
    if (sections)
        status = sivka_kuznyechik_ctr_acpkm_new(views[0].buf, (size_t)views[0].len, views[1].buf,
                                                (size_t)views[1].len, section_len, &ctr);
    else
        status = sivka_kuznyechik_ctr_new(views[0].buf, (size_t)views[0].len, views[1].buf,
                                          (size_t)views[1].len, &ctr);
    views_release(views, 2);
    return status == SIVKA_OK ? handle_new(type, &CTR, ctr) : raise_status(status);
}

static PyObject *plain_ctr_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", "iv", NULL};
    PyObject *key, *iv;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO", names, &key, &iv))
        return NULL;
    return ctr_new(type, key, iv, 0, 0);
}

static PyObject *acpkm_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", "iv", "section_length", NULL};
    PyObject *key, *iv, *given;
    uint64_t section_len;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO", names, &key, &iv, &given))
        return NULL;
    if (number_of(given, "section_length", UINT64_MAX, PyExc_ValueError, &section_len) < 0)
        return NULL;
    return ctr_new(type, key, iv, 1, section_len);
}

/* From `from` to `to`, which is as long, and the same buffer or apart from it. */
static int xor_keystream(PyObject *self, const void *from, void *to, Py_ssize_t len)
{
    sivka_kuznyechik_ctr *ctr = handle_enter_alone((handle *)self);
    PyThreadState *state;
    sivka_status status;

    if (ctr == NULL)
        return -1;
    if (from != to && len > 0)
        memcpy(to, from, (size_t)len);
    state = hand_over((size_t)len);
    status = sivka_kuznyechik_ctr_apply_keystream(ctr, to, (size_t)len);
    take_back(state);
    handle_leave_alone((handle *)self);
    if (status == SIVKA_OK)
        return 0;
    raise_status(status);
    return -1;
}

static PyObject *ctr_update(PyObject *self, PyObject *object)
{
    Py_buffer data;
    PyObject *out;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    out = PyBytes_FromStringAndSize(NULL, data.len);
    if (out != NULL && xor_keystream(self, data.buf, PyBytes_AsString(out), data.len) < 0)
        Py_CLEAR(out);
    view_release(&data);
    return out;
}

static PyObject *ctr_update_into(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *keywords)
{
    static const char *const names[] = {"data", "buf"};
    static const signature it = {names, 2, 2, 2};
    PyObject *room[2], *written = NULL;
    PyObject *const *given = take_arguments("update_into", &it, args, count, keywords, room);
    Py_buffer data, buf;

    if (given == NULL || view_bytes(given[0], "data", &data) < 0)
        return NULL;
    if (view_writable(given[1], "buf", &buf) == 0) {
        if (buf.len != data.len)
            PyErr_Format(PyExc_ValueError, "buf: %zd bytes expected, %zd given", data.len, buf.len);
        else if (check_apart(&data, "data", &buf, "buf") == 0 &&
                 xor_keystream(self, data.buf, buf.buf, data.len) == 0)
            written = PyLong_FromSsize_t(buf.len);
    }
    view_release(&buf);
    view_release(&data);
    return written;
}

static PyObject *omac_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", "tag_length", NULL};
    uint64_t tag_len = SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN;
    sivka_kuznyechik_omac *omac = NULL;
    PyObject *key, *given = NULL;
    sivka_status status;
    Py_buffer view;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O", names, &key, &given) ||
        (given != NULL &&
         number_of(given, "tag_length", SIZE_MAX, PyExc_ValueError, &tag_len) < 0) ||
        view_bytes(key, "key", &view) < 0)
        return NULL;
    status = sivka_kuznyechik_omac_new(view.buf, (size_t)view.len, (size_t)tag_len, &omac);
    view_release(&view);
    return status == SIVKA_OK ? handle_new(type, &OMAC, omac) : raise_status(status);
}

static PyObject *omac_tag_length(PyObject *self, void *unused)
{
    sivka_kuznyechik_omac *omac = handle_enter_beside((handle *)self);
    size_t len;

    (void)unused;
    if (omac == NULL)
        return NULL;
    len = sivka_kuznyechik_omac_tag_len(omac);
    handle_leave((handle *)self);
    return PyLong_FromSize_t(len);
}

static PyObject *omac_tag(PyObject *self, PyObject *object)
{
    sivka_kuznyechik_omac *omac;
    sivka_status status;
    PyObject *tag = NULL;
    Py_buffer data;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    omac = handle_enter_beside((handle *)self);
    if (omac != NULL) {
        const size_t tag_len = sivka_kuznyechik_omac_tag_len(omac);

        tag = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)tag_len);
        if (tag != NULL) {
            PyThreadState *state = hand_over((size_t)data.len);

            status = sivka_kuznyechik_omac_tag(omac, data.buf, (size_t)data.len,
                                               (uint8_t *)PyBytes_AsString(tag), tag_len);
            take_back(state);
            if (status != SIVKA_OK) {
                Py_CLEAR(tag);
                raise_status(status);
            }
        }
        handle_leave((handle *)self);
    }
    view_release(&data);
    return tag;
}

static PyObject *omac_verify(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *keywords)
{
    static const char *const names[] = {"data", "tag"};
    static const signature it = {names, 2, 2, 2};
    PyObject *room[2], *result = NULL;
    PyObject *const *given = take_arguments("verify", &it, args, count, keywords, room);
    Py_buffer data, tag;

    if (given == NULL || view_bytes(given[0], "data", &data) < 0)
        return NULL;
    if (view_bytes(given[1], "tag", &tag) == 0) {
        sivka_kuznyechik_omac *omac = handle_enter_beside((handle *)self);

        if (omac != NULL) {
            PyThreadState *state = hand_over((size_t)data.len);
            const sivka_status status = sivka_kuznyechik_omac_verify(
                omac, data.buf, (size_t)data.len, tag.buf, (size_t)tag.len);

            take_back(state);
            handle_leave((handle *)self);
            result = none_or_raise(status);
        }
        view_release(&tag);
    }
    view_release(&data);
    return result;
}

static PyObject *omac_update(PyObject *self, PyObject *object)
{
    sivka_kuznyechik_omac *omac;
    PyObject *result = NULL;
    Py_buffer data;

    if (view_bytes(object, "data", &data) < 0)
        return NULL;
    omac = handle_enter_alone((handle *)self);
    if (omac != NULL) {
        PyThreadState *state = hand_over((size_t)data.len);
        const sivka_status status =
            sivka_kuznyechik_omac_update(omac, data.buf, (size_t)data.len);

        take_back(state);
        handle_leave_alone((handle *)self);
        result = none_or_raise(status);
    }
    view_release(&data);
    return result;
}

static PyObject *omac_finalize(PyObject *self, PyObject *unused)
{
    sivka_kuznyechik_omac *omac = handle_enter_alone((handle *)self);
    PyObject *tag;
    size_t tag_len;

    (void)unused;
    if (omac == NULL)
        return NULL;
    tag_len = sivka_kuznyechik_omac_tag_len(omac);
    tag = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)tag_len);
    if (tag != NULL) {
        const sivka_status status =
            sivka_kuznyechik_omac_finish(omac, (uint8_t *)PyBytes_AsString(tag), tag_len);

        if (status != SIVKA_OK) {
            Py_CLEAR(tag);
            raise_status(status);
        }
    }
    handle_leave_alone((handle *)self);
    return tag;
}

static PyObject *omac_finalize_and_verify(PyObject *self, PyObject *object)
{
    sivka_kuznyechik_omac *omac;
    PyObject *result = NULL;
    Py_buffer tag;

    if (view_bytes(object, "tag", &tag) < 0)
        return NULL;
    omac = handle_enter_alone((handle *)self);
    if (omac != NULL) {
        const sivka_status status =
            sivka_kuznyechik_omac_finish_and_verify(omac, tag.buf, (size_t)tag.len);

        handle_leave_alone((handle *)self);
        result = none_or_raise(status);
    }
    view_release(&tag);
    return result;
}

static PyMethodDef ctr_methods[] = {
    {"update", ctr_update, METH_O,
     "update($self, data, /)\n--\n\n"
     "Encrypt or decrypt the next bytes, which is the same: a message whole or in pieces."},
    FAST_METHOD("update_into", ctr_update_into,
                "update_into($self, data, buf)\n--\n\n"
                "update() into a buffer of the same length, which may be data itself. Returns the\n"
                "bytes written."),
    HANDLE_METHODS("Wipe the key. Later calls raise ValueError."),
};

static PyMethodDef omac_methods[] = {
    {"tag", omac_tag, METH_O,
     "tag($self, data, /)\n--\n\nThe tag of a whole message. A message in pieces is untouched."},
    FAST_METHOD("verify", omac_verify,
                "verify($self, data, tag)\n--\n\n"
                "Raise InvalidTag unless tag is that of a whole message, and ValueError if it does\n"
                "not have the length of this key's tags."),
    {"update", omac_update, METH_O,
     "update($self, data, /)\n--\n\nGo on with the message in pieces."},
    {"finalize", omac_finalize, METH_NOARGS,
     "finalize($self)\n--\n\n"
     "The tag of all pieces since the last one. The next piece begins another message."},
    {"finalize_and_verify", omac_finalize_and_verify, METH_O,
     "finalize_and_verify($self, tag, /)\n--\n\n"
     "End the message in pieces, and raise InvalidTag unless tag is its own. A tag of another\n"
     "length raises ValueError and ends nothing."},
    HANDLE_METHODS("Wipe the key. Later calls raise ValueError."),
};

static PyGetSetDef omac_properties[] = {
    {"tag_length", omac_tag_length, NULL, "The length of a tag in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define CTR_WARNING                                                                        \
    "Nothing is authenticated, and two messages under one key and IV reveal the difference\n" \
    "of their plaintexts: use KuznyechikMGM unless a protocol asks for this mode. One\n"      \
    "thread at a time; RuntimeError otherwise."

static PyType_Slot ctr_slots[] = {
    {Py_tp_new, (void *)plain_ctr_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, ctr_methods},
    {Py_tp_doc, (void *)"KuznyechikCTR(key, iv)\n--\n\n"
                        "Kuznyechik in CTR (GOST R 34.13-2015 section 5.2): a key of 32 bytes and an\n"
                        "IV of 8.\n\n" CTR_WARNING},
    {0, NULL},
};

static PyType_Slot acpkm_slots[] = {
    {Py_tp_new, (void *)acpkm_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, ctr_methods},
    {Py_tp_doc, (void *)"KuznyechikCTRACPKM(key, iv, section_length)\n--\n\n"
                        "Kuznyechik in CTR-ACPKM (RFC 8645 section 6.2.2): CTR whose key is replaced\n"
                        "by one derived from it after every section_length bytes, a multiple of 16.\n\n"
                        CTR_WARNING},
    {0, NULL},
};

static PyType_Slot omac_slots[] = {
    {Py_tp_new, (void *)omac_new},
    {Py_tp_dealloc, (void *)handle_dealloc},
    {Py_tp_methods, omac_methods},
    {Py_tp_getset, omac_properties},
    {Py_tp_doc, (void *)"KuznyechikOMAC(key, tag_length=16)\n--\n\n"
                        "Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC), a message\n"
                        "authentication code: a key of 32 bytes and tags of 4 to 16, a length that is\n"
                        "fixed here.\n\n"
                        "A shorter tag is the beginning of a longer one: the bytes of a key should\n"
                        "serve one length only. Any number of threads may use tag() and verify(); a\n"
                        "message in pieces is one thread's, and RuntimeError otherwise."},
    {0, NULL},
};

static PyType_Spec ctr_spec = {"sivka.KuznyechikCTR", sizeof(handle), 0, Py_TPFLAGS_DEFAULT,
                               ctr_slots};
static PyType_Spec acpkm_spec = {"sivka.KuznyechikCTRACPKM", sizeof(handle), 0,
                                 Py_TPFLAGS_DEFAULT, acpkm_slots};
static PyType_Spec omac_spec = {"sivka.KuznyechikOMAC", sizeof(handle), 0, Py_TPFLAGS_DEFAULT,
                                omac_slots};

int add_kuznyechik_modes(PyObject *module)
{
    if (add_type(module, &ctr_spec, NULL) == NULL || add_type(module, &acpkm_spec, NULL) == NULL)
        return -1;
    return add_type(module, &omac_spec, NULL) != NULL ? 0 : -1;
}
