/* One message: in a lane's memory, which Java filled, or in Java's own arrays and buffers. */

#include "sivka_java.h"
#include <stdlib.h>
#include <string.h>

/* What is to be done: the constants of Native. */
enum operation { SEAL, OPEN, SEAL_WITH_NONCE, OPEN_WITH_NONCE, SEAL_DETACHED, OPEN_DETACHED };

/* In its callers, because through another call they cost a short message some of its time. A nonce
 * or tag of the caller's is one also if it has no bytes. */
__attribute__((always_inline)) static inline sivka_status
run(enum operation operation, const sivka_key *key, const uint8_t *nonce, size_t nonce_len,
    const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len, uint8_t *out,
    size_t out_len, uint8_t *tag, size_t tag_len, size_t *len)
{
    static uint8_t nothing[1];
    const bool has_nonce = operation >= SEAL_WITH_NONCE, has_tag = operation >= SEAL_DETACHED;
    const sivka_message message = {
        .nonce = !has_nonce ? NULL : nonce != NULL ? nonce : nothing,
        .nonce_len = has_nonce ? nonce_len : 0,
        .aad = aad, .aad_len = aad_len, .input = in, .input_len = in_len,
        .output = out, .output_len = out_len,
        .tag = !has_tag ? NULL : tag != NULL ? tag : nothing,
        .tag_len = has_tag ? tag_len : 0,
    };
    *len = out_len;
    return operation % 2 == SEAL ? sivka_seal(key, &message, len) : sivka_open(key, &message, len);
}

static jint in_lane(JNIEnv *env, jclass natives, jint operation, jlong handle, jlong memory,
                    jint aad_len, jint nonce_len, jint tag_len, jint in_at, jint in_len,
                    jint out_at, jint out_len)
{
    uint8_t *aad = at_address(memory), *nonce = aad + aad_len, *tag = nonce + nonce_len;
    uint8_t *in = aad + in_at, *out = aad + out_at;
    const bool is_detached = operation == SEAL_DETACHED || operation == OPEN_DETACHED;
    size_t len = 0;
    sivka_status status =
        run((enum operation)operation, as_key(handle), nonce, (size_t)nonce_len, aad,
            (size_t)aad_len, in, (size_t)in_len, out, (size_t)out_len, tag, (size_t)tag_len, &len);
    /* A lane keeps no plaintext: it became the ciphertext, or is wiped. */
    if (operation % 2 == 0 && (out > in || status != SIVKA_OK))
        memset(in, 0, (size_t)in_len);
    return is_detached ? length_or_throw_in_place(env, status, len)
                       : length_or_throw(env, status, len);
}

/* Some bytes of Java: in an array, or, if that is NULL, at an address. */
typedef struct {
    jbyteArray array;
    jlong at;
    size_t len;
    bool is_written;
    /* The array's beginning while it is lent, or a copy; and the bytes themselves. */
    uint8_t *lent, *copy, *bytes;
} region;

enum { NONCE, AAD, IN, OUT, TAG, REGIONS };

static sivka_status run_regions(jint operation, jlong handle, const region r[REGIONS], size_t *len)
{
    return run((enum operation)operation, as_key(handle), r[NONCE].bytes, r[NONCE].len,
               r[AAD].bytes, r[AAD].len, r[IN].bytes, r[IN].len, r[OUT].bytes, r[OUT].len,
               r[TAG].bytes, r[TAG].len, len);
}

/* Borrows the arrays from the collector, which waits, or leaves them where they are, until
 * they are given back. */
static bool lend(JNIEnv *env, region r[REGIONS])
{
    for (int i = 0; i < REGIONS; i++) {
        if (r[i].array == NULL)
            continue;
        r[i].lent = (*env)->GetPrimitiveArrayCritical(env, r[i].array, NULL);
        if (r[i].lent == NULL)
            return false;
        r[i].bytes = r[i].lent + r[i].at;
    }
    return true;
}

static void give_back(JNIEnv *env, region r[REGIONS])
{
    for (int i = REGIONS - 1; i >= 0; i--)
        if (r[i].lent != NULL)
            (*env)->ReleasePrimitiveArrayCritical(env, r[i].array, r[i].lent,
                                                  r[i].is_written ? 0 : JNI_ABORT);
}

/* Copies the arrays of a long message, so that no collector waits for it. Two arrays that are
 * one and the same place, as in place, stay so. */
static bool copy_in(JNIEnv *env, region r[REGIONS])
{
    for (int i = 0; i < REGIONS; i++) {
        if (r[i].array == NULL)
            continue;
        if (i == OUT && r[IN].array != NULL && r[IN].at == r[OUT].at && r[IN].len == r[OUT].len &&
            (*env)->IsSameObject(env, r[IN].array, r[OUT].array)) {
            r[OUT].bytes = r[IN].bytes;
            continue;
        }
        r[i].copy = calloc(r[i].len + 1, 1);
        if (r[i].copy == NULL)
            return false;
        r[i].bytes = r[i].copy;
        if (i != OUT)
            (*env)->GetByteArrayRegion(env, r[i].array, (jsize)r[i].at, (jsize)r[i].len,
                                       (jbyte *)r[i].copy);
    }
    return true;
}

