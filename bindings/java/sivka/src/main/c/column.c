/* Many values in one call, to an output that is ready to store. */

#include "sivka_java.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of a column. Another thread may change the caller's meanwhile, so this has copies of
 * its offsets. Nothing here checks them: the library does. Nobody else has `validity` and `out`. */
typedef struct {
    bool is_seal;
    const sivka_key *key;
    /* No nonces: they are drawn, or come before the texts. */
    jbyteArray nonces, bytes, validity, aads, out;
    size_t count, nonce_len, bytes_len, aads_len;
    int32_t *offsets;
    /* Where the output of each value ends; that of the last of each part is there first. */
    int32_t *ends;
    /* NULL: one AAD for all. */
    size_t *aad_offsets;
    sivka_status *statuses;
} column;

/* Where the part that begins with `first` ends: as many values as one loan of the arrays may
 * last, and at least one if there is one. */
static size_t end_of_part(const column *c, size_t first)
{
    size_t end = first;
    while (end < c->count &&
           (end == first ||
            ((size_t)c->offsets[end + 1] - (size_t)c->offsets[first] <= LOAN_LEN &&
             end - first < LOAN_LEN / 64)))
        end++;
    return end;
}

/* The arrays while they are lent; NULL for one that there is not. */
typedef struct {
    uint8_t *nonces, *bytes, *validity, *aads, *out;
} loan;

static void give_back(JNIEnv *env, const column *c, const loan *lent)
{
    if (lent->out != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->out, lent->out, 0);
    if (lent->nonces != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->nonces, lent->nonces, JNI_ABORT);
    if (lent->aads != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->aads, lent->aads, JNI_ABORT);
    if (lent->validity != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->validity, lent->validity, JNI_ABORT);
    if (lent->bytes != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->bytes, lent->bytes, JNI_ABORT);
}

static bool lend_one(JNIEnv *env, jbyteArray array, uint8_t **lent)
{
    if (array == NULL)
        return true;
    *lent = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    return *lent != NULL;
}

static bool lend(JNIEnv *env, const column *c, loan *lent)
{
    *lent = (loan){0};
    if (lend_one(env, c->nonces, &lent->nonces) && lend_one(env, c->bytes, &lent->bytes) &&
        lend_one(env, c->validity, &lent->validity) && lend_one(env, c->aads, &lent->aads) &&
        lend_one(env, c->out, &lent->out))
        return true;
    give_back(env, c, lent);
    return false;
}

static sivka_column values(const column *c, const loan *lent, size_t first)
{
    return (sivka_column){.bytes = lent->bytes, .bytes_len = c->bytes_len,
                          .offsets = c->offsets + first, .validity = lent->validity,
                          .first_bit = first, .offset_bits = 32};
}

/* Writes to `ends` where the output of each part ends, if an array can have `total` bytes. */
static sivka_status measure(JNIEnv *env, const column *c, uint64_t *total)
{
    sivka_status status = SIVKA_OK;
    size_t first = 0;
    loan lent;
    if (!lend(env, c, &lent))
        return SIVKA_ERROR_NO_MEMORY;
    do {
        const sivka_column in = values(c, &lent, first);
        size_t end = end_of_part(c, first), len = 0;
        status = c->is_seal ? sivka_sealed_column_len(c->key, end - first, &in, &len)
                            : sivka_opened_column_len(c->key, end - first, &in, &len);
        *total += len;
        c->ends[end] = *total <= INT32_MAX ? (int32_t)*total : INT32_MAX;
        first = end;
    } while (status == SIVKA_OK && first < c->count);
    give_back(env, c, &lent);
    return status;
}

/* Does the values from `first` up to `end`. */
static sivka_status run_part(JNIEnv *env, const column *c, size_t first, size_t end)
{
    loan lent;
    if (!lend(env, c, &lent))
        return SIVKA_ERROR_NO_MEMORY;
    const sivka_column in = values(c, &lent, first);
    const int32_t from = c->ends[first], until = c->ends[end];
    const size_t *aad_offsets = c->aad_offsets == NULL ? NULL : c->aad_offsets + first;
    uint8_t *out = lent.out + from;
    const size_t count = end - first, len = (size_t)(until - from);
    const uint8_t *nonces = c->nonces == NULL ? NULL : lent.nonces + first * c->nonce_len;
    const size_t nonces_len = c->nonces == NULL ? 0 : count * c->nonce_len;
    sivka_status status =
        c->is_seal ? sivka_seal_column(c->key, count, &in, lent.aads, c->aads_len, aad_offsets,
                                       nonces, nonces_len, out, len, c->ends + first, 32)
                   : sivka_open_column(c->key, count, &in, lent.aads, c->aads_len, aad_offsets,
                                       out, len, c->ends + first, 32, c->statuses + first);
    give_back(env, c, &lent);
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH)
        return status;
    for (size_t i = first; i < end; i++)
        c->ends[i] += from;
    c->ends[end] = until;
    return SIVKA_OK;
}

