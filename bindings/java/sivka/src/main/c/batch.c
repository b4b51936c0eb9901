/* Many messages in one call. */

#include "sivka_java.h"
#include <stdlib.h>

/* The arrays of a batch and what belongs to a part of it. */
typedef struct {
    bool is_seal;
    const sivka_key *key;
    jbyteArray nonces, aads, texts, tags;
    size_t aads_len;
    size_t nonce_len, tag_len;
    /* NULL: one AAD for all. */
    size_t *aad_offsets;
    size_t *text_offsets;
    sivka_status *statuses;
} batch;

/* Where the part that begins with `first` ends: as many messages as one loan of the arrays
 * may last, and at least one. */
static size_t end_of_part(const batch *b, size_t first, size_t count)
{
    size_t end = first + 1;
    while (end < count && b->text_offsets[end + 1] - b->text_offsets[first] <= LOAN_LEN &&
           end - first < LOAN_LEN / 64)
        end++;
    return end;
}

/* Does the messages from `first` up to `end`. */
static sivka_status run_part(JNIEnv *env, const batch *b, size_t first, size_t end)
{
    jbyteArray arrays[4] = {b->nonces, b->aads, b->texts, b->tags};
    uint8_t *lent[4] = {NULL};
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    int taken = 0;
    while (taken < 4) {
        lent[taken] = (*env)->GetPrimitiveArrayCritical(env, arrays[taken], NULL);
        if (lent[taken] == NULL)
            break;
        taken++;
    }
    if (taken == 4) {
        size_t count = end - first;
        const sivka_messages messages = {
            .count = count, .statuses = b->statuses + first,
            .nonces = lent[0] + first * b->nonce_len, .nonces_len = count * b->nonce_len,
            .aads = lent[1], .aads_len = b->aads_len,
            .aad_offsets = b->aad_offsets == NULL ? NULL : b->aad_offsets + first,
            .texts = lent[2], .texts_len = b->text_offsets[end],
            .text_offsets = b->text_offsets + first,
            .tags = lent[3] + first * b->tag_len, .tags_len = count * b->tag_len,
        };
        status = (b->is_seal ? sivka_seal_many : sivka_open_many)(b->key, &messages);
    }
    while (taken-- > 0)
        (*env)->ReleasePrimitiveArrayCritical(env, arrays[taken], lent[taken], 0);
    return status;
}

static void run_batch(JNIEnv *env, jclass natives, jboolean is_seal, jlong handle,
                      jbyteArray nonces, jbyteArray aads, jintArray aad_offsets, jbyteArray texts,
                      jintArray text_offsets, jbyteArray tags, jintArray statuses)
{
    const sivka_algorithm_info *info =
        sivka_inspect_algorithm(sivka_key_algorithm(as_key(handle)));
    size_t count = (size_t)(*env)->GetArrayLength(env, statuses);
    batch b = {.is_seal = is_seal, .key = as_key(handle), .nonces = nonces, .aads = aads,
               .texts = texts, .tags = tags, .aads_len = (size_t)(*env)->GetArrayLength(env, aads),
               .nonce_len = info == NULL ? 0 : info->nonce_len,
               .tag_len = info == NULL ? 0 : info->tag_len,
               .text_offsets = copy_offsets(env, text_offsets),
               .aad_offsets = aad_offsets == NULL ? NULL : copy_offsets(env, aad_offsets),
               .statuses = calloc(count + 1, sizeof *b.statuses)};
    sivka_status status = SIVKA_OK;
    if (b.text_offsets == NULL || (aad_offsets != NULL && b.aad_offsets == NULL) ||
        b.statuses == NULL)
        status = SIVKA_ERROR_NO_MEMORY;
    for (size_t first = 0, end; status == SIVKA_OK && first < count; first = end) {
        end = end_of_part(&b, first, count);
        status = run_part(env, &b, first, end);
        if (status == SIVKA_ERROR_BATCH)
            status = SIVKA_OK;
    }
    if (status == SIVKA_OK)
        (*env)->SetIntArrayRegion(env, statuses, 0, (jsize)count, (const jint *)b.statuses);
    else if (status == SIVKA_ERROR_NO_MEMORY)
        throw_no_memory(env);
    else
        throw_status(env, status);
    free(b.statuses);
    free(b.aad_offsets);
    free(b.text_offsets);
}

const JNINativeMethod batch_methods[] = {
    {"batch", "(ZJ[B[B[I[B[I[B[I)V", (void *)run_batch},
    {0},
};
