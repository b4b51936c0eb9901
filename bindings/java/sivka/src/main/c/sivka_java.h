/* The shim between dev.sivka.internal.Native and sivka.h. */

#ifndef SIVKA_JAVA_H
#define SIVKA_JAVA_H

#include <jni.h>
#include <sivka.h>
#include <stdbool.h>
#include <stdint.h>

/* JNI gives every native its thread and its class, needed or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Native.FORGED: the length that says that a message does not open. */
#define FORGED ((jint)-1)

/* How many bytes are worked on, about, while the collector waits for arrays that it lent. */
#define LOAN_LEN ((size_t)2 << 20)

/* Throws the exception for a status, with the detail of this thread's last failure. No array
 * may be lent then. */
void throw_status(JNIEnv *env, sivka_status status);

/* The same, if there is one. */
void throw_unless_ok(JNIEnv *env, sivka_status status);

/* Throws the exception for a misuse that the shim found itself. */
void throw_misuse(JNIEnv *env, sivka_status status, const char *detail);

/* Throws an OutOfMemoryError. */
void throw_no_memory(JNIEnv *env);

/* What a call that wrote `len` bytes returns to Java: throws unless it opened or is forged. */
jint length_or_throw(JNIEnv *env, sivka_status status, size_t len);

/* The same where the text is one argument in Java and two in C, at one place. */
jint length_or_throw_in_place(JNIEnv *env, sivka_status status, size_t len);

/* Copies an array, with a zero after it. Throws and returns NULL without memory. */
char *copy_of(JNIEnv *env, jbyteArray array, size_t *len);

/* Overwrites memory with zeros, also if nobody reads it any more. */
void wipe(void *memory, size_t len);

/* Wipes and frees such a copy; NULL is allowed. */
void drop_copy(char *copy, size_t len);

/* A copy of an array of offsets. What is negative becomes greater than any buffer is long. NULL
 * without memory. */
size_t *copy_offsets(JNIEnv *env, jintArray array);

/* The memory at an address that Java carries as a number. */
static inline uint8_t *at_address(jlong address)
{
    return (uint8_t *)(uintptr_t)address;
}

/* The key behind a handle. */
static inline const sivka_key *as_key(jlong handle)
{
    return (const sivka_key *)(uintptr_t)handle;
}

/* The set of file keys behind a handle. */
static inline sivka_file_keys *as_keys(jlong handle)
{
    return (sivka_file_keys *)(uintptr_t)handle;
}

/* The methods of each file, which JNI_OnLoad registers; the last of each has no name. */
extern const JNINativeMethod key_methods[], message_methods[], batch_methods[], column_methods[];
extern const JNINativeMethod kuznyechik_methods[], file_methods[], stream_methods[], slot_methods[];
extern const JNINativeMethod keyset_methods[];

#endif
