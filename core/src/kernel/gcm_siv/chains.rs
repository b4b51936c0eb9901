//! The chains of one message side by side.
//!
//! A message is five chains of instructions that wait for each other: `derive_keys`, the key
//! schedule, POLYVAL, the tag's AES and the keystream. The schedule and POLYVAL need nothing
//! of each other, but each is some hundred instructions long, more than the schedulers of a
//! CPU hold: whichever stands first in the program keeps the other out. So they stand step
//! beside step. POLYVAL leads, since it is what depends on the lengths; wherever it waits
//! for a product, the schedule takes a step, and in a message to be opened the keystream
//! takes the round keys as they appear.

/// Zeros out of a vector what is behind the bytes of a text: loaded from so many bytes
/// before the middle on.
pub(super) const ONES_THEN_ZEROS: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 0xff;
        i += 1;
    }
    bytes
};

/// Defines `derive_and_tag` and `derive_and_open` for a tier with its `derive_halves`.
macro_rules! chains {
    ($tier:ident, $features:literal, $module:ident, $vector_module:ident) => {
        use super::chains::ONES_THEN_ZEROS;
        use super::vector::$vector_module::{self as vector, LANES, Vector};
        use $crate::kernel::aes::avx2::encrypt_states;
        use $crate::kernel::aes::round_keys::Schedule;
        use $crate::kernel::polyval::$module::{Text, hash, in_vectors};
        use $crate::kernel::polyval::{Beside, Step};
        use $crate::tier::bytes::load96;

        /// Round keys being made.
        struct Scheduling<'a, const ROUND_KEYS: usize>($tier, Schedule<'a, ROUND_KEYS>);

        impl<const ROUND_KEYS: usize> Step for Scheduling<'_, ROUND_KEYS> {
            #[inline(always)]
            fn step(&mut self) {
                step_schedule(self.0, &mut self.1);
            }
        }

        kernel! {
            fn step_schedule[const ROUND_KEYS: usize](
                tier: $tier, schedule: &mut Schedule<'_, ROUND_KEYS>,
            ) {
                schedule.step();
            }
        }

        /// A message to be sealed: its round keys are made beside POLYVAL.
        struct Sealing<'a, const ROUND_KEYS: usize> {
            scheduling: Scheduling<'a, ROUND_KEYS>,
            plaintext: &'a [u8],
        }

        impl<const ROUND_KEYS: usize> Step for Sealing<'_, ROUND_KEYS> {
            #[inline(always)]
            fn step(&mut self) {
                self.scheduling.step();
            }
        }

        impl<'a, const ROUND_KEYS: usize> Beside<Text<'a>> for Sealing<'a, ROUND_KEYS> {
            #[inline(always)]
            fn text(&mut self) -> Text<'a> {
                load_text(self.scheduling.0, self.plaintext)
            }
        }

        kernel! {
            fn load_text['a](tier: $tier, text: &'a [u8]) -> Text<'a> {
                in_vectors(text)
            }
        }

        kernel! {
            fn derive_and_tag[const ROUND_KEYS: usize](
                tier: $tier,
                key_generating_key: &RoundKeys<ROUND_KEYS>,
                nonce: &[u8; 12],
                aad: &[u8],
                plaintext: &[u8],
                length_block: &Block,
                keys: &mut RoundKeys<ROUND_KEYS>,
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, _mm_slli_si128::<4>(nonce));
                let scheduling = Scheduling(tier, Schedule::start(keys, halves));
                let mut sealing = Sealing { scheduling, plaintext };
                let s_s = hash(h, aad, plaintext.len(), load128(length_block), &mut sealing);
                sealing.scheduling.1.finish_all();
                tag(keys, nonce, s_s)
            }
        }

        /// Section 4: the tag is the encryption of S_s XOR nonce with the top bit cleared.
        #[inline]
        #[target_feature(enable = $features)]
        fn tag<const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            nonce: __m128i,
            s_s: __m128i,
        ) -> Block {
            let top_bit_clear = _mm_set_epi64x(i64::MAX, -1);
            let block = _mm_and_si128(_mm_xor_si128(s_s, nonce), top_bit_clear);
            let [block] = encrypt_states(keys, [block]);
            let mut tag = [0; 16];
            store128(&mut tag, block);
            tag
        }

        /// A message of at most `N` vectors to be opened: beside POLYVAL, its round keys are
        /// made, and its keystream takes them as they appear.
        struct Opening<'a, const ROUND_KEYS: usize, const N: usize> {
            scheduling: Scheduling<'a, ROUND_KEYS>,
            keystream: [Vector; N],
            from: Option<&'a [u8]>,
            in_out: &'a mut [u8],
        }

        impl<const ROUND_KEYS: usize, const N: usize> Step for Opening<'_, ROUND_KEYS, N> {
            #[inline(always)]
            fn step(&mut self) {
                step_keystream(self.scheduling.0, &mut self.scheduling.1, &mut self.keystream);
            }
        }

        kernel! {
            fn step_keystream[const ROUND_KEYS: usize, const N: usize](
                tier: $tier, schedule: &mut Schedule<'_, ROUND_KEYS>, keystream: &mut [Vector; N],
            ) {
                if let Some(keys) = schedule.step() {
                    for key in keys {
                        let key = vector::broadcast(key);
                        *keystream = keystream.map(|state| vector::aes_round(state, key));
                    }
                }
            }
        }

        impl<'a, const ROUND_KEYS: usize, const N: usize> Beside<Text<'a>>
            for Opening<'a, ROUND_KEYS, N>
        {
            #[inline(always)]
            fn text(&mut self) -> Text<'a> {
                decrypt_text(self.scheduling.0, self)
            }
        }

        kernel! {
            fn decrypt_text['a, const ROUND_KEYS: usize, const N: usize](
                tier: $tier, opening: &mut Opening<'a, ROUND_KEYS, N>,
            ) -> Text<'a> {
                for _ in 0..ROUND_KEYS / 2 {
                    opening.step();
                }
                let key = vector::broadcast(opening.scheduling.1.finish());
                let in_out = core::mem::take(&mut opening.in_out);
                let whole = in_out.len().saturating_sub(1) / (16 * LANES) * (16 * LANES);
                let (vectors, rest) = in_out.split_at_mut(whole);
                let vectors = vectors.as_chunks_mut::<16>().0.as_chunks_mut::<LANES>().0;
                let mut last = None;
                for (i, state) in opening.keystream.into_iter().enumerate() {
                    // No closures here: what takes one is not inlined into a kernel.
                    let from = match opening.from {
                        Some(from) => from.get(16 * LANES * i..),
                        None => None,
                    };
                    if let Some(place) = vectors.get_mut(i) {
                        let from = match from {
                            Some(from) => from.as_chunks::<16>().0.first_chunk(),
                            None => None,
                        };
                        let text = vector::load(from.unwrap_or(place));
                        vector::store(place, vector::aes_last_round(state, vector::xor(text, key)));
                    } else if i == vectors.len() && !rest.is_empty() {
                        let text = vector::load_padded(from.unwrap_or(rest));
                        let text = vector::aes_last_round(state, vector::xor(text, key));
                        vector::store_partial(rest, text);
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

        kernel! {
            fn derive_and_open[const ROUND_KEYS: usize, const N: usize](
                tier: $tier,
                key_generating_key: &RoundKeys<ROUND_KEYS>,
                message: Sealed<'_>,
                _vectors: [(); N],
            ) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block } = message;
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, _mm_slli_si128::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let schedule = Schedule::start(&mut keys, halves);
                let [first, second] = schedule.last().map(|key| vector::broadcast(key));
                let mut keystream = [vector::broadcast(load128(counter)); N];
                for (i, state) in keystream.iter_mut().enumerate() {
                    let counts = core::array::from_fn(|lane| ((LANES * i + lane) as u128).to_le_bytes());
                    let block = vector::add32(*state, vector::load(&counts));
                    *state = vector::aes_round(vector::xor(block, first), second);
                }
                let text_len = in_out.len();
                let scheduling = Scheduling(tier, schedule);
                let mut opening = Opening { scheduling, keystream, from, in_out };
                let s_s = hash(h, aad, text_len, load128(length_block), &mut opening);
                tag(&keys, nonce, s_s)
            }
        }
    };
}
pub(super) use chains;
