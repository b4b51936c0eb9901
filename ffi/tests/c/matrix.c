/*
 * C's part in the matrix of languages: carries out what each line on standard input asks,
 * and answers it with one line. `matrix.rs` says what the lines are.
 */
#include "check.h"

#define MAX_LINE (1 << 20)

struct bytes {
    unsigned char *at;
    size_t len;
};

static struct bytes new_bytes(size_t len)
{
    struct bytes bytes = {malloc(len > 0 ? len : 1), len};

    CHECK(bytes.at != NULL);
    return bytes;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef", *found = strchr(digits, c);

    CHECK(c != '\0' && found != NULL);
    return (int)(found - digits);
}

/* The bytes of hexadecimal digits; `-` is none. */
static struct bytes parse(const char *word)
{
    struct bytes bytes = new_bytes(strcmp(word, "-") == 0 ? 0 : strlen(word) / 2);
    size_t i;

    for (i = 0; i < bytes.len; i++)
        bytes.at[i] = (unsigned char)(digit(word[2 * i]) << 4 | digit(word[2 * i + 1]));
    return bytes;
}

static char *word(void)
{
    char *next = strtok(NULL, " \n");

    CHECK(next != NULL);
    return next;
}

static void answer(const unsigned char *bytes, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        printf("%02x", bytes[i]);
    if (len == 0)
        printf("-");
}

static sivka_key *key_of(const char *name, const char *digits)
{
    struct bytes key = parse(digits);
    sivka_key *made = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_key_new_by_name(name, key.at, key.len, &made));
    free(key.at);
    return made;
}

static void seal_or_open(int sealing)
{
    const char *name = word();
    sivka_key *key = key_of(name, word());
    const sivka_algorithm algorithm = sivka_key_algorithm(key);
    const char *nonce_word = word();
    const int drawn = strcmp(nonce_word, "auto") == 0;
    struct bytes nonce = parse(drawn ? "-" : nonce_word), aad = parse(word()), in = parse(word()),
                 out;
    sivka_status status;

    if (sealing)
        out = new_bytes(drawn ? sivka_seal_len(algorithm, in.len)
                              : sivka_seal_with_nonce_len(algorithm, in.len));
    else
        out = new_bytes(drawn ? sivka_open_len(algorithm, in.len)
                              : sivka_open_with_nonce_len(algorithm, in.len));
    if (drawn)
        status = (sealing ? sivka_seal : sivka_open)(key, aad.at, aad.len, in.at, in.len, out.at,
                                                     out.len, &out.len);
    else
        status = (sealing ? sivka_seal_with_nonce : sivka_open_with_nonce)(
            key, nonce.at, nonce.len, aad.at, aad.len, in.at, in.len, out.at, out.len, &out.len);
    if (status == SIVKA_ERROR_OPEN) {
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer(out.at, out.len);
    }
    sivka_key_free(key);
    free(nonce.at);
    free(aad.at);
    free(in.at);
    free(out.at);
}

/* What comes after a line about many messages, which says how long each part is. */
enum { KEY, NONCES, AADS, AAD_OFFSETS, TEXTS, OFFSETS, MORE, PARTS };

static void answer_parts(const struct bytes *parts, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++)
        printf(i > 0 ? " %zu" : "%zu", parts[i].len);
    printf("\n");
    for (i = 0; i < count; i++)
        CHECK(fwrite(parts[i].at, 1, parts[i].len, stdout) == parts[i].len);
}

/* Whether each message opened. */
static struct bytes opened(const sivka_status *statuses, size_t count)
{
    struct bytes opened = new_bytes(count);
    size_t i;

    for (i = 0; i < count; i++) {
        CHECK(statuses[i] == SIVKA_OK || statuses[i] == SIVKA_ERROR_OPEN);
        opened.at[i] = statuses[i] == SIVKA_OK;
    }
    return opened;
}

