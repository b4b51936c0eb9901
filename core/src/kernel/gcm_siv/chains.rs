//! The chains of a short message side by side.
//!
//! A message is five chains of instructions that wait for each other: `derive_keys`, the key
//! schedule, POLYVAL, the tag's AES and the keystream. The schedule and POLYVAL do not depend on
//! each other. But each has some hundred instructions, more than the schedulers of a CPU hold, so
//! the first one in the program would keep the other out. So their steps alternate: while POLYVAL
//! waits for a product, the schedule takes a step. In opening, the keystream uses the round keys as
//! they appear.
//!
//! On the tiers with wide vectors the key schedule always ends before hashing starts, whatever the
//! lengths. So the compiler can keep the round keys in registers.

/// A mask for the bytes of a text in a vector: loaded from so many bytes before the middle on.
pub(super) const ONES_THEN_ZEROS: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 0xff;
        i += 1;
    }
    bytes
};

/// Defines `seal` and `open` for messages whose text is at most `N` vectors, with the powers
/// of H and POLYVAL of one of the modules for short messages.
macro_rules! chains {
    ($tier:ident, $features:literal, $polyval:ident::$powers:ident $(<$n:ident>)?, $vector_module:ident) => {
        use super::*;
        use $crate::kernel::aes::blocks::Schedule;
        use $crate::kernel::gcm_siv::chains::ONES_THEN_ZEROS;
        use $crate::kernel::gcm_siv::tag_block::{initial_counter, stored, tag};
        use $crate::kernel::vector::m128;
        use $crate::kernel::vector::$vector_module::{self as vector, LANES, Vector};
        use $crate::kernel::polyval::{Nothing, Step};
        use $crate::kernel::polyval::$polyval::{self, Text};
        use $crate::tier::bytes::load96;

        kernel! {
            pub(super) fn seal[const ROUND_KEYS: usize, const N: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
                aad: &[u8], from: Option<&[u8]>, in_out: &mut [u8], length_block: &Block,
                _vectors: [(); N],
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let mut scheduling = Scheduling::<_, N>(tier, Schedule::start(&mut keys, halves));
                let mut room = $polyval::ShortRoom::new();
                let powers = $polyval::$powers$(::<$n>)?::for_message(h, aad.len(), in_out.len(), &mut room, &mut scheduling);
                let text = in_vectors::<N>(from.unwrap_or(in_out));
                let s_s = powers.hash(aad, text, load128(length_block), &mut scheduling);
                scheduling.1.finish_all();
                let tag = tag(&keys, nonce, s_s);
                let states = rounds::<_, N>(&keys, initial_counter(tag));
                xor_last_round::<ROUND_KEYS, N, false>(states, &keys, from, in_out);
                stored(tag)
            }
        }

        $crate::tier::helpers! {
            $features;
            /// The keystream of `N` vectors up to its last round.
            pub(super) fn rounds[const ROUND_KEYS: usize, const N: usize](
                keys: &RoundKeys<ROUND_KEYS>, counter: m128::Vector,
            ) -> [Vector; N] {
                let mut states = counters::<N>(counter);
                let first = vector::splat(&keys.0[0]);
                for state in &mut states {
                    *state = vector::xor(*state, first);
                }
                for key in &keys.0[1..ROUND_KEYS - 1] {
                    let key = vector::splat(key);
                    for state in &mut states {
                        *state = vector::aes_round(*state, key);
                    }
                }
                states
            }

            /// `counter` and the next ones.
            fn counters[const N: usize](counter: m128::Vector) -> [Vector; N] {
                let mut counters = [vector::broadcast(counter); N];
                for (i, counter) in counters.iter_mut().enumerate() {
                    if LANES * i > 0 || LANES > 1 {
                        let counts = core::array::from_fn(|lane| ((LANES * i + lane) as u128).to_le_bytes());
                        *counter = vector::add32(*counter, vector::load(&counts));
                    }
                }
                counters
            }
        }

        kernel! {
            pub(super) fn open[const ROUND_KEYS: usize, const N: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
                counter: &Block, aad: &[u8], from: Option<&[u8]>, in_out: &mut [u8],
                length_block: &Block, _vectors: [(); N],
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let mut opening = Opening::<_, N, N>::start(tier, Schedule::start(&mut keys, halves), counter);
                let mut room = $polyval::ShortRoom::new();
                let powers = $polyval::$powers$(::<$n>)?::for_message(h, aad.len(), in_out.len(), &mut room, &mut opening);
                let states = opening.finish();
                let text = xor_last_round::<ROUND_KEYS, N, true>(states, &keys, from, in_out);
                let s_s = powers.hash(aad, text, load128(length_block), &mut Nothing::<ROUND_KEYS>);
                stored(tag(&keys, nonce, s_s))
            }
        }

        /// The round keys of a message to be opened, being made, and its keystream, which takes
        /// them as they appear. For `KERNEL` see [`Scheduling`].
        pub(super) struct Opening<'a, const ROUND_KEYS: usize, const N: usize, const KERNEL: usize> {
            tier: $tier,
            schedule: Schedule<'a, ROUND_KEYS>,
            states: [Vector; N],
        }

        impl<'a, const ROUND_KEYS: usize, const N: usize, const KERNEL: usize>
            Opening<'a, ROUND_KEYS, N, KERNEL>
        {
            $crate::tier::helpers! {
                $features;
                pub(super) fn start(
                    tier: $tier, schedule: Schedule<'a, ROUND_KEYS>, counter: &Block,
                ) -> Self {
                    let [first, second] = schedule.last().map(|key| vector::broadcast(key));
                    let mut states = counters::<N>(load128(counter));
                    for state in &mut states {
                        *state = vector::aes_round(vector::xor(*state, first), second);
                    }
                    Self { tier, schedule, states }
                }

                /// Makes the missing round keys, and returns the keystream up to its last round.
                pub(super) fn finish(mut self) -> [Vector; N] {
                    for _ in 0..ROUND_KEYS / 2 {
                        self.step();
                    }
                    self.schedule.finish();
                    self.states
                }
            }
        }

        impl<const ROUND_KEYS: usize, const N: usize, const KERNEL: usize> Step
            for Opening<'_, ROUND_KEYS, N, KERNEL>
        {
            #[inline(always)]
            fn step(&mut self) {
                step_keystream(self.tier, &mut self.schedule, &mut self.states);
            }
        }

        kernel! {
            fn step_keystream[const ROUND_KEYS: usize, const N: usize](
                tier: $tier, schedule: &mut Schedule<'_, ROUND_KEYS>, states: &mut [Vector; N],
            ) {
                if let Some(keys) = schedule.step() {
                    for key in keys {
                        let key = vector::broadcast(key);
                        for state in &mut *states {
                            *state = vector::aes_round(*state, key);
                        }
                    }
                }
            }
        }

        /// Where the last of at most `N` vectors begins, which may be cut short.
        #[inline(always)]
        fn start_of_last<const N: usize>(len: usize) -> usize {
            if N == 1 { 0 } else { len.saturating_sub(1) / (16 * LANES) * (16 * LANES) }
        }

        $crate::tier::helpers! {
            $features;
            fn in_vectors[const N: usize](text: &[u8]) -> Text<'_> {
                let (vectors, last) = text.split_at(start_of_last::<N>(text.len()));
                let last = if last.is_empty() {
                    None
                } else {
                    Some((last.len(), vector::load_padded(last)))
                };
                (vectors.as_chunks().0, last)
            }

            /// The last round of the keystream with the text in it, which is `from`, or `in_out`
            /// itself. The stored text is returned, if it is to be `HASHED`.
            pub(super) fn xor_last_round[
                'a, const ROUND_KEYS: usize, const N: usize, const HASHED: bool
            ](
                states: [Vector; N], keys: &RoundKeys<ROUND_KEYS>, from: Option<&[u8]>,
                in_out: &'a mut [u8],
            ) -> Text<'a> {
                let last_key = vector::splat(&keys.0[ROUND_KEYS - 1]);
                let (vectors, rest) = in_out.split_at_mut(start_of_last::<N>(in_out.len()));
                let vectors = vectors.as_chunks_mut::<16>().0.as_chunks_mut::<LANES>().0;
                let mut last = None;
                // No closures here: what takes one is not inlined into a kernel.
                for (i, state) in states.into_iter().enumerate() {
                    let from = match from {
                        Some(from) => from.get(16 * LANES * i..),
                        None => None,
                    };
                    if let Some(place) = vectors.get_mut(i) {
                        let from = match from {
                            Some(from) => from.as_chunks::<16>().0.first_chunk(),
                            None => None,
                        };
                        let text = vector::load(from.unwrap_or(place));
                        vector::store(place, vector::aes_last_round(state, vector::xor(text, last_key)));
                    } else if i == vectors.len() && !rest.is_empty() {
                        let text = vector::load_padded(from.unwrap_or(rest));
                        let text = vector::aes_last_round(state, vector::xor(text, last_key));
                        vector::store_partial(rest, text);
                        if !HASHED {
                            break;
                        }
                        let mask = &ONES_THEN_ZEROS[64 - rest.len().min(64)..];
                        let text = match mask.as_chunks().0.first_chunk() {
                            Some(mask) => vector::and(text, vector::load(mask)),
                            None => text,
                        };
                        last = Some((rest.len(), text));
                    }
                }
                (vectors.as_flattened().as_flattened().as_chunks().0, last)
            }
        }
    };
}
pub(super) use chains;

