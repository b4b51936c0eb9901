//! BLAKE2b in general registers.

use super::{Blake2b, Block, IV, Run, SIGMA, State};
use crate::tier::Portable;

/// RFC 7693 section 3.1.
#[inline(always)]
fn g(v: &mut [u64; 16], a: usize, b: usize, c: usize, d: usize, x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

#[inline(always)]
fn round(v: &mut [u64; 16], m: &[u64; 16], sigma: &[u8; 16]) {
    let m = |i: usize| m[usize::from(sigma[i])];
    g(v, 0, 4, 8, 12, m(0), m(1));
    g(v, 1, 5, 9, 13, m(2), m(3));
    g(v, 2, 6, 10, 14, m(4), m(5));
    g(v, 3, 7, 11, 15, m(6), m(7));
    g(v, 0, 5, 10, 15, m(8), m(9));
    g(v, 1, 6, 11, 12, m(10), m(11));
    g(v, 2, 7, 8, 13, m(12), m(13));
    g(v, 3, 4, 9, 14, m(14), m(15));
}

/// RFC 7693 section 3.2; `t` counts the message up to the end of this block. `beside` is
/// called once a round with what may run at the same time, and given the words that the
/// round left.
#[inline(always)]
pub(in crate::kernel) fn compress_block(
    h: &mut [u64; 8],
    block: &Block,
    t: u64,
    last: bool,
    mut beside: impl FnMut(usize, &mut [u64; 16]),
) {
    let mut m = [0; 16];
    let (words, _) = block.as_chunks::<8>();
    for (m, word) in m.iter_mut().zip(words) {
        *m = u64::from_le_bytes(*word);
    }
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t;
    v[14] ^= if last { u64::MAX } else { 0 };
    // Written out, so that every index into `m` is a constant.
    macro_rules! rounds {
        ($($i:literal)*) => { $(
            round(&mut v, &m, &SIGMA[$i % 10]);
            beside($i, &mut v);
        )* };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11);
    for i in 0..8 {
        h[i] ^= v[i] ^ v[i + 8];
    }
}

impl Blake2b for Portable {
    const LANES: usize = 1;
}

pub(super) fn compress(state: &mut State, run: Run<'_>) {
    for (i, block) in run.blocks.iter().enumerate() {
        let last_len = run.last_len.filter(|_| i + 1 == run.blocks.len());
        state.t += last_len.map_or(block.len() as u64, u64::from);
        compress_block(&mut state.h, block, state.t, last_len.is_some(), |_, _| ());
    }
}
