//! BLAKE2b on AArch64: one stream in general registers, or four in the lanes of vectors,
//! two in each.

use super::{BLOCK_LEN, Blake2b, Block, IV, Run, SIGMA, State, portable};
use crate::tier::bytes::{load128, store128};
use crate::tier::secret;
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;

impl Blake2b for Neon {
    const LANES: usize = 4;

    #[inline(always)]
    fn compress(self, state: &mut State, run: Run<'_>) {
        portable::compress(state, run);
    }

    #[inline(always)]
    fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
        // One pass over four lanes takes about as long as two over one stream.
        if states.len() < 2 {
            for (state, run) in states.iter_mut().zip(runs) {
                portable::compress(state, *run);
            }
        } else if let Some(tier) = self.with_sha3() {
            compress_lanes_sha3(tier, states, runs);
        } else {
            compress_lanes(self, states, runs);
        }
    }
}

/// The sum of two vectors, each word of which is turned to the right by 32 bits.
macro_rules! ror32 {
    ($a:expr, $b:expr) => {
        vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(veorq_u64($a, $b))))
    };
}

/// By 16 bits.
macro_rules! ror16 {
    ($a:expr, $b:expr) => {
        look_up(&RIGHT_16, veorq_u64($a, $b))
    };
}

/// By 24 bits.
macro_rules! ror24 {
    ($a:expr, $b:expr) => {
        look_up(&RIGHT_24, veorq_u64($a, $b))
    };
}

/// By 63 bits, which is one to the left.
macro_rules! ror63 {
    ($a:expr, $b:expr) => {{
        let sum = veorq_u64($a, $b);
        vsriq_n_u64::<63>(vaddq_u64(sum, sum), sum)
    }};
}

/// XAR does both at once, but on many CPUs in one of four units only: it is left to the
/// turns that cost the most without.
macro_rules! xar24 {
    ($a:expr, $b:expr) => {
        vxarq_u64::<24>($a, $b)
    };
}
macro_rules! xar63 {
    ($a:expr, $b:expr) => {
        vxarq_u64::<63>($a, $b)
    };
}

const RIGHT_16: [u8; 16] = [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9];
const RIGHT_24: [u8; 16] = [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10];

#[inline]
#[target_feature(enable = "neon")]
fn look_up(indices: &[u8; 16], v: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(v), load128(indices)))
}

/// Two words as a vector.
#[inline]
#[target_feature(enable = "neon")]
fn pair([low, high]: [u64; 2]) -> uint64x2_t {
    vcombine_u64(vcreate_u64(low), vcreate_u64(high))
}

/// The message words of four blocks: word `i` of two blocks in the vectors `i`. In memory,
/// because the rounds fill all registers.
#[repr(align(64))]
struct Words([[[u8; 16]; 16]; 2]);

