/* Keys of AEADs, and what their methods do. */
#ifndef SIVKA_PYTHON_AEAD_H
#define SIVKA_PYTHON_AEAD_H

#include "handle.h"

/* A key of any AEAD, with the lengths that the library says of its algorithm. */
typedef struct {
    handle key;
    sivka_algorithm algorithm;
    size_t nonce_len, tag_len;
    /* Whether the tag comes before the ciphertext where both are in one buffer. */
    int tag_first;
} aead;

/* Where ciphertext and tag are in one buffer, after its nonce. */
static inline size_t text_at(const aead *self)
{
    return self->tag_first ? self->tag_len : 0;
}

static inline size_t tag_at(const aead *self, size_t text_len)
{
    return self->tag_first ? 0 : text_len;
}

/* The key in an object of any class of AEADs; NULL, and no exception, for another object. */
aead *aead_of(PyObject *object);

/* message.c: one message. `siv_` is without nonces, `seal` with one that is drawn. */
fast_method aead_encrypt, aead_decrypt, aead_encrypt_into, aead_decrypt_into;
fast_method siv_encrypt, siv_decrypt, siv_encrypt_into, siv_decrypt_into;
fast_method aead_seal, aead_open;

/* list.c: one message with a list of associated data. */
fast_method siv_encrypt_with_list, siv_decrypt_with_list;

/* batch.c: sequences of messages. */
fast_method aead_encrypt_batch, aead_decrypt_batch, siv_encrypt_batch, siv_decrypt_batch;

/* contiguous.c: messages in one buffer. */
fast_method aead_encrypt_contiguous, aead_decrypt_contiguous;
fast_method siv_encrypt_contiguous, siv_decrypt_contiguous;

/*
 * Copies offsets, so that nobody changes them after they were checked, and that they are
 * aligned. Their number goes to `count`, and their width to `bits`. NULL and an exception if
 * they are no offsets.
 */
size_t *copy_offsets(PyObject *object, const char *what, size_t *count);
void *copy_offsets_as_they_are(PyObject *object, const char *what, size_t *count, uint32_t *bits);

/* column.c: values in one buffer, to rows that are ready to store. */
fast_method aead_seal_column, aead_open_column;

#endif
