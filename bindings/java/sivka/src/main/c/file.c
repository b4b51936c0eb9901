/* Keys of sealed files, and reading them in any order. Arrays are copied: nothing is lent while
 * files are read and written. */

#include "sivka_java.h"
#include <stdlib.h>
#include <string.h>

void wipe(void *memory, size_t len)
{
    memset(memory, 0, len);
    /* The memory is about to be freed: the compiler may not leave out the line above. */
    __asm__ volatile("" : : "r"(memory) : "memory");
}

char *copy_of(JNIEnv *env, jbyteArray array, size_t *len)
{
    *len = 0;
    if (array == NULL) {
        throw_misuse(env, SIVKA_ERROR_NULL, "array is NULL");
        return NULL;
    }
    *len = (size_t)(*env)->GetArrayLength(env, array);
    char *copy = malloc(*len + 1);
    if (copy == NULL) {
        throw_no_memory(env);
        return NULL;
    }
    (*env)->GetByteArrayRegion(env, array, 0, (jsize)*len, (jbyte *)copy);
    copy[*len] = 0;
    return copy;
}

void drop_copy(char *copy, size_t len)
{
    if (copy != NULL)
        wipe(copy, len);
    free(copy);
}

static jint suite(JNIEnv *env, jclass natives, jbyteArray name)
{
    sivka_suite found = 0;
    size_t len;
    char *text = copy_of(env, name, &len);
    if (text != NULL)
        throw_unless_ok(env, sivka_suite_from_name(text, &found));
    drop_copy(text, len);
    return (jint)found;
}

static jlong new_file_keys(JNIEnv *env, jclass natives)
{
    sivka_file_keys *made = NULL;
    throw_unless_ok(env, sivka_file_keys_new(&made));
    return (jlong)(uintptr_t)made;
}

/* Which text is added: the constants of Native. */
enum text { PASSPHRASE, RECIPIENTS, IDENTITIES };

static void add_text(JNIEnv *env, jclass natives, jint kind, jlong handle, jbyteArray array)
{
    sivka_file_keys *keys = as_keys(handle);
    size_t len;
    char *text = copy_of(env, array, &len);
    if (text != NULL)
        throw_unless_ok(env, kind == PASSPHRASE   ? sivka_file_keys_add_passphrase(keys, text, len)
                             : kind == RECIPIENTS ? sivka_file_keys_add_recipients(keys, text, len)
                                                  : sivka_file_keys_add_identities(keys, text, len));
    drop_copy(text, len);
}

/* A passphrase of null is none. */
static void add_key_file(JNIEnv *env, jclass natives, jlong keys, jbyteArray text,
                         jbyteArray passphrase)
{
    size_t text_len, passphrase_len = 0;
    char *content = copy_of(env, text, &text_len), *words = NULL;
    if (content != NULL && passphrase != NULL)
        words = copy_of(env, passphrase, &passphrase_len);
    if (content != NULL && (passphrase == NULL || words != NULL)) {
        sivka_status status = sivka_file_keys_add_key_file(as_keys(keys), content, text_len, words,
                                                           passphrase_len);
        /* The caller chose the method that takes none. */
        if (status == SIVKA_ERROR_EMPTY_PASSPHRASE && passphrase == NULL)
            throw_misuse(env, status,
                         "a passphrase protects the key file; give addKeyFile(file, passphrase)");
        else
            throw_unless_ok(env, status);
    }
    drop_copy(words, passphrase_len);
    drop_copy(content, text_len);
}

static void set_room(JNIEnv *env, jclass natives, jlong keys, jint slots)
{
    throw_unless_ok(env, sivka_file_keys_set_room(as_keys(keys), (size_t)slots));
}

static void set_cost(JNIEnv *env, jclass natives, jlong keys, jint memory_kib, jint passes,
                     jint lanes)
{
    throw_unless_ok(env, sivka_file_keys_set_cost(as_keys(keys), (uint32_t)memory_kib,
                                                  (uint32_t)passes, (uint32_t)lanes));
}

