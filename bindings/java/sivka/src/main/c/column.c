/* Many values in one call, to an output that is ready to store. */

#include "sivka_java.h"
#include <stdlib.h>

/* The arrays of a column, and copies of its offsets, so that nobody changes them between two
 * parts. */
typedef struct {
    bool is_seal;
    const sivka_key *key;
    jbyteArray bytes, validity, aads, out;
    size_t count, bytes_len, aads_len, out_len;
    int32_t *offsets, *ends;
    /* NULL: one AAD for all. */
    size_t *aad_offsets;
    sivka_status *statuses;
} column;

/* Where the part that begins with `first` ends: as many values as one loan of the arrays may
 * last, and at least one. */
static size_t end_of_part(const column *c, size_t first)
{
    size_t end = first + 1;
    while (end < c->count && (size_t)c->offsets[end + 1] - (size_t)c->offsets[first] <= LOAN_LEN &&
           end - first < LOAN_LEN / 64)
        end++;
    return end;
}

static sivka_status len_of(const column *c, size_t count, const sivka_column *in, size_t *len)
{
    return c->is_seal ? sivka_sealed_column_len(c->key, count, in, len)
                      : sivka_opened_column_len(c->key, count, in, len);
}

/* The arrays while they are lent; NULL for one that there is not. */
typedef struct {
    uint8_t *bytes, *validity, *aads, *out;
} loan;

