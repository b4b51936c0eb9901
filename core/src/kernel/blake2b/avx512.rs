//! BLAKE2b on AVX-512: one stream in general registers, or as four 256-bit rows for what
//! stitches it to the cipher; eight streams in the lanes of 512-bit vectors.

use super::{BLOCK_LEN, Blake2b, Block, IV, Run, SIGMA, State, portable};
use crate::tier::bytes::{load512, store256, store512};
use crate::tier::{Avx512, kernel, secret};
use core::arch::x86_64::*;
use core::mem;

impl Blake2b for Avx512 {
    const LANES: usize = 8;

    #[inline(always)]
    fn compress(self, state: &mut State, run: Run<'_>) {
        portable::compress(state, run);
    }

    #[inline(always)]
    fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
        // One pass over eight lanes takes as long as two and a half over one stream.
        if states.len() < 3 {
            for (state, run) in states.iter_mut().zip(runs) {
                portable::compress(state, *run);
            }
        } else {
            compress_lanes(self, states, runs);
        }
    }
}

/// The sixteen working words as four rows.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Rows {
    pub(in crate::kernel) a: __m256i,
    pub(in crate::kernel) b: __m256i,
    pub(in crate::kernel) c: __m256i,
    pub(in crate::kernel) d: __m256i,
}

