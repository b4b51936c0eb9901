/*
 * Opens sealed files, whole and not, from memory, salvages one, and seals what they hold again in
 * memory and piece by piece. The argument is a folder. The matrix opens in pieces.
 */
#include "files.h"
#include "pieces.h"

/* Memory of exactly so many bytes, so that a checker sees who goes beyond it. */
static unsigned char *memory(size_t len)
{
    return memset(keep(len), 0xaa, len);
}

/* Seals in memory and piece by piece, and opens both again. */
static void seals(const unsigned char *plain, size_t len, const sivka_file_keys *keys)
{
    const size_t sealed_len = sivka_seal_memory_len(keys, 0, len);
    unsigned char *sealed = memory(sealed_len), *opened = memory(len);
    unsigned char *output = memory(sealed_len);
    sivka_sealer *sealer = NULL;
    size_t found = 0, used, given;

    CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                 sivka_seal_memory(plain, len, sealed, sealed_len - 1, &found, keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(plain, len, sealed, sealed_len, &found, keys, 0));
    CHECK(found == sealed_len && sivka_open_memory_len(sealed, sealed_len) == len);
    CHECK_STATUS(SIVKA_OK, sivka_open_memory(sealed, sealed_len, opened, len, NULL, keys));
    CHECK(memcmp(opened, plain, len) == 0);

    CHECK_STATUS(SIVKA_OK, sivka_sealer_new(keys, 0, &sealer));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_sealer_finish(sealer, opened, 0, &given));
    CHECK(seal_pieces(sealer, plain, len, output, sealed_len, 1) == sealed_len);
    CHECK_STATUS(SIVKA_ERROR_WRITE, sivka_sealer_update(sealer, plain, 0, &used, opened, len, &given));
    CHECK_STATUS(SIVKA_OK, sivka_sealer_finish(sealer, opened, 1, &given));
    CHECK(given == 0);
    sivka_sealer_free(sealer);
    CHECK_STATUS(SIVKA_OK, sivka_open_memory(output, sealed_len, opened, len, &found, keys));
    CHECK(found == len && memcmp(opened, plain, len) == 0);

    /* A caller whose source failed frees the sealer, and leaves no end. */
    CHECK_STATUS(SIVKA_OK, sivka_sealer_new(keys, 0, &sealer));
    found = seal_pieces(sealer, plain, len, output, sealed_len, 0);
    sivka_sealer_free(sealer);
    CHECK_STATUS(len > 0 ? SIVKA_ERROR_TRUNCATED : SIVKA_ERROR_NOT_SIVKA,
                 sivka_open_memory(output, found, opened, len, &found, keys));
}

/* Salvages a file that has lost its first chunk, and stops. The matrix looks at what is in it. */
static void salvages(const char *path, const sivka_file_keys *keys, const char *output)
{
    struct heard heard = {0};
    sivka_salvage *found = NULL;

    CHECK_STATUS(SIVKA_OK, sivka_salvage_file(path, output, keys, 0, hear, &heard, &found));
    CHECK(found->open_status == SIVKA_ERROR_DAMAGED && heard.times > 0 && remove(output) == 0);
    CHECK(found->lost_count == 1 && found->lost[0].start == 0 && found->lost[0].len == found->lost_len);
    CHECK(found->lost_len == 16384);
    sivka_salvage_free(found);
    heard.stops_at_once = 1;
    CHECK_STATUS(SIVKA_ERROR_CANCELLED,
                 sivka_salvage_file(path, output, keys, 0, hear, &heard, &found));
    /* Nor is it said what was found where the output can't be. */
    CHECK(found == NULL && sivka_salvage_file(path, "", keys, 0, NULL, NULL, &found) != SIVKA_OK);
    CHECK(found == NULL && fopen(output, "rb") == NULL);
}

