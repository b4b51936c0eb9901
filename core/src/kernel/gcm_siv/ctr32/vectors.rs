//! CTR of RFC 8452 over vectors, eight of them in flight.
//!
//! A round key is loaded for all eight at once, and the text is folded into the last, so that the
//! last round yields the result itself. A long text has most of its first rounds looked up.

use crate::kernel::Block;

/// Defines the kernels of a tier over its vectors. `avx512` has a text of its own: over this one,
/// even if it looks up beyond the wrap, opening 64 KiB with AES-256 took 11 % longer on Zen 4.
macro_rules! ctr32 {
    ($tier:ident, $features:literal, $vector_module:ident) => {
        use super::first_rounds::{FirstRounds, WORTHWHILE_LEN, without_low_byte};
        use super::vectors::{first_word, keystream_xor, parted};
        use crate::kernel::Block;
        use crate::kernel::aes::RoundKeys;
        use crate::kernel::vector::$vector_module::{self as vector, LANES, Vector};
        use crate::tier::{kernel, secret, $tier};

        /// Bytes of a vector.
        const VECTOR_LEN: usize = 16 * LANES;
        /// Vectors in flight: the latency of AESENC times its throughput, rounded up.
        pub(in crate::kernel) const STRIDE: usize = 8;

        $crate::tier::helpers! {
            $features;
            /// The counter block and those after it.
            fn counters(counter: &Block) -> Vector {
                let counts = core::array::from_fn(first_word);
                vector::add32(vector::splat(counter), vector::load(&counts))
            }

            /// The first two rounds.
            fn two_rounds[const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, blocks: Vector,
            ) -> Vector {
                let state = vector::xor(blocks, vector::splat(&keys.0[0]));
                let state = vector::aes_round(state, vector::splat(&keys.0[1]));
                vector::aes_round(state, vector::splat(&keys.0[2]))
            }

            /// The table of the first two rounds for a message that begins with `counter`.
            pub(in crate::kernel) fn first_rounds['a, const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, counter: &Block, room: &'a mut TableRoom,
            ) -> FirstRounds<'a> {
                let mut counters = counters(&without_low_byte(counter));
                FirstRounds::new(room, || {
                    let mut blocks = [0; 64];
                    for vector in blocks.as_chunks_mut().0 {
                        vector::store_bytes(vector, two_rounds(keys, counters));
                        counters = vector::add32(counters, vector::splat(&first_word(LANES)));
                    }
                    blocks
                })
            }
        }

        /// Memory for a table of the first two rounds.
        pub(in crate::kernel) type TableRoom = secret::Room<64>;

        /// A keystream: the round keys and a vector of counters.
        pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> {
            keys: &'a RoundKeys<ROUND_KEYS>,
            counters: Vector,
            /// The lowest byte of the first counter.
            low: usize,
            table: FirstRounds<'a>,
            /// The common part of the first rounds since the lowest byte last wrapped, which is not
            /// in the table: nothing at the start.
            rest: Vector,
        }

        impl<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'a, ROUND_KEYS, LOOK_UP> {
            $crate::tier::helpers! {
                $features;
                /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
                /// `table` is [`FirstRounds::NONE`], or, to `LOOK_UP`, was made for this message.
                pub(in crate::kernel) fn new(
                    keys: &'a RoundKeys<ROUND_KEYS>, counter: &Block, table: FirstRounds<'a>,
                ) -> Self {
                    Self {
                        keys,
                        counters: counters(counter),
                        low: usize::from(counter[0]),
                        table,
                        rest: vector::splat(&[0; 16]),
                    }
                }

                fn key(&self, i: usize) -> Vector {
                    vector::splat(&self.keys.0[i])
                }

                /// The next `N` vectors of counters, at most [`STRIDE`], after every round but the
                /// last. `beside` is called once a round; its work runs at the same time.
                pub(in crate::kernel) fn next[const N: usize](
                    &mut self, mut beside: impl FnMut(usize),
                ) -> [Vector; N] {
                    // Each way has the rounds once: where `beside` has two places, it is not
                    // inlined.
                    if LOOK_UP {
                        let states = self.look_up();
                        beside(0);
                        self.rounds::<N, 3>(states, |i| beside(i + 1))
                    } else {
                        let states = self.count();
                        self.rounds::<N, 1>(states, beside)
                    }
                }

                /// The next counters under the first round key.
                fn count[const N: usize](&mut self) -> [Vector; N] {
                    let first = self.key(0);
                    let mut states = [first; N];
                    for state in &mut states {
                        *state = vector::xor(self.counters, first);
                        self.advance(1);
                    }
                    states
                }

                fn advance(&mut self, vectors: usize) {
                    let blocks = LANES * vectors;
                    let count = vector::splat(&first_word(blocks));
                    self.counters = vector::add32(self.counters, count);
                    if LOOK_UP {
                        self.low = (self.low + blocks) % 256;
                    }
                }

                /// The next counters after two rounds: looked up, unless the table ends before.
                fn look_up[const N: usize](&mut self) -> [Vector; N] {
                    let Some(rounds) = self.table.vectors::<VECTOR_LEN, N>(self.low) else {
                        let mut states = self.count();
                        for i in 1..3 {
                            let key = self.key(i);
                            for state in &mut states {
                                *state = vector::aes_round(*state, key);
                            }
                        }
                        return states;
                    };
                    if self.low < LANES * STRIDE {
                        let looked_up = vector::splat(self.table.block(self.low));
                        let rest = vector::xor(two_rounds(self.keys, self.counters), looked_up);
                        self.rest = vector::broadcast(vector::split(rest)[0]);
                    }
                    let mut states = [self.rest; N];
                    for (state, round) in states.iter_mut().zip(rounds) {
                        *state = vector::xor(*state, vector::load_bytes(round));
                    }
                    self.advance(N);
                    states
                }

                /// The rounds from `FIRST` to the last but one.
                fn rounds[const N: usize, const FIRST: usize](
                    &self, mut states: [Vector; N], mut beside: impl FnMut(usize),
                ) -> [Vector; N] {
                    for i in FIRST..ROUND_KEYS - 1 {
                        let key = self.key(i);
                        for state in &mut states {
                            *state = vector::aes_round(*state, key);
                        }
                        vector::side_by_side(&mut states);
                        beside(i - FIRST);
                    }
                    states
                }

                /// The last round with the text in it.
                pub(in crate::kernel) fn last_round(&self, state: Vector, text: Vector) -> Vector {
                    vector::aes_last_round(state, vector::xor(text, self.key(ROUND_KEYS - 1)))
                }
            }
        }

        keystream_xor!($tier, $features, REST: 1 2 4);
    };
}