/// The chaining value as two rows.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Chain([__m256i; 2]);

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn row_of(words: &[u64; 8], row: usize) -> __m256i {
    let w = |i: usize| words[4 * row + i].cast_signed();
    _mm256_set_epi64x(w(3), w(2), w(1), w(0))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(in crate::kernel) fn load_chain(state: &State) -> Chain {
    Chain([row_of(&state.h, 0), row_of(&state.h, 1)])
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(in crate::kernel) fn store_chain(state: &mut State, chain: Chain) {
    for (words, row) in state.h.as_chunks_mut::<4>().0.iter_mut().zip(chain.0) {
        let mut bytes = [0; 32];
        store256(&mut bytes, row);
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
}

/// The working rows before round 0, RFC 7693 section 3.2.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(in crate::kernel) fn begin(chain: Chain, t: u64, last: bool) -> Rows {
    let flags = _mm256_set_epi64x(0, if last { -1 } else { 0 }, 0, t.cast_signed());
    let d = _mm256_xor_si256(row_of(&IV, 1), flags);
    Rows {
        a: chain.0[0],
        b: chain.0[1],
        c: row_of(&IV, 0),
        d,
    }
}

/// The chaining value after round 11.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(in crate::kernel) fn end(chain: Chain, rows: Rows) -> Chain {
    let Rows { a, b, c, d } = rows;
    // 0x96 is the exclusive or of three.
    Chain([
        _mm256_ternarylogic_epi64::<0x96>(chain.0[0], a, c),
        _mm256_ternarylogic_epi64::<0x96>(chain.0[1], b, d),
    ])
}

/// Which of the sixteen message words each lane of a row adds, first the four of the
/// first addition and then those of the second. In the diagonal half, row b stays
/// where it is and the other rows turn, so lane 1 holds the first diagonal.
pub(in crate::kernel) const COLUMNS: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
pub(in crate::kernel) const DIAGONALS: [usize; 8] = [14, 8, 10, 12, 15, 9, 11, 13];

/// The offset in bytes of the message word that `lane` adds in `round`.
pub(in crate::kernel) const fn offset(round: usize, lanes: [usize; 8], lane: usize) -> usize {
    8 * SIGMA[round % 10][lanes[lane]] as usize
}

/// Four G functions side by side (section 3.1), of round `$round`, and beside them,
/// if given, a quarter round of eight blocks of ChaCha20.
///
/// In assembly for two reasons. A masked broadcast is part of the load and leaves the
/// ports that the permutations need alone; the compiler makes inserts and unpacks
/// of the intrinsics. And the order stays: the compiler would part the hash from the
/// cipher again, and the CPU cannot look far enough ahead to join them.
macro_rules! half_round {
    ($rows:ident, $block:ident, $round:literal, $lanes:ident $(, $group:ident:)?) => {
        $crate::kernel::blake2b::avx512::half_round!(@ $rows, $block, $round, $lanes,
            ["" "" "" "" "" "" "" "" "" "" "" ""] [])
    };
    ($rows:ident, $block:ident, $round:literal, $lanes:ident, $group:ident: $p:literal $q:literal $r:literal $s:literal) => {
        $crate::kernel::blake2b::avx512::half_round!(@ $rows, $block, $round, $lanes,
            ["vpaddd {p:y}, {p:y}, {q:y}" "vpxord {s:y}, {s:y}, {p:y}" "vprold {s:y}, {s:y}, 16"
             "vpaddd {r:y}, {r:y}, {s:y}" "vpxord {q:y}, {q:y}, {r:y}" "vprold {q:y}, {q:y}, 12"
             "vpaddd {p:y}, {p:y}, {q:y}" "vpxord {s:y}, {s:y}, {p:y}" "vprold {s:y}, {s:y}, 8"
             "vpaddd {r:y}, {r:y}, {s:y}" "vpxord {q:y}, {q:y}, {r:y}" "vprold {q:y}, {q:y}, 7"]
            [p = inout(zmm_reg) $group.0[$p], q = inout(zmm_reg) $group.0[$q],
             r = inout(zmm_reg) $group.0[$r], s = inout(zmm_reg) $group.0[$s],])
    };
    (@ $rows:ident, $block:ident, $round:literal, $lanes:ident,
        [$q0:literal $q1:literal $q2:literal $q3:literal $q4:literal $q5:literal
         $q6:literal $q7:literal $q8:literal $q9:literal $q10:literal $q11:literal] [$($beside:tt)*]) => {{
        use $crate::kernel::blake2b::{Block, avx512::{$lanes, offset}};
        use core::arch::x86_64::__m256i;
        let block: &Block = $block;
        // Named and typed, or the assembler is given their 512-bit names.
        let (_x, _y): (__m256i, __m256i);
        // SAFETY: every offset is below the 128 bytes of the block; the function this
        // expands in has the target features of its instructions, which change the
        // declared registers only.
        unsafe {
            core::arch::asm!(
                "vpbroadcastq {x:y}, qword ptr [{block} + {x0}]",
                "vpbroadcastq {y:y}, qword ptr [{block} + {y0}]",
                $q0,
                "vpbroadcastq {x:y}{{{k1}}}, qword ptr [{block} + {x1}]",
                "vpbroadcastq {y:y}{{{k1}}}, qword ptr [{block} + {y1}]",
                "vpbroadcastq {x:y}{{{k2}}}, qword ptr [{block} + {x2}]",
                "vpbroadcastq {y:y}{{{k2}}}, qword ptr [{block} + {y2}]",
                $q1,
                "vpbroadcastq {x:y}{{{k3}}}, qword ptr [{block} + {x3}]",
                "vpbroadcastq {y:y}{{{k3}}}, qword ptr [{block} + {y3}]",
                // The words join a before b does: b is what the next step waits for.
                "vpaddq {a:y}, {a:y}, {x:y}",
                "vpaddq {a:y}, {a:y}, {b:y}",
                $q2,
                "vpaddq {y:y}, {y:y}, {a:y}",
                "vpxorq {d:y}, {d:y}, {a:y}",
                $q3,
                "vprorq {d:y}, {d:y}, 32",
                $q4,
                "vpaddq {c:y}, {c:y}, {d:y}",
                $q5,
                "vpxorq {b:y}, {b:y}, {c:y}",
                $q6,
                "vprorq {b:y}, {b:y}, 24",
                "vpaddq {a:y}, {y:y}, {b:y}",
                $q7,
                "vpxorq {d:y}, {d:y}, {a:y}",
                $q8,
                "vprorq {d:y}, {d:y}, 16",
                $q9,
                "vpaddq {c:y}, {c:y}, {d:y}",
                $q10,
                "vpxorq {b:y}, {b:y}, {c:y}",
                $q11,
                "vprorq {b:y}, {b:y}, 63",
                $($beside)*
                a = inout(zmm_reg) $rows.a, b = inout(zmm_reg) $rows.b,
                c = inout(zmm_reg) $rows.c, d = inout(zmm_reg) $rows.d,
                x = out(zmm_reg) _x, y = out(zmm_reg) _y,
                block = in(reg) block.as_ptr(),
                x0 = const offset($round, $lanes, 0), x1 = const offset($round, $lanes, 1),
                x2 = const offset($round, $lanes, 2), x3 = const offset($round, $lanes, 3),
                y0 = const offset($round, $lanes, 4), y1 = const offset($round, $lanes, 5),
                y2 = const offset($round, $lanes, 6), y3 = const offset($round, $lanes, 7),
                k1 = in(kreg) 0b0010_u8, k2 = in(kreg) 0b0100_u8, k3 = in(kreg) 0b1000_u8,
                options(readonly, nostack, preserves_flags),
            );
        }
    }};
}
pub(in crate::kernel) use half_round;

impl Rows {
    /// Turns rows a, c and d so that the diagonals become columns. Row b is the last to
    /// be ready, and the turns of the others hide behind it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(in crate::kernel) fn turn(&mut self) {
        self.a = _mm256_permute4x64_epi64::<0b10_01_00_11>(self.a);
        self.c = _mm256_permute4x64_epi64::<0b00_11_10_01>(self.c);
        self.d = _mm256_permute4x64_epi64::<0b01_00_11_10>(self.d);
    }

    /// Undoes [`Rows::turn`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(in crate::kernel) fn turn_back(&mut self) {
        self.a = _mm256_permute4x64_epi64::<0b00_11_10_01>(self.a);
        self.c = _mm256_permute4x64_epi64::<0b10_01_00_11>(self.c);
        self.d = _mm256_permute4x64_epi64::<0b01_00_11_10>(self.d);
    }
}

