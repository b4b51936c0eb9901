/* What Turns compares with: the C interface called from a loop in C. */

#include <jni.h>
#include <sivka.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

JNIEXPORT jlong JNICALL Java_Turns_loop(JNIEnv *env, jclass turns, jboolean is_seal, jint length,
                                        jint times)
{
    (void)env, (void)turns;
    static sivka_key *key;
    static uint8_t *plaintext, *sealed;
    static const uint8_t secret[32];
    uint8_t nonce[12] = {0};
    size_t len = (size_t)length, written;
    if (key == NULL) {
        plaintext = calloc(len + 1, 1);
        sealed = calloc(len + 16, 1);
        if (plaintext == NULL || sealed == NULL ||
            sivka_key_new_by_name("AES-256-GCM-SIV", secret, sizeof secret, &key) != SIVKA_OK ||
            sivka_seal_with_nonce(key, nonce, 12, NULL, 0, plaintext, len, sealed, len + 16,
                                  &written) != SIVKA_OK)
            abort();
    }
    int64_t begin = now();
    for (jint i = 0; i < times; i++) {
        sivka_status status;
        if (is_seal) {
            nonce[0]++;
            status = sivka_seal_with_nonce(key, nonce, 12, NULL, 0, plaintext, len, sealed,
                                           len + 16, &written);
        } else {
            status = sivka_open_with_nonce(key, nonce, 12, NULL, 0, sealed, len + 16, plaintext,
                                           len, &written);
        }
        if (status != SIVKA_OK)
            abort();
    }
    return now() - begin;
}
