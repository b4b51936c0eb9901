//! BLAKE2b on AVX2: one stream in general registers, or four in the lanes of a vector.

use super::{BLOCK_LEN, Blake2b, Block, IV, Run, SIGMA, State, portable};
use crate::tier::bytes::{load256, opaque256, store256};
use crate::tier::{Avx2, Vaes256, kernel, secret};
use core::arch::x86_64::*;

/// `$avx2` makes the token of this tier. The 256-bit VAES tier has no more for a hash.
macro_rules! impl_blake2b {
    ($tier:ident, $avx2:expr) => {
        impl Blake2b for $tier {
            const LANES: usize = 4;

            #[inline(always)]
            fn compress(self, state: &mut State, run: Run<'_>) {
                portable::compress(state, run);
            }

            #[inline(always)]
            fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
                // One pass over four lanes takes about as long as two over one stream, or longer.
                if states.len() < 3 {
                    for (state, run) in states.iter_mut().zip(runs) {
                        portable::compress(state, *run);
                    }
                } else {
                    compress_lanes($avx2(self), states, runs);
                }
            }
        }
    };
}
impl_blake2b!(Avx2, core::convert::identity);
impl_blake2b!(Vaes256, Vaes256::avx2);

/// Each 64-bit word rotated to the right by 32 bits. Opaque, or the shuffle is drawn
/// into both sides of the XOR before it.
#[inline]
#[target_feature(enable = "avx2")]
fn ror32(v: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b10_11_00_01>(opaque256(v))
}

/// By 24 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn ror24(v: __m256i) -> __m256i {
    let bytes = _mm256_set_epi8(
        10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3, //
        10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3,
    );
    _mm256_shuffle_epi8(v, opaque256(bytes))
}

/// By 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn ror16(v: __m256i) -> __m256i {
    let bytes = _mm256_set_epi8(
        9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2, //
        9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2,
    );
    _mm256_shuffle_epi8(v, opaque256(bytes))
}

/// By 63 bits, which is one to the left.
#[inline]
#[target_feature(enable = "avx2")]
fn ror63(v: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_srli_epi64::<63>(v), _mm256_add_epi64(v, v))
}

/// RFC 7693 section 3.1 in every lane. The message word joins a before b does: b is
/// what the next step waits for.
macro_rules! g {
    ($a:expr, $b:expr, $c:expr, $d:expr, $x:expr, $y:expr) => {
        $a = _mm256_add_epi64(_mm256_add_epi64($a, $x), $b);
        $d = ror32(_mm256_xor_si256($d, $a));
        $c = _mm256_add_epi64($c, $d);
        $b = ror24(_mm256_xor_si256($b, $c));
        $a = _mm256_add_epi64(_mm256_add_epi64($a, $y), $b);
        $d = ror16(_mm256_xor_si256($d, $a));
        $c = _mm256_add_epi64($c, $d);
        $b = ror63(_mm256_xor_si256($b, $c));
    };
}

/// Four words as a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn row(words: [u64; 4]) -> __m256i {
    let [w0, w1, w2, w3] = words.map(u64::cast_signed);
    _mm256_set_epi64x(w3, w2, w1, w0)
}

/// A vector as four words.
#[inline]
#[target_feature(enable = "avx2")]
fn words(row: __m256i) -> [u64; 4] {
    let mut bytes = [0; 32];
    store256(&mut bytes, row);
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// Four rows of four words each become four columns.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(r: [__m256i; 4]) -> [__m256i; 4] {
    let (low01, high01) = (
        _mm256_unpacklo_epi64(r[0], r[1]),
        _mm256_unpackhi_epi64(r[0], r[1]),
    );
    let (low23, high23) = (
        _mm256_unpacklo_epi64(r[2], r[3]),
        _mm256_unpackhi_epi64(r[2], r[3]),
    );
    [
        _mm256_permute2x128_si256::<0x20>(low01, low23),
        _mm256_permute2x128_si256::<0x20>(high01, high23),
        _mm256_permute2x128_si256::<0x31>(low01, low23),
        _mm256_permute2x128_si256::<0x31>(high01, high23),
    ]
}

