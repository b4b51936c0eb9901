/* Streams of Java's, which the library reads and writes; and how far it is, for files too. */

#include "sivka_java.h"
#include <pthread.h>
#include <stdlib.h>

/* What a call of ours on an object of StreamCalls needs, on any thread. */
typedef struct {
    JavaVM *vm;
    jobject calls;
    jbyteArray input, output;
    jmethodID read, write, progress;
    jsize input_len, output_len;
} caller;

static pthread_key_t attached;
static pthread_once_t attached_once = PTHREAD_ONCE_INIT;
static bool has_attached;

static void detach(void *vm)
{
    JavaVM *of = vm;
    (*of)->DetachCurrentThread(of);
}

static void make_attached(void)
{
    has_attached = pthread_key_create(&attached, detach) == 0;
}

void forget_threads(void)
{
    if (has_attached)
        pthread_key_delete(attached);
}

/* This thread's JNI. A thread of the library's is attached until it ends. */
static JNIEnv *env_of(JavaVM *vm)
{
    JNIEnv *env = NULL;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) == JNI_OK)
        return env;
    pthread_once(&attached_once, make_attached);
    if (!has_attached || (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) != JNI_OK)
        return NULL;
    pthread_setspecific(attached, vm);
    return env;
}

/* StreamCalls catches what it can; what is left (no stack, no memory) ends the work as well. */
static bool has_thrown(JNIEnv *env)
{
    bool thrown = (*env)->ExceptionCheck(env);
    (*env)->ExceptionClear(env);
    return thrown;
}

static int32_t read_some(void *context, uint8_t *buffer, size_t buffer_len, size_t *read_len)
{
    const caller *c = context;
    JNIEnv *env = env_of(c->vm);
    if (env == NULL)
        return 1;
    jint most = buffer_len < (size_t)c->input_len ? (jint)buffer_len : c->input_len;
    jint len = (*env)->CallIntMethod(env, c->calls, c->read, most);
    if (has_thrown(env) || len < 0)
        return 1;
    (*env)->GetByteArrayRegion(env, c->input, 0, len, (jbyte *)buffer);
    *read_len = (size_t)len;
    return 0;
}

static int32_t write_all(void *context, const uint8_t *bytes, size_t bytes_len)
{
    const caller *c = context;
    JNIEnv *env = env_of(c->vm);
    if (env == NULL)
        return 1;
    for (size_t done = 0; done < bytes_len;) {
        size_t left = bytes_len - done;
        jsize len = left < (size_t)c->output_len ? (jsize)left : c->output_len;
        (*env)->SetByteArrayRegion(env, c->output, 0, len, (const jbyte *)bytes + done);
        jint answer = (*env)->CallIntMethod(env, c->calls, c->write, len);
        if (has_thrown(env) || answer != 0)
            return 1;
        done += (size_t)len;
    }
    return 0;
}

static int32_t tell(void *context, uint64_t plaintext_len)
{
    const caller *c = context;
    JNIEnv *env = env_of(c->vm);
    if (env == NULL || (*env)->ExceptionCheck(env))
        return 1;
    jint answer = (*env)->CallIntMethod(env, c->calls, c->progress, (jlong)plaintext_len);
    return has_thrown(env) || answer != 0;
}

/* Frees what `begin` made. */
static void end(JNIEnv *env, caller *c)
{
    (*env)->DeleteGlobalRef(env, c->output);
    (*env)->DeleteGlobalRef(env, c->input);
    (*env)->DeleteGlobalRef(env, c->calls);
}

/* Makes Java's objects known to every thread. Throws and returns false without memory. */
static bool begin(JNIEnv *env, caller *c, jobject calls, jbyteArray input, jbyteArray output)
{
    *c = (caller){0};
    jclass class = (*env)->GetObjectClass(env, calls);
    c->read = (*env)->GetMethodID(env, class, "read", "(I)I");
    c->write = c->read == NULL ? NULL : (*env)->GetMethodID(env, class, "write", "(I)I");
    c->progress = c->write == NULL ? NULL : (*env)->GetMethodID(env, class, "progress", "(J)I");
    if (c->progress == NULL || (*env)->GetJavaVM(env, &c->vm) != JNI_OK)
        return false;
    c->calls = (*env)->NewGlobalRef(env, calls);
    if (input != NULL) {
        c->input = (*env)->NewGlobalRef(env, input);
        c->input_len = (*env)->GetArrayLength(env, input);
    }
    if (output != NULL) {
        c->output = (*env)->NewGlobalRef(env, output);
        c->output_len = (*env)->GetArrayLength(env, output);
    }
    if (c->calls != NULL && (input == NULL) == (c->input == NULL) &&
        (output == NULL) == (c->output == NULL))
        return true;
    end(env, c);
    throw_no_memory(env);
    return false;
}