static void batch(const sivka_key *key, const struct bytes *in, size_t count, int sealing,
                  int as_list)
{
    const size_t tags_len = count * sivka_tag_len(sivka_key_algorithm(key));
    const size_t *ends = (const size_t *)(const void *)in[OFFSETS].at, *aad_ends = NULL;
    const unsigned char **aads = malloc((count + 1) * sizeof *aads);
    unsigned char **texts = malloc((count + 1) * sizeof *texts);
    size_t *aad_lens = malloc((count + 1) * sizeof *aad_lens),
           *text_lens = malloc((count + 1) * sizeof *text_lens), i;
    sivka_status *statuses = calloc(count + 1, sizeof *statuses), status;
    struct bytes out[2], tags = sealing ? new_bytes(tags_len) : in[MORE];

    CHECK(aads != NULL && texts != NULL && aad_lens != NULL && text_lens != NULL &&
          statuses != NULL);
    if (in[AAD_OFFSETS].len > 0)
        aad_ends = (const size_t *)(const void *)in[AAD_OFFSETS].at;
    for (i = 0; i < count; i++) {
        aads[i] = in[AADS].at + (aad_ends != NULL ? aad_ends[i] : 0);
        aad_lens[i] = aad_ends != NULL ? aad_ends[i + 1] - aad_ends[i] : in[AADS].len;
        texts[i] = in[TEXTS].at + ends[i];
        text_lens[i] = ends[i + 1] - ends[i];
    }
    if (as_list && sealing)
        status = sivka_seal_batch(key, count, in[NONCES].at, in[NONCES].len, aads, aad_lens,
                                  texts, text_lens, tags.at, tags.len, statuses);
    else if (as_list)
        status = sivka_open_batch(key, count, in[NONCES].at, in[NONCES].len, aads, aad_lens,
                                  texts, text_lens, tags.at, tags.len, statuses);
    else if (sealing)
        status = sivka_seal_batch_contiguous(key, count, in[NONCES].at, in[NONCES].len,
                                             in[AADS].at, in[AADS].len, aad_ends, in[TEXTS].at,
                                             in[TEXTS].len, ends, tags.at, tags.len, statuses);
    else
        status = sivka_open_batch_contiguous(key, count, in[NONCES].at, in[NONCES].len,
                                             in[AADS].at, in[AADS].len, aad_ends, in[TEXTS].at,
                                             in[TEXTS].len, ends, tags.at, tags.len, statuses);
    CHECK(status == SIVKA_OK || (status == SIVKA_ERROR_BATCH && !sealing));
    out[0] = in[TEXTS];
    out[1] = sealing ? tags : opened(statuses, count);
    answer_parts(out, 2);
    free(out[1].at);
    free(aads);
    free(aad_lens);
    free(texts);
    free(text_lens);
    free(statuses);
}