/// Columns 0, 2, 4 and 6 of eight rows of eight words, from rows unpacked in pairs, or
/// the odd columns from their upper halves.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarter(pairs: [__m512i; 4]) -> [__m512i; 4] {
    let low = _mm512_shuffle_i64x2::<0x88>(pairs[0], pairs[1]);
    let high = _mm512_shuffle_i64x2::<0xdd>(pairs[0], pairs[1]);
    let low2 = _mm512_shuffle_i64x2::<0x88>(pairs[2], pairs[3]);
    let high2 = _mm512_shuffle_i64x2::<0xdd>(pairs[2], pairs[3]);
    [
        _mm512_shuffle_i64x2::<0x88>(low, low2),
        _mm512_shuffle_i64x2::<0x88>(high, high2),
        _mm512_shuffle_i64x2::<0xdd>(low, low2),
        _mm512_shuffle_i64x2::<0xdd>(high, high2),
    ]
}

/// Eight rows of eight words each become eight columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(r: [__m512i; 8]) -> [__m512i; 8] {
    let low = |i: usize| _mm512_unpacklo_epi64(r[i], r[i + 1]);
    let high = |i: usize| _mm512_unpackhi_epi64(r[i], r[i + 1]);
    let even = quarter([low(0), low(2), low(4), low(6)]);
    let odd = quarter([high(0), high(2), high(4), high(6)]);
    [
        even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3],
    ]
}

/// Four G functions of eight streams, step by step side by side: one alone is a chain
/// of dependent steps. Operands are indices into the working words.
macro_rules! g_lanes {
    ($v:ident, $m:ident, $s:ident, $from:literal: $([$a:literal, $b:literal, $c:literal, $d:literal] $i:literal)*) => {
        $( $v[$a] = _mm512_add_epi64($v[$a], load512(&$m.0[$s[$from + 2 * $i] as usize])); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], $v[$b]); )*
        $( $v[$d] = _mm512_xor_si512($v[$d], $v[$a]); )*
        $( $v[$d] = _mm512_ror_epi64::<32>($v[$d]); )*
        $( $v[$c] = _mm512_add_epi64($v[$c], $v[$d]); )*
        $( $v[$b] = _mm512_xor_si512($v[$b], $v[$c]); )*
        $( $v[$b] = _mm512_ror_epi64::<24>($v[$b]); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], load512(&$m.0[$s[$from + 2 * $i + 1] as usize])); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], $v[$b]); )*
        $( $v[$d] = _mm512_xor_si512($v[$d], $v[$a]); )*
        $( $v[$d] = _mm512_ror_epi64::<16>($v[$d]); )*
        $( $v[$c] = _mm512_add_epi64($v[$c], $v[$d]); )*
        $( $v[$b] = _mm512_xor_si512($v[$b], $v[$c]); )*
        $( $v[$b] = _mm512_ror_epi64::<63>($v[$b]); )*
    };
}

/// The message words of eight blocks: word `i` of every block in vector `i`.
#[repr(align(64))]
struct Words([[u8; 64]; 16]);