static void seal_stream(JNIEnv *env, jclass natives, jobject calls, jbyteArray input,
                        jbyteArray output, jboolean has_progress, jlong keys, jint suite)
{
    (void)natives;
    caller c;
    if (!begin(env, &c, calls, input, output))
        return;
    sivka_status status =
        sivka_seal_stream(read_some, &c, write_all, &c, has_progress ? tell : NULL, &c,
                          as_keys(keys), (sivka_suite)suite);
    end(env, &c);
    throw_unless_ok(env, status);
}

static void open_stream(JNIEnv *env, jclass natives, jobject calls, jbyteArray input,
                        jbyteArray output, jboolean has_progress, jlong keys)
{
    (void)natives;
    caller c;
    if (!begin(env, &c, calls, input, output))
        return;
    sivka_status status =
        sivka_open_stream(read_some, &c, write_all, &c, has_progress ? tell : NULL, &c,
                          as_keys(keys));
    end(env, &c);
    throw_unless_ok(env, status);
}

static void verify_stream(JNIEnv *env, jclass natives, jobject calls, jbyteArray input,
                          jboolean has_progress, jlong keys)
{
    (void)natives;
    caller c;
    if (!begin(env, &c, calls, input, NULL))
        return;
    sivka_status status =
        sivka_verify_stream(read_some, &c, has_progress ? tell : NULL, &c, as_keys(keys));
    end(env, &c);
    throw_unless_ok(env, status);
}

/* Whole files. `calls` is NULL where nobody wants to hear how far they are. */

static void seal_file(JNIEnv *env, jclass natives, jbyteArray input, jbyteArray output, jlong keys,
                      jint number, jboolean overwrite, jobject calls)
{
    (void)natives;
    size_t in_len, out_len = 0;
    caller c;
    char *in = copy_of(env, input, &in_len);
    char *out = in == NULL ? NULL : copy_of(env, output, &out_len);
    if (out != NULL && (calls == NULL || begin(env, &c, calls, NULL, NULL))) {
        sivka_status status = sivka_seal_file_with_progress(
            in, out, as_keys(keys), (sivka_suite)number, overwrite ? SIVKA_OVERWRITE : 0,
            calls == NULL ? NULL : tell, &c);
        if (calls != NULL)
            end(env, &c);
        throw_unless_ok(env, status);
    }
    drop_copy(out, out_len);
    drop_copy(in, in_len);
}

static void open_file(JNIEnv *env, jclass natives, jbyteArray input, jbyteArray output, jlong keys,
                      jboolean overwrite, jobject calls)
{
    (void)natives;
    size_t in_len, out_len = 0;
    caller c;
    char *in = copy_of(env, input, &in_len);
    char *out = in == NULL ? NULL : copy_of(env, output, &out_len);
    if (out != NULL && (calls == NULL || begin(env, &c, calls, NULL, NULL))) {
        sivka_status status = sivka_open_file_with_progress(in, out, as_keys(keys),
                                                            overwrite ? SIVKA_OVERWRITE : 0,
                                                            calls == NULL ? NULL : tell, &c);
        if (calls != NULL)
            end(env, &c);
        throw_unless_ok(env, status);
    }
    drop_copy(out, out_len);
    drop_copy(in, in_len);
}

static void verify_file(JNIEnv *env, jclass natives, jbyteArray input, jlong keys, jobject calls)
{
    (void)natives;
    size_t len;
    caller c;
    char *path = copy_of(env, input, &len);
    if (path != NULL && (calls == NULL || begin(env, &c, calls, NULL, NULL))) {
        sivka_status status = sivka_verify_file_with_progress(path, as_keys(keys),
                                                              calls == NULL ? NULL : tell, &c);
        if (calls != NULL)
            end(env, &c);
        throw_unless_ok(env, status);
    }
    drop_copy(path, len);
}

/* A stream of a keyset: what seals or opens it, and what that calls once it runs. */
typedef struct {
    sivka_sealer *sealer;
    sivka_opener *opener;
    caller c;
} keyset_stream;