/* Does all parts, and leaves no plaintext behind if one fails. */
static sivka_status run_parts(JNIEnv *env, const column *c)
{
    sivka_status status = SIVKA_OK;
    size_t first = 0;
    do {
        size_t end = end_of_part(c, first);
        status = run_part(env, c, first, end);
        first = end;
    } while (status == SIVKA_OK && first < c->count);
    uint8_t *out = NULL;
    size_t len = (size_t)(*env)->GetArrayLength(env, c->out);
    if (status != SIVKA_OK && lend_one(env, c->out, &out)) {
        memset(out, 0, len);
        (*env)->ReleasePrimitiveArrayCritical(env, c->out, out, 0);
    }
    return status;
}

/* A copy of an array. NULL without memory. */
static int32_t *copy_ints(JNIEnv *env, jintArray array)
{
    jsize count = (*env)->GetArrayLength(env, array);
    int32_t *copy = malloc((size_t)count * sizeof *copy);
    if (copy != NULL)
        (*env)->GetIntArrayRegion(env, array, 0, count, (jint *)copy);
    return copy;
}

size_t *copy_offsets(JNIEnv *env, jintArray array)
{
    jsize count = (*env)->GetArrayLength(env, array);
    size_t *copy = malloc((size_t)count * sizeof *copy);
    jint *given = copy == NULL ? NULL : (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (given == NULL) {
        free(copy);
        return NULL;
    }
    for (jsize i = 0; i < count; i++)
        copy[i] = (size_t)given[i];
    (*env)->ReleasePrimitiveArrayCritical(env, array, given, JNI_ABORT);
    return copy;
}

static void throw_column(JNIEnv *env, sivka_status status)
{
    if (status == SIVKA_ERROR_NO_MEMORY)
        throw_no_memory(env);
    else
        throw_unless_ok(env, status);
}

/* Makes the output, of which `ends` says where parts end. Throws, and leaves it NULL. */
static void make_output(JNIEnv *env, column *c)
{
    uint64_t total = 0;
    sivka_status status = measure(env, c, &total);
    if (status != SIVKA_OK) {
        throw_column(env, status);
    } else if (total > INT32_MAX) {
        char detail[80];
        snprintf(detail, sizeof detail, "column: %llu bytes, more than an array can have",
                 (unsigned long long)total);
        throw_misuse(env, SIVKA_ERROR_TOO_LONG, detail);
    } else {
        c->out = (*env)->NewByteArray(env, (jsize)total);
    }
}

static void tell_outcomes(JNIEnv *env, const column *c, jintArray ends, jbooleanArray opened)
{
    (*env)->SetIntArrayRegion(env, ends, 0, (jsize)c->count + 1, (const jint *)c->ends);
    jboolean *are_open = (*env)->GetPrimitiveArrayCritical(env, opened, NULL);
    if (are_open == NULL) {
        throw_no_memory(env);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        are_open[i] = c->statuses[i] == SIVKA_OK ? JNI_TRUE : JNI_FALSE;
    (*env)->ReleasePrimitiveArrayCritical(env, opened, are_open, 0);
}

static jbyteArray run_column(JNIEnv *env, jclass natives, jboolean is_seal, jlong handle,
                             jbyteArray nonces, jbyteArray bytes, jintArray offsets, jbyteArray validity,
                             jbyteArray aads, jintArray aad_offsets, jintArray ends,
                             jbooleanArray opened)
{
    const sivka_algorithm_info *info =
        sivka_inspect_algorithm(sivka_key_algorithm(as_key(handle)));
    column c = {.is_seal = is_seal, .key = as_key(handle), .nonces = nonces, .bytes = bytes,
                .nonce_len = info == NULL ? 0 : info->nonce_len,
                .validity = validity,
                .aads = aads, .count = (size_t)(*env)->GetArrayLength(env, offsets) - 1,
                .bytes_len = (size_t)(*env)->GetArrayLength(env, bytes),
                .aads_len = (size_t)(*env)->GetArrayLength(env, aads)};
    c.offsets = copy_ints(env, offsets);
    c.aad_offsets = aad_offsets == NULL ? NULL : copy_offsets(env, aad_offsets);
    c.ends = calloc(c.count + 1, sizeof *c.ends);
    c.statuses = calloc(c.count + 1, sizeof *c.statuses);
    if (c.offsets == NULL || (aad_offsets != NULL && c.aad_offsets == NULL) || c.ends == NULL ||
        c.statuses == NULL)
        throw_no_memory(env);
    else
        make_output(env, &c);
    if (c.out != NULL) {
        sivka_status status = run_parts(env, &c);
        if (status == SIVKA_OK)
            tell_outcomes(env, &c, ends, opened);
        else
            throw_column(env, status);
    }
    free(c.statuses);
    free(c.ends);
    free(c.aad_offsets);
    free(c.offsets);
    return c.out;
}

const JNINativeMethod column_methods[] = {
    {"column", "(ZJ[B[B[I[B[B[I[I[Z)[B", (void *)run_column},
    {0},
};
