/* One message: in the scratch that Java filled, or in Java's own arrays and buffers. */

#include "sivka_java.h"
#include <stdlib.h>
#include <string.h>

static jint seal(JNIEnv *env, jclass natives, jlong handle, jlong memory, jint aad_len,
                 jint nonce_len, jint text_len)
{
    (void)natives;
    uint8_t *aad = at_address(memory), *sealed = aad + aad_len;
    size_t len = sivka_seal_len(sivka_key_algorithm(as_key(handle)), (size_t)text_len);
    sivka_status status = sivka_seal(as_key(handle), aad, (size_t)aad_len, sealed + nonce_len,
                                     (size_t)text_len, sealed, len, &len);
    return length_or_throw(env, status, len);
}

static jint open(JNIEnv *env, jclass natives, jlong handle, jlong memory, jint aad_len,
                 jint nonce_len, jint sealed_len)
{
    (void)natives;
    uint8_t *aad = at_address(memory), *sealed = aad + aad_len;
    size_t len = sivka_open_len(sivka_key_algorithm(as_key(handle)), (size_t)sealed_len);
    sivka_status status = sivka_open(as_key(handle), aad, (size_t)aad_len, sealed,
                                     (size_t)sealed_len, sealed + nonce_len, len, &len);
    return length_or_throw(env, status, len);
}

static jint seal_with_nonce(JNIEnv *env, jclass natives, jlong handle, jlong memory, jint aad_len,
                            jint nonce_len, jint text_len)
{
    (void)natives;
    uint8_t *aad = at_address(memory), *nonce = aad + aad_len, *text = nonce + nonce_len;
    size_t len = sivka_seal_with_nonce_len(sivka_key_algorithm(as_key(handle)), (size_t)text_len);
    sivka_status status =
        sivka_seal_with_nonce(as_key(handle), nonce, (size_t)nonce_len, aad, (size_t)aad_len, text,
                              (size_t)text_len, text, len, &len);
    return length_or_throw(env, status, len);
}

static jint open_with_nonce(JNIEnv *env, jclass natives, jlong handle, jlong memory, jint aad_len,
                            jint nonce_len, jint text_len)
{
    (void)natives;
    uint8_t *aad = at_address(memory), *nonce = aad + aad_len, *text = nonce + nonce_len;
    size_t len = sivka_open_with_nonce_len(sivka_key_algorithm(as_key(handle)), (size_t)text_len);
    sivka_status status =
        sivka_open_with_nonce(as_key(handle), nonce, (size_t)nonce_len, aad, (size_t)aad_len, text,
                              (size_t)text_len, text, len, &len);
    return length_or_throw(env, status, len);
}

/* What `message` is to do: the constants of Native. */
enum operation { SEAL, OPEN, SEAL_WITH_NONCE, OPEN_WITH_NONCE, SEAL_DETACHED, OPEN_DETACHED };

/* Some bytes of Java: in an array, or, if that is NULL, at an address. */
typedef struct {
    jbyteArray array;
    jlong at;
    size_t len;
    bool is_written;
    /* Where they are lent: the array's beginning, and the bytes themselves. */
    uint8_t *lent, *bytes;
} region;

enum { NONCE, AAD, IN, OUT, TAG, REGIONS };

static sivka_status run(enum operation operation, const sivka_key *key, const region r[REGIONS],
                        size_t *len)
{
    const region *nonce = &r[NONCE], *aad = &r[AAD], *in = &r[IN], *out = &r[OUT], *tag = &r[TAG];
    *len = out->len;
    switch (operation) {
    case SEAL:
        return sivka_seal(key, aad->bytes, aad->len, in->bytes, in->len, out->bytes, out->len, len);
    case OPEN:
        return sivka_open(key, aad->bytes, aad->len, in->bytes, in->len, out->bytes, out->len, len);
    case SEAL_WITH_NONCE:
        return sivka_seal_with_nonce(key, nonce->bytes, nonce->len, aad->bytes, aad->len, in->bytes,
                                     in->len, out->bytes, out->len, len);
    case OPEN_WITH_NONCE:
        return sivka_open_with_nonce(key, nonce->bytes, nonce->len, aad->bytes, aad->len, in->bytes,
                                     in->len, out->bytes, out->len, len);
    case SEAL_DETACHED:
        return sivka_seal_detached(key, nonce->bytes, nonce->len, aad->bytes, aad->len, in->bytes,
                                   in->len, out->bytes, out->len, tag->bytes, tag->len);
    case OPEN_DETACHED:
        return sivka_open_detached(key, nonce->bytes, nonce->len, aad->bytes, aad->len, in->bytes,
                                   in->len, tag->bytes, tag->len, out->bytes, out->len);
    }
    return SIVKA_ERROR_INTERNAL;
}

/* Gives back what lend() took. */
static void give_back(JNIEnv *env, region r[REGIONS])
{
    for (int i = REGIONS - 1; i >= 0; i--)
        if (r[i].lent != NULL)
            (*env)->ReleasePrimitiveArrayCritical(env, r[i].array, r[i].lent,
                                                  r[i].is_written ? 0 : JNI_ABORT);
}

/* Borrows the arrays from the collector, which waits, or leaves them where they are, until
 * they are given back. */
static bool lend(JNIEnv *env, region r[REGIONS])
{
    for (int i = 0; i < REGIONS; i++) {
        if (r[i].array == NULL) {
            r[i].bytes = at_address(r[i].at);
            continue;
        }
        r[i].lent = (*env)->GetPrimitiveArrayCritical(env, r[i].array, NULL);
        if (r[i].lent == NULL) {
            give_back(env, r);
            return false;
        }
        r[i].bytes = r[i].lent + r[i].at;
    }
    return true;
}

static jint message(JNIEnv *env, jclass natives, jint operation, jlong handle, jbyteArray nonce,
                    jlong nonce_at, jint nonce_len, jbyteArray aad, jlong aad_at, jint aad_len,
                    jbyteArray in, jlong in_at, jint in_len, jbyteArray out, jlong out_at,
                    jint out_len, jbyteArray tag, jlong tag_at, jint tag_len)
{
    (void)natives;
    region r[REGIONS] = {
        {nonce, nonce_at, (size_t)nonce_len, false, NULL, NULL},
        {aad, aad_at, (size_t)aad_len, false, NULL, NULL},
        {in, in_at, (size_t)in_len, false, NULL, NULL},
        {out, out_at, (size_t)out_len, true, NULL, NULL},
        {tag, tag_at, (size_t)tag_len, operation == SEAL_DETACHED, NULL, NULL},
    };
    size_t len;
    if (!lend(env, r)) {
        throw_no_memory(env);
        return FORGED;
    }
    sivka_status status = run((enum operation)operation, as_key(handle), r, &len);
    give_back(env, r);
    return length_or_throw(env, status, len);
}

const JNINativeMethod message_methods[] = {
    {"seal", "(JJIII)I", (void *)seal},
    {"open", "(JJIII)I", (void *)open},
    {"sealWithNonce", "(JJIII)I", (void *)seal_with_nonce},
    {"openWithNonce", "(JJIII)I", (void *)open_with_nonce},
    {"message", "(IJ[BJI[BJI[BJI[BJI[BJI)I", (void *)message},
};
const jint message_method_count = sizeof message_methods / sizeof message_methods[0];
