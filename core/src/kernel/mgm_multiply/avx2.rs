//! MGM's multiplication on PCLMULQDQ.

use super::{MgmMultiply, portable};
use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, Vaes256, kernel};
use core::arch::x86_64::*;

/// The parts of Karatsuba's rule, each summed on its own: low, high, and the product of
/// the sums of the halves.
pub(crate) struct Sum {
    low: __m128i,
    high: __m128i,
    both: __m128i,
}

/// `$avx2` makes the token of this tier. It is enough for the 256-bit VAES tier, because the cipher
/// beside it leaves units free.
macro_rules! impl_mgm_multiply {
    ($tier:ident, $avx2:expr) => {
        impl MgmMultiply for $tier {
            type Sum = Sum;

            #[inline(always)]
            fn zero(self) -> Sum {
                let zero = load128(&[0; 16]);
                Sum {
                    low: zero,
                    high: zero,
                    both: zero,
                }
            }

            #[inline(always)]
            fn multiply_add(self, sum: &mut Sum, h: &[Block], data: &[u8]) {
                multiply_add($avx2(self), sum, h, data);
            }

            #[inline(always)]
            fn reduce(self, sum: Sum) -> Block {
                reduce(sum.low, sum.high, sum.both)
            }
        }
    };
}
impl_mgm_multiply!(Avx2, core::convert::identity);
impl_mgm_multiply!(Vaes256, Vaes256::avx2);

/// A block as a number: the field's elements are big-endian.
#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> __m128i {
    let reversed = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_shuffle_epi8(load128(block), reversed)
}

#[inline]
#[target_feature(enable = "pclmulqdq,avx2")]
fn multiply_add_one(sum: &mut Sum, h: &Block, data: &Block) {
    let (h, x) = (load(h), load(data));
    let folded = |v| _mm_xor_si128(v, _mm_shuffle_epi32::<0x4e>(v));
    sum.low = _mm_xor_si128(sum.low, _mm_clmulepi64_si128::<0x00>(h, x));
    sum.high = _mm_xor_si128(sum.high, _mm_clmulepi64_si128::<0x11>(h, x));
    let both = _mm_clmulepi64_si128::<0x00>(folded(h), folded(x));
    sum.both = _mm_xor_si128(sum.both, both);
}

kernel! {
    fn multiply_add(tier: Avx2, sum: &mut Sum, h: &[Block], data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        for (h, block) in h.iter().zip(blocks) {
            multiply_add_one(sum, h, block);
        }
        if let (false, Some(h)) = (rest.is_empty(), h.last()) {
            let mut block = [0; 16];
            block[..rest.len()].copy_from_slice(rest);
            multiply_add_one(sum, h, &block);
        }
    }
}

/// Joins the parts and reduces, once a message.
#[inline(always)]
pub(super) fn reduce(low: __m128i, high: __m128i, both: __m128i) -> Block {
    let [low, high, both] = [low, high, both].map(|v| {
        let mut bytes = [0; 16];
        store128(&mut bytes, v);
        u128::from_le_bytes(bytes)
    });
    let middle = both ^ low ^ high;
    let low = low ^ middle << 64;
    let high = high ^ middle >> 64;
    portable::reduce([
        low as u64,
        (low >> 64) as u64,
        high as u64,
        (high >> 64) as u64,
    ])
}