impl Drop for Words {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

impl Words {
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(&mut self, blocks: [&Block; 4]) {
        for (words, pair) in self.0.iter_mut().zip(blocks.as_chunks::<2>().0) {
            let [even, odd] = pair.map(|block| block.as_chunks::<16>().0);
            for ((words, even), odd) in words.as_chunks_mut::<2>().0.iter_mut().zip(even).zip(odd) {
                let (even, odd) = (
                    vreinterpretq_u64_u8(load128(even)),
                    vreinterpretq_u64_u8(load128(odd)),
                );
                store128(&mut words[0], vreinterpretq_u8_u64(vzip1q_u64(even, odd)));
                store128(&mut words[1], vreinterpretq_u8_u64(vzip2q_u64(even, odd)));
            }
        }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn word(&self, half: usize, i: u8) -> uint64x2_t {
        vreinterpretq_u64_u8(load128(&self.0[half][usize::from(i)]))
    }
}

/// Lanes without a stream repeat the first stream and are thrown away.
macro_rules! compress_lanes {
    ($name:ident, $tier:ident, $ror24:ident, $ror63:ident) => {
        kernel! {
            fn $name(tier: $tier, states: &mut [State], runs: &[Run<'_>]) {
                let [first, ..] = runs else { return };
                let count = first.blocks.len();
                let lanes: [usize; 4] =
                    core::array::from_fn(|lane| if lane < runs.len() { lane } else { 0 });
                let halves = [[lanes[0], lanes[1]], [lanes[2], lanes[3]]];
                let mut h: [[uint64x2_t; 8]; 2] = halves.map(|lanes| {
                    core::array::from_fn(|i| pair(lanes.map(|lane| states[lane].h[i])))
                });
                let mut t = halves.map(|lanes| pair(lanes.map(|lane| states[lane].t)));
                let whole = BLOCK_LEN as u64;
                let last_len = halves.map(|lanes| {
                    pair(lanes.map(|lane| runs[lane].last_len.map_or(whole, u64::from)))
                });
                let last_flag = halves.map(|lanes| {
                    pair(lanes.map(|lane| if runs[lane].last_len.is_some() { u64::MAX } else { 0 }))
                });
                let blocks = lanes.map(|lane| &runs[lane].blocks[..count]);
                let mut message = Words([[[0; 16]; 16]; 2]);
                for i in 0..count {
                    message.load(blocks.map(|blocks| &blocks[i]));
                    let (len, flag) = if i + 1 == count {
                        (last_len, last_flag)
                    } else {
                        ([vdupq_n_u64(whole); 2], [vdupq_n_u64(0); 2])
                    };
                    let mut v = [[vdupq_n_u64(0); 16]; 2];
                    for half in 0..2 {
                        t[half] = vaddq_u64(t[half], len[half]);
                        v[half][..8].copy_from_slice(&h[half]);
                        for (v, iv) in v[half][8..].iter_mut().zip(IV) {
                            *v = vdupq_n_u64(iv);
                        }
                        v[half][12] = veorq_u64(v[half][12], t[half]);
                        v[half][14] = veorq_u64(v[half][14], flag[half]);
                    }
                    macro_rules! g {
                        ($a:literal, $b:literal, $c:literal, $d:literal, $x:expr, $y:expr) => {
                            for (half, v) in v.iter_mut().enumerate() {
                                v[$a] = vaddq_u64(vaddq_u64(v[$a], message.word(half, $x)), v[$b]);
                                v[$d] = ror32!(v[$d], v[$a]);
                                v[$c] = vaddq_u64(v[$c], v[$d]);
                                v[$b] = $ror24!(v[$b], v[$c]);
                                v[$a] = vaddq_u64(vaddq_u64(v[$a], message.word(half, $y)), v[$b]);
                                v[$d] = ror16!(v[$d], v[$a]);
                                v[$c] = vaddq_u64(v[$c], v[$d]);
                                v[$b] = $ror63!(v[$b], v[$c]);
                            }
                        };
                    }
                    macro_rules! round {
                        ($round:literal) => {{
                            const S: [u8; 16] = SIGMA[$round % 10];
                            g!(0, 4, 8, 12, S[0], S[1]);
                            g!(1, 5, 9, 13, S[2], S[3]);
                            g!(2, 6, 10, 14, S[4], S[5]);
                            g!(3, 7, 11, 15, S[6], S[7]);
                            g!(0, 5, 10, 15, S[8], S[9]);
                            g!(1, 6, 11, 12, S[10], S[11]);
                            g!(2, 7, 8, 13, S[12], S[13]);
                            g!(3, 4, 9, 14, S[14], S[15]);
                        }};
                    }
                    // Written out, so that every place in `message` is a constant.
                    round!(0);
                    round!(1);
                    round!(2);
                    round!(3);
                    round!(4);
                    round!(5);
                    round!(6);
                    round!(7);
                    round!(8);
                    round!(9);
                    round!(10);
                    round!(11);
                    for (h, v) in h.iter_mut().zip(&v) {
                        for i in 0..8 {
                            h[i] = veorq_u64(veorq_u64(h[i], v[i]), v[i + 8]);
                        }
                    }
                }
                for (lane, state) in states.iter_mut().enumerate() {
                    let word = |v: [uint64x2_t; 2]| {
                        let v = v[lane / 2 % 2];
                        if lane % 2 == 0 { vgetq_lane_u64::<0>(v) } else { vgetq_lane_u64::<1>(v) }
                    };
                    state.h = core::array::from_fn(|i| word([h[0][i], h[1][i]]));
                    state.t = word(t);
                }
            }
        }
    };
}
compress_lanes!(compress_lanes, Neon, ror24, ror63);
compress_lanes!(compress_lanes_sha3, NeonSha3, xar24, xar63);
