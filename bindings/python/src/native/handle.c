#include "handle.h"

void *handle_refuse(const handle *it)
{
    PyErr_Format(PyExc_ValueError, "%s is closed", it->kind->what);
    return NULL;
}

void *handle_enter_alone(handle *it)
{
    int closed, busy;

    HANDLE_LOCK(it);
    closed = it->closed;
    busy = it->users > 0;
    it->users += !closed && !busy;
    HANDLE_UNLOCK(it);
    if (closed)
        return handle_refuse(it);
    if (!busy)
        return it->pointer;
    PyErr_Format(PyExc_RuntimeError, "%s is in use by another thread", it->kind->what);
    return NULL;
}

void handle_free(handle *it)
{
    void *pointer = it->pointer;

    it->pointer = NULL;
    it->kind->free_pointer(pointer);
}

PyObject *handle_new(PyTypeObject *type, const handle_kind *kind, void *pointer)
{
    handle *self = (handle *)PyType_GenericAlloc(type, 0);

    if (self == NULL) {
        kind->free_pointer(pointer);
        return NULL;
    }
    self->kind = kind;
    self->pointer = pointer;
    return (PyObject *)self;
}

PyObject *handle_close(PyObject *self, PyObject *unused)
{
    handle *it = (handle *)self;
    int unused_now;

    (void)unused;
    HANDLE_LOCK(it);
    unused_now = !it->closed && it->users == 0;
    it->closed = 1;
    HANDLE_UNLOCK(it);
    if (unused_now)
        handle_free(it);
    return none();
}

void handle_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    handle *it = (handle *)self;

    /* Nobody is in a call with it: each of them has a reference. */
    if (!it->closed)
        handle_free(it);
    free_object(self);
    Py_DECREF(type);
}

PyObject *handle_with(PyObject *self, PyObject *unused)
{
    (void)unused;
    Py_INCREF(self);
    return self;
}

PyObject *add_type(PyObject *module, PyType_Spec *spec, PyObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, base);
    int result;

    if (type == NULL)
        return NULL;
    result = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return result == 0 ? type : NULL;
}
