/* Kuznyechik in CTR and CTR-ACPKM, and OMAC. */

#include "sivka_java.h"
#include <stdlib.h>

/* Each loan of an array is short. */
enum { PIECE_LEN = LOAN_LEN / 16 };

static jlong new_ctr(JNIEnv *env, jclass natives, jbyteArray key, jbyteArray iv,
                     jboolean is_acpkm, jlong section_len)
{
    (void)natives;
    sivka_kuznyechik_ctr *made = NULL;
    size_t key_len, iv_len = 0;
    char *key_copy = copy_of(env, key, &key_len);
    char *iv_copy = key_copy == NULL ? NULL : copy_of(env, iv, &iv_len);
    if (iv_copy != NULL) {
        const uint8_t *key_bytes = (const void *)key_copy, *iv_bytes = (const void *)iv_copy;
        throw_unless_ok(env, is_acpkm
                                 ? sivka_kuznyechik_ctr_acpkm_new(key_bytes, key_len, iv_bytes,
                                                                  iv_len, (uint64_t)section_len,
                                                                  &made)
                                 : sivka_kuznyechik_ctr_new(key_bytes, key_len, iv_bytes, iv_len,
                                                            &made));
    }
    drop_copy(iv_copy, iv_len);
    drop_copy(key_copy, key_len);
    return (jlong)(uintptr_t)made;
}

static jlong new_omac(JNIEnv *env, jclass natives, jbyteArray key, jint tag_len)
{
    (void)natives;
    sivka_kuznyechik_omac *made = NULL;
    size_t key_len;
    char *copy = copy_of(env, key, &key_len);
    if (copy != NULL)
        throw_unless_ok(env, sivka_kuznyechik_omac_new((const uint8_t *)copy, key_len,
                                                       (size_t)tag_len, &made));
    drop_copy(copy, key_len);
    return (jlong)(uintptr_t)made;
}

/* Gives bytes in an array, or, if that is NULL, at an address, to `work`, piece by piece. */
static void each_piece(JNIEnv *env, void *mode, jbyteArray array, jlong at, jint length,
                       bool is_written, sivka_status (*work)(void *, uint8_t *, size_t))
{
    sivka_status status = SIVKA_OK;
    for (size_t done = 0, len = (size_t)length; done < len && status == SIVKA_OK;) {
        size_t piece_len = array == NULL || len - done < PIECE_LEN ? len - done : PIECE_LEN;
        uint8_t *lent = NULL;
        if (array != NULL) {
            lent = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
            if (lent == NULL) {
                throw_no_memory(env);
                return;
            }
        }
        status = work(mode, (array == NULL ? at_address(at) : lent + at) + done, piece_len);
        if (lent != NULL)
            (*env)->ReleasePrimitiveArrayCritical(env, array, lent, is_written ? 0 : JNI_ABORT);
        done += piece_len;
    }
    throw_unless_ok(env, status);
}

static sivka_status apply(void *ctr, uint8_t *in_out, size_t len)
{
    return sivka_kuznyechik_ctr_apply_keystream(ctr, in_out, len);
}

static void apply_keystream(JNIEnv *env, jclass natives, jlong ctr, jbyteArray array, jlong at,
                            jint len)
{
    (void)natives;
    each_piece(env, at_address(ctr), array, at, len, true, apply);
}

static sivka_status update(void *omac, uint8_t *piece, size_t len)
{
    return sivka_kuznyechik_omac_update(omac, piece, len);
}

static void omac_update(JNIEnv *env, jclass natives, jlong omac, jbyteArray array, jlong at,
                        jint len)
{
    (void)natives;
    each_piece(env, at_address(omac), array, at, len, false, update);
}

/* Writes the tag, or, if there is one to compare with, says whether it is right. */
static jboolean end_message(JNIEnv *env, jbyteArray tag, jboolean is_given, sivka_status status,
                            const uint8_t *computed, size_t len)
{
    if (status == SIVKA_OK && !is_given)
        (*env)->SetByteArrayRegion(env, tag, 0, (jsize)len, (const jbyte *)computed);
    else if (status != SIVKA_ERROR_OPEN)
        throw_unless_ok(env, status);
    return status == SIVKA_OK;
}

static jboolean omac_finish(JNIEnv *env, jclass natives, jlong handle, jbyteArray tag,
                            jboolean is_given)
{
    (void)natives;
    sivka_kuznyechik_omac *omac = (void *)at_address(handle);
    size_t len;
    char *copy = copy_of(env, tag, &len);
    if (copy == NULL)
        return JNI_FALSE;
    uint8_t *bytes = (uint8_t *)copy;
    sivka_status status = is_given ? sivka_kuznyechik_omac_finish_and_verify(omac, bytes, len)
                                   : sivka_kuznyechik_omac_finish(omac, bytes, len);
    jboolean is_right = end_message(env, tag, is_given, status, bytes, len);
    drop_copy(copy, len);
    return is_right;
}

static jboolean omac_whole(JNIEnv *env, jclass natives, jlong handle, jbyteArray array, jlong at,
                           jint length, jbyteArray tag, jboolean is_given)
{
    (void)natives;
    const sivka_kuznyechik_omac *omac = (const void *)at_address(handle);
    size_t tag_len, len = (size_t)length;
    char *tag_copy = copy_of(env, tag, &tag_len), *copy = NULL;
    uint8_t *bytes = (uint8_t *)tag_copy, *lent = NULL;
    jboolean is_right = JNI_FALSE;
    if (tag_copy == NULL)
        return is_right;
    const uint8_t *message = at_address(at);
    if (array != NULL && len <= LOAN_LEN) {
        lent = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
        message = lent == NULL ? NULL : lent + at;
    } else if (array != NULL) {
        /* No collector waits for a long message. */
        copy = malloc(len);
        message = (const uint8_t *)copy;
        if (copy != NULL)
            (*env)->GetByteArrayRegion(env, array, (jsize)at, length, (jbyte *)copy);
    }
    if (array != NULL && message == NULL) {
        throw_no_memory(env);
    } else {
        sivka_status status = is_given
                                  ? sivka_kuznyechik_omac_verify(omac, message, len, bytes, tag_len)
                                  : sivka_kuznyechik_omac_tag(omac, message, len, bytes, tag_len);
        if (lent != NULL)
            (*env)->ReleasePrimitiveArrayCritical(env, array, lent, JNI_ABORT);
        is_right = end_message(env, tag, is_given, status, bytes, tag_len);
    }
    drop_copy(copy, len);
    drop_copy(tag_copy, tag_len);
    return is_right;
}

const JNINativeMethod kuznyechik_mode_methods[] = {
    {"newCtr", "([B[BZJ)J", (void *)new_ctr},
    {"applyKeystream", "(J[BJI)V", (void *)apply_keystream},
    {"newOmac", "([BI)J", (void *)new_omac},
    {"omacWhole", "(J[BJI[BZ)Z", (void *)omac_whole},
    {"omacUpdate", "(J[BJI)V", (void *)omac_update},
    {"omacFinish", "(J[BZ)Z", (void *)omac_finish},
};
const jint kuznyechik_mode_method_count =
    sizeof kuznyechik_mode_methods / sizeof kuznyechik_mode_methods[0];
