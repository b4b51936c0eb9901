//! MGM's multiplication on PMULL.

use super::{MgmMultiply, portable};
use crate::kernel::Block;
use crate::tier::bytes::{load128, load128_padded, store128};
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;

/// The parts of Karatsuba's rule, each summed on its own: low, high, and the product of
/// the sums of the halves.
pub(crate) struct Sum {
    low: Block,
    high: Block,
    both: Block,
}

impl Drop for Sum {
    #[inline(always)]
    fn drop(&mut self) {
        for part in [&mut self.low, &mut self.high, &mut self.both] {
            crate::tier::secret::wipe(part);
        }
    }
}

impl MgmMultiply for Neon {
    type Sum = Sum;

    #[inline(always)]
    fn zero(self) -> Sum {
        Sum {
            low: [0; 16],
            high: [0; 16],
            both: [0; 16],
        }
    }

    #[inline(always)]
    fn multiply_add(self, sum: &mut Sum, h: &[Block], data: &[u8]) {
        multiply_add(self, sum, h, data);
    }

    #[inline(always)]
    fn reduce(self, sum: Sum) -> Block {
        reduce(&sum)
    }
}

/// A block as a number: the field's elements are big-endian.
#[inline]
#[target_feature(enable = "neon")]
fn number(block: uint8x16_t) -> uint8x16_t {
    let turned = vrev64q_u8(block);
    vextq_u8::<8>(turned, turned)
}

/// Three sums in registers.
struct Parts {
    low: uint8x16_t,
    high: uint8x16_t,
    both: uint8x16_t,
}

impl Parts {
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn add(&mut self, h: uint8x16_t, x: uint8x16_t) {
        let (h, x) = (number(h), number(x));
        let low = |v| vgetq_lane_p64::<0>(vreinterpretq_p64_u8(v));
        let folded = |v| veorq_u8(v, vextq_u8::<8>(v, v));
        let product = vmull_p64(low(h), low(x));
        self.low = veorq_u8(self.low, vreinterpretq_u8_p128(product));
        let product = vmull_high_p64(vreinterpretq_p64_u8(h), vreinterpretq_p64_u8(x));
        self.high = veorq_u8(self.high, vreinterpretq_u8_p128(product));
        let product = vmull_p64(low(folded(h)), low(folded(x)));
        self.both = veorq_u8(self.both, vreinterpretq_u8_p128(product));
    }
}

kernel! {
    fn multiply_add(tier: Neon, sum: &mut Sum, h: &[Block], data: &[u8]) {
        let mut parts = Parts {
            low: load128(&sum.low),
            high: load128(&sum.high),
            both: load128(&sum.both),
        };
        let (blocks, rest) = data.as_chunks();
        for (h, block) in h.iter().zip(blocks) {
            parts.add(load128(h), load128(block));
        }
        if let (false, Some(h)) = (rest.is_empty(), h.last()) {
            parts.add(load128(h), load128_padded(rest));
        }
        store128(&mut sum.low, parts.low);
        store128(&mut sum.high, parts.high);
        store128(&mut sum.both, parts.both);
    }
}

/// Joins the parts and reduces, once a message.
fn reduce(sum: &Sum) -> Block {
    let [low, high, both] = [sum.low, sum.high, sum.both].map(u128::from_le_bytes);
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
