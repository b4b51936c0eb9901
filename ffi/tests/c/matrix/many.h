/* Many messages in one call. */
#ifndef SIVKA_MATRIX_MANY_H
#define SIVKA_MATRIX_MANY_H

#include "words.h"

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

static void batch(const sivka_key *key, const struct bytes *in, const size_t *aad_ends,
                  size_t count, int sealing, int as_list)
{
    const size_t tags_len = count * sivka_inspect_algorithm(sivka_key_algorithm(key))->tag_len;
    const size_t *ends = (const size_t *)(const void *)in[OFFSETS].at;
    const unsigned char **aads = keep(count * sizeof *aads);
    unsigned char **texts = keep(count * sizeof *texts);
    size_t *aad_lens = keep(count * sizeof *aad_lens),
           *text_lens = keep(count * sizeof *text_lens), i;
    sivka_status *statuses = keep(count * sizeof *statuses), status;
    sivka_messages messages;
    struct bytes out[2], tags = sealing ? new_bytes(tags_len) : in[MORE];

    for (i = 0; i < count; i++) {
        aads[i] = in[AADS].at + (aad_ends != NULL ? aad_ends[i] : 0);
        aad_lens[i] = aad_ends != NULL ? aad_ends[i + 1] - aad_ends[i] : in[AADS].len;
        texts[i] = in[TEXTS].at + ends[i];
        text_lens[i] = ends[i + 1] - ends[i];
    }
    messages = as_list ? (sivka_messages){.aad_list = aads, .aad_lens = aad_lens,
                                          .text_list = texts, .text_lens = text_lens}
                       : (sivka_messages){.aads = in[AADS].at, .aads_len = in[AADS].len,
                                          .aad_offsets = aad_ends, .texts = in[TEXTS].at,
                                          .texts_len = in[TEXTS].len, .text_offsets = ends};
    messages.count = count;
    messages.nonces = in[NONCES].at;
    messages.nonces_len = in[NONCES].len;
    messages.tags = tags.at;
    messages.tags_len = tags.len;
    messages.statuses = statuses;
    status = (sealing ? sivka_seal_many : sivka_open_many)(key, &messages);
    CHECK(status == SIVKA_OK || (status == SIVKA_ERROR_BATCH && !sealing));
    out[0] = in[TEXTS];
    out[1] = sealing ? tags : opened(statuses, count);
    answer_parts(out, 2);
}

static void column(const sivka_key *key, const struct bytes *in, const size_t *aad_ends,
                   size_t count, int sealing, uint32_t bits, size_t first_bit)
{
    sivka_status *statuses = keep(count * sizeof *statuses);
    const sivka_column values = {in[TEXTS].at, in[TEXTS].len, in[OFFSETS].at,
                                 in[MORE].len > 0 ? in[MORE].at : NULL, first_bit, bits};
    struct bytes out[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

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
}

/* The form that follows the dash of a command. */
static void many(const char *form, int sealing)
{
    const char *name = word();
    const uint32_t bits = (uint32_t)strtoul(word(), NULL, 10);
    const size_t first_bit = strtoul(word(), NULL, 10);
    const size_t *aad_ends = NULL;
    struct bytes in[PARTS];
    sivka_algorithm algorithm;
    sivka_key *key = NULL;
    size_t i, count;

    for (i = 0; i < PARTS; i++)
        in[i] = new_bytes(strtoul(word(), NULL, 10));
    for (i = 0; i < PARTS; i++)
        CHECK(fread(in[i].at, 1, in[i].len, stdin) == in[i].len);
    CHECK_STATUS(SIVKA_OK, sivka_algorithm_from_name(name, &algorithm));
    CHECK_STATUS(SIVKA_OK, sivka_key_new(algorithm, in[KEY].at, in[KEY].len, &key));
    if (in[AAD_OFFSETS].len > 0)
        aad_ends = (const size_t *)(const void *)in[AAD_OFFSETS].at;
    count = in[OFFSETS].len / (bits / 8) - 1;
    if (strcmp(form, "column") == 0)
        column(key, in, aad_ends, count, sealing, bits, first_bit);
    else
        batch(key, in, aad_ends, count, sealing, strcmp(form, "list") == 0);
    sivka_key_free(key);
}

#endif
