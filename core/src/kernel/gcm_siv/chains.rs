//! The chains of one message side by side.
//!
//! A message is five chains of instructions that wait for each other: `derive_keys`, the key
//! schedule, POLYVAL, the tag's AES and the keystream. The schedule and POLYVAL need nothing
//! of each other, but each is some hundred instructions long, more than the schedulers of a
//! CPU hold: whichever stands first in the program keeps the other out. So they stand step
//! beside step. POLYVAL leads, since it is what depends on the lengths; wherever it waits
//! for a product, the schedule takes a step.

/// Defines `derive_and_tag` for a tier with its `derive_halves`.
macro_rules! chains {
    ($tier:ident, $module:ident) => {
        use $crate::kernel::aes::avx2::encrypt_states;
        use $crate::kernel::aes::round_keys::Schedule;
        use $crate::kernel::polyval::Beside;
        use $crate::kernel::polyval::$module::hash;
        use $crate::tier::bytes::load96;

        /// What a message to be sealed has for the time in which POLYVAL waits.
        struct Sealing<'a, const ROUND_KEYS: usize>($tier, Schedule<'a, ROUND_KEYS>);

        impl<const ROUND_KEYS: usize> Beside for Sealing<'_, ROUND_KEYS> {
            #[inline(always)]
            fn step(&mut self) {
                step_sealing(self.0, &mut self.1);
            }
        }

        kernel! {
            fn step_sealing[const ROUND_KEYS: usize](
                tier: $tier, schedule: &mut Schedule<'_, ROUND_KEYS>,
            ) {
                schedule.step();
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
                let [h, low, high] = derive_halves(key_generating_key, _mm_slli_si128::<4>(nonce));
                let mut sealing = Sealing(tier, Schedule::start(keys, [low, high]));
                let s_s = hash(h, aad, plaintext, load128(length_block), &mut sealing);
                let Sealing(_, mut schedule) = sealing;
                while schedule.step().is_some() {}
                schedule.finish();
                // Section 4: S_s XOR nonce, the top bit cleared.
                let top_bit_clear = _mm_set_epi64x(i64::MAX, -1);
                let block = _mm_and_si128(_mm_xor_si128(s_s, nonce), top_bit_clear);
                let [block] = encrypt_states(keys, [block]);
                let mut tag = [0; 16];
                store128(&mut tag, block);
                tag
            }
        }
    };
}
pub(super) use chains;
