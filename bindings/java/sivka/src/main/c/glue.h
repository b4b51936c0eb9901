/* The shim between dev.sivka.internal.Native and sivka.h. */

#ifndef SIVKA_GLUE_H
#define SIVKA_GLUE_H

#include <jni.h>
#include <sivka.h>
#include <stdbool.h>
#include <stdint.h>

/* JNI gives every native its thread and its class, needed or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Native.FORGED: the length that says that a message does not open. */
#define FORGED ((jint)-1)

/* Throws the exception for a status, with the detail of this thread's last failure. In place, the
 * text is one argument in Java and two in C. No array may be lent then. */
void throw_status(JNIEnv *env, sivka_status status, bool is_in_place);

/* Throws an OutOfMemoryError. */
void throw_no_memory(JNIEnv *env);

/* Some bytes of Java: in an array, or, if that is NULL, at an address. */
typedef struct {
    jbyteArray array;
    jlong at;
    size_t len;
    bool is_written;
    /* The bytes themselves; and the beginning of the array that is lent, or of its copy. */
    uint8_t *bytes, *taken;
} region;

/* Borrows arrays from the collector, which waits, or leaves them where they are, until they are
 * given back; or copies them, with a zero after each. False without memory: give back what was
 * taken all the same. */
bool take(JNIEnv *env, region *all, int count, bool as_copies);

/* Gives them back, with what was written. Copies are wiped. */
void give_back(JNIEnv *env, region *all, int count, bool as_copies);

/* The memory at an address that Java carries as a number. */
static inline void *at_address(jlong address)
{
    return (void *)(uintptr_t)address;
}

/* The methods of a file, which JNI_OnLoad registers. */
extern const JNINativeMethod call_methods[], message_methods[];
enum { CALL_METHODS = 6, MESSAGE_METHODS = 3 };

#endif
