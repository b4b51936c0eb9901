/* The class of Tink keysets: its methods, and how threads share one that is changed. */
#include "keyset.h"

#include "handle.h"
#include "status.h"

/* What the keyset is now, or NULL if it is closed. */
typedef struct {
    PyObject_HEAD
    PyObject *state;
#ifdef Py_GIL_DISABLED
    PyMutex mutex;
#endif
} keyset;

PyObject *keyset_state(PyObject *self)
{
    keyset *it = (keyset *)self;
    PyObject *state;

    HANDLE_LOCK(it);
    state = it->state;
    Py_XINCREF(state);
    HANDLE_UNLOCK(it);
    if (state == NULL)
        PyErr_SetString(PyExc_ValueError, "the keyset is closed");
    return state;
}

/* Another state in the place of `old`; 0 if that is no longer what the keyset is. */
static int replace(keyset *it, PyObject *old, PyObject *state)
{
    int is_still;

    HANDLE_LOCK(it);
    is_still = it->state == old;
    if (is_still)
        it->state = state;
    HANDLE_UNLOCK(it);
    return is_still;
}

static void free_keys(PyObject *state)
{
    sivka_keyset_free(PyCapsule_GetPointer(state, NULL));
}

/* A state of these keys, which are freed if there is none. */
static PyObject *state_new(sivka_keyset *keys)
{
    PyObject *state = PyCapsule_New(keys, NULL, free_keys);

    if (state == NULL)
        sivka_keyset_free(keys);
    return state;
}

/* An object in this state, whose reference it takes, also if there is none. */
static PyObject *object_new(PyTypeObject *type, PyObject *state)
{
    PyObject *self = PyType_GenericAlloc(type, 0);

    if (self == NULL)
        Py_DECREF(state);
    else
        ((keyset *)self)->state = state;
    return self;
}

PyObject *keyset_new(PyTypeObject *type, sivka_keyset *keys)
{
    PyObject *state = state_new(keys);

    return state == NULL ? NULL : object_new(type, state);
}

int keyset_apply(PyObject *self, keyset_change *change, keyset_argument *argument)
{
    for (;;) {
        PyObject *old = keyset_state(self), *state;
        sivka_keyset *copy = NULL;
        sivka_status status;
        int done;

        if (old == NULL)
            return -1;
        status = sivka_keyset_copy(keys_of(old), &copy);
        if (status == SIVKA_OK)
            status = change(copy, argument);
        if (status != SIVKA_OK) {
            raise_status(status);
            sivka_keyset_free(copy);
            Py_DECREF(old);
            return -1;
        }
        state = state_new(copy);
        done = state == NULL ? -1 : replace((keyset *)self, old, state);
        /* The reference of the object, or else that of the state that came too late. */
        if (done >= 0)
            Py_DECREF(done ? old : state);
        Py_DECREF(old);
        if (done != 0)
            return done > 0 ? 0 : -1;
    }
}

static PyObject *keyset_copy(PyObject *self, PyObject *unused)
{
    PyObject *state = keyset_state(self);

    (void)unused;
    /* What no call changes serves both. */
    return state == NULL ? NULL : object_new(Py_TYPE(self), state);
}

static PyObject *keyset_close(PyObject *self, PyObject *unused)
{
    keyset *it = (keyset *)self;
    PyObject *state;

    (void)unused;
    HANDLE_LOCK(it);
    state = it->state;
    it->state = NULL;
    HANDLE_UNLOCK(it);
    Py_XDECREF(state);
    return none();
}

static void keyset_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    Py_XDECREF(((keyset *)self)->state);
    free_object(self);
    Py_DECREF(type);
}

int is_keyset(PyObject *object)
{
    return PyType_GetSlot(Py_TYPE(object), Py_tp_dealloc) == (void *)keyset_dealloc;
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError,
                    "make a Keyset by its methods generate, from_insecure or decrypt");
    return NULL;
}

#define CLASS_METHOD(name, function, doc)                                                  \
    {name, (PyCFunction)(void (*)(void))(function),                                        \
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS, doc}

#define RAISES_READ                                                                        \
    "Raises KeysetError for what is no keyset in this form or breaks a rule, and its\n"    \
    "subclass UnsupportedKeyError for an enabled key that this library does not have."
#define RAISES_SEAL                                                                        \
    "Raises ValueError for a keyset of another purpose, or a closed one, KeysetError\n"    \
    "for one of several, and OverflowError for a message that is too long."
#define RAISES_OPEN                                                                        \
    "Raises InvalidTag if it does not open; there is no saying why, and no plaintext in\n" \
    "any buffer then. Other errors are those of sealing."
#define ALLOW_DUPLICATES                                                                   \
    "With allow_duplicate_ids several keys may have one id, unless it is the primary's:\n" \
    "all of them are tried on a message with that prefix. Such a keyset cannot be written:\n" \
    "remove() these keys first."