/// Defines what every keystream does to a text. What does not fill [`STRIDE`] vectors takes the
/// fewest of `$rest` that it has room in.
macro_rules! keystream_xor {
    ($tier:ident, $features:literal, REST: $($rest:literal)*) => {
        impl<const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'_, ROUND_KEYS, LOOK_UP> {
            $crate::tier::helpers! {
                $features;
                /// XORs `N` vectors of keystream into `in_out`, or into `from` on the way there.
                pub(in crate::kernel) fn xor_vectors[const N: usize](
                    &mut self, from: Option<&[[u8; VECTOR_LEN]; N]>,
                    in_out: &mut [[u8; VECTOR_LEN]; N],
                ) {
                    let states = self.next::<N>(|_| ());
                    for (i, (vector, state)) in in_out.iter_mut().zip(states).enumerate() {
                        let text = vector::load_bytes(from.map_or(&*vector, |from| &from[i]));
                        vector::store_bytes(vector, self.last_round(state, text));
                    }
                }

                /// Up to `N` vectors, the last of them perhaps cut short.
                fn xor_rest[const N: usize](&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
                    let states = self.next::<N>(|_| ());
                    let mut sources = from.map(|from| from.chunks(VECTOR_LEN));
                    for (piece, state) in in_out.chunks_mut(VECTOR_LEN).zip(states) {
                        let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
                        let text = vector::load_padded(text);
                        vector::store_partial(piece, self.last_round(state, text));
                    }
                }

                /// XORs the last of the keystream into `in_out`, or into `from` on the way there.
                pub(in crate::kernel) fn xor(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
                    let whole = in_out.len() - in_out.len() % (STRIDE * VECTOR_LEN);
                    let (strides, rest) = in_out.split_at_mut(whole);
                    let (sources, rest_from) = parted(from, whole);
                    let mut sources =
                        sources.map(|from| from.as_chunks().0.as_chunks::<STRIDE>().0.iter());
                    let strides = strides.as_chunks_mut::<VECTOR_LEN>().0;
                    for stride in strides.as_chunks_mut::<STRIDE>().0 {
                        self.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
                    }
                    match rest.len().div_ceil(VECTOR_LEN) {
                        0 => {}
                        $( ..=$rest => self.xor_rest::<$rest>(rest_from, rest), )*
                        _ => self.xor_rest::<STRIDE>(rest_from, rest),
                    }
                }
            }
        }

        kernel! {
            fn ctr32_xor[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                Keystream::<_, false>::new(keys, counter, FirstRounds::NONE).xor(from, in_out);
            }

            fn ctr32_xor_long[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                let mut room = TableRoom::new();
                let table = first_rounds(keys, counter, &mut room);
                Keystream::<_, true>::new(keys, counter, table).xor(from, in_out);
            }
        }
        /// [`GcmSiv::ctr32_xor`](crate::kernel::gcm_siv::GcmSiv::ctr32_xor) for either key length.
        #[inline(always)]
        pub(in crate::kernel) fn xor_keystream<const ROUND_KEYS: usize>(
            tier: $tier,
            keys: &RoundKeys<ROUND_KEYS>,
            counter: &Block,
            from: Option<&[u8]>,
            in_out: &mut [u8],
        ) {
            if in_out.len() < WORTHWHILE_LEN {
                ctr32_xor(tier, keys, counter, from, in_out);
            } else {
                ctr32_xor_long(tier, keys, counter, from, in_out);
            }
        }
    };
}
pub(super) use {ctr32, keystream_xor};

/// `number` in the first word of a block, little-endian: what counts.
#[inline(always)]
pub(super) fn first_word(number: usize) -> Block {
    (number as u128).to_le_bytes()
}

/// Both parts of a source, if there is one.
#[inline(always)]
pub(in crate::kernel::gcm_siv) fn parted(
    from: Option<&[u8]>,
    len: usize,
) -> (Option<&[u8]>, Option<&[u8]>) {
    match from.map(|from| from.split_at(len)) {
        Some((first, rest)) => (Some(first), Some(rest)),
        None => (None, None),
    }
}
