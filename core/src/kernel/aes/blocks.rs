//! AES over vectors of one block: the key schedule, and blocks in flight.
//!
//! FIPS 197 section 5.2, four words at a time. SubWord is an AESENCLAST on the one
//! word that matters, repeated in every column: ShiftRows then moves nothing, and
//! the instruction's round key adds Rcon for free. That is a third of the latency
//! of AESKEYGENASSIST.

use super::Aes;
use crate::kernel::Block;
use crate::kernel::vector::m128::{self, Vector};
use crate::kernel::vector::narrowest;
use crate::tier::bytes::{apart128, load128, side_by_side128, store128};
use crate::tier::kernel;
use crate::tier::secret::Vectors;

const ROTATED_LAST_WORD: Block = [13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12];

/// Rcon[1] … Rcon[10], and an unused one.
const RCON: [u32; 16] =
    [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36, 0, 0, 0, 0, 0, 0];

/// In the order of use: 11 of them for AES-128, 13 for AES-192, 15 for AES-256.
pub(crate) type RoundKeys<const N: usize> = Vectors<16, N>;

/// The first argument of `impl_aes!` is the tier; the second makes the token of the narrowest,
/// whose key schedule serves all.
macro_rules! impl_aes {
    ($($tier:ident, $narrowest:expr;)*) => { $(
        impl_aes!($tier, $narrowest, 16, 11, expand128);
        impl_aes!($tier, $narrowest, 24, 13, expand192);
        impl_aes!($tier, $narrowest, 32, 15, expand256);
    )* };
    ($tier:ident, $narrowest:expr, $key_len:literal, $round_keys:literal, $expand:ident) => {
        impl Aes<$key_len> for crate::tier::$tier {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                $expand($narrowest(self), key)
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
impl_aes! {
    Avx2, core::convert::identity;
    Vaes256, crate::tier::Vaes256::avx2;
    Avx512, crate::tier::Avx512::avx2;
}
#[cfg(target_arch = "aarch64")]
impl_aes! { Neon, core::convert::identity; }

macro_rules! blocks {
    ($tier:ident, $features:literal, $_kernel:literal) => {
        $crate::tier::helpers! {
            $features;
            /// The last word of `k`, rotated by RotWord, in every column.
            fn rotated_word(k: Vector) -> Vector {
                m128::shuffle(k, &ROTATED_LAST_WORD)
            }

            /// The prefix sums of the words of `k`: what `w[i] = w[i-Nk] ^ w[i-1]` makes of four
            /// words at once but for the last of the words before them.
            fn prefix_sums(k: Vector) -> Vector {
                let sums = m128::xor(k, m128::shift_up::<4>(k));
                m128::xor(sums, m128::shift_up::<8>(sums))
            }
        }

        /// The key schedule, two round keys a step: it is one chain of instructions that wait for
        /// each other, and who makes the keys of a message has other work to put between.
        pub(in crate::kernel) struct Schedule<'a, const ROUND_KEYS: usize> {
            keys: &'a mut [Block; ROUND_KEYS],
            /// The last two round keys.
            last: [Vector; 2],
            /// An even number.
            made: usize,
        }

        impl<'a, const ROUND_KEYS: usize> Schedule<'a, ROUND_KEYS> {
            const AES_128: bool = ROUND_KEYS == 11;

            $crate::tier::helpers! {
                $features;
                /// The first two round keys from the halves of the key; for AES-128, from the first half alone.
                pub(in crate::kernel) fn start(
                    keys: &'a mut RoundKeys<ROUND_KEYS>, [low, high]: [Vector; 2],
                ) -> Self {
                    let second = if Self::AES_128 { Self::next_128(low, RCON[0]) } else { high };
                    let keys = &mut keys.0;
                    store128(&mut keys[0], low);
                    store128(&mut keys[1], second);
                    Self { keys, last: [low, second], made: 2 }
                }

                fn next_128(k: Vector, rcon: u32) -> Vector {
                    let sub_word = m128::aes_last_round(rotated_word(k), m128::every_word(rcon));
                    m128::xor(prefix_sums(k), sub_word)
                }

                /// `sums` are there before `word` is, so they go in as the round key of the
                /// AESENCLAST: an XOR less for those who wait.
                fn next_256(before: Vector, word: Vector, rcon: u32) -> Vector {
                    let sums = m128::xor(before, m128::shift_up::<4>(before));
                    let with_rcon = apart128(m128::xor(sums, m128::every_word(rcon)));
                    m128::aes_last_round(word, m128::xor(with_rcon, m128::shift_up::<8>(sums)))
                }

                /// The first two round keys, or the last two made.
                pub(in crate::kernel) fn last(&self) -> [Vector; 2] {
                    self.last
                }

                /// The next two round keys, unless only the last of all is to be made.
                pub(in crate::kernel) fn step(&mut self) -> Option<[Vector; 2]> {
                    let [first, second] =
                        self.keys[..ROUND_KEYS - 1].as_chunks_mut().0.get_mut(self.made / 2)?;
                    let [before, last] = self.last;
                    let next = if Self::AES_128 {
                        let next = Self::next_128(last, RCON[(self.made - 1) % 16]);
                        [next, Self::next_128(next, RCON[self.made % 16])]
                    } else {
                        let rcon = RCON[(self.made / 2 - 1) % 16];
                        let next = Self::next_256(before, rotated_word(last), rcon);
                        [next, Self::next_256(last, m128::last_word(next), 0)]
                    };
                    store128(first, next[0]);
                    store128(second, next[1]);
                    self.last = next;
                    self.made += 2;
                    Some(next)
                }

                /// All that are left.
                pub(in crate::kernel) fn finish_all(&mut self) {
                    while self.step().is_some() {}
                    self.finish();
                }

                /// The last round key; every step has to be done.
                pub(in crate::kernel) fn finish(&mut self) -> Vector {
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
        }

        kernel! {
            fn expand128(tier: $tier, key: &[u8; 16]) -> RoundKeys<11> {
                expand([load128(key); 2])
            }

            /// Word by word: its steps of six words do not go well with vectors of four, and no key of
            /// a message is of this length.
            fn expand192(tier: $tier, key: &[u8; 24]) -> RoundKeys<13> {
                let mut keys = RoundKeys::default();
                let words = keys.0.as_flattened_mut().as_chunks_mut::<4>().0;
                words[..6].copy_from_slice(key.as_chunks().0);
                for i in 6..words.len() {
                    let mut word = u32::from_le_bytes(words[i - 1]);
                    if i % 6 == 0 {
                        let rotated = m128::every_word(word.rotate_right(8));
                        let rcon = m128::every_word(RCON[i / 6 - 1]);
                        let mut block = [0; 16];
                        store128(&mut block, m128::aes_last_round(rotated, rcon));
                        let [a, b, c, d, ..] = block;
                        word = u32::from_le_bytes([a, b, c, d]);
                    }
                    words[i] = (word ^ u32::from_le_bytes(words[i - 6])).to_le_bytes();
                }
                keys
            }

            fn expand256(tier: $tier, key: &[u8; 32]) -> RoundKeys<15> {
                let (halves, _) = key.as_chunks::<16>();
                expand([load128(&halves[0]), load128(&halves[1])])
            }
        }

        $crate::tier::helpers! {
            $features;
            /// All round keys at once.
            fn expand[const ROUND_KEYS: usize](halves: [Vector; 2]) -> RoundKeys<ROUND_KEYS> {
                let mut keys = RoundKeys::default();
                let mut schedule = Schedule::start(&mut keys, halves);
                schedule.finish_all();
                keys
            }

            /// The rounds of `N` independent blocks, all but the last.
            pub(in crate::kernel) fn rounds[const N: usize, const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, mut states: [Vector; N],
            ) -> [Vector; N] {
                for key in &keys.0[1..ROUND_KEYS - 1] {
                    let key = load128(key);
                    for state in &mut states {
                        *state = m128::aes_round(*state, key);
                    }
                    side_by_side128(&mut states);
                }
                states
            }

            /// Encrypts `N` independent blocks.
            pub(in crate::kernel) fn encrypt_states[const N: usize, const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, mut states: [Vector; N],
            ) -> [Vector; N] {
                let (first, last) = (load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1]));
                for state in &mut states {
                    *state = m128::xor(*state, first);
                }
                let mut states = rounds(keys, states);
                for state in &mut states {
                    *state = m128::aes_last_round(*state, last);
                }
                states
            }
        }
    };
}
narrowest!(blocks);