static void column(const sivka_key *key, const struct bytes *in, size_t count, int sealing,
                   uint32_t bits, size_t first_bit)
{
    const size_t *aad_ends = (const size_t *)(const void *)in[AAD_OFFSETS].at;
    sivka_status *statuses = calloc(count + 1, sizeof *statuses);
    sivka_column values = {NULL, 0, NULL, NULL, 0, 0};
    struct bytes out[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

    CHECK(statuses != NULL);
    values.bytes = in[TEXTS].at;
    values.bytes_len = in[TEXTS].len;
    values.offsets = in[OFFSETS].at;
    values.validity = in[MORE].len > 0 ? in[MORE].at : NULL;
    values.first_bit = first_bit;
    values.offset_bits = bits;
    if (in[AAD_OFFSETS].len == 0)
        aad_ends = NULL;
    CHECK_STATUS(SIVKA_OK, (sealing ? sivka_sealed_column_len
                                    : sivka_opened_column_len)(key, count, &values, &out[0].len));
    out[0] = new_bytes(out[0].len);
    out[1] = new_bytes(in[OFFSETS].len);
    if (sealing) {
        CHECK_STATUS(SIVKA_OK, sivka_seal_column(key, count, &values, in[AADS].at, in[AADS].len,
                                                 aad_ends, in[NONCES].at, in[NONCES].len,
                                                 out[0].at, out[0].len, out[1].at, bits));
    } else {
        sivka_status status =
            sivka_open_column(key, count, &values, in[AADS].at, in[AADS].len, aad_ends, out[0].at,
                              out[0].len, out[1].at, bits, statuses);

        CHECK(status == SIVKA_OK || status == SIVKA_ERROR_BATCH);
        out[2] = opened(statuses, count);
    }
    answer_parts(out, sealing ? 2 : 3);
    free(out[0].at);
    free(out[1].at);
    free(out[2].at);
    free(statuses);
}

/* The form that follows the dash of a command. */
static void many(const char *form, int sealing)
{
    const char *name = word();
    const uint32_t bits = (uint32_t)strtoul(word(), NULL, 10);
    const size_t first_bit = strtoul(word(), NULL, 10);
    struct bytes in[PARTS];
    sivka_key *key = NULL;
    size_t i, count;

    for (i = 0; i < PARTS; i++)
        in[i] = new_bytes(strtoul(word(), NULL, 10));
    for (i = 0; i < PARTS; i++)
        CHECK(fread(in[i].at, 1, in[i].len, stdin) == in[i].len);
    CHECK_STATUS(SIVKA_OK, sivka_key_new_by_name(name, in[KEY].at, in[KEY].len, &key));
    count = in[OFFSETS].len / (bits / 8) - 1;
    if (strcmp(form, "column") == 0)
        column(key, in, count, sealing, bits, first_bit);
    else
        batch(key, in, count, sealing, strcmp(form, "list") == 0);
    sivka_key_free(key);
    for (i = 0; i < PARTS; i++)
        free(in[i].at);
}

static sivka_file_keys *file_keys(const char *path)
{
    sivka_file_keys *keys = NULL;
    char text[SIVKA_MAX_KEY_FILE_LEN];
    FILE *file = fopen(path, "rb");
    size_t len;

    CHECK(file != NULL);
    len = fread(text, 1, sizeof text, file);
    fclose(file);
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&keys));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_add_key_file(keys, text, len));
    return keys;
}

static void seal_file(void)
{
    sivka_suite suite = 0;
    sivka_file_keys *keys;
    const char *input;

    CHECK_STATUS(SIVKA_OK, sivka_suite_from_name(word(), &suite));
    keys = file_keys(word());
    input = word();
    CHECK_STATUS(SIVKA_OK, sivka_seal_file(input, word(), keys, suite, 0));
    sivka_file_keys_free(keys);
    printf("done");
}

static void open_file(void)
{
    sivka_file_keys *keys = file_keys(word());
    const char *input = word();
    sivka_status status = sivka_open_file(input, word(), keys, 0);

    if (status >= SIVKA_ERROR_NOT_SIVKA && status <= SIVKA_ERROR_WRONG_KEY) {
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        printf("done");
    }
    sivka_file_keys_free(keys);
}

static int is_deterministic(const sivka_keyset *keyset)
{
    return sivka_keyset_primitive(keyset) == SIVKA_KEYSET_DETERMINISTIC_AEAD;
}

static sivka_keyset *keyset_of(const char *digits, uint32_t form)
{
    struct bytes bytes = parse(digits);
    sivka_keyset *made = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_keyset_from_insecure(bytes.at, bytes.len, form, &made));
    free(bytes.at);
    return made;
}

static void answer_keyset(const sivka_keyset *keyset, uint32_t form)
{
    struct bytes out = {NULL, 0};

    CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                 sivka_keyset_to_insecure(keyset, form, NULL, 0, &out.len));
    out = new_bytes(out.len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_to_insecure(keyset, form, out.at, out.len, NULL));
    answer(out.at, out.len);
    free(out.at);
}

