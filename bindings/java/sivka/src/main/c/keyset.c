/* Tink keysets. */

#include "sivka_java.h"
#include <stdlib.h>
#include <string.h>

/* What is to be done with a message: the constants of NativeKeyset. */
enum message { SEAL, OPEN, SEAL_DETERMINISTICALLY, OPEN_DETERMINISTICALLY };

/* How the keys change: the same. */
enum change { PROMOTE, ENABLE, DISABLE, DESTROY, REMOVE };

/* What encrypts a keyset: the same. */
enum master { IN_THE_CLEAR, UNDER_KEYSET, UNDER_KEY };

/* What Java reads for each key: its id, status and prefix. */
enum { KEY_NUMBERS = 3 };

static sivka_keyset *as_keyset(jlong handle)
{
    return (sivka_keyset *)(uintptr_t)handle;
}

/* Making, reading and writing. */

static jlong generate(JNIEnv *env, jclass natives, jbyteArray template_name)
{
    (void)natives;
    sivka_keyset *made = NULL;
    size_t len;
    char *name = copy_of(env, template_name, &len);
    if (name != NULL)
        throw_unless_ok(env, sivka_keyset_generate(name, &made));
    drop_copy(name, len);
    return (jlong)(uintptr_t)made;
}

static jlong copy(JNIEnv *env, jclass natives, jlong handle)
{
    (void)natives;
    sivka_keyset *made = NULL;
    throw_unless_ok(env, sivka_keyset_copy(as_keyset(handle), &made));
    return (jlong)(uintptr_t)made;
}

static sivka_status read_from(enum master kind, jlong master, const uint8_t *aad, size_t aad_len,
                              const uint8_t *in, size_t in_len, uint32_t flags, sivka_keyset **made)
{
    switch (kind) {
    case IN_THE_CLEAR:
        return sivka_keyset_from_insecure(in, in_len, flags, made);
    case UNDER_KEYSET:
        return sivka_keyset_decrypt(as_keyset(master), aad, aad_len, in, in_len, flags, made);
    case UNDER_KEY:
        return sivka_keyset_decrypt_with_key(as_key(master), aad, aad_len, in, in_len, flags, made);
    }
    return SIVKA_ERROR_INTERNAL;
}

static jlong read_keyset(JNIEnv *env, jclass natives, jbyteArray in, jint flags, jint kind,
                         jlong master, jbyteArray aad)
{
    (void)natives;
    sivka_keyset *made = NULL;
    size_t in_len, aad_len = 0;
    char *from = copy_of(env, in, &in_len);
    char *data = from == NULL ? NULL : copy_of(env, aad, &aad_len);
    if (data != NULL) {
        sivka_status status =
            read_from((enum master)kind, master, (const uint8_t *)data, aad_len,
                      (const uint8_t *)from, in_len, (uint32_t)flags, &made);
        if (status != SIVKA_ERROR_OPEN)
            throw_unless_ok(env, status);
    }
    drop_copy(data, aad_len);
    drop_copy(from, in_len);
    return (jlong)(uintptr_t)made;
}

static sivka_status write_to(const sivka_keyset *keyset, enum master kind, jlong master,
                             const uint8_t *aad, size_t aad_len, uint32_t flags, uint8_t *out,
                             size_t capacity, size_t *len)
{
    switch (kind) {
    case IN_THE_CLEAR:
        return sivka_keyset_to_insecure(keyset, flags, out, capacity, len);
    case UNDER_KEYSET:
        return sivka_keyset_encrypt(keyset, as_keyset(master), aad, aad_len, flags, out, capacity,
                                    len);
    case UNDER_KEY:
        return sivka_keyset_encrypt_with_key(keyset, as_key(master), aad, aad_len, flags, out,
                                             capacity, len);
    }
    return SIVKA_ERROR_INTERNAL;
}

static jbyteArray write_keyset(JNIEnv *env, jclass natives, jlong handle, jint flags, jint kind,
                               jlong master, jbyteArray aad)
{
    (void)natives;
    const sivka_keyset *keyset = as_keyset(handle);
    enum master how = (enum master)kind;
    size_t aad_len, len = 0;
    char *data = copy_of(env, aad, &aad_len);
    if (data == NULL)
        return NULL;
    const uint8_t *bytes = (const uint8_t *)data;
    /* Asks for the length first, which never differs. */
    sivka_status status =
        write_to(keyset, how, master, bytes, aad_len, (uint32_t)flags, NULL, 0, &len);
    jbyteArray written = NULL;
    uint8_t *out = NULL;
    if (status != SIVKA_ERROR_CAPACITY)
        throw_status(env, status);
    else if ((out = calloc(len, 1)) == NULL)
        throw_no_memory(env);
    else if ((status = write_to(keyset, how, master, bytes, aad_len, (uint32_t)flags, out, len,
                                &len)) != SIVKA_OK)
        throw_status(env, status);
    else if ((written = (*env)->NewByteArray(env, (jsize)len)) != NULL)
        (*env)->SetByteArrayRegion(env, written, 0, (jsize)len, (const jbyte *)out);
    drop_copy((char *)out, len);
    drop_copy(data, aad_len);
    return written;
}

