//! The key schedule on AES-NI.
//!
//! FIPS 197 section 5.2, four words at a time. SubWord is an AESENCLAST on the one
//! word that matters, repeated in every column: ShiftRows then moves nothing, and
//! the instruction's round key adds Rcon for free. That is a third of the latency
//! of AESKEYGENASSIST.

use super::RoundKeys;
use crate::kernel::Block;
use crate::tier::bytes::{apart128, load128, store128};
use crate::tier::kernel;
use core::arch::x86_64::*;

/// The last word of `k`, rotated by RotWord, in every column.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn rotated_word(k: __m128i) -> __m128i {
    _mm_shuffle_epi8(k, _mm_set1_epi32(0x0c0f_0e0d))
}

/// The last word of `k` in every column.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn last_word(k: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0xff>(k)
}

/// The prefix sums of the words of `k`: what `w[i] = w[i-Nk] ^ w[i-1]` makes of four words
/// at once but for the last of the words before them.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn prefix_sums(k: __m128i) -> __m128i {
    let sums = _mm_xor_si128(k, _mm_slli_si128::<4>(k));
    _mm_xor_si128(sums, _mm_slli_si128::<8>(sums))
}

/// Rcon[1] … Rcon[10], and an unused one.
const RCON: [i32; 16] =
    [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36, 0, 0, 0, 0, 0, 0];

/// The key schedule, two round keys a step: it is one chain of instructions that wait for
/// each other, and who makes the keys of a message has other work to put between.
pub(in crate::kernel) struct Schedule<'a, const ROUND_KEYS: usize> {
    keys: &'a mut [Block; ROUND_KEYS],
    /// The last two round keys.
    last: [__m128i; 2],
    /// An even number.
    made: usize,
}

impl<'a, const ROUND_KEYS: usize> Schedule<'a, ROUND_KEYS> {
    const AES_128: bool = ROUND_KEYS == 11;

    /// The first two round keys from the halves of the key; for AES-128, from the first half alone.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn start(
        keys: &'a mut RoundKeys<ROUND_KEYS>,
        [low, high]: [__m128i; 2],
    ) -> Self {
        let second = if Self::AES_128 { Self::next_128(low, RCON[0]) } else { high };
        let keys = &mut keys.0;
        store128(&mut keys[0], low);
        store128(&mut keys[1], second);
        Self { keys, last: [low, second], made: 2 }
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn next_128(k: __m128i, rcon: i32) -> __m128i {
        let sub_word = _mm_aesenclast_si128(rotated_word(k), _mm_set1_epi32(rcon));
        _mm_xor_si128(prefix_sums(k), sub_word)
    }

    /// `sums` are there before `word` is, so they go in as the round key of the AESENCLAST:
    /// an XOR less for those who wait.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn next_256(before: __m128i, word: __m128i, rcon: i32) -> __m128i {
        let sums = _mm_xor_si128(before, _mm_slli_si128::<4>(before));
        let with_rcon = apart128(_mm_xor_si128(sums, _mm_set1_epi32(rcon)));
        _mm_aesenclast_si128(word, _mm_xor_si128(with_rcon, _mm_slli_si128::<8>(sums)))
    }

    /// The first two round keys, or the last two made.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn last(&self) -> [__m128i; 2] {
        self.last
    }

    /// The next two round keys, unless only the last of all is to be made.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn step(&mut self) -> Option<[__m128i; 2]> {
        let [first, second] =
            self.keys[..ROUND_KEYS - 1].as_chunks_mut().0.get_mut(self.made / 2)?;
        let [before, last] = self.last;
        let next = if Self::AES_128 {
            let next = Self::next_128(last, RCON[(self.made - 1) % 16]);
            [next, Self::next_128(next, RCON[self.made % 16])]
        } else {
            let next = Self::next_256(before, rotated_word(last), RCON[(self.made / 2 - 1) % 16]);
            [next, Self::next_256(last, last_word(next), 0)]
        };
        store128(first, next[0]);
        store128(second, next[1]);
        self.last = next;
        self.made += 2;
        Some(next)
    }

    /// All that are left.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn finish_all(&mut self) {
        while self.step().is_some() {}
        self.finish();
    }

    /// The last round key; every step has to be done.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn finish(&mut self) -> __m128i {
        let [before, last] = self.last;
        let key = if Self::AES_128 {
            Self::next_128(last, RCON[9])
        } else {
            Self::next_256(before, rotated_word(last), RCON[6])
        };
        store128(&mut self.keys[ROUND_KEYS - 1], key);
        key
    }
}

/// All round keys at once.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn expand<const ROUND_KEYS: usize>(halves: [__m128i; 2]) -> RoundKeys<ROUND_KEYS> {
    let mut keys = RoundKeys::default();
    let mut schedule = Schedule::start(&mut keys, halves);
    schedule.finish_all();
    keys
}

kernel! {
    pub(super) fn expand128(tier: Avx2, key: &[u8; 16]) -> RoundKeys<11> {
        expand([load128(key); 2])
    }
}

kernel! {
    /// Word by word: its steps of six words do not go well with vectors of four, and no key of
    /// a message is of this length.
    pub(super) fn expand192(tier: Avx2, key: &[u8; 24]) -> RoundKeys<13> {
        let mut keys = RoundKeys::default();
        let words = keys.0.as_flattened_mut().as_chunks_mut::<4>().0;
        words[..6].copy_from_slice(key.as_chunks().0);
        for i in 6..words.len() {
            let mut word = u32::from_le_bytes(words[i - 1]);
            if i % 6 == 0 {
                let rotated = _mm_set1_epi32(word.rotate_right(8).cast_signed());
                let rcon = _mm_set1_epi32(RCON[i / 6 - 1]);
                word = _mm_cvtsi128_si32(_mm_aesenclast_si128(rotated, rcon)).cast_unsigned();
            }
            words[i] = (word ^ u32::from_le_bytes(words[i - 6])).to_le_bytes();
        }
        keys
    }
}

kernel! {
    pub(super) fn expand256(tier: Avx2, key: &[u8; 32]) -> RoundKeys<15> {
        let (halves, _) = key.as_chunks::<16>();
        expand([load128(&halves[0]), load128(&halves[1])])
    }
}