static void one(const char *path, const sivka_file_keys *keys, const char *output, sivka_status expected)
{
    size_t sealed_len, room, i, len = 0;
    unsigned char *sealed = content(path, &sealed_len), *opened;
    sivka_inspection *inspection = NULL;

    room = sivka_open_memory_len(sealed, sealed_len);
    opened = memory(room);
    CHECK_STATUS(expected, sivka_open_memory(sealed, sealed_len, opened, room, &len, keys));
    if (expected == SIVKA_OK) {
        CHECK(len == room);
        seals(opened, len, keys);
        if (room > 0)
            CHECK_STATUS(SIVKA_ERROR_CAPACITY,
                         sivka_open_memory(sealed, sealed_len, opened, room - 1, &len, keys));
        CHECK_STATUS(SIVKA_OK, sivka_inspect_memory(sealed, SIVKA_FILE_HEADER_LEN, &inspection));
        CHECK(inspection->slot_count == 2 && inspection->slots[1].kind == SIVKA_SLOT_PASSPHRASE);
        sivka_inspection_free(inspection);
    } else {
        CHECK(len == 0);
        for (i = 0; i < room; i++)
            CHECK(opened[i] == 0 || opened[i] == 0xaa);
    }
    if (expected == SIVKA_ERROR_DAMAGED)
        salvages(path, keys, output);
}

/* The plaintext of a chunk does not wait for another one. */
static void chunk_by_chunk(const sivka_file_keys *keys)
{
    enum { LEN = 40000, CHUNK_LEN = 16384 };
    const size_t room = sivka_seal_memory_len(keys, 0, LEN);
    unsigned char *text = memory(LEN), *sealed = memory(room), *opened = memory(LEN);
    sivka_opener *opener = NULL;
    size_t i, used, len, all = 0;

    CHECK_STATUS(SIVKA_OK, sivka_seal_memory(text, LEN, sealed, room, NULL, keys, 0));
    CHECK_STATUS(SIVKA_OK, sivka_opener_new(keys, &opener));
    for (i = 0; i < room; i++) {
        CHECK_STATUS(SIVKA_OK, sivka_opener_update(opener, sealed + i, 1, &used, opened + all, LEN - all, &len));
        CHECK(used == 1 && (len == 0 || len == CHUNK_LEN));
        all += len;
    }
    CHECK(all == 2 * CHUNK_LEN && memcmp(opened, text, all) == 0);
    sivka_opener_free(opener);
}

static void misuse(const sivka_file_keys *keys)
{
    unsigned char bytes[8] = {0}, out[8];
    sivka_sealer *sealer = (sivka_sealer *)bytes;
    sivka_opener *opener = (sivka_opener *)bytes;
    size_t used = 1, len = 1;

    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_sealer_new(NULL, 0, &sealer));
    CHECK_STATUS(SIVKA_ERROR_SUITE, sivka_sealer_new(keys, 99, &sealer));
    CHECK(sealer == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_sealer_update(NULL, bytes, 1, &used, out, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_sealer_finish(NULL, out, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_new(NULL, &opener));
    CHECK(opener == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_update(NULL, bytes, 1, &used, out, 1, &len));
    CHECK(used == 0 && len == 0);
    CHECK_STATUS(SIVKA_OK, sivka_opener_new(keys, &opener));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_update(opener, NULL, 1, &used, out, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_update(opener, bytes, 1, NULL, out, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_update(opener, bytes, 1, &used, NULL, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_opener_update(opener, bytes, 1, &used, out, 1, NULL));
    CHECK_STATUS(SIVKA_ERROR_OVERLAP, sivka_opener_update(opener, bytes, 8, &used, bytes + 7, 1, &len));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_opener_finish(opener, out, 0, &len));
    /* None of these was the end, and none was taken. */
    CHECK_STATUS(SIVKA_OK, sivka_opener_update(opener, bytes, 8, &used, NULL, 0, &len));
    CHECK(used == 8 && len == 0);
    CHECK_STATUS(SIVKA_ERROR_NOT_SIVKA, sivka_opener_finish(opener, out, 1, &len));
    sivka_opener_free(opener);
    CHECK(sivka_seal_memory_len(keys, 99, 1) == 0 && sivka_seal_memory_len(keys, 0, SIZE_MAX) == 0);
    CHECK(sivka_seal_memory_len(NULL, 0, 1) == 0);
    CHECK(sivka_open_memory_len(bytes, 1) == 0 && sivka_open_memory_len(NULL, 9) == 0);
    sivka_sealer_free(NULL);
    sivka_opener_free(NULL);
}

int main(int count, char **arguments)
{
    static const size_t lens[] = {0, 1, 16384, 40000};
    sivka_file_keys *keys = keys_of('k');
    size_t i;

    CHECK(count == 2);
    misuse(keys);
    chunk_by_chunk(keys);
    sivka_file_keys_free(keys);
    for (i = 0; i < sizeof lens / sizeof *lens; i++)
        each_file(arguments[1], lens[i], one);
    return report();
}