static void keyset_encrypt(const sivka_keyset *master)
{
    struct bytes aad = parse(word()), out = {NULL, 0};
    sivka_keyset *keyset = keyset_of(word(), SIVKA_KEYSET_JSON);

    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_keyset_encrypt(keyset, master, aad.at, aad.len,
                                                            SIVKA_KEYSET_JSON, NULL, 0, &out.len));
    out = new_bytes(out.len);
    CHECK_STATUS(SIVKA_OK, sivka_keyset_encrypt(keyset, master, aad.at, aad.len, SIVKA_KEYSET_JSON,
                                                out.at, out.len, NULL));
    answer(out.at, out.len);
    sivka_keyset_free(keyset);
    free(aad.at);
    free(out.at);
}

static void keyset_decrypt(const sivka_keyset *master)
{
    struct bytes aad = parse(word()), in = parse(word());
    sivka_keyset *keyset = NULL;
    sivka_status status = sivka_keyset_decrypt(master, aad.at, aad.len, in.at, in.len,
                                               SIVKA_KEYSET_JSON, &keyset);

    if (status == SIVKA_ERROR_OPEN) {
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    }
    sivka_keyset_free(keyset);
    free(aad.at);
    free(in.at);
}

static void keyset_seal_or_open(const sivka_keyset *keyset, int sealing)
{
    struct bytes aad = parse(word()), in = parse(word()),
                 out = new_bytes(sealing ? sivka_keyset_seal_len(keyset, in.len)
                                         : sivka_keyset_open_len(keyset, in.len));
    sivka_status status;

    if (is_deterministic(keyset))
        status = (sealing ? sivka_keyset_seal_deterministically
                          : sivka_keyset_open_deterministically)(
            keyset, aad.at, aad.len, in.at, in.len, out.at, out.len, &out.len);
    else
        status = (sealing ? sivka_keyset_seal : sivka_keyset_open)(
            keyset, aad.at, aad.len, in.at, in.len, out.at, out.len, &out.len);
    if (status == SIVKA_ERROR_OPEN) {
        printf("forged");
    } else {
        CHECK_STATUS(SIVKA_OK, status);
        answer(out.at, out.len);
    }
    free(aad.at);
    free(in.at);
    free(out.at);
}

/* The command without its `keyset-`. */
static void keyset(const char *command)
{
    sivka_keyset *keyset = NULL;

    if (strcmp(command, "new") == 0) {
        CHECK_STATUS(SIVKA_OK, sivka_keyset_generate(word(), &keyset));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "rotate") == 0) {
        const char *name = word();

        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        CHECK_STATUS(SIVKA_OK, sivka_keyset_rotate(keyset, name, NULL));
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else if (strcmp(command, "from-binary") == 0) {
        keyset = keyset_of(word(), SIVKA_KEYSET_BINARY);
        answer_keyset(keyset, SIVKA_KEYSET_JSON);
    } else {
        keyset = keyset_of(word(), SIVKA_KEYSET_JSON);
        if (strcmp(command, "to-binary") == 0)
            answer_keyset(keyset, SIVKA_KEYSET_BINARY);
        else if (strcmp(command, "encrypt") == 0)
            keyset_encrypt(keyset);
        else if (strcmp(command, "decrypt") == 0)
            keyset_decrypt(keyset);
        else if (strcmp(command, "seal") == 0 || strcmp(command, "open") == 0)
            keyset_seal_or_open(keyset, command[0] == 's');
        else
            CHECK(!"a command of keysets");
    }
    sivka_keyset_free(keyset);
}

int main(void)
{
    static char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *command = strtok(line, " \n");

        CHECK(command != NULL);
        if (strcmp(command, "seal") == 0 || strcmp(command, "open") == 0)
            seal_or_open(command[0] == 's');
        else if (strcmp(command, "seal-file") == 0)
            seal_file();
        else if (strcmp(command, "open-file") == 0)
            open_file();
        else if (strncmp(command, "keyset-", 7) == 0)
            keyset(command + 7);
        else if (strncmp(command, "seal-", 5) == 0 || strncmp(command, "open-", 5) == 0)
            many(command + 5, command[0] == 's');
        else
            CHECK(!"a command");
        printf("\n");
        CHECK(fflush(stdout) == 0);
    }
    return 0;
}