impl Drop for Words {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl Words {
    /// Quarter 0 sets words 0, 2, 4 and 6, quarter 1 the odd ones. Quarters 2 and 3 do the same
    /// with the other half of each block.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load_quarter<const QUARTER: usize>(&mut self, blocks: [&Block; 8]) {
        let half = |i: usize| load512(&blocks[i].as_chunks::<64>().0[QUARTER / 2]);
        let pair = |i: usize| {
            if QUARTER.is_multiple_of(2) {
                _mm512_unpacklo_epi64(half(i), half(i + 1))
            } else {
                _mm512_unpackhi_epi64(half(i), half(i + 1))
            }
        };
        let words = quarter([pair(0), pair(2), pair(4), pair(6)]);
        let first = 8 * (QUARTER / 2) + QUARTER % 2;
        for (stored, word) in self.0[first..].iter_mut().step_by(2).zip(words) {
            store512(stored, word);
        }
    }
}

kernel! {
    /// Lanes without a stream repeat the first stream and are thrown away.
    fn compress_lanes(tier: Avx512, states: &mut [State], runs: &[Run<'_>]) {
        let [Some(first), ..] = [runs.first()] else { return };
        let lanes: [usize; 8] = core::array::from_fn(|lane| if lane < runs.len() { lane } else { 0 });
        let mut h = transpose(lanes.map(|lane| load_words8(&states[lane].h)));
        let mut t = load_words8(&lanes.map(|lane| states[lane].t));
        let last_len = lanes.map(|lane| runs[lane].last_len.map_or(BLOCK_LEN as u64, u64::from));
        let last_flag = lanes.map(|lane| if runs[lane].last_len.is_some() { u64::MAX } else { 0 });
        let count = first.blocks.len();
        let blocks = lanes.map(|lane| &runs[lane].blocks[..count]);
        let nth = |i: usize| (i < count).then(|| blocks.map(|blocks| &blocks[i]));
        // The shuffles that bring a word of all streams together all want one port. They
        // belong to the next blocks and are among the rounds of these, which fill the other.
        let mut words = [const { Words([[0; 64]; 16]) }; 2];
        let [this, next] = &mut words;
        let (mut this, mut next) = (this, next);
        if let Some(blocks) = nth(0) {
            this.load_quarter::<0>(blocks);
            this.load_quarter::<1>(blocks);
            this.load_quarter::<2>(blocks);
            this.load_quarter::<3>(blocks);
        }
        for i in 0..count {
            let (len, flag) = if i + 1 == count {
                (load_words8(&last_len), load_words8(&last_flag))
            } else {
                (_mm512_set1_epi64(BLOCK_LEN as i64), _mm512_setzero_si512())
            };
            t = _mm512_add_epi64(t, len);
            let following = nth(i + 1);
            let iv = |i: usize| _mm512_set1_epi64(IV[i].cast_signed());
            let mut v = [
                h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7],
                iv(0), iv(1), iv(2), iv(3),
                _mm512_xor_si512(iv(4), t), iv(5), _mm512_xor_si512(iv(6), flag), iv(7),
            ];
            macro_rules! rounds {
                ($($round:literal)*) => { $({
                    const S: [u8; 16] = SIGMA[$round % 10];
                    g_lanes!(v, this, S, 0: [0, 4, 8, 12] 0 [1, 5, 9, 13] 1 [2, 6, 10, 14] 2 [3, 7, 11, 15] 3);
                    g_lanes!(v, this, S, 8: [0, 5, 10, 15] 0 [1, 6, 11, 12] 1 [2, 7, 8, 13] 2 [3, 4, 9, 14] 3);
                })* };
            }
            macro_rules! load_next {
                ($quarter:literal) => {
                    if let Some(blocks) = following {
                        next.load_quarter::<$quarter>(blocks);
                    }
                };
            }
            rounds!(0 1);
            load_next!(0);
            rounds!(2 3 4);
            load_next!(1);
            rounds!(5 6 7);
            load_next!(2);
            rounds!(8 9 10);
            load_next!(3);
            rounds!(11);
            mem::swap(&mut this, &mut next);
            for i in 0..8 {
                h[i] = _mm512_ternarylogic_epi64::<0x96>(h[i], v[i], v[i + 8]);
            }
        }
        let counted = store_words8(t);
        for ((state, h), t) in states.iter_mut().zip(transpose(h)).zip(counted) {
            state.h = store_words8(h);
            state.t = t;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_words8(words: &[u64; 8]) -> __m512i {
    let w = |i: usize| words[i].cast_signed();
    _mm512_set_epi64(w(7), w(6), w(5), w(4), w(3), w(2), w(1), w(0))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words8(v: __m512i) -> [u64; 8] {
    let mut bytes = [0; 64];
    store512(&mut bytes, v);
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