enum { PIECE_LEN = 1 << 16 };

/* Makes what seals, or opens, in the thread that hears what is wrong with the keyset. */
static jlong new_keyset_stream(JNIEnv *env, jclass natives, jlong handle, jbyteArray data,
                               jboolean sealing)
{
    (void)natives;
    const sivka_keyset *keyset = (const sivka_keyset *)(uintptr_t)handle;
    size_t aad_len;
    char *aad = copy_of(env, data, &aad_len);
    if (aad == NULL)
        return 0;
    keyset_stream *it = calloc(1, sizeof *it);
    if (it == NULL) {
        throw_no_memory(env);
    } else {
        sivka_status status =
            sealing
                ? sivka_keyset_sealer_new(write_all, &it->c, keyset, aad, aad_len, &it->sealer)
                : sivka_keyset_opener_new(read_some, &it->c, keyset, aad, aad_len, &it->opener);
        if (status != SIVKA_OK) {
            throw_status(env, status);
            free(it);
            it = NULL;
        }
    }
    drop_copy(aad, aad_len);
    return (jlong)(uintptr_t)it;
}

static void free_keyset_stream(JNIEnv *env, jclass natives, jlong handle)
{
    (void)env, (void)natives;
    keyset_stream *it = (keyset_stream *)at_address(handle);
    sivka_sealer_free(it->sealer);
    sivka_opener_free(it->opener);
    free(it);
}

/* One piece of the input, which is empty at its end; false after a failure that Java knows. */
static bool seal_piece(keyset_stream *it, uint8_t *piece, sivka_status *status, bool *has_ended)
{
    size_t len = 0;
    if (read_some(&it->c, piece, PIECE_LEN, &len) != 0)
        return false;
    *has_ended = len == 0;
    *status = len == 0 ? sivka_sealer_finish(it->sealer)
                       : sivka_sealer_write(it->sealer, piece, len);
    return true;
}

/* The same for the sealed stream. */
static bool open_piece(keyset_stream *it, uint8_t *piece, sivka_status *status, bool *has_ended)
{
    size_t len = 0;
    *status = sivka_opener_read(it->opener, piece, PIECE_LEN, &len);
    *has_ended = *status == SIVKA_OK && len == 0;
    return len == 0 || write_all(&it->c, piece, len) == 0;
}

/* Takes the input to its end. A failure of one of Java's streams is in `calls`. */
static void run_keyset_stream(JNIEnv *env, jclass natives, jlong handle, jobject calls,
                              jbyteArray input, jbyteArray output)
{
    (void)natives;
    keyset_stream *it = (keyset_stream *)at_address(handle);
    uint8_t *piece = calloc(PIECE_LEN + 1, 1);
    if (piece == NULL || !begin(env, &it->c, calls, input, output)) {
        if (piece == NULL)
            throw_no_memory(env);
        free(piece);
        return;
    }
    sivka_status status = SIVKA_OK;
    bool has_ended = false, goes_on = true;
    while (goes_on && status == SIVKA_OK && !has_ended)
        goes_on = (it->sealer != NULL ? seal_piece : open_piece)(it, piece, &status, &has_ended);
    end(env, &it->c);
    drop_copy((char *)piece, PIECE_LEN);
    if (!goes_on)
        throw_misuse(env, SIVKA_ERROR_READ, "a stream of the caller's failed");
    else
        throw_unless_ok(env, status);
}

#define CALLS "Ldev/sivka/internal/StreamCalls;"

const JNINativeMethod stream_methods[] = {
    {"sealStream", "(" CALLS "[B[BZJI)V", (void *)seal_stream},
    {"openStream", "(" CALLS "[B[BZJ)V", (void *)open_stream},
    {"verifyStream", "(" CALLS "[BZJ)V", (void *)verify_stream},
    {"sealFile", "([B[BJIZ" CALLS ")V", (void *)seal_file},
    {"openFile", "([B[BJZ" CALLS ")V", (void *)open_file},
    {"verifyFile", "([BJ" CALLS ")V", (void *)verify_file},
    {"newKeysetStream", "(J[BZ)J", (void *)new_keyset_stream},
    {"runKeysetStream", "(J" CALLS "[B[B)V", (void *)run_keyset_stream},
    {"freeKeysetStream", "(J)V", (void *)free_keyset_stream},
    {0},
};
