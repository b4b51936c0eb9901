//! Powers of the authentication key, only as many as the message needs.

use super::{FEW, GROUP, dot, set_steps, square};
use crate::kernel::polyval::{Step, Steps};
use core::arch::x86_64::*;

/// Eight powers stay in registers.
pub(in crate::kernel) type ShortRoom = Steps<0>;

/// The first eight powers of the authentication key, or four, and zeros for the others, for
/// texts of at most `N` vectors.
pub(in crate::kernel) struct LowPowers<const N: usize> {
    /// H^4, H^3, H^2, H^1 in lanes 0 to 3.
    pub(super) to_4: __m512i,
    /// H^8, H^7, H^6, H^5.
    pub(super) to_8: __m512i,
    /// H^4 and H^8 in every lane.
    pub(super) h4: __m512i,
    pub(super) h8: __m512i,
}

impl<const N: usize> LowPowers<N> {
    crate::tier::helpers! {
        "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni";
        /// The powers for a message of at most 64 bytes of AAD and `N` vectors.
        pub(in crate::kernel) fn for_message(
            h: __m128i, aad_len: usize, text_len: usize, _room: &mut ShortRoom,
            beside: &mut impl Step,
        ) -> Self {
            let mut powers = Self::first_four(h, beside);
            beside.step();
            beside.step();
            if aad_len.div_ceil(16) + text_len.div_ceil(16) > 3 {
                powers.add_four(&mut ());
            }
            powers
        }

        fn first_four(h: __m128i, beside: &mut impl Step) -> Self {
            let h = _mm512_broadcast_i32x4(h);
            let h2 = square(h, beside);
            let h2_h = _mm512_mask_blend_epi64(0b1100_1100, h2, h);
            let h4 = square(h2, &mut ());
            // Lanes 0 and 1 multiply H^2 by H^2 and H; lanes 2 and 3 are H^2 and H already.
            Self {
                to_4: _mm512_mask_blend_epi64(0b1111_0000, dot(h2, h2_h, beside), h2_h),
                to_8: _mm512_setzero_si512(),
                h4,
                h8: _mm512_setzero_si512(),
            }
        }

        fn add_four(&mut self, beside: &mut impl Step) {
            self.h8 = square(self.h4, &mut ());
            self.to_8 = dot(self.to_4, self.h4, beside);
        }
    }
}

/// The powers for groups of vectors, only as many as the message needs.
pub(in crate::kernel) struct Powers<'a> {
    pub(in crate::kernel) low: LowPowers<GROUP>,
    /// Whether there are [`HALF_GROUP`] steps at most.
    pub(super) few: bool,
    /// H^(4(k+1)) at k, which is itself in every lane, and the same under [`halves`].
    pub(super) steps: &'a Steps<GROUP>,
}

impl<'a> Powers<'a> {
    /// Prepares groups for messages of up to `vectors` vectors.
    #[inline]
    #[target_feature(enable = "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni")]
    pub(in crate::kernel) fn new(
        h: __m128i,
        vectors: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        let mut low = LowPowers::first_four(h, beside);
        low.add_four(beside);
        let h8 = low.h8;
        let h4_h8 = _mm512_mask_blend_epi64(0b1100_1100, low.h4, h8);
        if vectors <= 2 {
            set_steps(room, 0, h4_h8);
        } else {
            // Lanes 2 and 3 multiply H^8 by H^4 and H^8.
            let first = _mm512_mask_blend_epi64(0b1111_0000, h4_h8, dot(h8, h4_h8, beside));
            set_steps(room, 0, first);
            if vectors > 4 {
                // A square is there sooner than a product.
                let h16 = square(h8, &mut ());
                let second = dot(first, h16, beside);
                set_steps(room, 4, second);
                if vectors > FEW {
                    let h32 = square(h16, beside);
                    set_steps(room, 8, dot(first, h32, beside));
                    set_steps(room, 12, dot(second, h32, beside));
                }
            }
        }
        Self { low, few: vectors <= FEW, steps: room }
    }
}
