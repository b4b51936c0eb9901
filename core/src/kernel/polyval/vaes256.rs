//! POLYVAL on VPCLMULQDQ, two blocks in a 256-bit vector.
//!
//! The 512-bit kernel's idea at half the width: each lane runs a Horner sum of its
//! own in H^2, sixteen vectors to a reduction, and the lanes meet at the end:
//!
//! ```text
//! lanes        0     1
//! vector 0     X1    X2        A := A·H^2 + vector, lane by lane
//! tail         Y1    L         r < 2 blocks and the length block
//!
//! S = A·(H^(r+3), H^(r+2)) + tail·(H^(r+1) … H^1), summed over the lanes
//! ```

use super::products::{POLYNOMIAL, SWAP, groups, products};
use crate::kernel::vector::m128;
use crate::tier::bytes::{load128_padded, opaque256 as apart};
use _mm256_clmulepi64_epi128 as multiply;
use _mm256_shuffle_epi32 as exchange;
use core::arch::x86_64::*;

products!(m256, "avx2,vaes,vpclmulqdq", "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", GROUP: 16);
groups!("avx2,vaes,vpclmulqdq", "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq");

crate::tier::helpers! {
    "avx2";
    fn lane_0(x: __m256i) -> __m256i {
        _mm256_permute2x128_si256::<0x00>(x, x)
    }

    fn lane_1(x: __m256i) -> __m256i {
        _mm256_permute2x128_si256::<0x11>(x, x)
    }
}

/// Powers of the authentication key, only as many as the message needs.
pub(in crate::kernel) struct Powers<'a> {
    /// H^2 and H.
    to_2: __m256i,
    /// H^4 and H^3.
    to_4: __m256i,
    /// H^(2(k+1)) at k, which is itself in both lanes, and the same under [`halves`].
    steps: &'a Steps<GROUP>,
}

impl<'a> Powers<'a> {
    /// Prepares groups of up to `vectors` vectors, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn new(
        h: __m128i,
        vectors: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        let h = _mm256_broadcastsi128_si256(h);
        let h2 = square(h, beside);
        let to_2 = _mm256_blend_epi32::<0b1111_0000>(h2, h);
        let to_4 = dot(to_2, h2, beside);
        let h4 = lane_0(to_4);
        let h2_h4 = _mm256_blend_epi32::<0b1111_0000>(h2, h4);
        set_steps(room, 0, h2_h4);
        beside.step();
        beside.step();
        if vectors > 2 {
            let h6_h8 = dot(h2_h4, h4, &mut ());
            set_steps(room, 2, h6_h8);
            if vectors > 4 {
                let h8 = lane_1(h6_h8);
                let to_12 = dot(h2_h4, h8, &mut ());
                let to_16 = dot(h6_h8, h8, &mut ());
                set_steps(room, 4, to_12);
                set_steps(room, 6, to_16);
                if vectors > 8 {
                    let h16 = lane_1(to_16);
                    for (i, first) in [h2_h4, h6_h8, to_12, to_16].into_iter().enumerate() {
                        set_steps(room, 8 + 2 * i, dot(first, h16, &mut ()));
                    }
                }
            }
        }
        Self { to_2, to_4, steps: room }
    }
}

impl Horner {
    crate::tier::helpers! {
        "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq";
        /// Starts with at most one block, the last of a vector.
        fn pad_in_front(bytes: &[u8]) -> Self {
            let zero = _mm256_setzero_si256();
            match bytes {
                [] => Self(zero),
                _ => Self(_mm256_inserti128_si256::<1>(zero, load128_padded(bytes))),
            }
        }

        /// Folds the lanes together with the tail and the length block.
        pub(in crate::kernel) fn finish(
            self, powers: &Powers<'_>, tail: Tail, length: __m128i, beside: &mut impl Step,
        ) -> __m128i {
            let zero = _mm256_setzero_si256();
            let (tail, tail_powers, sum_powers) = match tail {
                // (L, 0)·(H, 0) and A·(H^3, H^2).
                None => (
                    _mm256_inserti128_si256::<0>(zero, length),
                    _mm256_permute2x128_si256::<0x81>(powers.to_2, powers.to_2),
                    _mm256_permute2x128_si256::<0x21>(powers.to_4, powers.to_2),
                ),
                // (Y1, L)·(H^2, H) and A·(H^4, H^3).
                Some((_, last)) => {
                    (_mm256_inserti128_si256::<1>(last, length), powers.to_2, powers.to_4)
                }
            };
            let mut product = Product::zero();
            product.add(tail, tail_powers, halves(tail_powers));
            product.add(self.0, sum_powers, halves(sum_powers));
            let lanes = reduce(product.parts(), beside);
            _mm_xor_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes))
        }
    }
}
