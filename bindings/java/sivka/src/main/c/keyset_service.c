/* Tink keysets that a key-management service encrypts, which Java calls. */

#include "sivka_java.h"
#include <stdlib.h>

/* An object of ServiceCall, in the thread that gave it. */
typedef struct {
    JNIEnv *env;
    jobject call;
    jmethodID answer;
    bool wipes, forged;
} service;

static bool begin(JNIEnv *env, service *it, jobject call, bool wipes)
{
    it->env = env;
    it->call = call;
    it->wipes = wipes;
    it->forged = false;
    it->answer = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, call), "answer", "([B)[B");
    return it->answer != NULL;
}

/* Takes what the service answered; and wipes it in Java, if it is a keyset in the clear. */
static void take(const service *it, jbyteArray answer, uint8_t *output, size_t capacity,
                 size_t *written_len)
{
    JNIEnv *env = it->env;
    jsize len = (*env)->GetArrayLength(env, answer);

    /* The library refuses a length that is too great. */
    *written_len = (size_t)len;
    if (*written_len <= capacity)
        (*env)->GetByteArrayRegion(env, answer, 0, len, (jbyte *)output);
    if (it->wipes) {
        static const jbyte zeros[4096];
        for (jsize at = 0; at < len;) {
            const jsize left = len - at;
            const jsize piece = left < (jsize)sizeof zeros ? left : (jsize)sizeof zeros;
            (*env)->SetByteArrayRegion(env, answer, at, piece, zeros);
            at += piece;
        }
    }
}

/* What Java throws stays for the caller. The AAD is in the object. */
static int32_t ask(void *context, const uint8_t *input, size_t input_len, const uint8_t *aad,
                   size_t aad_len, uint8_t *output, size_t capacity, size_t *written_len)
{
    (void)aad, (void)aad_len;
    service *it = context;
    JNIEnv *env = it->env;
    jbyteArray given = (*env)->NewByteArray(env, (jsize)input_len);

    if (given == NULL)
        return 1;
    (*env)->SetByteArrayRegion(env, given, 0, (jsize)input_len, (const jbyte *)input);
    jbyteArray answer = (*env)->CallObjectMethod(env, it->call, it->answer, given);
    it->forged = !(*env)->ExceptionCheck(env) && answer == NULL;
    const int32_t failed = answer == NULL;
    if (!failed)
        take(it, answer, output, capacity, written_len);
    (*env)->DeleteLocalRef(env, answer);
    (*env)->DeleteLocalRef(env, given);
    return failed;
}

/* Throws what the library says, unless the service has thrown. */
static void throw_unless_thrown(JNIEnv *env, sivka_status status)
{
    if (status != SIVKA_OK && !(*env)->ExceptionCheck(env))
        throw_status(env, status);
}

static jlong read_by_service(JNIEnv *env, jclass natives, jbyteArray in, jint flags, jobject call)
{
    (void)natives;
    sivka_keyset *made = NULL;
    service it;
    size_t in_len;
    char *from = begin(env, &it, call, true) ? copy_of(env, in, &in_len) : NULL;
    if (from == NULL)
        return 0;
    sivka_status status = sivka_keyset_decrypt_with_service(
        ask, &it, NULL, 0, (const uint8_t *)from, in_len, (uint32_t)flags, &made);
    if (!it.forged)
        throw_unless_thrown(env, status);
    drop_copy(from, in_len);
    return (jlong)(uintptr_t)made;
}

static jbyteArray write_by_service(JNIEnv *env, jclass natives, jlong handle, jint flags,
                                   jobject call)
{
    (void)natives;
    const sivka_keyset *keyset = (const sivka_keyset *)(uintptr_t)handle;
    jbyteArray written = NULL;
    service it;
    size_t len = 0;
    if (!begin(env, &it, call, false))
        return NULL;
    /* The service is asked once, with all the room that can be needed. */
    uint8_t *out = malloc(SIVKA_KEYSET_MAX_LEN);
    if (out == NULL) {
        throw_no_memory(env);
        return NULL;
    }
    sivka_status status = sivka_keyset_encrypt_with_service(
        keyset, ask, &it, NULL, 0, (uint32_t)flags, out, SIVKA_KEYSET_MAX_LEN, &len);
    throw_unless_thrown(env, status);
    if (status == SIVKA_OK && (written = (*env)->NewByteArray(env, (jsize)len)) != NULL)
        (*env)->SetByteArrayRegion(env, written, 0, (jsize)len, (const jbyte *)out);
    free(out);
    return written;
}

const JNINativeMethod keyset_service_methods[] = {
    {"readKeysetByService", "([BILdev/sivka/internal/ServiceCall;)J", (void *)read_by_service},
    {"writeKeysetByService", "(JILdev/sivka/internal/ServiceCall;)[B", (void *)write_by_service},
    {0},
};
