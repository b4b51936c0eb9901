/* Key slots of sealed files. */

#include "sivka_java.h"

/* What Java reads for each slot: its kind, memory, passes and lanes. */
enum { SLOT_NUMBERS = 4 };

static void put_slots(JNIEnv *env, const sivka_inspection *found, jintArray numbers,
                      jbyteArray key_ids)
{
    for (jsize i = 0; i < (jsize)found->slot_count; i++) {
        const sivka_slot *slot = &found->slots[i];
        jint told[SLOT_NUMBERS] = {(jint)slot->kind, (jint)slot->memory_kib, (jint)slot->passes,
                                   (jint)slot->lanes};
        (*env)->SetIntArrayRegion(env, numbers, i * SLOT_NUMBERS, SLOT_NUMBERS, told);
        (*env)->SetByteArrayRegion(env, key_ids, i * SIVKA_KEY_ID_LEN, SIVKA_KEY_ID_LEN,
                                   (const jbyte *)slot->key_id);
    }
}

static jint inspect_file(JNIEnv *env, jclass natives, jbyteArray file, jobjectArray suite,
                         jintArray numbers, jbyteArray key_ids)
{
    sivka_inspection *found = NULL;
    jsize count = 0;
    size_t len;
    char *path = copy_of(env, file, &len);
    if (path == NULL)
        return 0;
    sivka_status status = sivka_inspect_file(path, &found);
    throw_unless_ok(env, status);
    drop_copy(path, len);
    if (status == SIVKA_OK) {
        const char *name = sivka_suite_name(found->suite);
        jstring text = (*env)->NewStringUTF(env, name == NULL ? "" : name);
        if (text != NULL) {
            (*env)->SetObjectArrayElement(env, suite, 0, text);
            count = (jsize)found->slot_count;
            put_slots(env, found, numbers, key_ids);
        }
    }
    sivka_inspection_free(found);
    return count;
}

/* Adds a key if `slot` is -1, and removes one if nothing is added. */
static jint change_slot(JNIEnv *env, jclass natives, jbyteArray file, jlong keys, jint slot,
                        jlong added)
{
    size_t place = (size_t)slot, len;
    char *path = copy_of(env, file, &len);
    if (path != NULL)
        throw_unless_ok(env,
                        slot < 0     ? sivka_add_slot(path, as_keys(keys), as_keys(added), &place)
                        : added == 0 ? sivka_remove_slot(path, as_keys(keys), place)
                                     : sivka_replace_slot(path, as_keys(keys), place, as_keys(added)));
    drop_copy(path, len);
    return (jint)place;
}

static void key_file_id(JNIEnv *env, jclass natives, jbyteArray text, jbyteArray id)
{
    uint8_t found[SIVKA_KEY_ID_LEN] = {0};
    size_t len;
    char *copy = copy_of(env, text, &len);
    if (copy != NULL) {
        sivka_status status = sivka_key_file_id(copy, len, found, sizeof found);
        if (status == SIVKA_OK)
            (*env)->SetByteArrayRegion(env, id, 0, sizeof found, (const jbyte *)found);
        throw_unless_ok(env, status);
    }
    drop_copy(copy, len);
}

static void check_key_path(JNIEnv *env, jclass natives, jbyteArray path)
{
    size_t len;
    char *copy = copy_of(env, path, &len);
    if (copy != NULL)
        throw_unless_ok(env, sivka_check_key_path(copy, len));
    drop_copy(copy, len);
}

const JNINativeMethod slot_methods[] = {
    {"inspectFile", "([B[Ljava/lang/String;[I[B)I", (void *)inspect_file},
    {"changeSlot", "([BJIJ)I", (void *)change_slot},
    {"keyFileId", "([B[B)V", (void *)key_file_id},
    {"checkKeyPath", "([B)V", (void *)check_key_path},
    {0},
};
