/*
 * C's part in the matrix of languages: carries out what each line on standard input asks,
 * and answers it with one line. `matrix.rs` says what the lines are.
 */
#include "matrix/files.h"
#include "matrix/keysets.h"
#include "matrix/kuznyechik.h"
#include "matrix/many.h"

#define MAX_LINE (1 << 20)

/* One message: the key, what belongs to it, and what goes in. */
struct call {
    sivka_key *key;
    const sivka_algorithm_info *info;
    struct bytes nonce, aad, in;
    size_t less, tag_len;
    int sealing, in_place;
};

/* What was made; for a forgery, what is left in the memory where the text would be. */
static void answer_call(const struct call *call, sivka_status status, const unsigned char *made,
                        size_t len, const char *form)
{
    if (status == SIVKA_ERROR_OPEN && !call->sealing && strcmp(form, "drawn") != 0) {
        printf("forged ");
        answer(made, len);
    } else {
        CHECK(status != SIVKA_ERROR_OPEN || is_zeros(made, len));
        answer_or_forged(status, made, len);
    }
}

/* Ciphertext and tag in one piece, with or without the nonce; in place, where the plaintext is
 * where the ciphertext is. */
static void joined(const struct call *call, const char *form)
{
    const int drawn = strcmp(form, "drawn") == 0;
    const size_t front = drawn ? call->info->nonce_len : 0, tag_len = call->info->tag_len,
                 text_at = front + (call->info->tag_first ? tag_len : 0), in_len = call->in.len,
                 room = call->sealing               ? in_len + front + tag_len
                        : in_len < front + tag_len ? 0
                                                   : in_len - front - tag_len;
    struct bytes whole = painted(call->sealing ? room : in_len), apart = painted(room);
    unsigned char *in = call->in.at, *out = apart.at;
    sivka_status status;
    size_t len = room;

    if (call->in_place && call->sealing) {
        in = memcpy(whole.at + text_at, call->in.at, in_len);
        out = whole.at;
    } else if (call->in_place) {
        in = memcpy(whole.at, call->in.at, in_len);
        out = whole.at + text_at;
    }
    status = crypt_message(call->sealing, call->key, drawn ? NULL : call->nonce.at,
                           drawn ? 0 : call->nonce.len, call->aad.at, call->aad.len, in, in_len, out,
                           room - call->less, NULL, 0, &len);
    answer_call(call, status, out, len, form);
}

/* The tag by itself. */
static void detached(const struct call *call, const char *form)
{
    const size_t tag_len = call->info->tag_len, n = call->sealing ? call->in.len : call->in.len - tag_len,
                 text_at = call->info->tag_first ? tag_len : 0, tag_at = call->info->tag_first ? 0 : n;
    struct bytes text = new_bytes(n), tag = painted(SIVKA_MAX_TAG_LEN + 1), apart = painted(n),
                 whole = new_bytes(n + tag_len);
    unsigned char *out = call->in_place ? text.at : apart.at;
    sivka_status status;

    memcpy(text.at, call->in.at + (call->sealing ? 0 : text_at), n);
    if (!call->sealing)
        memcpy(tag.at, call->in.at + tag_at, tag_len);
    status = crypt_message(call->sealing, call->key, call->nonce.at, call->nonce.len, call->aad.at,
                           call->aad.len, text.at, n, out, n - call->less, tag.at, call->tag_len, NULL);
    if (call->sealing && status == SIVKA_OK) {
        memcpy(whole.at + text_at, out, n);
        memcpy(whole.at + tag_at, tag.at, tag_len);
        answer(whole.at, whole.len);
    } else {
        answer_call(call, status, out, n, form);
    }
}

static void seal_or_open(int sealing)
{
    const char *form = word(), *name = word(), *less;
    struct call call;

    call.key = key_of(name, word());
    if (call.key == NULL)
        return;
    call.info = sivka_inspect_algorithm(sivka_key_algorithm(call.key));
    call.nonce = parse(word());
    call.aad = parse(word());
    call.in = parse(word());
    less = last_word();
    call.less = less != NULL ? strtoul(less, NULL, 10) : 0;
    call.tag_len = less != NULL ? strtoul(word(), NULL, 10) : call.info->tag_len;
    call.sealing = sealing;
    call.in_place = strstr(form, "in-place") != NULL;
    if (strcmp(form, "apart") == 0 || strcmp(form, "in-place") == 0)
        detached(&call, form);
    else
        joined(&call, form);
    sivka_key_free(call.key);
}

/* AES-SIV with a list of associated data. */
static void with_list(int sealing)
{
    unsigned char *aads[SIVKA_MAX_STRINGS + 1];
    size_t aad_lens[SIVKA_MAX_STRINGS + 1], count = 0;
    struct bytes key_bytes = parse(word()), in = parse(word()), out;
    const sivka_algorithm algorithm = key_bytes.len == 32   ? SIVKA_AES_SIV_256
                                      : key_bytes.len == 48 ? SIVKA_AES_SIV_384
                                                            : SIVKA_AES_SIV_512;
    sivka_key *key = NULL;
    sivka_message message;
    sivka_status status;
    char *next;

    while ((next = last_word()) != NULL) {
        struct bytes string = parse(next);

        CHECK(count <= SIVKA_MAX_STRINGS);
        aads[count] = string.at;
        aad_lens[count++] = string.len;
    }
    CHECK_STATUS(SIVKA_OK, sivka_key_new(algorithm, key_bytes.at, key_bytes.len, &key));
    out = painted((sealing ? sivka_key_seal_len : sivka_key_open_len)(key, in.len));
    message = (sivka_message){.aads = (const unsigned char *const *)aads, .aad_lens = aad_lens,
                              .aad_count = count, .input = in.at, .input_len = in.len,
                              .output = out.at, .output_len = out.len};
    status = (sealing ? sivka_seal : sivka_open)(key, &message, NULL);
    CHECK(status != SIVKA_ERROR_OPEN || is_zeros(out.at, out.len));
    answer_or_forged(status, out.at, out.len);
    sivka_key_free(key);
}

int main(void)
{
    static char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *command = strtok(line, " \n");
        int sealing;

        CHECK(command != NULL);
        sealing = command[0] == 's';
        if (strcmp(command, "seal") == 0 || strcmp(command, "open") == 0)
            seal_or_open(sealing);
        else if (strcmp(command, "seal-strings") == 0 || strcmp(command, "open-strings") == 0)
            with_list(sealing);
        else if (strcmp(command, "encrypt-blocks") == 0 || strcmp(command, "decrypt-blocks") == 0)
            blocks(command[0] == 'e');
        else if (strcmp(command, "ctr") == 0)
            ctr();
        else if (strcmp(command, "omac") == 0 || strcmp(command, "omac-verify") == 0)
            omac(command[4] == '-');
        else if (strcmp(command, "seal-file") == 0)
            seal_file();
        else if (strncmp(command, "keyset-", 7) == 0)
            keyset(command + 7);
        else if (!opens_file(command))
            many(command + 5, sealing);
        free_kept();
        printf("\n");
        CHECK(fflush(stdout) == 0);
    }
    return 0;
}