/* Brings back the `len` bytes of output and the tag that were written, and wipes the copies. */
static void copy_out(JNIEnv *env, region r[REGIONS], size_t len, bool with_tag)
{
    if (r[OUT].array != NULL && len > 0)
        (*env)->SetByteArrayRegion(env, r[OUT].array, (jsize)r[OUT].at, (jsize)len,
                                   (const jbyte *)r[OUT].bytes);
    if (r[TAG].array != NULL && with_tag)
        (*env)->SetByteArrayRegion(env, r[TAG].array, (jsize)r[TAG].at, (jsize)r[TAG].len,
                                   (const jbyte *)r[TAG].bytes);
    for (int i = 0; i < REGIONS; i++) {
        if (r[i].copy == NULL)
            continue;
        wipe(r[i].copy, r[i].len);
        free(r[i].copy);
    }
}

static jint message(JNIEnv *env, jclass natives, jint operation, jlong handle, jbyteArray nonce,
                    jlong nonce_at, jint nonce_len, jbyteArray aad, jlong aad_at, jint aad_len,
                    jbyteArray in, jlong in_at, jint in_len, jbyteArray out, jlong out_at,
                    jint out_len, jbyteArray tag, jlong tag_at, jint tag_len)
{
    region r[REGIONS] = {
        [NONCE] = {.array = nonce, .at = nonce_at, .len = (size_t)nonce_len},
        [AAD] = {.array = aad, .at = aad_at, .len = (size_t)aad_len},
        [IN] = {.array = in, .at = in_at, .len = (size_t)in_len},
        [OUT] = {.array = out, .at = out_at, .len = (size_t)out_len, .is_written = true},
        [TAG] = {.array = tag, .at = tag_at, .len = (size_t)tag_len,
                 .is_written = operation == SEAL_DETACHED},
    };
    size_t len = 0;
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    for (int i = 0; i < REGIONS; i++)
        if (r[i].array == NULL)
            r[i].bytes = at_address(r[i].at);
    if (r[IN].len <= LOAN_LEN && r[AAD].len <= LOAN_LEN) {
        if (lend(env, r))
            status = run_regions(operation, handle, r, &len);
        give_back(env, r);
    } else {
        if (copy_in(env, r))
            status = run_regions(operation, handle, r, &len);
        bool is_wiped = status == SIVKA_ERROR_OPEN && operation == OPEN_DETACHED;
        copy_out(env, r, status == SIVKA_OK || is_wiped ? len : 0,
                 status == SIVKA_OK && r[TAG].is_written);
    }
    if (status == SIVKA_ERROR_NO_MEMORY) {
        throw_no_memory(env);
        return FORGED;
    }
    return operation == SEAL_DETACHED || operation == OPEN_DETACHED
               ? length_or_throw_in_place(env, status, len)
               : length_or_throw(env, status, len);
}

/* Seals or opens `in` with the strings, which are one after the other. */
static sivka_status run_list(enum operation operation, const sivka_key *key, const uint8_t *strings,
                             const jint *lens, size_t count, const uint8_t *in, size_t in_len,
                             uint8_t *out, size_t out_len, size_t *len)
{
    const uint8_t *aads[SIVKA_MAX_STRINGS];
    size_t aad_lens[SIVKA_MAX_STRINGS];
    for (size_t i = 0; i < count && i < SIVKA_MAX_STRINGS; i++) {
        aads[i] = strings;
        aad_lens[i] = (size_t)lens[i];
        strings += lens[i];
    }
    const sivka_message message = {.aads = aads, .aad_lens = aad_lens, .aad_count = count,
                                   .input = in, .input_len = in_len,
                                   .output = out, .output_len = out_len};
    return operation == SEAL ? sivka_seal(key, &message, len) : sivka_open(key, &message, len);
}

static jint list(JNIEnv *env, jclass natives, jint operation, jlong handle, jbyteArray strings,
                 jintArray lens, jbyteArray in, jbyteArray out)
{
    size_t strings_len = 0, in_len = 0, out_len = 0, len = 0;
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    jint *lengths = (*env)->GetIntArrayElements(env, lens, NULL);
    char *all = lengths == NULL ? NULL : copy_of(env, strings, &strings_len);
    char *from = all == NULL ? NULL : copy_of(env, in, &in_len);
    char *to = from == NULL ? NULL : copy_of(env, out, &out_len);
    if (to != NULL) {
        status = run_list((enum operation)operation, as_key(handle), (const uint8_t *)all, lengths,
                          (size_t)(*env)->GetArrayLength(env, lens), (const uint8_t *)from, in_len,
                          (uint8_t *)to, out_len, &len);
        if (status == SIVKA_OK)
            (*env)->SetByteArrayRegion(env, out, 0, (jsize)len, (const jbyte *)to);
    }
    drop_copy(to, out_len);
    drop_copy(from, in_len);
    drop_copy(all, strings_len);
    if (lengths != NULL)
        (*env)->ReleaseIntArrayElements(env, lens, lengths, JNI_ABORT);
    /* What found no memory has thrown. */
    return to == NULL ? FORGED : length_or_throw(env, status, len);
}

const JNINativeMethod message_methods[] = {
    {"inLane", "(IJJIIIIIII)I", (void *)in_lane},
    {"list", "(IJ[B[I[B[B)I", (void *)list},
    {"message", "(IJ[BJI[BJI[BJI[BJI[BJI)I", (void *)message},
    {0},
};
