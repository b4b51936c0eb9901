/* Kuznyechik as a block cipher. */

#include "sivka_java.h"

static jlong new_kuznyechik(JNIEnv *env, jclass natives, jbyteArray array)
{
    sivka_kuznyechik *made = NULL;
    jsize len = (*env)->GetArrayLength(env, array);
    uint8_t *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL)
        return 0;
    sivka_status status = sivka_kuznyechik_new(bytes, (size_t)len, &made);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
    if (status != SIVKA_OK)
        throw_status(env, status);
    return (jlong)(uintptr_t)made;
}

static sivka_status run(bool is_encrypt, jlong handle, uint8_t *in_out, size_t len)
{
    const sivka_kuznyechik *key = (const void *)at_address(handle);
    return is_encrypt ? sivka_kuznyechik_encrypt_blocks(key, in_out, len)
                      : sivka_kuznyechik_decrypt_blocks(key, in_out, len);
}

static void blocks(JNIEnv *env, jclass natives, jboolean is_encrypt, jlong handle,
                   jbyteArray array, jlong at, jint in_out_len)
{
    sivka_status status = SIVKA_OK;
    size_t len = (size_t)in_out_len, done = 0;
    /* Each loan of an array is short; a length that is wrong is found before any block is done. */
    size_t part = array == NULL || len % SIVKA_KUZNYECHIK_BLOCK_LEN != 0
                      ? len
                      : LOAN_LEN / 16 / SIVKA_KUZNYECHIK_BLOCK_LEN * SIVKA_KUZNYECHIK_BLOCK_LEN;
    while (done < len && status == SIVKA_OK) {
        size_t part_len = len - done < part ? len - done : part;
        uint8_t *lent = NULL;
        if (array != NULL) {
            lent = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
            if (lent == NULL)
                return;
        }
        uint8_t *bytes = lent == NULL ? at_address(at) : lent + at;
        status = run(is_encrypt, handle, bytes + done, part_len);
        if (lent != NULL)
            (*env)->ReleasePrimitiveArrayCritical(env, array, lent, 0);
        done += part_len;
    }
    if (status != SIVKA_OK)
        throw_status(env, status);
}

const JNINativeMethod kuznyechik_methods[] = {
    {"newKuznyechik", "([B)J", (void *)new_kuznyechik},
    {"blocks", "(ZJ[BJI)V", (void *)blocks},
    {0},
};
