/* Algorithms and keys. */

#include "sivka_java.h"
#include <stdlib.h>

static jint algorithm(JNIEnv *env, jclass natives, jbyteArray name)
{
    sivka_algorithm found = 0;
    jbyte *text = (*env)->GetByteArrayElements(env, name, NULL);
    if (text == NULL)
        return 0;
    sivka_status status = sivka_algorithm_from_name((const char *)text, &found);
    (*env)->ReleaseByteArrayElements(env, name, text, JNI_ABORT);
    if (status != SIVKA_OK)
        throw_status(env, status);
    return (jint)found;
}

static jstring name_at(JNIEnv *env, jclass natives, jint index)
{
    const sivka_algorithm_info *info = sivka_inspect_algorithm(sivka_algorithm_at((size_t)index));
    return info == NULL ? NULL : (*env)->NewStringUTF(env, info->name);
}

/* Those of key, nonce and tag, what a message grows by, and whether the tag comes first. */
static void lengths(JNIEnv *env, jclass natives, jint number, jintArray told)
{
    const sivka_algorithm_info *info = sivka_inspect_algorithm((sivka_algorithm)number);
    if (info == NULL)
        return;
    const jint all[] = {(jint)info->key_len, (jint)info->nonce_len, (jint)info->tag_len,
                        (jint)(info->nonce_len + info->tag_len), info->tag_first};
    (*env)->SetIntArrayRegion(env, told, 0, sizeof all / sizeof all[0], all);
}

static jstring version(JNIEnv *env, jclass natives)
{
    return (*env)->NewStringUTF(env, sivka_version());
}

static jstring status_message(JNIEnv *env, jclass natives, jint status)
{
    return (*env)->NewStringUTF(env, sivka_status_message(status));
}

static jlong address(JNIEnv *env, jclass natives, jobject direct)
{
    return (jlong)(uintptr_t)(*env)->GetDirectBufferAddress(env, direct);
}

/* Fills an array with what `make` gives for an algorithm. */
static void fill(JNIEnv *env, jint number, jbyteArray array,
                 sivka_status (*make)(sivka_algorithm, void *, size_t))
{
    jsize len = (*env)->GetArrayLength(env, array);
    uint8_t *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL) {
        /* What stays as it was would be taken for a key. */
        if (!(*env)->ExceptionCheck(env))
            throw_no_memory(env);
        return;
    }
    sivka_status status = make((sivka_algorithm)number, bytes, (size_t)len);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, 0);
    if (status != SIVKA_OK)
        throw_status(env, status);
}

static void generate_key(JNIEnv *env, jclass natives, jint number, jbyteArray key)
{
    fill(env, number, key, sivka_generate_key);
}

static void random_nonces(JNIEnv *env, jclass natives, jint number, jbyteArray nonces)
{
    fill(env, number, nonces, sivka_random_nonces);
}

static jlong new_key(JNIEnv *env, jclass natives, jint number, jbyteArray array)
{
    sivka_key *made = NULL;
    jsize len = (*env)->GetArrayLength(env, array);
    /* Lent, not copied: no second copy of the key has to be wiped. */
    uint8_t *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL)
        return 0;
    sivka_status status = sivka_key_new((sivka_algorithm)number, bytes, (size_t)len, &made);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
    if (status != SIVKA_OK)
        throw_status(env, status);
    return (jlong)(uintptr_t)made;
}

static jlong new_column_key(JNIEnv *env, jclass natives, jint number, jbyteArray key_file)
{
    sivka_key *made = NULL;
    size_t len;
    char *text = copy_of(env, key_file, &len);
    if (text != NULL)
        throw_unless_ok(env, sivka_column_key_new((sivka_algorithm)number, text, len, &made));
    drop_copy(text, len);
    return (jlong)(uintptr_t)made;
}

static jlong output_len(JNIEnv *env, jclass natives, jboolean seals, jlong key, jint len)
{
    return (jlong)(seals ? sivka_key_seal_len : sivka_key_open_len)(as_key(key), (size_t)len);
}

/* Frees what a handle stands for; `kind` is one of the constants of Native. */
static void free_handle(JNIEnv *env, jclass natives, jint kind, jlong handle)
{
    void *freed = at_address(handle);
    switch (kind) {
    case 0:
        sivka_key_free(freed);
        break;
    case 1:
        sivka_kuznyechik_free(freed);
        break;
    case 2:
        sivka_file_keys_free(freed);
        break;
    case 3:
        sivka_file_reader_free(freed);
        break;
    case 4:
        sivka_keyset_free(freed);
        break;
    case 5:
        sivka_sealer_free(freed);
        break;
    case 6:
        sivka_opener_free(freed);
        break;
    }
}

const JNINativeMethod key_methods[] = {
    {"algorithm", "([B)I", (void *)algorithm},
    {"nameAt", "(I)Ljava/lang/String;", (void *)name_at},
    {"lengths", "(I[I)V", (void *)lengths},
    {"version", "()Ljava/lang/String;", (void *)version},
    {"statusMessage", "(I)Ljava/lang/String;", (void *)status_message},
    {"address", "(Ljava/nio/ByteBuffer;)J", (void *)address},
    {"generateKey", "(I[B)V", (void *)generate_key},
    {"randomNonces", "(I[B)V", (void *)random_nonces},
    {"newKey", "(I[B)J", (void *)new_key},
    {"newColumnKey", "(I[B)J", (void *)new_column_key},
    {"outputLen", "(ZJI)J", (void *)output_len},
    {"free", "(IJ)V", (void *)free_handle},
    {0},
};