/* What may be told. */

static jint key_count(JNIEnv *env, jclass natives, jlong handle)
{
    (void)env, (void)natives;
    /* At most SIVKA_KEYSET_MAX_KEYS. */
    return (jint)sivka_keyset_key_count(as_keyset(handle));
}

static jint primary_key_id(JNIEnv *env, jclass natives, jlong handle)
{
    (void)env, (void)natives;
    return (jint)sivka_keyset_primary_key_id(as_keyset(handle));
}

static jint primitive(JNIEnv *env, jclass natives, jlong handle)
{
    (void)env, (void)natives;
    return (jint)sivka_keyset_primitive(as_keyset(handle));
}

static jbyteArray key_at(JNIEnv *env, jclass natives, jlong handle, jint at, jintArray numbers)
{
    (void)natives;
    const sivka_keyset *keyset = as_keyset(handle);
    sivka_keyset_key key;
    sivka_status status = sivka_keyset_key_at(keyset, (size_t)at, &key);
    if (status != SIVKA_OK) {
        throw_status(env, status);
        return NULL;
    }
    jint told[KEY_NUMBERS] = {(jint)key.id, (jint)key.status, (jint)key.prefix};
    (*env)->SetIntArrayRegion(env, numbers, 0, KEY_NUMBERS, told);
    size_t len = sivka_keyset_key_type(keyset, (size_t)at, NULL, 0);
    char *type = malloc(len + 1);
    if (type == NULL) {
        throw_no_memory(env);
        return NULL;
    }
    sivka_keyset_key_type(keyset, (size_t)at, type, len + 1);
    jbyteArray text = (*env)->NewByteArray(env, (jsize)len);
    if (text != NULL)
        (*env)->SetByteArrayRegion(env, text, 0, (jsize)len, (const jbyte *)type);
    free(type);
    return text;
}

/* Changes. */

static jint add(JNIEnv *env, jclass natives, jlong handle, jbyteArray template_name,
                jboolean promote)
{
    (void)natives;
    uint32_t id = 0;
    size_t len;
    char *name = copy_of(env, template_name, &len);
    if (name != NULL)
        throw_unless_ok(env, promote ? sivka_keyset_rotate(as_keyset(handle), name, &id)
                                     : sivka_keyset_add(as_keyset(handle), name, &id));
    drop_copy(name, len);
    return (jint)id;
}

static void change(JNIEnv *env, jclass natives, jint operation, jlong handle, jint id)
{
    (void)natives;
    sivka_keyset *keyset = as_keyset(handle);
    sivka_status status = SIVKA_ERROR_INTERNAL;
    switch ((enum change)operation) {
    case PROMOTE:
        status = sivka_keyset_promote(keyset, (uint32_t)id);
        break;
    case ENABLE:
        status = sivka_keyset_enable(keyset, (uint32_t)id);
        break;
    case DISABLE:
        status = sivka_keyset_disable(keyset, (uint32_t)id);
        break;
    case DESTROY:
        status = sivka_keyset_destroy(keyset, (uint32_t)id);
        break;
    case REMOVE:
        status = sivka_keyset_remove(keyset, (uint32_t)id);
        break;
    }
    throw_unless_ok(env, status);
}

/* Messages. */

static jlong seal_len(JNIEnv *env, jclass natives, jlong handle, jint plaintext_len)
{
    (void)env, (void)natives;
    return (jlong)sivka_keyset_seal_len(as_keyset(handle), (size_t)plaintext_len);
}

static jint open_len(JNIEnv *env, jclass natives, jlong handle, jint sealed_len)
{
    (void)env, (void)natives;
    /* Never longer than what is opened. */
    return (jint)sivka_keyset_open_len(as_keyset(handle), (size_t)sealed_len);
}

static sivka_status run(enum message operation, const sivka_keyset *keyset, const uint8_t *aad,
                        size_t aad_len, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t capacity, size_t *len)
{
    switch (operation) {
    case SEAL:
        return sivka_keyset_seal(keyset, aad, aad_len, in, in_len, out, capacity, len);
    case OPEN:
        return sivka_keyset_open(keyset, aad, aad_len, in, in_len, out, capacity, len);
    case SEAL_DETERMINISTICALLY:
        return sivka_keyset_seal_deterministically(keyset, aad, aad_len, in, in_len, out, capacity,
                                                   len);
    case OPEN_DETERMINISTICALLY:
        return sivka_keyset_open_deterministically(keyset, aad, aad_len, in, in_len, out, capacity,
                                                   len);
    }
    return SIVKA_ERROR_INTERNAL;
}

