/* Streams, bytes in and bytes out; and files by their paths, which tell how far they are. */

#include "sivka_java.h"
#include <stdlib.h>

/* An object of Progress, in the thread that gave it. */
typedef struct {
    JNIEnv *env;
    jobject progress;
    jmethodID reached;
} listener;

static bool listen_with(JNIEnv *env, listener *it, jobject progress)
{
    *it = (listener){.env = env, .progress = progress};
    if (progress != NULL)
        it->reached =
            (*env)->GetMethodID(env, (*env)->GetObjectClass(env, progress), "reached", "(J)Z");
    return progress == NULL || it->reached != NULL;
}

/* What Java throws stays for the caller, and stops the work. */
static int32_t tell(void *context, uint64_t plaintext_len)
{
    const listener *it = context;
    JNIEnv *env = it->env;
    if ((*env)->ExceptionCheck(env))
        return 1;
    jboolean goes_on =
        (*env)->CallBooleanMethod(env, it->progress, it->reached, (jlong)plaintext_len);
    return (*env)->ExceptionCheck(env) || !goes_on;
}

/* What is to be done with a file: the constants of Native. */
enum operation { SEAL, OPEN, VERIFY };

static void run_file(JNIEnv *env, jclass natives, jint operation, jbyteArray input,
                     jbyteArray output, jlong handle, jint suite, jboolean overwrite,
                     jobject progress)
{
    const sivka_file_keys *keys = as_keys(handle);
    const uint32_t flags = overwrite ? SIVKA_OVERWRITE : 0;
    const sivka_progress_function told = progress == NULL ? NULL : tell;
    size_t in_len, out_len = 0;
    listener it;
    char *in = copy_of(env, input, &in_len);
    char *out = in == NULL || output == NULL ? NULL : copy_of(env, output, &out_len);
    if (in != NULL && (output == NULL || out != NULL) && listen_with(env, &it, progress)) {
        sivka_status status = SIVKA_ERROR_INTERNAL;
        switch ((enum operation)operation) {
        case SEAL:
            status = sivka_seal_file(in, out, keys, (sivka_suite)suite, flags, told, &it);
            break;
        case OPEN:
            status = sivka_open_file(in, out, keys, flags, told, &it);
            break;
        case VERIFY:
            status = sivka_verify_file(in, keys, told, &it);
            break;
        }
        if (!(*env)->ExceptionCheck(env))
            throw_unless_ok(env, status);
    }
    drop_copy(out, out_len);
    drop_copy(in, in_len);
}

static jlong new_stream(JNIEnv *env, jclass natives, jboolean seals, jlong keys, jint suite)
{
    sivka_sealer *sealer = NULL;
    sivka_opener *opener = NULL;
    throw_unless_ok(env, seals ? sivka_sealer_new(as_keys(keys), (sivka_suite)suite, &sealer)
                               : sivka_opener_new(as_keys(keys), &opener));
    return seals ? (jlong)(uintptr_t)sealer : (jlong)(uintptr_t)opener;
}

static jlong new_keyset_stream(JNIEnv *env, jclass natives, jboolean seals, jlong handle,
                               jbyteArray data)
{
    const sivka_keyset *keyset = (const void *)at_address(handle);
    sivka_sealer *sealer = NULL;
    sivka_opener *opener = NULL;
    size_t len;
    char *copy = copy_of(env, data, &len);
    const uint8_t *aad = (const uint8_t *)copy;
    if (copy != NULL)
        throw_unless_ok(env, seals ? sivka_keyset_sealer_new(keyset, aad, len, &sealer)
                                   : sivka_keyset_opener_new(keyset, aad, len, &opener));
    drop_copy(copy, len);
    return seals ? (jlong)(uintptr_t)sealer : (jlong)(uintptr_t)opener;
}

/* Takes bytes, or, if there is no array of them, the end; how many in the upper half of the result,
 * and how many came out in the lower one. Arrays are copied: the work may take long. */
static jlong step(JNIEnv *env, jclass natives, jboolean seals, jlong stream, jbyteArray input,
                  jint at, jint len, jbyteArray output, jint out_at, jint out_len)
{
    void *handle = at_address(stream);
    const size_t in_len = (size_t)len, capacity = (size_t)out_len;
    size_t used = 0, given = 0;
    sivka_status status = SIVKA_OK;
    uint8_t *in = malloc(in_len + 1), *out = malloc(capacity + 1);
    if (in == NULL || out == NULL) {
        throw_no_memory(env);
    } else {
        if (input == NULL) {
            status = seals ? sivka_sealer_finish(handle, out, capacity, &given)
                           : sivka_opener_finish(handle, out, capacity, &given);
        } else {
            (*env)->GetByteArrayRegion(env, input, at, len, (jbyte *)in);
            status = seals ? sivka_sealer_update(handle, in, in_len, &used, out, capacity, &given)
                           : sivka_opener_update(handle, in, in_len, &used, out, capacity, &given);
        }
        (*env)->SetByteArrayRegion(env, output, out_at, (jsize)given, (const jbyte *)out);
        throw_unless_ok(env, status);
    }
    drop_copy((char *)in, in_len);
    drop_copy((char *)out, given);
    return (jlong)((uint64_t)used << 32 | given);
}

const JNINativeMethod stream_methods[] = {
    {"file", "(I[B[BJIZLdev/sivka/Progress;)V", (void *)run_file},
    {"newStream", "(ZJI)J", (void *)new_stream},
    {"newKeysetStream", "(ZJ[B)J", (void *)new_keyset_stream},
    {"step", "(ZJ[BII[BII)J", (void *)step},
    {0},
};
