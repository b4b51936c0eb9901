//! Two blocks in a vector, with GFNI.

use super::super::aes_field::{
    L, L_INVERSE, Multipliers, RENAME, RENAME_BACK, RENAMED, RENAMED_BACK,
};
use super::super::avx2::few_blocks::{
    LANES, in_both_lanes as in_lanes, load_pair as load, store_pair as store,
};
use super::super::byte_sliced::gfni;
use super::super::lanes::{key_schedule, lanes, linear};
use super::super::pi::compose;
use super::*;
use _mm256_alignr_epi8 as align;
use _mm256_gf2p8mul_epi8 as multiply;
use _mm256_shuffle_epi32 as turn_words;

static PI: Tables<i64> =
    tables(matrices(compose(tabulate(ALPHA), RENAMED_BACK)), compose(RENAMED, tabulate(OMEGA)));
static PI_INVERSE: InverseTables<i64> = inverse_tables(
    matrices(compose(invert(tabulate(OMEGA)), RENAMED_BACK)),
    compose(RENAMED, invert(tabulate(ALPHA))),
);

crate::tier::helpers! {
    "avx2,gfni";
    fn enter(v: Vector) -> Vector {
        apply(&RENAME, v)
    }

    fn leave(v: Vector) -> Vector {
        apply(&RENAME_BACK, v)
    }
}

linear!("avx2,gfni");
lanes!(Vaes256Gfni, "avx2,gfni", VECTORS: 4 or 1);
key_schedule!(Vaes256Gfni, gfni::sliced);