/// Defines for a tier how short messages and long ones make round keys beside other work.
macro_rules! scheduling {
    ($tier:ident) => {
        /// Round keys being made. `KERNEL` makes one type for each kernel, so each copy has one
        /// caller, and is inlined.
        struct Scheduling<'a, const ROUND_KEYS: usize, const KERNEL: usize>(
            $tier,
            $crate::kernel::aes::blocks::Schedule<'a, ROUND_KEYS>,
        );

        impl<const ROUND_KEYS: usize, const KERNEL: usize> $crate::kernel::polyval::Step
            for Scheduling<'_, ROUND_KEYS, KERNEL>
        {
            #[inline(always)]
            fn step(&mut self) {
                step_schedule(self.0, &mut self.1);
            }
        }

        kernel! {
            fn step_schedule[const ROUND_KEYS: usize](
                tier: $tier, schedule: &mut $crate::kernel::aes::blocks::Schedule<'_, ROUND_KEYS>,
            ) {
                schedule.step();
            }
        }
    };
}
pub(super) use scheduling;

/// Implements [`GcmSiv`](super::GcmSiv) for a tier with its kernels: up to which length of the
/// text those for short messages are called, with how many vectors, and which one takes a very
/// long message to be opened.
macro_rules! single_messages {
    ($tier:ident, seal: $seal:tt, open: $open:tt) => {
        single_messages!(@ 16, 11, $tier, $seal, $open);
        single_messages!(@ 32, 15, $tier, $seal, $open);
    };
    (
        @ $key_len:literal, $round_keys:literal, $tier:ident,
        [$($seal_len:literal => $seal_vectors:literal),*],
        [$($open_len:literal => $open_vectors:literal),* $(, very_long => $open_very_long:ident)?]
    ) => {
        impl GcmSiv<$key_len> for $tier {
            type Lanes = Lanes<$round_keys>;

            #[inline(always)]
            fn derive_and_seal(
                self,
                key_generating_key: &Self::RoundKeys,
                message: Unsealed<'_>,
            ) -> Block {
                // One by one: otherwise the memory would be read back in other widths.
                let Unsealed { nonce, aad, from, in_out, length_block: lengths } = message;
                let keys = key_generating_key;
                match (aad.len(), in_out.len()) {
                    (0, ..=16) => {
                        one_block::seal(self, keys, nonce, aad, from, in_out, lengths, [(); 1])
                    }
                    $((..=64, ..=$seal_len) => {
                        let vectors = [(); $seal_vectors];
                        short::seal(self, keys, nonce, aad, from, in_out, lengths, vectors)
                    })*
                    _ => seal_long(self, keys, nonce, aad, from, in_out, lengths),
                }
            }

            #[inline(always)]
            fn derive_and_open(
                self,
                key_generating_key: &Self::RoundKeys,
                message: Sealed<'_>,
            ) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block: lengths } = message;
                let keys = key_generating_key;
                match (aad.len(), in_out.len()) {
                    (0, ..=16) => {
                        let vectors = [(); 1];
                        one_block::open(self, keys, nonce, counter, aad, from, in_out, lengths, vectors)
                    }
                    $((..=64, ..=$open_len) => {
                        let vectors = [(); $open_vectors];
                        short::open(self, keys, nonce, counter, aad, from, in_out, lengths, vectors)
                    })*
                    $((_, WORTHWHILE_LEN..) => {
                        $open_very_long(self, keys, nonce, counter, aad, from, in_out, lengths)
                    })?
                    _ => open_long(self, keys, nonce, counter, aad, from, in_out, lengths),
                }
            }

            const BESIDE_LEN: usize = STRIDE_LEN;

            #[inline(always)]
            fn seal_beside(
                self,
                key_generating_key: &Self::RoundKeys,
                under_way: &mut UnderWay<Self::RoundKeys>,
                (from, in_out): (Option<&[u8]>, &mut [u8]),
                (nonce, aad, text): (&[u8; 12], &[u8], &[u8]),
                lengths: &Block,
            ) -> Block {
                seal_beside(self, key_generating_key, under_way, from, in_out, nonce, aad, text, lengths)
            }

            #[inline(always)]
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                xor_keystream(self, keys, counter, from, in_out);
            }

            #[inline(always)]
            fn lanes(self) -> Option<Self::Lanes> {
                Some(Lanes(self))
            }
        }
    };
}
pub(super) use single_messages;
