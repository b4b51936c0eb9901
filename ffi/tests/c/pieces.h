/* Streams piece by piece. */
#ifndef SIVKA_TEST_PIECES_H
#define SIVKA_TEST_PIECES_H

#include "check.h"

/* Seals in pieces of an odd length, into rooms of another, and ends if `ends` is not 0. What came out is at `out`,
 * which has room for `room` bytes. */
static inline size_t seal_pieces(sivka_sealer *sealer, const uint8_t *text, size_t len, uint8_t *out, size_t room,
                                 int ends)
{
    size_t at, used = 0, given, all = 0;

    for (at = 0; at < len; at += used) {
        const size_t piece = len - at < 9999 ? len - at : 9999, left = room - all < 7001 ? room - all : 7001;

        CHECK_STATUS(SIVKA_OK,
                     sivka_sealer_update(sealer, text + at, piece, &used, out + all, left, &given));
        CHECK(used <= piece && given <= left && (used == piece || given == left));
        all += given;
    }
    for (given = 1; ends && given > 0; all += given) {
        unsigned char part[501];

        CHECK_STATUS(SIVKA_OK, sivka_sealer_finish(sealer, part, sizeof part, &given));
        CHECK(given <= sizeof part && given <= room - all);
        memcpy(out + all, part, given);
    }
    return all;
}

/* Opens in the same way to the end, or to a failure, which is returned, with as much as came out before. Then nothing
 * more comes out. */
static inline sivka_status open_pieces(sivka_opener *opener, const uint8_t *sealed, size_t len, uint8_t *out,
                                       size_t *out_len)
{
    sivka_status status = SIVKA_OK;
    unsigned char part[1000];
    size_t at = 0, used, given;

    *out_len = 0;
    while (status == SIVKA_OK && at < len) {
        const size_t piece = len - at < 7001 ? len - at : 7001;

        status = sivka_opener_update(opener, sealed + at, piece, &used, part, sizeof part, &given);
        CHECK(used <= piece && given <= sizeof part);
        CHECK(status == SIVKA_OK ? used == piece || given == sizeof part : used == 0 && given == 0);
        memcpy(out + *out_len, part, given);
        *out_len += given;
        at += used;
    }
    for (given = 1; status == SIVKA_OK && given > 0; *out_len += given) {
        status = sivka_opener_finish(opener, part, sizeof part, &given);
        CHECK(given <= (status == SIVKA_OK ? sizeof part : 0));
        memcpy(out + *out_len, part, given);
    }
    CHECK_STATUS(SIVKA_ERROR_READ,
                 sivka_opener_update(opener, sealed, len, &used, part, sizeof part, &given));
    CHECK(used == 0 && given == 0);
    /* The end stays one. */
    CHECK_STATUS(status == SIVKA_OK ? SIVKA_OK : SIVKA_ERROR_READ,
                 sivka_opener_finish(opener, part, sizeof part, &given));
    CHECK(given == 0);
    return status;
}

#endif
