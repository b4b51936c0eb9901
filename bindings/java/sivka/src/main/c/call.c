/* The functions of sivka.h, each by its place in a table that the build writes; memory; and the way
 * of failures to Java. */

#include "glue.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Throws what Failures.of makes of an error. */
static void throw_error(JNIEnv *env, sivka_status status, bool is_in_place, const sivka_error *error)
{
    /* By the class loader of Native, whose method is running. */
    jclass failures = (*env)->FindClass(env, "dev/sivka/internal/Failures");
    if (failures == NULL)
        return;
    jmethodID of = (*env)->GetStaticMethodID(env, failures, "of", "(IZJ)Ljava/lang/Throwable;");
    jthrowable made = of == NULL ? NULL
                                 : (*env)->CallStaticObjectMethod(env, failures, of, status, is_in_place,
                                                                  (jlong)(uintptr_t)error);
    if (made != NULL && !(*env)->ExceptionCheck(env))
        (*env)->Throw(env, made);
}

void throw_status(JNIEnv *env, sivka_status status, bool is_in_place)
{
    throw_error(env, status, is_in_place, sivka_last_error());
}

void throw_no_memory(JNIEnv *env)
{
    const sivka_error error = {.detail = sivka_status_message(SIVKA_ERROR_NO_MEMORY)};
    throw_error(env, SIVKA_ERROR_NO_MEMORY, false, &error);
}

bool take(JNIEnv *env, region *all, int count, bool as_copies)
{
    for (region *r = all; r < all + count; r++) {
        if (r->array == NULL) {
            r->bytes = at_address(r->at);
        } else if (as_copies) {
            r->bytes = r->taken = malloc(r->len + 1);
            if (r->taken == NULL)
                return false;
            (*env)->GetByteArrayRegion(env, r->array, (jsize)r->at, (jsize)r->len, (jbyte *)r->bytes);
            r->bytes[r->len] = 0;
        } else {
            r->taken = (*env)->GetPrimitiveArrayCritical(env, r->array, NULL);
            if (r->taken == NULL)
                return false;
            r->bytes = r->taken + r->at;
        }
    }
    return true;
}

void give_back(JNIEnv *env, region *all, int count, bool as_copies)
{
    for (region *r = all + count - 1; r >= all; r--) {
        if (r->taken != NULL && as_copies) {
            if (r->is_written)
                (*env)->SetByteArrayRegion(env, r->array, (jsize)r->at, (jsize)r->len,
                                           (const jbyte *)r->bytes);
            sivka_wipe(r->taken, r->len);
            free(r->taken);
        } else if (r->taken != NULL) {
            (*env)->ReleasePrimitiveArrayCritical(env, r->array, r->taken,
                                                  r->is_written ? 0 : JNI_ABORT);
        }
    }
}

/* An argument of a function: a number, bytes, or an object of Progress. */
typedef struct {
    int64_t number;
    region region;
    JNIEnv *env;
    jobject object;
} argument;

/* Its parameters are a letter and a name each, with a zero after it:
 * h  a handle or another address
 * u  a number of 32 bits; s, of 64
 * r  bytes that are read; w, that may be written; l, the length of those before it
 * o  what the function writes, which Java gets
 * p  a progress; c, its context */
typedef struct {
    int64_t (*run)(argument *);
    bool gives_status;
    const char *parameters;
} function;

enum { MOST_PARAMETERS = 12 };

/* What Java throws stays for the caller, and stops the work. */
static int32_t tell(void *context, uint64_t plaintext_len)
{
    const argument *progress = context;
    JNIEnv *env = progress->env;
    if ((*env)->ExceptionCheck(env))
        return 1;
    jclass class = (*env)->GetObjectClass(env, progress->object);
    jmethodID reached = (*env)->GetMethodID(env, class, "reached", "(J)Z");
    (*env)->DeleteLocalRef(env, class);
    return reached == NULL ||
           !(*env)->CallBooleanMethod(env, progress->object, reached, (jlong)plaintext_len) ||
           (*env)->ExceptionCheck(env);
}

#include "functions.h"

/* Refuses a number that the type of C does not have. */
static bool is_allowed(JNIEnv *env, const char *parameter, int64_t number)
{
    const bool is_short = *parameter == 'u';
    if ((*parameter != 's' && !is_short) || (number >= 0 && (!is_short || number <= UINT32_MAX)))
        return true;
    char detail[120];
    snprintf(detail, sizeof detail, "%s: %s expected, %lld given", parameter + 1,
             is_short ? "a number from 0 to 4294967295" : "0 or more", (long long)number);
    const sivka_error error = {.detail = detail, .argument = parameter + 1};
    throw_error(env, SIVKA_ERROR_TOO_LONG, false, &error);
    return false;
}