/* In a lane's memory, where Java has put AAD and input, one after another. The output comes after
 * them. */
static jint in_lane(JNIEnv *env, jclass natives, jint operation, jlong handle, jlong memory,
                    jint aad_len, jint in_len, jint capacity)
{
    (void)natives;
    enum message what = (enum message)operation;
    uint8_t *aad = at_address(memory), *in = aad + aad_len, *out = in + in_len;
    size_t len = 0;
    sivka_status status = run(what, as_keyset(handle), aad, (size_t)aad_len, in, (size_t)in_len,
                              out, (size_t)capacity, &len);
    /* A lane keeps no plaintext. */
    if (what == SEAL || what == SEAL_DETERMINISTICALLY)
        memset(in, 0, (size_t)in_len);
    return length_or_throw(env, status, len);
}

/* In Java's own arrays, for which the collector waits. */
static sivka_status run_lent(JNIEnv *env, enum message operation, const sivka_keyset *keyset,
                             jbyteArray aad, size_t aad_len, jbyteArray in, size_t in_len,
                             jbyteArray out, size_t out_len, size_t *len)
{
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    uint8_t *data = (*env)->GetPrimitiveArrayCritical(env, aad, NULL);
    uint8_t *from = data == NULL ? NULL : (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    uint8_t *to = from == NULL ? NULL : (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (to != NULL) {
        status = run(operation, keyset, data, aad_len, from, in_len, to, out_len, len);
        (*env)->ReleasePrimitiveArrayCritical(env, out, to, 0);
    }
    if (from != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, in, from, JNI_ABORT);
    if (data != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, aad, data, JNI_ABORT);
    return status;
}

/* In copies, so that no collector waits for a long message. */
static sivka_status run_copied(JNIEnv *env, enum message operation, const sivka_keyset *keyset,
                               jbyteArray aad, jbyteArray in, jbyteArray out, size_t out_len,
                               size_t *len)
{
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    size_t aad_len, in_len = 0;
    char *data = copy_of(env, aad, &aad_len);
    char *from = data == NULL ? NULL : copy_of(env, in, &in_len);
    char *to = from == NULL ? NULL : calloc(out_len + 1, 1);
    if (to != NULL) {
        status = run(operation, keyset, (const uint8_t *)data, aad_len, (const uint8_t *)from,
                     in_len, (uint8_t *)to, out_len, len);
        if (status == SIVKA_OK)
            (*env)->SetByteArrayRegion(env, out, 0, (jsize)*len, (const jbyte *)to);
    }
    drop_copy(to, out_len);
    drop_copy(from, in_len);
    drop_copy(data, aad_len);
    return status;
}

static jint message(JNIEnv *env, jclass natives, jint operation, jlong handle, jbyteArray aad,
                    jbyteArray in, jbyteArray out)
{
    (void)natives;
    const sivka_keyset *keyset = as_keyset(handle);
    enum message what = (enum message)operation;
    size_t aad_len = (size_t)(*env)->GetArrayLength(env, aad);
    size_t in_len = (size_t)(*env)->GetArrayLength(env, in);
    size_t out_len = (size_t)(*env)->GetArrayLength(env, out), len = 0;
    /* Opening goes over the message once for each key that may have sealed it. */
    size_t longest = LOAN_LEN / (sivka_keyset_key_count(keyset) + 1);
    sivka_status status =
        in_len <= longest && aad_len <= longest
            ? run_lent(env, what, keyset, aad, aad_len, in, in_len, out, out_len, &len)
            : run_copied(env, what, keyset, aad, in, out, out_len, &len);
    if (status != SIVKA_ERROR_NO_MEMORY)
        return length_or_throw(env, status, len);
    /* A copy that found no memory has thrown. */
    if (!(*env)->ExceptionCheck(env))
        throw_no_memory(env);
    return FORGED;
}

const JNINativeMethod keyset_methods[] = {
    {"generateKeyset", "([B)J", (void *)generate},
    {"copyKeyset", "(J)J", (void *)copy},
    {"readKeyset", "([BIIJ[B)J", (void *)read_keyset},
    {"writeKeyset", "(JIIJ[B)[B", (void *)write_keyset},
    {"keysetKeyCount", "(J)I", (void *)key_count},
    {"keysetPrimaryKeyId", "(J)I", (void *)primary_key_id},
    {"keysetPrimitive", "(J)I", (void *)primitive},
    {"keysetKeyAt", "(JI[I)[B", (void *)key_at},
    {"addToKeyset", "(J[BZ)I", (void *)add},
    {"changeKeyset", "(IJI)V", (void *)change},
    {"keysetSealLen", "(JI)J", (void *)seal_len},
    {"keysetOpenLen", "(JI)I", (void *)open_len},
    {"keysetInLane", "(IJJIII)I", (void *)in_lane},
    {"keysetMessage", "(IJ[B[B[B)I", (void *)message},
    {0},
};