/// The message words of four blocks: word `i` of every block in vector `i`. In memory,
/// because the rounds fill all registers.
///
/// The alignment has a use beyond this value: it makes the compiler align the stack, and
/// what it puts there for want of registers then never lies in two cache lines.
#[repr(align(64))]
struct Words([[u8; 32]; 16]);

impl Drop for Words {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl Words {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(&mut self, blocks: [&Block; 4]) {
        for (i, words) in self.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let quarters = blocks.map(|block| load256(&block.as_chunks::<32>().0[i]));
            for (stored, word) in words.iter_mut().zip(transpose(quarters)) {
                store256(stored, word);
            }
        }
    }
}

kernel! {
    /// Lanes without a stream repeat the first stream and are thrown away.
    fn compress_lanes(tier: Avx2, states: &mut [State], runs: &[Run<'_>]) {
        let [first, ..] = runs else { return };
        let count = first.blocks.len();
        let lanes: [usize; 4] = core::array::from_fn(|lane| if lane < runs.len() { lane } else { 0 });
        let mut h: [__m256i; 8] = core::array::from_fn(|i| row(lanes.map(|lane| states[lane].h[i])));
        let mut t = row(lanes.map(|lane| states[lane].t));
        let last_len = lanes.map(|lane| runs[lane].last_len.map_or(BLOCK_LEN as u64, u64::from));
        let last_flag = lanes.map(|lane| if runs[lane].last_len.is_some() { u64::MAX } else { 0 });
        let blocks = lanes.map(|lane| &runs[lane].blocks[..count]);
        let mut message = Words([[0; 32]; 16]);
        for i in 0..count {
            let (len, flag) = if i + 1 == count {
                (row(last_len), row(last_flag))
            } else {
                (_mm256_set1_epi64x(BLOCK_LEN as i64), _mm256_setzero_si256())
            };
            t = _mm256_add_epi64(t, len);
            message.load(blocks.map(|blocks| &blocks[i]));
            let m = |word: u8| load256(&message.0[usize::from(word)]);
            let iv = |i: usize| _mm256_set1_epi64x(IV[i].cast_signed());
            let mut v = [
                h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7],
                iv(0), iv(1), iv(2), iv(3),
                _mm256_xor_si256(iv(4), t), iv(5), _mm256_xor_si256(iv(6), flag), iv(7),
            ];
            macro_rules! rounds {
                ($($round:literal)*) => { $({
                    const S: [u8; 16] = SIGMA[$round % 10];
                    g!(v[0], v[4], v[8], v[12], m(S[0]), m(S[1]));
                    g!(v[1], v[5], v[9], v[13], m(S[2]), m(S[3]));
                    g!(v[2], v[6], v[10], v[14], m(S[4]), m(S[5]));
                    g!(v[3], v[7], v[11], v[15], m(S[6]), m(S[7]));
                    g!(v[0], v[5], v[10], v[15], m(S[8]), m(S[9]));
                    g!(v[1], v[6], v[11], v[12], m(S[10]), m(S[11]));
                    g!(v[2], v[7], v[8], v[13], m(S[12]), m(S[13]));
                    g!(v[3], v[4], v[9], v[14], m(S[14]), m(S[15]));
                })* };
            }
            rounds!(0 1 2 3 4 5 6 7 8 9 10 11);
            for i in 0..8 {
                h[i] = _mm256_xor_si256(h[i], _mm256_xor_si256(v[i], v[i + 8]));
            }
        }
        let h = h.map(|h| words(h));
        let t = words(t);
        for (lane, state) in states.iter_mut().enumerate() {
            state.h = core::array::from_fn(|i| h[i][lane]);
            state.t = t[lane];
        }
    }
}