/* Of each argument Java gives two numbers: itself, an address, or where it begins in an array; and
 * its length. The array, or progress, is in `objects`. */
static jlong run(JNIEnv *env, jclass natives, jint place, jobjectArray objects, jlongArray numbers)
{
    const function *f = &functions[place];
    argument a[MOST_PARAMETERS] = {0};
    jlong given[2 * MOST_PARAMETERS];
    (*env)->GetLongArrayRegion(env, numbers, 0, (*env)->GetArrayLength(env, numbers), given);
    int count = 0, of_java = 0;
    bool is_ready = true;
    for (const char *p = f->parameters; *p != 0 && is_ready; p += strlen(p) + 1, count++) {
        if (*p == 'l')
            a[count].number = (int64_t)a[count - 1].region.len;
        if (*p == 'l' || *p == 'o' || *p == 'c')
            continue;
        const jlong number = given[2 * of_java], len = given[2 * of_java + 1];
        jobject object = (*env)->GetObjectArrayElement(env, objects, of_java++);
        a[count] = (argument){.number = number, .env = env, .object = object};
        if (*p == 'r' || *p == 'w') {
            a[count].region = (region){.array = object, .at = number, .len = (size_t)len,
                                       .is_written = *p == 'w'};
            is_ready = take(env, &a[count].region, 1, true);
            if (!is_ready)
                throw_no_memory(env);
        } else {
            is_ready = is_allowed(env, p, number);
        }
    }
    const int64_t result = is_ready ? f->run(a) : 0;
    uint64_t answer = f->gives_status ? 0 : (uint64_t)result;
    const char *p = f->parameters;
    for (int i = 0; i < count; i++, p += strlen(p) + 1) {
        /* Of two, the first is in the upper half. */
        if (*p == 'o')
            answer = answer << 32 | (uint64_t)a[i].number;
        give_back(env, &a[i].region, 1, true);
    }
    if (f->gives_status && result != SIVKA_OK && result != SIVKA_ERROR_BATCH &&
        !(*env)->ExceptionCheck(env))
        throw_status(env, (sivka_status)result, false);
    return (jlong)answer;
}

static jlong address(JNIEnv *env, jclass natives, jobject direct)
{
    return (jlong)(uintptr_t)(*env)->GetDirectBufferAddress(env, direct);
}

static jobject memory(JNIEnv *env, jclass natives, jlong address, jint len)
{
    return (*env)->NewDirectByteBuffer(env, at_address(address), len);
}

static jbyteArray string(JNIEnv *env, jclass natives, jlong address)
{
    jsize len = (jsize)strlen(at_address(address));
    jbyteArray bytes = (*env)->NewByteArray(env, len);
    if (bytes != NULL)
        (*env)->SetByteArrayRegion(env, bytes, 0, len, at_address(address));
    return bytes;
}

static jlong allocate(JNIEnv *env, jclass natives, jlong len)
{
    void *made = calloc((size_t)len + 1, 1);
    if (made == NULL)
        throw_no_memory(env);
    return (jlong)(uintptr_t)made;
}

static void release(JNIEnv *env, jclass natives, jlong address, jlong len)
{
    sivka_wipe(at_address(address), (size_t)len);
    free(at_address(address));
}

const JNINativeMethod call_methods[CALL_METHODS] = {
    {"run", "(I[Ljava/lang/Object;[J)J", (void *)run},
    {"address", "(Ljava/nio/ByteBuffer;)J", (void *)address},
    {"memory", "(JI)Ljava/nio/ByteBuffer;", (void *)memory},
    {"string", "(J)[B", (void *)string},
    {"allocate", "(J)J", (void *)allocate},
    {"release", "(JJ)V", (void *)release},
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    /* Not found: the exception tells the one who loads. */
    jclass natives = (*env)->FindClass(env, "dev/sivka/internal/Native");
    if (natives == NULL ||
        (*env)->RegisterNatives(env, natives, call_methods, CALL_METHODS) != 0 ||
        (*env)->RegisterNatives(env, natives, message_methods, MESSAGE_METHODS) != 0)
        return JNI_ERR;
    return JNI_VERSION_10;
}
