/* Tink keysets. */

#include "sivka_java.h"
#include <stdlib.h>
#include <string.h>

/* What is written: the same. */
enum form { IN_THE_CLEAR, UNDER_KEY, BY_SERVICE, FOR_SERVICE };

/* What Java reads for each key: its id, status and prefix. */
enum { KEY_NUMBERS = 3 };

static sivka_keyset *as_keyset(jlong handle)
{
    return (sivka_keyset *)(uintptr_t)handle;
}

/* Making, reading and writing. */

static jlong generate(JNIEnv *env, jclass natives, jbyteArray template_name)
{
    sivka_keyset *made = NULL;
    size_t len;
    char *name = copy_of(env, template_name, &len);
    if (name != NULL)
        throw_unless_ok(env, sivka_keyset_generate(name, &made));
    drop_copy(name, len);
    return (jlong)(uintptr_t)made;
}

/* Under a master key, or, without one, in the clear. */
static jlong read_keyset(JNIEnv *env, jclass natives, jbyteArray in, jint flags, jlong master,
                         jbyteArray aad)
{
    sivka_keyset *made = NULL;
    size_t in_len, aad_len = 0;
    char *from = copy_of(env, in, &in_len);
    char *data = from == NULL ? NULL : copy_of(env, aad, &aad_len);
    if (data != NULL) {
        sivka_status status =
            master == 0 ? sivka_keyset_from_insecure(from, in_len, (uint32_t)flags, &made)
                        : sivka_keyset_decrypt(as_key(master), data, aad_len, from, in_len,
                                               (uint32_t)flags, &made);
        if (status != SIVKA_ERROR_OPEN)
            throw_unless_ok(env, status);
    }
    drop_copy(data, aad_len);
    drop_copy(from, in_len);
    return (jlong)(uintptr_t)made;
}

static sivka_status write_to(enum form form, const sivka_keyset *keyset, const sivka_key *master,
                             const char *data, size_t data_len, uint32_t flags, char *out,
                             size_t capacity, size_t *len)
{
    switch (form) {
    case IN_THE_CLEAR:
        return sivka_keyset_to_insecure(keyset, flags, out, capacity, len);
    case UNDER_KEY:
        return sivka_keyset_encrypt(keyset, master, data, data_len, flags, out, capacity, len);
    case BY_SERVICE:
        return sivka_encrypted_keyset_of(keyset, data, data_len, flags, out, capacity, len);
    case FOR_SERVICE:
        return sivka_encrypted_keyset_ciphertext(data, data_len, flags, out, capacity, len);
    }
    return SIVKA_ERROR_INTERNAL;
}

/* `given` is the AAD, what a service encrypted, or an encrypted keyset. */
static jbyteArray write_keyset(JNIEnv *env, jclass natives, jint form, jlong handle, jint flags,
                               jlong master, jbyteArray given)
{
    const sivka_keyset *keyset = as_keyset(handle);
    const enum form how = (enum form)form;
    const uint32_t bits = (uint32_t)flags;
    size_t data_len, len = 0;
    char *data = copy_of(env, given, &data_len), *out = NULL;
    if (data == NULL)
        return NULL;
    jbyteArray written = NULL;
    /* Asks for the length first, which never differs. */
    sivka_status status =
        write_to(how, keyset, as_key(master), data, data_len, bits, NULL, 0, &len);
    if (status == SIVKA_ERROR_CAPACITY && (out = malloc(len)) != NULL)
        status = write_to(how, keyset, as_key(master), data, data_len, bits, out, len, &len);
    if (status == SIVKA_ERROR_CAPACITY)
        throw_no_memory(env);
    else if (status != SIVKA_OK)
        throw_status(env, status);
    else if ((written = (*env)->NewByteArray(env, (jsize)len)) != NULL)
        (*env)->SetByteArrayRegion(env, written, 0, (jsize)len, (const jbyte *)out);
    drop_copy(out, len);
    drop_copy(data, data_len);
    return written;
}

static jlong new_keyset_key(JNIEnv *env, jclass natives, jlong handle, jint purpose)
{
    sivka_key *made = NULL;
    throw_unless_ok(env, sivka_keyset_key(as_keyset(handle), (sivka_keyset_purpose)purpose, &made));
    return (jlong)(uintptr_t)made;
}

/* What may be told. */

static sivka_keyset_info *inspect(JNIEnv *env, jlong handle)
{
    sivka_keyset_info *found = NULL;
    throw_unless_ok(env, sivka_inspect_keyset(as_keyset(handle), &found));
    return found;
}

/* How many keys, the primary's id, and what they are for. */
static void info(JNIEnv *env, jclass natives, jlong handle, jintArray numbers)
{
    sivka_keyset_info *found = inspect(env, handle);
    if (found == NULL)
        return;
    jint told[KEY_NUMBERS] = {(jint)found->key_count, (jint)found->primary_key_id,
                              (jint)sivka_keyset_primitive(as_keyset(handle))};
    (*env)->SetIntArrayRegion(env, numbers, 0, KEY_NUMBERS, told);
    sivka_keyset_info_free(found);
}

static jbyteArray key_at(JNIEnv *env, jclass natives, jlong handle, jint at, jintArray numbers)
{
    sivka_keyset_info *found = inspect(env, handle);
    if (found == NULL)
        return NULL;
    const sivka_keyset_key_info *key = &found->keys[at];
    jint told[KEY_NUMBERS] = {(jint)key->id, (jint)key->status, (jint)key->prefix};
    (*env)->SetIntArrayRegion(env, numbers, 0, KEY_NUMBERS, told);
    jsize len = (jsize)strlen(key->type_name);
    jbyteArray text = (*env)->NewByteArray(env, len);
    if (text != NULL)
        (*env)->SetByteArrayRegion(env, text, 0, len, (const jbyte *)key->type_name);
    sivka_keyset_info_free(found);
    return text;
}

/* Changes. */

static jint add(JNIEnv *env, jclass natives, jlong handle, jbyteArray template_name,
                jboolean promote)
{
    uint32_t id = 0;
    size_t len;
    char *name = copy_of(env, template_name, &len);
    if (name != NULL)
        throw_unless_ok(env, sivka_keyset_add(as_keyset(handle), name,
                                              promote ? SIVKA_KEYSET_AS_PRIMARY : 0, &id));
    drop_copy(name, len);
    return (jint)id;
}

/* The constants of NativeKeyset count from 0, those of sivka.h from 1. */
static void change(JNIEnv *env, jclass natives, jint operation, jlong handle, jint id)
{
    throw_unless_ok(env, sivka_keyset_change(as_keyset(handle),
                                             (sivka_keyset_change_kind)(operation + 1),
                                             (uint32_t)id));
}

const JNINativeMethod keyset_methods[] = {
    {"generateKeyset", "([B)J", (void *)generate},
    {"readKeyset", "([BIJ[B)J", (void *)read_keyset},
    {"writeKeyset", "(IJIJ[B)[B", (void *)write_keyset},
    {"newKeysetKey", "(JI)J", (void *)new_keyset_key},
    {"keysetInfo", "(J[I)V", (void *)info},
    {"keysetKeyAt", "(JI[I)[B", (void *)key_at},
    {"addToKeyset", "(J[BZ)I", (void *)add},
    {"changeKeyset", "(IJI)V", (void *)change},
    {0},
};