static void set_max_cost(JNIEnv *env, jclass natives, jlong keys, jint memory_kib, jint passes)
{
    throw_unless_ok(env, sivka_file_keys_set_max_cost(as_keys(keys), (uint32_t)memory_kib,
                                                      (uint32_t)passes));
}

static jbyteArray key_file(JNIEnv *env, jclass natives, jbyteArray name, jbyteArray key)
{
    char text[SIVKA_MAX_KEY_FILE_LEN];
    size_t text_len = 0, name_len, key_len = 0;
    char *name_text = copy_of(env, name, &name_len);
    char *bytes = key == NULL || name_text == NULL ? NULL : copy_of(env, key, &key_len);
    jbyteArray made = NULL;
    if (name_text != NULL && (key == NULL || bytes != NULL)) {
        sivka_status status =
            key == NULL ? sivka_generate_key_file(name_text, text, sizeof text, &text_len)
                        : sivka_key_file_from_bytes((const uint8_t *)bytes, key_len, name_text,
                                                    text, sizeof text, &text_len);
        throw_unless_ok(env, status);
        if (status == SIVKA_OK)
            made = (*env)->NewByteArray(env, (jsize)text_len);
        if (made != NULL)
            (*env)->SetByteArrayRegion(env, made, 0, (jsize)text_len, (const jbyte *)text);
    }
    wipe(text, sizeof text);
    drop_copy(bytes, key_len);
    drop_copy(name_text, name_len);
    return made;
}

static jlong new_file_reader(JNIEnv *env, jclass natives, jbyteArray input, jlong keys)
{
    sivka_file_reader *made = NULL;
    size_t len;
    char *path = copy_of(env, input, &len);
    if (path != NULL)
        throw_unless_ok(env, sivka_file_reader_new(path, as_keys(keys), &made));
    drop_copy(path, len);
    return (jlong)(uintptr_t)made;
}

static jlong file_len(JNIEnv *env, jclass natives, jlong reader)
{
    return (jlong)sivka_file_reader_len((const void *)at_address(reader));
}

/* Reads through a buffer of its own where an array is to be filled, which may be in part. */
static jint read_file(JNIEnv *env, jclass natives, jlong handle, jlong position, jbyteArray array,
                      jlong at, jint len)
{
    const sivka_file_reader *reader = (const void *)at_address(handle);
    size_t capacity = (size_t)len < LOAN_LEN ? (size_t)len : LOAN_LEN, read = 0;
    uint8_t *bytes = array == NULL ? at_address(at) : malloc(capacity + 1);
    if (bytes == NULL) {
        throw_no_memory(env);
        return 0;
    }
    sivka_status status =
        sivka_file_reader_read(reader, (uint64_t)position, bytes, capacity, &read);
    if (array != NULL) {
        if (status == SIVKA_OK)
            (*env)->SetByteArrayRegion(env, array, (jsize)at, (jsize)read, (const jbyte *)bytes);
        wipe(bytes, capacity);
        free(bytes);
    }
    throw_unless_ok(env, status);
    return (jint)read;
}

const JNINativeMethod file_methods[] = {
    {"suite", "([B)I", (void *)suite},
    {"newFileKeys", "()J", (void *)new_file_keys},
    {"addKeyFile", "(J[B[B)V", (void *)add_key_file},
    {"addText", "(IJ[B)V", (void *)add_text},
    {"setRoom", "(JI)V", (void *)set_room},
    {"setCost", "(JIII)V", (void *)set_cost},
    {"setMaxCost", "(JII)V", (void *)set_max_cost},
    {"keyFile", "([B[B)[B", (void *)key_file},
    {"newFileReader", "([BJ)J", (void *)new_file_reader},
    {"fileLen", "(J)J", (void *)file_len},
    {"readFile", "(JJ[BJI)I", (void *)read_file},
    {0},
};
