/* Loading, and the way of failures to Java. */

#include "sivka_java.h"
#include <string.h>

/* Weak: a global reference would keep the class loader for ever. While one of our methods runs,
 * the class is there. */
static jweak failures;
static jmethodID failures_of;

/* The bytes of a C string; NULL if it is, and with an OutOfMemoryError on its way. */
static jbyteArray bytes_of(JNIEnv *env, const char *text)
{
    if (text == NULL || (*env)->ExceptionCheck(env))
        return NULL;
    jsize len = (jsize)strlen(text);
    jbyteArray bytes = (*env)->NewByteArray(env, len);
    if (bytes != NULL)
        (*env)->SetByteArrayRegion(env, bytes, 0, len, (const jbyte *)text);
    return bytes;
}

/* Throws what Failures.of makes of an error. */
static void throw_error(JNIEnv *env, sivka_status status, const sivka_error *error)
{
    jbyteArray detail = bytes_of(env, error->detail);
    jbyteArray argument = bytes_of(env, error->argument);
    jbyteArray overlapped = bytes_of(env, error->overlapped);
    jbyteArray path = bytes_of(env, error->path);
    if ((*env)->ExceptionCheck(env))
        return;
    jclass class = (*env)->NewLocalRef(env, failures);
    if (class == NULL) {
        class = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
        if (class != NULL)
            (*env)->ThrowNew(env, class, error->detail);
        return;
    }
    jthrowable made = (*env)->CallStaticObjectMethod(env, class, failures_of, status, detail,
                                                     argument, overlapped, path,
                                                     (jint)error->os_code);
    if (made != NULL && !(*env)->ExceptionCheck(env))
        (*env)->Throw(env, made);
}

void throw_status(JNIEnv *env, sivka_status status)
{
    throw_error(env, status, sivka_last_error());
}

void throw_unless_ok(JNIEnv *env, sivka_status status)
{
    if (status != SIVKA_OK)
        throw_status(env, status);
}

void throw_misuse(JNIEnv *env, sivka_status status, const char *detail)
{
    throw_error(env, status, &(sivka_error){.detail = detail});
}

void throw_no_memory(JNIEnv *env)
{
    throw_misuse(env, SIVKA_ERROR_NO_MEMORY, sivka_status_message(SIVKA_ERROR_NO_MEMORY));
}

jint length_or_throw_in_place(JNIEnv *env, sivka_status status, size_t len)
{
    if (status != SIVKA_ERROR_OVERLAP)
        return length_or_throw(env, status, len);
    sivka_error error = *sivka_last_error();
    const char **names[] = {&error.argument, &error.overlapped};
    for (int i = 0; i < 2; i++)
        if (strcmp(*names[i], "plaintext") == 0 || strcmp(*names[i], "ciphertext") == 0)
            *names[i] = "in_out";
    throw_error(env, status, &error);
    return FORGED;
}

jint length_or_throw(JNIEnv *env, sivka_status status, size_t len)
{
    if (status == SIVKA_OK)
        return (jint)len;
    if (status != SIVKA_ERROR_OPEN)
        throw_status(env, status);
    return FORGED;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    /* Not found: the exception tells the one who loads. */
    jclass found = (*env)->FindClass(env, "dev/sivka/internal/Failures");
    if (found == NULL)
        return JNI_ERR;
    failures = (*env)->NewWeakGlobalRef(env, found);
    failures_of = (*env)->GetStaticMethodID(env, found, "of", "(I[B[B[B[BI)Ljava/lang/Throwable;");
    jclass natives = (*env)->FindClass(env, "dev/sivka/internal/Native");
    if (failures == NULL || failures_of == NULL || natives == NULL)
        return JNI_ERR;
    const JNINativeMethod *const tables[] = {
        key_methods,    message_methods, batch_methods, column_methods, kuznyechik_methods,
        file_methods,   stream_methods,  slot_methods,  keyset_methods};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        jint count = 0;
        while (tables[i][count].name != NULL)
            count++;
        if ((*env)->RegisterNatives(env, natives, tables[i], count) != 0)
            return JNI_ERR;
    }
    return JNI_VERSION_10;
}

/* The class loader is gone, and no call of ours can run. */
JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) == JNI_OK)
        (*env)->DeleteWeakGlobalRef(env, failures);
}
