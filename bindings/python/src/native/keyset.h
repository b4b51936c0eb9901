/* Tink keysets: what the parts that work with them share. */
#ifndef SIVKA_PYTHON_KEYSET_H
#define SIVKA_PYTHON_KEYSET_H

#include "binding.h"

/*
 * A keyset as it is now, in a capsule: no call changes what is in one. Whoever uses it has a
 * reference, and the last one wipes the keys. NULL and ValueError if the keyset is closed.
 */
PyObject *keyset_state(PyObject *self);

static inline const sivka_keyset *keys_of(PyObject *state)
{
    return PyCapsule_GetPointer(state, NULL);
}

int is_keyset(PyObject *object);
/* A new object with this keyset, which is freed if there is none. */
PyObject *keyset_new(PyTypeObject *type, sivka_keyset *keys);

/* What a call does to a keyset that no other thread has: with a template, or to one key. */
typedef struct {
    const char *template_name;
    uint32_t id;
} keyset_argument;
typedef sivka_status keyset_change(sivka_keyset *keys, keyset_argument *argument);

/* Puts a changed copy into the keyset's place. 0, or -1 and an exception: it stays as it is. */
int keyset_apply(PyObject *self, keyset_change *change, keyset_argument *argument);

/* keyset_info.c: all but the keys. */
PyObject *keyset_info(PyObject *self, void *unused);
PyObject *keyset_repr(PyObject *self);

typedef PyObject *plain_method(PyObject *self, PyObject *argument);

/* keyset_form.c: reading and writing. */
fast_method keyset_from_insecure, keyset_to_insecure, keyset_decrypt, keyset_encrypt;

/* keyset_message.c: sealing and opening. */
fast_method keyset_seal, keyset_open;
fast_method keyset_seal_deterministically, keyset_open_deterministically;

/* keyset_stream.c: file objects that seal and open. */
fast_method keyset_seal_to, keyset_open_from;

/* keyset_rotation.c: new keys, and others in another state. */
plain_method keyset_generate, keyset_add, keyset_rotate;
plain_method keyset_promote, keyset_enable, keyset_disable, keyset_destroy, keyset_remove;

#endif
