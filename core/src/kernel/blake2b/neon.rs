//! BLAKE2b on AArch64: one stream in general registers, or four in the lanes of vectors,
//! two in each.

use super::lanes::compress_lanes;
use super::{Blake2b, Block, Run, State};
use crate::tier::Neon;
use crate::tier::bytes::{load128, store128};
use core::arch::aarch64::*;

type Vector = [uint64x2_t; 2];
const LANES: usize = 4;

compress_lanes!(impl Neon, core::convert::identity, FEWEST: 2);

fn compress_lanes(tier: Neon, states: &mut [State], runs: &[Run<'_>]) {
    match tier.with_sha3() {
        Some(tier) => sha3::compress_lanes(tier, states, runs),
        None => plain::compress_lanes(tier, states, runs),
    }
}

/// The rounds with the instructions of every CPU.
mod plain {
    use super::*;

    compress_lanes!(Neon, "neon", apart);

    crate::tier::helpers! {
        "neon";
        /// By 24 bits.
        fn xor_ror24(a: Vector, b: Vector) -> Vector {
            const RIGHT_24: [u8; 16] = [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10];
            xor(a, b).map(|sum| look_up(&RIGHT_24, sum))
        }

        /// By 63 bits, which is one to the left.
        fn xor_ror63(a: Vector, b: Vector) -> Vector {
            xor(a, b).map(|sum| vsriq_n_u64::<63>(vaddq_u64(sum, sum), sum))
        }
    }
}

/// The rounds with XAR, which adds and turns at once, but on many CPUs in one of four units
/// only: it is left to the turns that cost the most without.
mod sha3 {
    use super::*;

    compress_lanes!(NeonSha3, "neon,sha3", apart);

    crate::tier::helpers! {
        "neon,sha3";
        /// By 24 bits.
        fn xor_ror24([a, b]: Vector, [c, d]: Vector) -> Vector {
            [vxarq_u64::<24>(a, c), vxarq_u64::<24>(b, d)]
        }

        /// By 63 bits.
        fn xor_ror63([a, b]: Vector, [c, d]: Vector) -> Vector {
            [vxarq_u64::<63>(a, c), vxarq_u64::<63>(b, d)]
        }
    }
}

crate::tier::helpers! {
    "neon";
    fn add([a, b]: Vector, [c, d]: Vector) -> Vector {
        [vaddq_u64(a, c), vaddq_u64(b, d)]
    }

    fn xor([a, b]: Vector, [c, d]: Vector) -> Vector {
        [veorq_u64(a, c), veorq_u64(b, d)]
    }

    /// A sum, each word turned to the right by 32 bits.
    fn xor_ror32(a: Vector, b: Vector) -> Vector {
        xor(a, b).map(|sum| vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(sum))))
    }

    /// By 16 bits.
    fn xor_ror16(a: Vector, b: Vector) -> Vector {
        const RIGHT_16: [u8; 16] = [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9];
        xor(a, b).map(|sum| look_up(&RIGHT_16, sum))
    }

    fn look_up(indices: &[u8; 16], v: uint64x2_t) -> uint64x2_t {
        vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(v), load128(indices)))
    }

    /// Four words as two vectors.
    fn row([a, b, c, d]: [u64; LANES]) -> Vector {
        let pair = |low, high| vcombine_u64(vcreate_u64(low), vcreate_u64(high));
        [pair(a, b), pair(c, d)]
    }

    fn load(bytes: &[u8; 32]) -> Vector {
        let halves = bytes.as_chunks().0;
        [0, 1].map(|half| vreinterpretq_u64_u8(load128(&halves[half])))
    }

    fn store(bytes: &mut [u8; 32], v: Vector) {
        for (half, vector) in bytes.as_chunks_mut().0.iter_mut().zip(v) {
            store128(half, vreinterpretq_u8_u64(vector));
        }
    }

    /// Quarter `i` sets words `4·i` to `4·i + 3`.
    fn load_quarter[const QUARTER: usize](words: &mut [[u8; 32]; 16], blocks: [&Block; LANES]) {
        let [a, b, c, d] = blocks.map(|block| load(&block.as_chunks().0[QUARTER]));
        for half in 0..2 {
            let even = [vzip1q_u64(a[half], b[half]), vzip1q_u64(c[half], d[half])];
            let odd = [vzip2q_u64(a[half], b[half]), vzip2q_u64(c[half], d[half])];
            let first = 4 * QUARTER + 2 * half;
            store(&mut words[first], even);
            store(&mut words[first + 1], odd);
        }
    }
}