static void give_back(JNIEnv *env, const column *c, const loan *lent)
{
    if (lent->out != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, c->out, lent->out, 0);
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
    *lent = (loan){NULL, NULL, NULL, NULL};
    if (lend_one(env, c->bytes, &lent->bytes) && lend_one(env, c->validity, &lent->validity) &&
        lend_one(env, c->aads, &lent->aads) && lend_one(env, c->out, &lent->out))
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

/* Does the values from `first` up to `end`, whose output begins at `at`. */
static sivka_status run_part(JNIEnv *env, const column *c, size_t first, size_t end, size_t *at)
{
    loan lent;
    if (!lend(env, c, &lent))
        return SIVKA_ERROR_NO_MEMORY;
    const sivka_column in = values(c, &lent, first);
    const size_t count = end - first;
    const size_t *aad_offsets = c->aad_offsets == NULL ? NULL : c->aad_offsets + first;
    size_t len = 0;
    sivka_status status = len_of(c, count, &in, &len);
    /* Less room than was asked for: somebody has changed the arrays meanwhile. */
    if (status == SIVKA_OK && len > c->out_len - *at)
        status = SIVKA_ERROR_CAPACITY;
    if (status == SIVKA_OK)
        status = c->is_seal
                     ? sivka_seal_column(c->key, count, &in, lent.aads, c->aads_len, aad_offsets, NULL,
                                         0, lent.out + *at, len, c->ends + first, 32)
                     : sivka_open_column(c->key, count, &in, lent.aads, c->aads_len, aad_offsets,
                                         lent.out + *at, len, c->ends + first, 32,
                                         c->statuses + first);
    give_back(env, c, &lent);
    if (status != SIVKA_OK && status != SIVKA_ERROR_BATCH)
        return status;
    for (size_t i = first; i <= end; i++)
        c->ends[i] += (int32_t)*at;
    *at += len;
    return SIVKA_OK;
}

/* A copy of an array of offsets. Throws and returns NULL without memory. */
static int32_t *copy_offsets(JNIEnv *env, jintArray array)
{
    jsize count = (*env)->GetArrayLength(env, array);
    int32_t *copy = malloc((size_t)count * sizeof *copy);
    if (copy == NULL)
        throw_no_memory(env);
    else
        (*env)->GetIntArrayRegion(env, array, 0, count, (jint *)copy);
    return copy;
}

/* The same of those of AADs, of which there are as many. Throws for a negative one: the library
 * finds all that is wrong with others. */
static size_t *copy_aad_offsets(JNIEnv *env, jintArray array)
{
    jsize count = (*env)->GetArrayLength(env, array);
    size_t *copy = malloc((size_t)count * sizeof *copy);
    int32_t *given = copy_offsets(env, array);
    if (copy == NULL && given != NULL)
        throw_no_memory(env);
    for (jsize i = 0; copy != NULL && given != NULL && i < count; i++) {
        if (given[i] < (i == 0 ? 0 : given[i - 1])) {
            throw_misuse(env, SIVKA_ERROR_OFFSETS, "data offsets: ascending numbers expected");
            break;
        }
        copy[i] = (size_t)given[i];
    }
    free(given);
    if ((*env)->ExceptionCheck(env)) {
        free(copy);
        return NULL;
    }
    return copy;
}

static void throw_column(JNIEnv *env, sivka_status status)
{
    if (status == SIVKA_ERROR_NO_MEMORY)
        throw_no_memory(env);
    else
        throw_unless_ok(env, status);
}

static jlong column_len(JNIEnv *env, jclass natives, jboolean is_seal, jlong handle,
                        jbyteArray bytes, jintArray offsets, jbyteArray validity)
{
    (void)natives;
    column c = {.is_seal = is_seal, .key = as_key(handle), .bytes = bytes, .validity = validity,
                .count = (size_t)(*env)->GetArrayLength(env, offsets) - 1,
                .bytes_len = (size_t)(*env)->GetArrayLength(env, bytes)};
    size_t len = 0;
    loan lent;
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    /* Java's own copy of them. */
    c.offsets = (*env)->GetPrimitiveArrayCritical(env, offsets, NULL);
    if (c.offsets != NULL && lend(env, &c, &lent)) {
        const sivka_column in = values(&c, &lent, 0);
        status = len_of(&c, c.count, &in, &len);
        give_back(env, &c, &lent);
    }
    if (c.offsets != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, offsets, c.offsets, JNI_ABORT);
    throw_column(env, status);
    return (jlong)len;
}

static void run_all(JNIEnv *env, column *c, jintArray out_offsets, jbooleanArray opened)
{
    sivka_status status = SIVKA_OK;
    jboolean *are_open = calloc(c->count + 1, sizeof *are_open);
    size_t at = 0;
    c->ends = calloc(c->count + 1, sizeof *c->ends);
    c->statuses = calloc(c->count + 1, sizeof *c->statuses);
    if (are_open == NULL || c->ends == NULL || c->statuses == NULL)
        status = SIVKA_ERROR_NO_MEMORY;
    for (size_t first = 0, end; status == SIVKA_OK && first < c->count; first = end) {
        end = end_of_part(c, first);
        status = run_part(env, c, first, end, &at);
    }
    if (status == SIVKA_OK) {
        for (size_t i = 0; i < c->count; i++)
            are_open[i] = c->statuses[i] == SIVKA_OK ? JNI_TRUE : JNI_FALSE;
        (*env)->SetIntArrayRegion(env, out_offsets, 0, (jsize)c->count + 1, (const jint *)c->ends);
        (*env)->SetBooleanArrayRegion(env, opened, 0, (jsize)c->count, are_open);
    }
    free(c->statuses);
    free(c->ends);
    free(are_open);
    throw_column(env, status);
}

static void run_column(JNIEnv *env, jclass natives, jboolean is_seal, jlong handle,
                       jbyteArray bytes, jintArray offsets, jbyteArray validity, jbyteArray aads,
                       jintArray aad_offsets, jbyteArray out, jintArray out_offsets,
                       jbooleanArray opened)
{
    (void)natives;
    column c = {.is_seal = is_seal, .key = as_key(handle), .bytes = bytes, .validity = validity,
                .aads = aads, .out = out,
                .count = (size_t)(*env)->GetArrayLength(env, offsets) - 1,
                .bytes_len = (size_t)(*env)->GetArrayLength(env, bytes),
                .aads_len = (size_t)(*env)->GetArrayLength(env, aads),
                .out_len = (size_t)(*env)->GetArrayLength(env, out)};
    c.offsets = copy_offsets(env, offsets);
    if (c.offsets != NULL && aad_offsets != NULL)
        c.aad_offsets = copy_aad_offsets(env, aad_offsets);
    if (c.offsets != NULL && !(*env)->ExceptionCheck(env))
        run_all(env, &c, out_offsets, opened);
    free(c.aad_offsets);
    free(c.offsets);
}

const JNINativeMethod column_methods[] = {
    {"columnLen", "(ZJ[B[I[B)J", (void *)column_len},
    {"column", "(ZJ[B[I[B[B[I[B[I[Z)V", (void *)run_column},
};
const jint column_method_count = sizeof column_methods / sizeof column_methods[0];
