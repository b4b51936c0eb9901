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

static void batch(const sivka_key *key, const struct bytes *in, size_t count, int sealing,
                  int as_list)
{
    const size_t tags_len = count * sivka_inspect_algorithm(sivka_key_algorithm(key))->tag_len;
    const size_t *ends = (const size_t *)(const void *)in[OFFSETS].at, *aad_ends = NULL;
    const unsigned char **aads = keep(count * sizeof *aads);
    unsigned char **texts = keep(count * sizeof *texts);
    size_t *aad_lens = keep(count * sizeof *aad_lens), *text_lens = keep(count * sizeof *text_lens), i;
    sivka_status *statuses = keep(count * sizeof *statuses), status;
    sivka_messages messages;
    struct bytes out[2], tags = sealing ? new_bytes(tags_len) : in[MORE];

    if (in[AAD_OFFSETS].len > 0)
        aad_ends = (const size_t *)(const void *)in[AAD_OFFSETS].at;
    for (i = 0; i < count; i++) {
        aads[i] = in[AADS].at + (aad_ends != NULL ? aad_ends[i] : 0);
        aad_lens[i] = aad_ends != NULL ? aad_ends[i + 1] - aad_ends[i] : in[AADS].len;
        texts[i] = in[TEXTS].at + ends[i];
        text_lens[i] = ends[i + 1] - ends[i];
    }
    messages = (sivka_messages){.count = count, .nonces = in[NONCES].at, .nonces_len = in[NONCES].len,
                                .tags = tags.at, .tags_len = tags.len, .statuses = statuses};
    if (as_list) {
        messages.aad_list = aads;
        messages.aad_lens = aad_lens;
        messages.text_list = texts;
        messages.text_lens = text_lens;
    } else {
        messages.aads = in[AADS].at;
        messages.aads_len = in[AADS].len;
        messages.aad_offsets = aad_ends;
        messages.texts = in[TEXTS].at;
        messages.texts_len = in[TEXTS].len;
        messages.text_offsets = ends;
    }
    status = (sealing ? sivka_seal_many : sivka_open_many)(key, &messages);
    CHECK(status == SIVKA_OK || (status == SIVKA_ERROR_BATCH && !sealing));
    out[0] = in[TEXTS];
    out[1] = sealing ? tags : opened(statuses, count);
    answer_parts(out, 2);
}

static void column(const sivka_key *key, const struct bytes *in, size_t count, int sealing,
                   uint32_t bits, size_t first_bit)
{
    const size_t *aad_ends = (const size_t *)(const void *)in[AAD_OFFSETS].at;
    sivka_status *statuses = keep(count * sizeof *statuses);
    const sivka_column values = {in[TEXTS].at, in[TEXTS].len, in[OFFSETS].at,
                                 in[MORE].len > 0 ? in[MORE].at : NULL, first_bit, bits};
    struct bytes out[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

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
}

/* The form that follows the dash of a command. */
static void many(const char *form, int sealing)
{
    const char *name = word();
    const uint32_t bits = (uint32_t)strtoul(word(), NULL, 10);
    const size_t first_bit = strtoul(word(), NULL, 10);
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
    count = in[OFFSETS].len / (bits / 8) - 1;
    if (strcmp(form, "column") == 0)
        column(key, in, count, sealing, bits, first_bit);
    else
        batch(key, in, count, sealing, strcmp(form, "list") == 0);
    sivka_key_free(key);
}

#endif
