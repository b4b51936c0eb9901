//! The operations of POLYVAL on PMULL, under the names and numbers of x86-64.

use crate::tier::bytes::whole;
use core::arch::aarch64::*;

crate::tier::helpers! {
    "neon,aes";
    /// The product of the lower halves, or of the upper ones.
    pub(super) fn multiply[const UPPER: i32](a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let [a, b] = [a, b].map(|v| vreinterpretq_p64_u8(whole(v)));
        let low = |v| vgetq_lane_p64::<0>(v);
        vreinterpretq_u8_p128(match UPPER {
            0x00 => vmull_p64(low(a), low(b)),
            _ => vmull_high_p64(a, b),
        })
    }

    /// The halves exchanged.
    pub(super) fn exchange[const SWAP: i32](x: uint8x16_t) -> uint8x16_t {
        vextq_u8::<8>(x, x)
    }
}
