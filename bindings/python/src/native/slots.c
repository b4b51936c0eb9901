/* What a sealed file says of itself, and its key slots. */
#include "arguments.h"
#include "file.h"
#include "status.h"

/* (suite, [(kind, memory_kib, passes, lanes, key_id), ...]); frees what was found. */
static PyObject *described(sivka_inspection *found)
{
    const size_t count = sivka_inspection_slot_count(found);
    PyObject *slots = PyList_New(0), *result = NULL;
    size_t i;

    for (i = 0; slots != NULL && i < count; i++) {
        sivka_slot slot;
        PyObject *one = NULL;

        if (sivka_inspection_slot(found, i, &slot) == SIVKA_OK)
            /* Not y#: the headers of 3.13 no longer ask for what 3.11 wants for that. */
            one = Py_BuildValue("(IIIIN)", (unsigned)slot.kind, (unsigned)slot.memory_kib,
                                (unsigned)slot.passes, (unsigned)slot.lanes,
                                PyBytes_FromStringAndSize((const char *)slot.key_id,
                                                          SIVKA_KEY_ID_LEN));
        if (one == NULL || PyList_Append(slots, one) < 0)
            Py_CLEAR(slots);
        Py_XDECREF(one);
    }
    if (slots != NULL)
        result = Py_BuildValue("(sO)", sivka_suite_name(sivka_inspection_suite(found)), slots);
    Py_XDECREF(slots);
    sivka_inspection_free(found);
    return result;
}

static PyObject *inspect_file(PyObject *module, PyObject *object)
{
    sivka_inspection *found = NULL;
    sivka_status status;
    path input;

    (void)module;
    if (!path_of(object, &input))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_inspect_file(input.at, &found);
    Py_END_ALLOW_THREADS
    return status == SIVKA_OK ? described(found) : raise_status(status);
}

static PyObject *inspect_memory(PyObject *module, PyObject *object)
{
    sivka_inspection *found = NULL;
    sivka_status status;
    Py_buffer view;

    (void)module;
    if (view_bytes(object, "source", &view) < 0)
        return NULL;
    status = sivka_inspect_memory(view.buf, (size_t)view.len, &found);
    view_release(&view);
    return status == SIVKA_OK ? described(found) : raise_status(status);
}

static PyObject *key_file_id(PyObject *module, PyObject *text)
{
    uint8_t id[SIVKA_KEY_ID_LEN];
    sivka_status status;
    Py_buffer view;

    (void)module;
    if (view_bytes(text, "key", &view) < 0)
        return NULL;
    status = sivka_key_file_id(view.buf, (size_t)view.len, id, sizeof id);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    return PyBytes_FromStringAndSize((const char *)id, sizeof id);
}

static PyObject *check_key_path(PyObject *module, PyObject *path)
{
    sivka_status status;
    Py_buffer view;

    (void)module;
    if (view_bytes(path, "key", &view) < 0)
        return NULL;
    status = sivka_check_key_path(view.buf, (size_t)view.len);
    view_release(&view);
    if (status != SIVKA_OK)
        return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *add_slot(PyObject *module, PyObject *args)
{
    sivka_file_keys *keys, *added;
    sivka_status status;
    size_t slot = 0;
    path file;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&", path_of, &file, file_keys_of, &keys, file_keys_of,
                          &added))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_add_slot(file.at, keys, added, &slot);
    Py_END_ALLOW_THREADS
    if (status != SIVKA_OK)
        return raise_status(status);
    return PyLong_FromSize_t(slot);
}

/* The index of a slot; what none has is an IndexError, as the library has it. */
static int slot_of(PyObject *object, void *to)
{
    uint64_t slot;

    if (number_of(object, "slot", SIZE_MAX, PyExc_IndexError, &slot) < 0)
        return 0;
    *(size_t *)to = (size_t)slot;
    return 1;
}

static PyObject *remove_slot(PyObject *module, PyObject *args)
{
    sivka_file_keys *keys;
    sivka_status status;
    size_t slot;
    path file;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&", path_of, &file, file_keys_of, &keys, slot_of, &slot))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_remove_slot(file.at, keys, slot);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *replace_slot(PyObject *module, PyObject *args)
{
    sivka_file_keys *keys, *added;
    sivka_status status;
    size_t slot;
    path file;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", path_of, &file, file_keys_of, &keys, slot_of, &slot,
                          file_keys_of, &added))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sivka_replace_slot(file.at, keys, slot, added);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyMethodDef functions[] = {
    {"inspect_file", inspect_file, METH_O,
     "inspect_file(path, /)\n--\n\nThe suite of a sealed file, and its key slots."},
    {"inspect_memory", inspect_memory, METH_O,
     "inspect_memory(header, /)\n--\n\nThe same for the first bytes of one."},
    {"key_file_id", key_file_id, METH_O,
     "key_file_id(text, /)\n--\n\nThe id of the key in a key file with this text."},
    {"check_key_path", check_key_path, METH_O,
     "check_key_path(path, /)\n--\n\nRefuse the text of a key where its path belongs."},
    {"add_slot", add_slot, METH_VARARGS,
     "add_slot(file, keys, added, /)\n--\n\nAdd a key slot; its index."},
    {"remove_slot", remove_slot, METH_VARARGS,
     "remove_slot(file, keys, slot, /)\n--\n\nRemove a key slot."},
    {"replace_slot", replace_slot, METH_VARARGS,
     "replace_slot(file, keys, slot, added, /)\n--\n\nReplace a key slot."},
    {NULL, NULL, 0, NULL},
};

int add_slots(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "SLOT_KEY_FILE", SIVKA_SLOT_KEY_FILE) < 0 ||
        PyModule_AddIntConstant(module, "SLOT_PASSPHRASE", SIVKA_SLOT_PASSPHRASE) < 0 ||
        PyModule_AddIntConstant(module, "SLOT_X25519", SIVKA_SLOT_X25519) < 0 ||
        PyModule_AddIntConstant(module, "SLOT_MLKEM768_X25519", SIVKA_SLOT_MLKEM768_X25519) < 0 ||
        PyModule_AddIntConstant(module, "FILE_MAX_HEADER_LENGTH", SIVKA_FILE_MAX_HEADER_LEN) < 0 ||
        PyModule_AddIntConstant(module, "FILE_HEADER_LENGTH", SIVKA_FILE_HEADER_LEN) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