static PyMethodDef methods[] = {
    {"generate", keyset_generate, METH_O | METH_CLASS,
     "generate($type, template, /)\n--\n\n"
     "A keyset with one new key, its primary.\n\n"
     "template is a name that Tink has for it: AES256_GCM_SIV (the one to take, unless equal\n"
     "values must show as equal), AES256_SIV, AES128_GCM_SIV, AES256_GCM, AES128_GCM,\n"
     "CHACHA20_POLY1305, XCHACHA20_POLY1305, XAES_256_GCM_192_BIT_NONCE,\n"
     "XAES_256_GCM_160_BIT_NONCE. What a key of AES256_GCM_SIV_RAW and so on seals has no\n"
     "prefix. For streams: AES256_GCM_HKDF_1MB, AES256_CTR_HMAC_SHA256_1MB, both also with\n"
     "AES128 and with segments of 4KB. Raises ValueError for another name."},
    CLASS_METHOD("from_insecure", keyset_from_insecure,
                 "from_insecure($type, data, form, *, allow_duplicate_ids=False)\n--\n\n"
                 "Read a keyset in the clear, in the form \"binary\" or \"json\": at most 1 MiB and\n"
                 "1000 keys.\n\n"
                 "Insecure where others can read the data, or change them. JSON may also be a\n"
                 "str. " ALLOW_DUPLICATES "\n\n" RAISES_READ),
    FAST_METHOD("to_insecure", keyset_to_insecure,
                "to_insecure($self, form)\n--\n\n"
                "Write the keyset in the clear, in the form \"binary\" or \"json\": bytes that hold\n"
                "the keys.\n\n"
                "Keep them where only their owner reads, or encrypt() the keyset. JSON of one\n"
                "keyset differs from writer to writer: neither compare nor sign it. Raises\n"
                "ValueError if several keys have one id."),
    CLASS_METHOD("decrypt", keyset_decrypt,
                 "decrypt($type, data, form, master, associated_data=None, *, "
                 "allow_duplicate_ids=False)\n--\n\n"
                 "Read a keyset that encrypt() wrote, or any Tink.\n\n"
                 "associated_data is what it was encrypted with; Tink's older calls and tinkey\n"
                 "have none. What stands beside the encrypted keyset, in JSON its info, is not\n"
                 "authenticated, and not used. " ALLOW_DUPLICATES "\n\n"
                 "Raises InvalidTag for another master, other associated data, or damage; with a\n"
                 "KeyManagement whatever that raises.\n"
                 RAISES_READ),
    FAST_METHOD("encrypt", keyset_encrypt,
                "encrypt($self, form, master, associated_data=None)\n--\n\n"
                "Write the keyset encrypted under master: the primary key of another Keyset, the\n"
                "key of an AEAD that draws its nonces or needs none, or a KeyManagement.\n\n"
                "associated_data is not in what is written: who decrypts must know it. The form\n"
                "\"binary\" says nothing of the keys; \"json\" says their ids, types and statuses\n"
                "in the clear, as Tink has it. Raises ValueError if several keys have one id, or\n"
                "the master is a Keyset of another purpose than seal(), or cannot draw nonces."),
    FAST_METHOD("seal", keyset_seal,
                "seal($self, data, associated_data=None)\n--\n\n"
                "Seal data with the primary key, under a nonce that is drawn. Returns prefix,\n"
                "nonce, ciphertext and tag, one after another. " RAISES_SEAL),
    FAST_METHOD("open", keyset_open,
                "open($self, data, associated_data=None)\n--\n\n"
                "Open what an enabled key has sealed, here or in any Tink. " RAISES_OPEN),
    FAST_METHOD("seal_deterministically", keyset_seal_deterministically,
                "seal_deterministically($self, data, associated_data=None)\n--\n\n"
                "Seal data with the primary key of a keyset for deterministic AEAD.\n\n"
                "Equal data with equal associated data give equal bytes, for look-ups and joins,\n"
                "and everybody sees that they are equal. After another key was promoted they\n"
                "give other bytes than before. Returns prefix, tag and ciphertext. " RAISES_SEAL),
    FAST_METHOD("open_deterministically", keyset_open_deterministically,
                "open_deterministically($self, data, associated_data=None)\n--\n\n"
                "Open what an enabled key of a keyset for deterministic AEAD has sealed.\n"
                RAISES_OPEN),
    FAST_METHOD("seal_to", keyset_seal_to,
                "seal_to($self, out, associated_data=None)\n--\n\n"
                "Begin a stream in out, an object with write (or sendall), as Tink's\n"
                "StreamingAead: a SealingFile, and what is written to it is sealed with the\n"
                "primary key.\n\n"
                "It opens to its end only after finish(), or after a `with` that ended without an\n"
                "exception. The keyset may be changed or closed before. Raises ValueError for a\n"
                "keyset of another purpose, or a closed one, and KeysetError for one of several."),
    FAST_METHOD("open_from", keyset_open_from,
                "open_from($self, source, associated_data=None)\n--\n\n"
                "Open a stream that an enabled key has sealed, here or in any Tink, and that source\n"
                "has, an object with read (or recv): an OpeningFile.\n\n"
                "What is read from it is authentic, and only its end says that it was all. The\n"
                "read that comes to what does not open raises InvalidTag: there is no saying why.\n"
                "The keyset may be changed or closed before. Other errors are those of seal_to()."),
    {"add", keyset_add, METH_O,
     "add($self, template, /)\n--\n\n"
     "Add a new key, enabled, by the name of its template, and return its id.\n\n"
     "It seals only when it is promoted: give the keyset to all who open first. Raises\n"
     "ValueError for another name or one of another purpose, and OverflowError beyond 1000\n"
     "keys."},
    {"rotate", keyset_rotate, METH_O,
     "rotate($self, template, /)\n--\n\n"
     "add() and promote() in one, for a keyset that nobody else has."},
    {"promote", keyset_promote, METH_O,
     "promote($self, key_id, /)\n--\n\n"
     "Make an enabled key the primary, which seals from now on. Raises ValueError if it is\n"
     "not enabled, and like every call with an id if no key has it, or several."},
    {"enable", keyset_enable, METH_O,
     "enable($self, key_id, /)\n--\n\n"
     "Let a disabled key open again. Raises ValueError if it is destroyed, and\n"
     "UnsupportedKeyError for one that this library does not have."},
    {"disable", keyset_disable, METH_O,
     "disable($self, key_id, /)\n--\n\n"
     "Keep a key from opening, until it is enabled. Raises ValueError if it is the primary,\n"
     "or destroyed."},
    {"destroy", keyset_destroy, METH_O,
     "destroy($self, key_id, /)\n--\n\n"
     "Wipe a key for good; its id and status stay. Raises ValueError if it is the primary.\n\n"
     "Tink for Go does not read such a keyset: remove() leaves nothing to stumble over."},
    {"remove", keyset_remove, METH_O,
     "remove($self, key_id, /)\n--\n\n"
     "Wipe a key and its entry; every one with this id, if there are several. Raises\n"
     "ValueError if it is the primary."},
    {"copy", keyset_copy, METH_NOARGS,
     "copy($self)\n--\n\n"
     "Another keyset with the same keys; what is changed in one does not show in the other."},
    {"close", keyset_close, METH_NOARGS,
     "close($self)\n--\n\n"
     "Wipe the keys, when calls under way in other threads have ended, unless a copy has\n"
     "them too. Later calls raise ValueError. A keyset that nobody refers to any more is\n"
     "wiped by itself."},
    {"__enter__", handle_with, METH_NOARGS, "__enter__($self)\n--\n\nThe keyset."},
    {"__exit__", keyset_close, METH_VARARGS, "__exit__($self, *args)\n--\n\nclose()."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"info", keyset_info, NULL, "All of the keyset but its keys, as it is now: a KeysetInfo.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)refuse_new},
    {Py_tp_dealloc, (void *)keyset_dealloc},
    {Py_tp_repr, (void *)keyset_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc,
     (void *)"A Tink keyset: keys for one purpose, of which one, the primary, seals, and all that\n"
             "are enabled open.\n\n"
             "What Tink writes and seals, in Java, C++, Go, Python and Objective-C, this class\n"
             "reads and opens, and the reverse. Keys of AES-GCM-SIV, AES-GCM, AES-EAX,\n"
             "AES-CTR-HMAC, ChaCha20-Poly1305, XChaCha20-Poly1305 and XAES-256-GCM are for\n"
             "seal() and open(); those of AES-SIV, of 64 bytes, for seal_deterministically()\n"
             "and open_deterministically(); those of AES-GCM-HKDF and AES-CTR-HMAC for streams\n"
             "for seal_to() and open_from(). None of these commits to its key: who may choose\n"
             "keys of a keyset can make a message that opens under two of them.\n\n"
             "Any number of threads may use one keyset, also while others change it: a call\n"
             "works with the keys from before a change or from after it."},
    {0, NULL},
};

static PyType_Spec spec = {"sivka.Keyset", sizeof(keyset), 0, Py_TPFLAGS_DEFAULT, slots};

#define CONSTANTS(each)                                                                    \
    each(ENABLED) each(DISABLED) each(DESTROYED) each(PREFIX_TINK) each(PREFIX_LEGACY)     \
    each(PREFIX_RAW) each(PREFIX_CRUNCHY) each(AEAD) each(DETERMINISTIC_AEAD)             \
    each(STREAMING_AEAD)

int add_keysets(PyObject *module)
{
#define ADD(name)                                                                          \
    if (PyModule_AddIntConstant(module, "KEYSET_" #name, SIVKA_KEYSET_##name) < 0)         \
        return -1;
    CONSTANTS(ADD)
#undef ADD
    return add_type(module, &spec, NULL) != NULL ? 0 : -1;
}
