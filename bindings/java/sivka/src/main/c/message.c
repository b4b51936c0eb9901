/* One message: in a lane's memory, which Java filled, or in Java's own arrays and buffers. */

#include "glue.h"
#include <string.h>

/* How many bytes are worked on, about, while the collector waits for arrays that it lent. */
#define LOAN_LEN ((size_t)2 << 20)

/* What is to be done: the constants of Native. */
enum operation { SEAL, OPEN, SEAL_WITH_NONCE, OPEN_WITH_NONCE, SEAL_DETACHED, OPEN_DETACHED };

/* In its callers, because through another call they cost a short message some of its time. A nonce
 * or tag of the caller's is one also if it has no bytes. */
__attribute__((always_inline)) static inline sivka_status
run(enum operation operation, const sivka_key *key, const uint8_t *nonce, size_t nonce_len,
    const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len, uint8_t *out,
    size_t out_len, uint8_t *tag, size_t tag_len, size_t *len)
{
    static uint8_t nothing[1];
    const bool has_nonce = operation >= SEAL_WITH_NONCE, has_tag = operation >= SEAL_DETACHED;
    const sivka_message message = {
        .nonce = !has_nonce ? NULL : nonce != NULL ? nonce : nothing,
        .nonce_len = has_nonce ? nonce_len : 0,
        .aad = aad, .aad_len = aad_len, .input = in, .input_len = in_len,
        .output = out, .output_len = out_len,
        .tag = !has_tag ? NULL : tag != NULL ? tag : nothing,
        .tag_len = has_tag ? tag_len : 0,
    };
    *len = out_len;
    return operation % 2 == SEAL ? sivka_seal(key, &message, len) : sivka_open(key, &message, len);
}

/* What a call that wrote `len` bytes returns to Java: throws unless it opened or is forged. */
static jint length_or_throw(JNIEnv *env, enum operation operation, sivka_status status, size_t len)
{
    if (status == SIVKA_OK)
        return (jint)len;
    if (status != SIVKA_ERROR_OPEN)
        throw_status(env, status, operation >= SEAL_DETACHED);
    return FORGED;
}

static jint in_lane(JNIEnv *env, jclass natives, jint operation, jlong handle, jlong memory,
                    jint aad_len, jint nonce_len, jint tag_len, jint in_at, jint in_len,
                    jint out_at, jint out_len)
{
    uint8_t *aad = at_address(memory), *nonce = aad + aad_len, *tag = nonce + nonce_len;
    uint8_t *in = aad + in_at, *out = aad + out_at;
    size_t len = 0;
    sivka_status status =
        run((enum operation)operation, at_address(handle), nonce, (size_t)nonce_len, aad,
            (size_t)aad_len, in, (size_t)in_len, out, (size_t)out_len, tag, (size_t)tag_len, &len);
    /* A lane keeps no plaintext: it became the ciphertext, or is wiped. */
    if (operation % 2 == 0 && (out > in || status != SIVKA_OK))
        memset(in, 0, (size_t)in_len);
    return length_or_throw(env, (enum operation)operation, status, len);
}

enum { NONCE, AAD, IN, OUT, TAG, REGIONS };

/* With strings of such lengths, which are one after the other in the place of the AAD. */
static sivka_status run_list(enum operation operation, const sivka_key *key, const region r[REGIONS],
                             const jint *lens, size_t count, size_t *len)
{
    const uint8_t *aads[SIVKA_MAX_STRINGS], *next = r[AAD].bytes;
    size_t aad_lens[SIVKA_MAX_STRINGS];
    for (size_t i = 0; i < count && i < SIVKA_MAX_STRINGS; next += lens[i++]) {
        aads[i] = next;
        aad_lens[i] = (size_t)lens[i];
    }
    const sivka_message message = {.aads = aads, .aad_lens = aad_lens, .aad_count = count,
                                   .input = r[IN].bytes, .input_len = r[IN].len,
                                   .output = r[OUT].bytes, .output_len = r[OUT].len};
    return operation == SEAL ? sivka_seal(key, &message, len) : sivka_open(key, &message, len);
}

static jint message(JNIEnv *env, jclass natives, jint operation, jlong handle, jbyteArray nonce,
                    jlong nonce_at, jint nonce_len, jbyteArray aad, jlong aad_at, jint aad_len,
                    jbyteArray in, jlong in_at, jint in_len, jbyteArray out, jlong out_at,
                    jint out_len, jbyteArray tag, jlong tag_at, jint tag_len, jintArray lens)
{
    region r[REGIONS] = {
        [NONCE] = {.array = nonce, .at = nonce_at, .len = (size_t)nonce_len},
        [AAD] = {.array = aad, .at = aad_at, .len = (size_t)aad_len},
        [IN] = {.array = in, .at = in_at, .len = (size_t)in_len},
        [OUT] = {.array = out, .at = out_at, .len = (size_t)out_len, .is_written = true},
        [TAG] = {.array = tag, .at = tag_at, .len = (size_t)tag_len,
                 .is_written = operation == SEAL_DETACHED},
    };
    jint lengths[SIVKA_MAX_STRINGS];
    const jsize strings = lens == NULL ? 0 : (*env)->GetArrayLength(env, lens);
    const bool is_long = r[IN].len > LOAN_LEN || r[AAD].len > LOAN_LEN;
    size_t len = 0;
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    if (lens != NULL)
        (*env)->GetIntArrayRegion(env, lens, 0, strings < SIVKA_MAX_STRINGS ? strings : SIVKA_MAX_STRINGS,
                                  lengths);
    if (take(env, r, REGIONS, is_long))
        status = lens != NULL
                     ? run_list((enum operation)operation, at_address(handle), r, lengths,
                                (size_t)strings, &len)
                     : run((enum operation)operation, at_address(handle), r[NONCE].bytes,
                           r[NONCE].len, r[AAD].bytes, r[AAD].len, r[IN].bytes, r[IN].len,
                           r[OUT].bytes, r[OUT].len, r[TAG].bytes, r[TAG].len, &len);
    give_back(env, r, REGIONS, is_long);
    if (status == SIVKA_ERROR_NO_MEMORY) {
        throw_no_memory(env);
        return FORGED;
    }
    return length_or_throw(env, (enum operation)operation, status, len);
}

/* Encrypts or decrypts blocks of Kuznyechik; the length is that of whole blocks, or refused. */
static void blocks(JNIEnv *env, jclass natives, jboolean is_encrypt, jlong handle, jbyteArray array,
                   jlong at, jint len)
{
    region in_out = {.array = array, .at = at, .len = (size_t)len, .is_written = true};
    const bool is_long = in_out.len > LOAN_LEN / 16;
    sivka_status status = SIVKA_ERROR_NO_MEMORY;
    if (take(env, &in_out, 1, is_long))
        status = (is_encrypt ? sivka_kuznyechik_encrypt_blocks : sivka_kuznyechik_decrypt_blocks)(
            at_address(handle), in_out.bytes, in_out.len);
    give_back(env, &in_out, 1, is_long);
    if (status == SIVKA_ERROR_NO_MEMORY)
        throw_no_memory(env);
    else if (status != SIVKA_OK)
        throw_status(env, status, false);
}

const JNINativeMethod message_methods[MESSAGE_METHODS] = {
    {"inLane", "(IJJIIIIIII)I", (void *)in_lane},
    {"message", "(IJ[BJI[BJI[BJI[BJI[BJI[I)I", (void *)message},
    {"blocks", "(ZJ[BJI)V", (void *)blocks},
};
